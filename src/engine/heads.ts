// Owns what this process believes is due: the heads of lanes, from scans of the store (the truth, once a second) and
// from news in between. Whoever claims asks here what to claim; a wrong belief costs an empty probe, never a row.

import {
  indexLanes,
  type Lane,
  type LaneIndex,
  PLANNER_START,
  type PlannerState,
  plan,
  type Head as Tip,
} from '../core/planner.ts'
import type { Head, Store } from '../store/store.ts'
import type { Clock } from './clock.ts'

export interface Share {
  readonly lane: number
  readonly n: number
}

export interface Heads {
  /** Something may be due in these lanes. */
  readonly hint: (lanes: readonly number[]) => void
  /** Asks the store when the belief is old, or when a hint named a lane nobody knows. */
  readonly refresh: () => Promise<void>
  readonly plan: (slots: number, inFlight: ReadonlyMap<number, number>) => readonly Share[]
  /** What came of the shares: a lane that gave less than asked has no more for now. */
  readonly claimed: (shares: readonly Share[], given: ReadonlyMap<number, number>) => void
  /** When the next head that is not due yet will be, as far as is known. */
  readonly nextDueAt: () => number | undefined
  /** Look at the store with the next refresh. */
  readonly spoil: () => void
}

export interface HeadsOptions {
  readonly clock: Clock
  /** May this process run actions of this lane's type? */
  readonly isOffered: (type: string) => boolean
  readonly maxAgeMs?: number
}

const MAX_AGE_MS = 1000
/** A hint does not say how many: as many as a scan would count at most. */
const HINTED = 200

export const createHeads = (store: Pick<Store, 'heads'>, options: HeadsOptions): Heads => {
  const { clock, maxAgeMs = MAX_AGE_MS } = options
  let lanes: LaneIndex = new Map()
  let tips = new Map<number, Tip>()
  let state: PlannerState = PLANNER_START
  let scannedAt = Number.NEGATIVE_INFINITY
  /** News since the last scan began: it may not have seen them. */
  let news = new Set<number>()

  const believe = (lane: number): void => {
    const now = clock.now()
    const tip = tips.get(lane)
    tips.set(lane, { dueAt: Math.min(tip?.dueAt ?? now, now), due: Math.max(tip?.due ?? 0, HINTED) })
  }
  const spoil = (): void => {
    scannedAt = Number.NEGATIVE_INFINITY
  }
  const scan = async (): Promise<void> => {
    news = new Set()
    const rows = await store.heads(clock.clocks())
    lanes = withLanes(lanes, rows, options.isOffered)
    tips = new Map(rows.map(({ lane, dueAt, due }) => [lane, { dueAt, due }]))
    for (const lane of news) believe(lane)
  }
  return {
    hint: (ids) => {
      for (const id of ids) {
        news.add(id)
        believe(id)
        if (!lanes.has(id)) spoil()
      }
    },
    refresh: async () => {
      const began = clock.monotonic()
      if (began - scannedAt < maxAgeMs) return
      scannedAt = began
      await scan()
    },
    plan: (slots, inFlight) => {
      const planned = plan({ lanes, heads: tips, inFlight, now: clock.now(), slots, state })
      state = planned.state
      return planned.shares
    },
    claimed: (shares, given) => {
      for (const share of shares) if (!withdraw(tips, share, given.get(share.lane) ?? 0)) spoil()
    },
    nextDueAt: () => nextAfter(clock.now(), lanes, tips),
    spoil,
  }
}

/** Lanes are never forgotten: one that is empty now may be hinted at any time. */
const withLanes = (
  known: LaneIndex,
  rows: readonly Head[],
  isOffered: HeadsOptions['isOffered'],
): LaneIndex => {
  const lanes = new Map<number, Lane>(known)
  for (const { lane: id, namespace, tenant, type, priority, paused } of rows)
    lanes.set(id, { id, namespace, tenant, type, priority, closed: paused || !isOffered(type) })
  return indexLanes(lanes.values())
}

const nextAfter = (now: number, lanes: LaneIndex, tips: ReadonlyMap<number, Tip>): number | undefined => {
  let next = Number.POSITIVE_INFINITY
  for (const [lane, { dueAt }] of tips)
    if (dueAt > now && dueAt < next && lanes.get(lane)?.closed === false) next = dueAt
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

/** False: the lane gave less than asked, so what is believed of it was wrong. */
const withdraw = (tips: Map<number, Tip>, { lane, n }: Share, given: number): boolean => {
  const tip = tips.get(lane)
  if (tip === undefined) return true
  if (given < n) return !tips.delete(lane)
  tips.set(lane, { ...tip, due: Math.max(1, tip.due - given) })
  return true
}
