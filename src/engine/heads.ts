// Owns what this process believes is due: the heads of lanes, from scans of the store (the truth, once a second) and
// from news in between. Whoever claims asks here what to claim; a wrong belief costs an empty probe, never a row.

import { planWithin } from '../core/limit-rooms.ts'
import {
  indexLanes,
  type LaneIndex,
  PLANNER_START,
  type Lane as PlannedLane,
  type PlannerState,
  type Head as Tip,
} from '../core/planner.ts'
import type { Head, Lane, Store, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Gate } from './limits.ts'

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
  /** Is this offered here, and does nothing of its tenant that is known to be due come before it? */
  readonly isNext: (lane: Omit<Lane, 'lane'>) => boolean
  /** The tenants with something due, as far as is known. */
  readonly waiting: () => ReadonlySet<string>
  /** A lane in which something runs that was never queued. */
  readonly learn: (lane: Lane) => void
  /** When the earliest head is due or was, as far as is known. */
  readonly nextDueAt: () => number | undefined
  /** Look at the store with the next refresh. */
  readonly spoil: () => void
}

export interface HeadsOptions {
  readonly clock: Clock
  /** May this process run actions of this lane's type? */
  readonly isOffered: (type: string) => boolean
  /** How much room lanes have: bulkheads, breakers. */
  readonly gate: Pick<Gate, 'refresh' | 'rooms'>
  readonly maxAgeMs?: number
}

const MAX_AGE_MS = 1000
/** A hint does not say how many: as many as a scan would count at most. */
const HINTED = 200
/** From then on the planner prefers a head to those of higher priority. */
const AGE_MS = 30_000

/** A step asks five times whose it is, and mostly it is the one whose the last was. */
let last = { namespace: '', tenant: '', key: '\u0000' }

export const tenantOf = ({ namespace, tenant }: Tenancy): string => {
  if (last.tenant !== tenant || last.namespace !== namespace)
    last = { namespace, tenant, key: `${namespace}\u0000${tenant}` }
  return last.key
}

export const createHeads = (store: Pick<Store, 'heads'>, options: HeadsOptions): Heads => {
  const { clock, isOffered, gate, maxAgeMs = MAX_AGE_MS } = options
  const atlas = createAtlas(isOffered)
  const belief = createBelief(clock)
  let state: PlannerState = PLANNER_START
  let scannedAt = Number.NEGATIVE_INFINITY

  const spoil = (): void => {
    scannedAt = Number.NEGATIVE_INFINITY
  }
  const scan = async (): Promise<void> => {
    belief.forget()
    const rows = await store.heads(clock.clocks())
    for (const row of rows) atlas.enter(row, row.paused)
    belief.learn(rows)
  }
  return {
    hint: (ids) => {
      belief.hint(ids)
      if (ids.some((id) => !atlas.lanes().has(id))) spoil()
    },
    refresh: async () => {
      const began = clock.monotonic()
      if (began - scannedAt < maxAgeMs) return
      scannedAt = began
      await Promise.all([scan(), gate.refresh()])
    },
    plan: (slots, inFlight) => {
      const lanes = atlas.lanes()
      const input = { lanes, heads: belief.tips(), inFlight, now: clock.now(), slots, state }
      const planned = planWithin(input, gate.rooms(lanes, inFlight))
      state = planned.state
      return planned.shares
    },
    claimed: (shares, given) => {
      if (!belief.withdraw(shares, given)) spoil()
    },
    isNext: (lane) => isOffered(lane.type) && !comesFirst(lane, atlas, belief.tips(), clock.now()),
    waiting: () => belief.waiting(atlas.lanes()),
    learn: (lane) => {
      if (!atlas.lanes().has(lane.lane)) atlas.enter(lane, false)
    },
    nextDueAt: () => earliest(atlas.lanes(), belief.tips()),
    spoil,
  }
}

type Tips = ReadonlyMap<number, Tip>
type Atlas = ReturnType<typeof createAtlas>

const isDue = (id: number, lanes: LaneIndex, tips: Tips, now: number): boolean => {
  const tip = tips.get(id)
  return tip !== undefined && tip.dueAt <= now && lanes.get(id)?.closed === false
}

/** Is something of the same tenant due that has a higher priority or as high, or has waited for long? */
const comesFirst = (lane: Omit<Lane, 'lane'>, atlas: Atlas, tips: Tips, now: number): boolean => {
  const lanes = atlas.lanes()
  return atlas
    .lanesOf(lane)
    .some(
      (id) =>
        isDue(id, lanes, tips, now) &&
        (lanes.get(id)!.priority >= lane.priority || now - tips.get(id)!.dueAt >= AGE_MS),
    )
}

/** What is believed to be queued, lane by lane. */
const createBelief = (clock: Clock) => {
  let tips = new Map<number, Tip>()
  /** News since the last scan began: it may not have seen them. */
  let news = new Set<number>()
  let waiting: { readonly at: number; readonly tenants: ReadonlySet<string> } | undefined

  const believe = (lane: number): void => {
    const now = clock.now()
    const tip = tips.get(lane)
    tips.set(lane, { dueAt: Math.min(tip?.dueAt ?? now, now), due: Math.max(tip?.due ?? 0, HINTED) })
  }
  return {
    tips: (): Tips => tips,
    forget: (): void => {
      news = new Set()
    },
    learn: (rows: readonly Head[]): void => {
      tips = new Map(rows.map(({ lane, dueAt, due }) => [lane, { dueAt, due }]))
      for (const lane of news) believe(lane)
      waiting = undefined
    },
    hint: (ids: readonly number[]): void => {
      for (const id of ids) {
        news.add(id)
        believe(id)
      }
      waiting = undefined
    },
    /** False: a lane gave less than asked, so what is believed of it was wrong. */
    withdraw: (shares: readonly Share[], given: ReadonlyMap<number, number>): boolean => {
      waiting = undefined
      const right = shares.map((share) => withdraw(tips, share, given.get(share.lane) ?? 0))
      return right.every(Boolean)
    },
    waiting: (lanes: LaneIndex): ReadonlySet<string> => {
      const at = clock.now()
      if (waiting?.at !== at) {
        const due = [...tips.keys()].filter((lane) => isDue(lane, lanes, tips, at))
        waiting = { at, tenants: new Set(due.map((lane) => tenantOf(lanes.get(lane)!))) }
      }
      return waiting.tenants
    },
  }
}

/** The lanes this process knows. They are never forgotten: one that is empty now may be hinted at any time. */
const createAtlas = (isOffered: HeadsOptions['isOffered']) => {
  let lanes: LaneIndex = new Map()
  const byTenant = new Map<string, Set<number>>()
  const entered = new Map<number, Lane & { readonly paused: boolean }>()
  /** Several at once: the index is made anew for each change. */
  const index = (): void => {
    if (entered.size === 0) return
    const known = new Map<number, PlannedLane>(lanes)
    for (const { lane: id, namespace, tenant, type, priority, paused } of entered.values()) {
      known.set(id, { id, namespace, tenant, type, priority, closed: paused || !isOffered(type) })
      const key = tenantOf({ namespace, tenant })
      byTenant.set(key, (byTenant.get(key) ?? new Set()).add(id))
    }
    entered.clear()
    lanes = indexLanes(known.values())
  }
  return {
    enter: (lane: Lane, paused: boolean): void => void entered.set(lane.lane, { ...lane, paused }),
    lanes: (): LaneIndex => {
      index()
      return lanes
    },
    lanesOf: (of: Tenancy): readonly number[] => {
      index()
      return [...(byTenant.get(tenantOf(of)) ?? [])]
    },
  }
}

const earliest = (lanes: LaneIndex, tips: Tips): number | undefined => {
  let next = Number.POSITIVE_INFINITY
  for (const [lane, { dueAt }] of tips) if (dueAt < next && lanes.get(lane)?.closed === false) next = dueAt
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
