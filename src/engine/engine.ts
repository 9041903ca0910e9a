// Owns putting the engine together: one set of parts over one store, shared by everything a process does. It contains no
// rules; each part says what it owns.

import type { DeliveryWindow } from '../core/time/window.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { Keeper } from '../store/keeper.ts'
import type { Reader, StoredDefinition } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import type { WorkerRow, Workers } from '../store/workers.ts'
import { type Advancing, createAdvancing } from './advance.ts'
import { createExecutionCache } from './cache.ts'
import { createChores, DEFAULT_RETENTION, type RetentionDays } from './chores.ts'
import type { Clock } from './clock.ts'
import { type Commit, createCommitter } from './committer.ts'
import { createContext, type ReachOf } from './context.ts'
import { type Controls, createControls } from './control.ts'
import { createDirectory, type Known } from './directory.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { createHeads } from './heads.ts'
import { createLeases } from './leases.ts'
import { createLive, type Live, nameOf } from './live.ts'
import { createLog, type LogSink } from './log.ts'
import { createMove } from './move.ts'
import type { Chance } from './random.ts'
import { createReaper } from './reaper.ts'
import { createSerial } from './serial.ts'
import { createSettling } from './settlement.ts'
import { createStarting, type Starting } from './start.ts'
import { type AskWhy, createWhy } from './why.ts'
import { windowsOf } from './windows.ts'
import { startWork, type Working } from './work.ts'
import { createWorker, type Worker } from './worker.ts'

/** An opened store: the ports the engine works through. */
export interface Ports {
  readonly store: Store
  readonly reader: Reader
  readonly keeper: Keeper
  readonly workers: Workers
}

export interface EngineOptions extends Ports {
  readonly definitions: readonly Known[]
  readonly runners: readonly AnyRunner[]
  readonly compile: (stored: StoredDefinition) => Known | undefined
  readonly reachOf: ReachOf
  readonly clock: Clock
  readonly chance: Chance
  readonly sink: LogSink
  readonly calendars?: ReadonlyMap<string, DeliveryWindow>
  readonly leaseMs?: number
  readonly drainMs?: number
  readonly retention?: RetentionDays
  readonly version: string
  readonly host: string
}

export interface WorkOptions {
  /** Attempts at the same time. Default 64. */
  readonly slots?: number
  /** Rows of one claim at most. Default 50. */
  readonly batch?: number
  /** The name of this worker as a runner: actions pinned to it come here, and nowhere else. */
  readonly runner?: string
}

/** A worker that can be driven by hand: what the loops do, one pass at a time. */
export interface Hands {
  readonly worker: Worker
  readonly advancing: Advancing
  readonly reap: (limit: number) => Promise<number>
  readonly extend: () => Promise<void>
  readonly hint: () => void
}

export interface Engine {
  readonly starting: Starting
  readonly dispatch: Dispatch
  readonly advancing: Advancing
  readonly controls: Controls
  readonly live: Live
  readonly why: AskWhy
  readonly commit: Commit
  readonly work: (options: WorkOptions) => Working
  readonly hands: (options: WorkOptions) => Hands
  /** The actions under way in this process. */
  readonly underWay: () => readonly string[]
}

const LEASE_MS = 30_000
const DRAIN_MS = 25_000
const SLOTS = 64
const BATCH = 50

/** What everything in the process shares. */
type Shared = ReturnType<typeof createShared>

const createShared = (options: EngineOptions) => {
  const { store, reader, keeper, clock, chance, definitions, compile, retention } = options
  const log = createLog(options.sink)
  const worker = `wrk_${chance.nonce()}`
  const byType = new Map(options.runners.map((runner) => [runner.type, runner]))
  const assembled = new Map<Worker, number>()
  const live = createLive(options.workers, describeSelf(options, worker, assembled), clock)
  const directory = createDirectory({ own: definitions, reader, compile, isAlive: live.knows })
  const commit = createCommitter(store.commit)
  const cache = createExecutionCache()
  const move = createMove({ store, commit, directory, cache, serial: createSerial(), clock, chance })
  const settling = createSettling({ move, commit, clock })
  return {
    log,
    worker,
    byType,
    runnerOf: (type: string): AnyRunner | undefined => byType.get(type),
    assembled,
    live,
    directory,
    commit,
    cache,
    move,
    settling,
    advancing: createAdvancing({ store, directory, cache, move, clock, chance, log }),
    reap: createReaper({ store, settling, clock, log, worker }),
    chores: createChores({ keeper, clock, worker, retention: retention ?? DEFAULT_RETENTION }),
  }
}

const describeSelf = (
  { clock, runners, definitions, version, host }: EngineOptions,
  id: string,
  assembled: ReadonlyMap<Worker, number>,
): (() => Omit<WorkerRow, 'seenAt'>) => {
  const startedAt = clock.now()
  return () => ({
    id,
    startedAt,
    slots: [...assembled.values()].reduce((sum, slots) => sum + slots, 0),
    types: runners.map(({ type }) => type),
    definitions: definitions.map((known) => nameOf(known.id, known.hash)),
    version,
    host,
  })
}

/** A worker and what it claims by. */
const assemble = (options: EngineOptions, shared: Shared, work: WorkOptions, onFree: () => void) => {
  const { store, clock, sink, leaseMs = LEASE_MS, calendars = new Map() } = options
  const { slots = SLOTS, batch = BATCH } = work
  const isOffered = (lane: string): boolean => {
    const [type, pin] = lane.split('@')
    return shared.byType.has(type!) && (pin === undefined || pin === work.runner)
  }
  const leases = createLeases(store, { leaseMs, clock, log: shared.log })
  const heads = createHeads(store, { clock, isOffered })
  const contextOf = createContext({ storeId: store.id, clock, sink })
  const parts = { ...options, ...shared, heads, leases, onFree, contextOf, windowOf: windowsOf(calendars) }
  const worker = createWorker(parts, { slots, leaseMs, batch })
  shared.assembled.set(worker, slots)
  return { leases, heads, worker }
}

/** Only a look: what it finds is fired by the pass that follows. */
const nextTimer =
  ({ store, clock }: EngineOptions) =>
  async (withinMs: number): Promise<number | undefined> => {
    const [next] = await store.dueTimers(1, { ...clock.clocks(), now: clock.now() + withinMs })
    return next === undefined || 'unreadable' in next ? undefined : next.timer.dueAt
  }

export const createEngine = (options: EngineOptions): Engine => {
  const { store, reader, clock, chance, leaseMs = LEASE_MS, drainMs = DRAIN_MS } = options
  const shared = createShared(options)
  const { advancing, directory, live, commit, reap } = shared
  return {
    starting: createStarting({ store, directory, cache: shared.cache, clock, chance, commit }),
    dispatch: createDispatch({ clock, chance }),
    advancing,
    controls: createControls({ ...shared, reader, clock }),
    live,
    why: createWhy({ reader, clock, workersFor: live.workersFor, isDefinitionAlive: live.knows }),
    commit,
    work: (work) => {
      let working: Working | undefined
      const assembled = assemble(options, shared, work, () => working?.poke())
      working = startWork(
        { ...shared, ...assembled, clock, chance, listen: store.wake, nextTimerAt: nextTimer(options) },
        { leaseMs, drainMs },
      )
      return working
    },
    hands: (work) => {
      const { leases, heads, worker } = assemble(options, shared, work, () => undefined)
      return { worker, advancing, reap, extend: leases.extend, hint: heads.spoil }
    },
    underWay: () => [...shared.assembled.keys()].flatMap((worker) => worker.ids()),
  }
}
