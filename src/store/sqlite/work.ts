// Owns what one transaction gathers while it writes: what it counts (tallies.ts) and rows to move once at its end, lanes, whom to
// wake. It is thrown away when the transaction is; only what was committed reaches the process (`adopt`).

import type { Tenancy, Wake } from '../store.ts'
import type { Bundling } from './begun.ts'
import { createFinished, type Finished } from './finished.ts'
import type { Statements } from './statements.ts'
import { type Counting, createCounting } from './tallies.ts'

/** The lanes this process knows. They are never removed, so a known one stays right until the epoch changes. */
export type LaneCache = Map<string, number>

interface Lanes {
  readonly laneOf: (of: Tenancy, type: string, priority: number) => number
  /** After the commit: what was interned is known from now on. */
  readonly adopt: () => void
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

export interface Work extends Lanes, Pick<Counting, 'count'>, Alarm, Finished {
  readonly sql: Statements
  /** Writes what was gathered. The last thing before the work is done. */
  readonly flush: () => void
  /** The database's clock, asked once: a transaction has one now. */
  readonly clock: () => number
  /** Is the tenant paused, or this type of its actions? Asked once of each; forgotten when a pause is written. */
  readonly isClosed: (of: Tenancy, type: string) => boolean
  /** Is this definition of the tenant paused? Asked and forgotten like the others. */
  readonly isStopped: (of: Tenancy, definition: string) => boolean
  readonly forgetPauses: () => void
  /** The disk is full: what is not yet accepted is refused. */
  readonly full: boolean
  /** A member that fails is to fail alone: every row is looked at before it is written. */
  readonly isCareful: boolean
  /** Nobody else writes to the file, so that an execution is most likely as this process knows it. */
  readonly isAlone: boolean
  /** Where what begins as it is written is put; undefined: each has a row of its own. */
  readonly bundling: Bundling | undefined
}

/** Told apart by their lengths, whatever the names hold; several times cheaper than JSON, and asked for every row. */
const keyOf = ({ namespace, tenant }: Tenancy, number: number, name: string): string =>
  `${namespace.length} ${tenant.length} ${number} ${namespace}${tenant}${name}`

/** A name of a tenant, with what was found for it. */
interface Asked<Answer> extends Tenancy {
  readonly number: number
  readonly name: string
  readonly answer: Answer
}

/** Mostly the one that was asked for before is asked for again, and no key need be made for it. */
const isSame = <Answer>(
  last: Asked<Answer> | undefined,
  of: Tenancy,
  number: number,
  name: string,
): last is Asked<Answer> =>
  last?.name === name &&
  last.number === number &&
  last.tenant === of.tenant &&
  last.namespace === of.namespace

const createLanes = (sql: Statements, known: LaneCache): Lanes => {
  const interned: LaneCache = new Map()
  let last: Asked<number> | undefined
  const intern = ({ namespace, tenant }: Tenancy, type: string, priority: number): number => {
    const lane = { namespace, tenant, type, priority }
    return (sql.findLane.get<{ lane: number }>(lane) ?? sql.insertLane.get<{ lane: number }>(lane)!).lane
  }
  return {
    laneOf: (of, type, priority) => {
      if (isSame(last, of, priority, type)) return last.answer
      const key = keyOf(of, priority, type)
      const lane = known.get(key) ?? interned.get(key) ?? intern(of, type, priority)
      if (!known.has(key)) interned.set(key, lane)
      last = { namespace: of.namespace, tenant: of.tenant, number: priority, name: type, answer: lane }
      return lane
    },
    adopt: () => {
      for (const [key, lane] of interned) known.set(key, lane)
    },
  }
}

const TYPE = 0
const DEFINITION = 1

const createClosings = (sql: Statements): Pick<Work, 'isClosed' | 'isStopped' | 'forgetPauses'> => {
  const known = new Map<string, boolean>()
  let last: Asked<boolean> | undefined
  const ask = ({ namespace, tenant }: Tenancy, number: number, name: string): boolean => {
    const found =
      number === TYPE
        ? sql.findClosing.get({ namespace, tenant, type: name })
        : sql.findPause.get({ namespace, tenant, scope: 'definition', value: name })
    return found !== undefined
  }
  const remember = (of: Tenancy, number: number, name: string): boolean => {
    if (isSame(last, of, number, name)) return last.answer
    const key = keyOf(of, number, name)
    const answer = known.get(key) ?? ask(of, number, name)
    known.set(key, answer)
    last = { namespace: of.namespace, tenant: of.tenant, number, name, answer }
    return answer
  }
  return {
    isClosed: (of, type) => remember(of, TYPE, type),
    isStopped: (of, definition) => remember(of, DEFINITION, definition),
    forgetPauses: () => {
      known.clear()
      last = undefined
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

export interface Mood extends Pick<Work, 'full' | 'isCareful' | 'isAlone'> {
  readonly bundling?: Bundling
}

export const startWork = (sql: Statements, known: LaneCache, mood: Mood): Work => {
  const { full, isCareful, isAlone, bundling } = mood
  const { count, writeCounts } = createCounting(sql)
  const finished = createFinished(sql, bundling)
  let now: number | undefined
  return {
    sql,
    full,
    isCareful,
    isAlone,
    bundling,
    clock: () => {
      now ??= sql.clock.get<{ now: number }>()!.now
      return now
    },
    count,
    flush: () => {
      finished.moveFinished()
      bundling?.flush()
      writeCounts()
    },
    ...finished,
    ...createClosings(sql),
    ...createLanes(sql, known),
    ...createAlarm(sql),
  }
}
