// Owns what one transaction gathers while it writes: counts to bump and rows to move once at its end, lanes, whom to wake.
// It is thrown away when the transaction is; only what was committed reaches the process (`adopt`).

import type { Tenancy, Wake } from '../store.ts'
import { createFinished, type Finished } from './finished.ts'
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
  readonly writeCounts: () => void
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

export interface Work extends Lanes, Pick<Tally, 'count'>, Alarm, Finished {
  readonly sql: Statements
  /** Writes what was gathered. The last thing before the work is done. */
  readonly flush: () => void
  /** The database's clock, asked once: a transaction has one now. */
  readonly clock: () => number
  /** Is the tenant paused, or this type of its actions? Asked once of each; forgotten when a pause is written. */
  readonly isClosed: (of: Tenancy, type: string) => boolean
  readonly forgetPauses: () => void
  /** The disk is full: what is not yet accepted is refused. */
  readonly full: boolean
  /** A member that fails is to fail alone: every row is looked at before it is written. */
  readonly isCareful: boolean
}

const HOUR = 3_600_000

/** Told apart by their lengths, whatever the names hold; several times cheaper than JSON, and asked for every row. */
const keyOf = ({ namespace, tenant }: Tenancy, number: number, name: string): string =>
  `${namespace.length} ${tenant.length} ${number} ${namespace}${tenant}${name}`

const createLanes = (sql: Statements, known: LaneCache): Lanes => {
  const interned: LaneCache = new Map()
  const intern = ({ namespace, tenant }: Tenancy, type: string, priority: number): number => {
    const lane = { namespace, tenant, type, priority }
    return (sql.findLane.get<{ lane: number }>(lane) ?? sql.insertLane.get<{ lane: number }>(lane)!).lane
  }
  return {
    laneOf: (of, type, priority) => {
      const key = keyOf(of, priority, type)
      const lane = known.get(key) ?? interned.get(key) ?? intern(of, type, priority)
      if (!known.has(key)) interned.set(key, lane)
      return lane
    },
    adopt: () => {
      for (const [key, lane] of interned) known.set(key, lane)
    },
  }
}

const createClosings = (sql: Statements): Pick<Work, 'isClosed' | 'forgetPauses'> => {
  const known = new Map<string, boolean>()
  return {
    isClosed: (of, type) => {
      const key = keyOf(of, 0, type)
      const found = known.get(key)
      if (found !== undefined) return found
      const { namespace, tenant } = of
      const isClosed = sql.findClosing.get({ namespace, tenant, type }) !== undefined
      known.set(key, isClosed)
      return isClosed
    },
    forgetPauses: () => known.clear(),
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
    count: (of, name, at, by) => {
      const bucket = at - (at % HOUR)
      const key = keyOf(of, bucket, name)
      const found = counts.get(key)
      if (found === undefined)
        counts.set(key, { namespace: of.namespace, tenant: of.tenant, name, bucket, by })
      else found.by += by
    },
    writeCounts: () => {
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

export const startWork = (sql: Statements, known: LaneCache, full: boolean, isCareful: boolean): Work => {
  const { count, writeCounts } = createTally(sql)
  const finished = createFinished(sql)
  let now: number | undefined
  return {
    sql,
    full,
    isCareful,
    clock: () => {
      now ??= sql.clock.get<{ now: number }>()!.now
      return now
    },
    count,
    flush: () => {
      finished.moveFinished()
      writeCounts()
    },
    ...finished,
    ...createClosings(sql),
    ...createLanes(sql, known),
    ...createAlarm(sql),
  }
}
