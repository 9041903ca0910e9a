// Owns what one transaction gathers while it writes: counts to bump once at its end, lanes it interned, whom to wake.
// It is thrown away when the transaction is; only what was committed reaches the process (`adopt`).

import type { Tenancy, Wake } from '../store.ts'
import type { Statements } from './statements.ts'

/** The lanes this process knows. They are never removed, so a known one stays right until the epoch changes. */
export type LaneCache = Map<string, number>

interface Lanes {
  readonly laneOf: (of: Tenancy, type: string, priority: number) => number
  /** After the commit: what was interned is known from now on. */
  readonly adopt: () => void
}

interface Tally {
  readonly count: (of: Tenancy, name: string, at: number, by: number) => void
  /** Writes the counts. The last thing before the work is done. */
  readonly flush: () => void
}

interface Alarm {
  /** Rows of this lane may be due sooner than known. Parked lanes are nobody's news. */
  readonly wakeLane: (lane: number) => void
  readonly wakeTimers: () => void
  readonly wakeInbox: () => void
  readonly wakeAll: () => void
  /** Whom to wake, and about what. */
  readonly news: () => Wake | undefined
}

export interface Work extends Lanes, Tally, Alarm {
  readonly sql: Statements
  /** The disk is full: what is not yet accepted is refused. */
  readonly full: boolean
}

const HOUR = 3_600_000

const keyOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts)

const createLanes = (sql: Statements, known: LaneCache): Lanes => {
  const interned: LaneCache = new Map()
  const intern = ({ namespace, tenant }: Tenancy, type: string, priority: number): number => {
    const lane = { namespace, tenant, type, priority }
    return (sql.findLane.get<{ lane: number }>(lane) ?? sql.insertLane.get<{ lane: number }>(lane)!).lane
  }
  return {
    laneOf: (of, type, priority) => {
      const key = keyOf(of.namespace, of.tenant, type, priority)
      const lane = known.get(key) ?? interned.get(key) ?? intern(of, type, priority)
      if (!known.has(key)) interned.set(key, lane)
      return lane
    },
    adopt: () => {
      for (const [key, lane] of interned) known.set(key, lane)
    },
  }
}

interface Count extends Tenancy {
  readonly name: string
  readonly bucket: number
  by: number
}

const createTally = (sql: Statements): Tally => {
  const counts = new Map<string, Count>()
  return {
    count: ({ namespace, tenant }, name, at, by) => {
      const bucket = at - (at % HOUR)
      const key = keyOf(namespace, tenant, name, bucket)
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { namespace, tenant, name, bucket, by })
      else found.by += by
    },
    flush: () => {
      for (const count of counts.values()) if (count.by !== 0) sql.bumpCounter.run({ ...count })
      counts.clear()
    },
  }
}

const createAlarm = (sql: Statements): Alarm => {
  const lanes = new Set<number>()
  const woken = { timers: false, inbox: false, all: false }
  return {
    wakeLane: (lane) => {
      if (lane > 0) lanes.add(lane)
    },
    wakeTimers: () => {
      woken.timers = true
    },
    wakeInbox: () => {
      woken.inbox = true
    },
    wakeAll: () => {
      woken.all = true
    },
    news: () => {
      const { timers, inbox, all } = woken
      const told = all ? sql.allLanes.all<{ lane: number }>().map(({ lane }) => lane) : [...lanes]
      if (!all && !timers && !inbox && told.length === 0) return undefined
      return { lanes: told, timers: timers || all, inbox: inbox || all }
    },
  }
}

export const startWork = (sql: Statements, known: LaneCache, full: boolean): Work => ({
  sql,
  full,
  ...createLanes(sql, known),
  ...createTally(sql),
  ...createAlarm(sql),
})
