// Owns the rows of one commit while it is being decided in the process: what was read under lock, what the members
// before have made of it, and what is to be written. A member that loses half-way is undone alone.
// Its shape is what lets a batch be written set by set: however often a row was touched, it is written once.

import type { ActionPlan } from '../../core/action.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Tenancy } from '../store.ts'
import type {
  ActionState,
  AlertState,
  BulkState,
  DedupState,
  DefinitionState,
  ExecutionState,
  InboxState,
  OccurrenceState,
  PauseState,
  TimerState,
} from './states.ts'

export interface Table<Value> {
  readonly get: (key: string) => Value | undefined
  /** As it was read. */
  readonly was: (key: string) => Value | undefined
  readonly set: (key: string, value: Value | undefined) => void
  /** Every key that was set, with what it came to. */
  readonly changes: () => readonly (readonly [key: string, value: Value | undefined])[]
  /** Everything that was read or set, as it is now. */
  readonly all: () => readonly Value[]
}

type Undo = () => void

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>()

/** A commit has twenty of them and changes three: what is not changed has nothing made for it. */
const createTable = <Value>(read: ReadonlyMap<string, Value>, journal: Undo[]): Table<Value> => {
  let changed: Map<string, Value | undefined> | undefined
  const set: Table<Value>['set'] = (key, value) => {
    changed ??= new Map<string, Value | undefined>()
    const changes = changed
    if (changes.has(key)) {
      const before = changes.get(key)
      journal.push(() => changes.set(key, before))
    } else journal.push(() => changes.delete(key))
    changes.set(key, value)
  }
  return {
    get: (key) => (changed?.has(key) === true ? changed.get(key) : read.get(key)),
    was: (key) => read.get(key),
    set,
    changes: () => (changed === undefined ? [] : [...changed]),
    all: () => {
      const [before, now] = [read, changed ?? NOTHING]
      if (before.size + now.size === 0) return []
      return [...new Map<string, Value | undefined>([...before, ...now]).values()].filter(isThere)
    },
  }
}

export interface Count extends Tenancy {
  readonly name: string
  readonly bucket: number
  value: number
}

const HOUR = 3_600_000

/** The bucket in which something that happened then is counted. */
export const hourOf = (at: number): number => at - (at % HOUR)

/** What is counted, by tenant, name and hour. Mostly the same few again and again: they are added to where they are. */
const createCounts = (journal: Undo[]) => {
  const counts = new Map<string, Count>()
  /** By name, the last that was counted. */
  const last = new Map<string, Count>()
  const find = ({ namespace, tenant }: Tenancy, name: string, bucket: number): Count => {
    const key = keyOf(namespace, tenant, name, bucket)
    const count = counts.get(key) ?? { namespace, tenant, name, bucket, value: 0 }
    counts.set(key, count)
    last.set(name, count)
    return count
  }
  const add = (of: Tenancy, name: string, bucket: number, by: number): void => {
    const known = last.get(name)
    const isSame = known?.bucket === bucket && known.tenant === of.tenant && known.namespace === of.namespace
    const count = isSame ? known : find(of, name, bucket)
    count.value += by
    journal.push(() => {
      count.value -= by
    })
  }
  return {
    /** Of something that happened at an instant. */
    count: (of: Tenancy, name: string, at: number, by: number): void => add(of, name, hourOf(at), by),
    /** As counted elsewhere. */
    addAll: (all: readonly Readonly<Count>[]): void => {
      for (const one of all) add(one, one.name, one.bucket, one.value)
    },
    /** What is left, in the order of all who write them. */
    counted: (): readonly Readonly<Count>[] =>
      [...counts]
        .filter(([, { value }]) => value !== 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, count]) => count),
    /** Whether that is more than so many. */
    countsMoreThan: (room: number): boolean => {
      let left = 0
      for (const { value } of counts.values()) left += value === 0 ? 0 : 1
      return left > room
    },
  }
}

const createList = <Value>(journal: Undo[]) => {
  const list: Value[] = []
  const add = (value: Value): void => {
    journal.push(() => list.pop())
    list.push(value)
  }
  return { list: list as readonly Value[], add }
}

/** What is set on every action of an execution after everything else. */
export interface Parking extends Tenancy {
  readonly execution: string
  /** Why its actions are parked; undefined: they no longer are. */
  readonly hold: string | undefined
}

/** And on every event and timer of it. */
export interface Holding extends Tenancy {
  readonly execution: string
  readonly held: boolean
}

export interface DefinitionPause extends Tenancy {
  readonly definition: string
  readonly isPaused: boolean
  readonly at: number
}

/** What a waiting action is made of, beside what every commit reads. */
export interface GatheringRow {
  readonly id: string
  readonly created_at: number
  readonly plan: ActionPlan
}

export interface World {
  /** Undefined: what it says is not known before it is written. */
  readonly clock: number | undefined
  readonly actions: ReadonlyMap<string, ActionState>
  /** Actions that may take something in: those that were looked for, and what was found. */
  readonly sought: ReadonlySet<string>
  readonly gathering: ReadonlyMap<string, GatheringRow>
  /** Ids that were ever written, among those to be inserted. */
  readonly known: ReadonlySet<string>
  /** The live actions of executions whose state is left, by execution, with their steps. */
  readonly steps: ReadonlyMap<string, readonly { readonly id: string; readonly step: string }[]>
  readonly executions: ReadonlyMap<string, ExecutionState>
  readonly inbox: ReadonlyMap<string, InboxState>
  readonly timers: ReadonlyMap<string, TimerState>
  readonly dedup: ReadonlyMap<string, DedupState>
  readonly definitions: ReadonlyMap<string, DefinitionState>
  readonly pauses: ReadonlyMap<string, PauseState>
  readonly bulks: ReadonlyMap<string, BulkState>
  /** Items of bulk operations that wait to be heard of, among those a batch hears of. */
  readonly sent: ReadonlyMap<string, true>
  readonly alerts: ReadonlyMap<string, AlertState>
  readonly laneOf: (of: Tenancy, type: string, priority: number) => number
}

export type Draft = ReturnType<typeof startDraft>

export const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\u0000')

const tablesOf = (world: World, journal: Undo[]) => ({
  actions: createTable(world.actions, journal),
  /** Plans that took something in. */
  amended: createTable<GatheringRow>(world.gathering, journal),
  executions: createTable(world.executions, journal),
  inbox: createTable(world.inbox, journal),
  timers: createTable(world.timers, journal),
  dedup: createTable(world.dedup, journal),
  definitions: createTable(world.definitions, journal),
  pauses: createTable(world.pauses, journal),
  bulks: createTable(world.bulks, journal),
  sent: createTable(world.sent, journal),
  alerts: createTable(world.alerts, journal),
  occurrences: createTable<OccurrenceState>(NOTHING, journal),
  bulkItems: createList<object>(journal),
  heardItems: createList<object>(journal),
  parking: createTable<Parking>(NOTHING, journal),
  holding: createTable<Holding>(NOTHING, journal),
})

export const startDraft = (world: World) => {
  const journal: Undo[] = []
  const attempts = createList<JsonObject>(journal)
  const events = createList<JsonObject>(journal)
  const definitionPauses = createList<DefinitionPause>(journal)
  const lanes = createTable<true>(NOTHING, journal)
  const news = createTable<true>(NOTHING, journal)

  /** Rows of this lane may be due sooner than known. Parked lanes are nobody's news. */
  const wakeLane = (lane: number): void => {
    if (lane > 0) lanes.set(String(lane), true)
  }
  return {
    world,
    ...tablesOf(world, journal),
    attempts,
    events,
    definitionPauses,
    ...createCounts(journal),
    lanes,
    wakeLane,
    wake: (what: 'timers' | 'inbox' | 'all') => news.set(what, true),
    isWoken: (what: 'timers' | 'inbox' | 'all') => news.get(what) === true || news.get('all') === true,
    /** Runs one member; what it did is undone when it throws. */
    attempt: <Value>(member: () => Value): Value => {
      const start = journal.length
      try {
        return member()
      } catch (error) {
        while (journal.length > start) journal.pop()!()
        throw error
      }
    },
  }
}
