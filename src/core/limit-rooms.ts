// Owns the plan of who gets the next slots where some lanes have only so much room: a bulkhead of their type, a breaker
// that is open or lets a probe through. The planner shares slots out; here what it gave beyond a room goes to others.

import { type Head, type LaneIndex, type Plan, type PlanInput, plan } from './planner.ts'

/** Lanes with an equal key share the room. */
export interface Room {
  readonly key: string
  readonly room: number
}

type Lane = LaneIndex extends ReadonlyMap<number, infer Each> ? Each : never
export type RoomsOf = (lane: Lane) => readonly Room[]

export const planWithin = (input: PlanInput, roomsOf: RoomsOf | undefined): Plan => {
  if (roomsOf === undefined) return plan(input)
  let { state, slots } = input
  const left = new Map<string, number>()
  const shares = new Map<number, number>()
  const inFlight = new Map(input.inFlight)
  const roomFor = (id: number): number => {
    const lane = input.lanes.get(id)
    const rooms = lane === undefined ? [] : roomsOf(lane)
    return rooms.reduce(
      (least, { key, room }) => Math.min(least, left.get(key) ?? room),
      Number.POSITIVE_INFINITY,
    )
  }
  const takeOne = (id: number): void => {
    for (const { key, room } of roomsOf(input.lanes.get(id)!)) left.set(key, (left.get(key) ?? room) - 1)
    shares.set(id, (shares.get(id) ?? 0) + 1)
    inFlight.set(id, (inFlight.get(id) ?? 0) + 1)
    slots -= 1
  }
  let heads: ReadonlyMap<number, Head> = input.heads
  // A round that trims fills a room, so that its lanes are not in the next; and every round gives something.
  for (let isTrimmed = true; isTrimmed && slots > 0; ) {
    heads = new Map([...heads].filter(([id]) => roomFor(id) > 0))
    const planned = plan({ ...input, heads, inFlight, slots, state })
    state = planned.state
    isTrimmed = false
    // One each, round and round: who shares a room that is too small for all gets a part of it.
    for (let open = planned.shares; open.length > 0; )
      open = open.flatMap(({ lane, n }) => {
        if (roomFor(lane) <= 0) {
          isTrimmed = true
          return []
        }
        takeOne(lane)
        return n === 1 ? [] : [{ lane, n: n - 1 }]
      })
  }
  return { shares: Array.from(shares, ([lane, n]) => ({ lane, n })), state }
}
