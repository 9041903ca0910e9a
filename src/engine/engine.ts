// Owns putting the engine together: one set of parts over one store, shared by everything a process does. It contains no
// rules; each part says what it owns.

import { type LimitOptions, parseLimits } from '../core/limit-settings.ts'
import type { Settlement } from '../core/settle.ts'
import type { DeliveryWindow } from '../core/time/window.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { Agenda } from '../store/agenda.ts'
import type { Keeper } from '../store/keeper.ts'
import type { Limits } from '../store/limits.ts'
import type { Reader, StoredDefinition } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import type { Triage } from '../store/triage.ts'
import type { WorkerRow, Workers } from '../store/workers.ts'
import { type Advancing, createAdvancing } from './advance.ts'
import { createExecutionCache } from './cache.ts'
import { type Chore, createChores, DEFAULT_RETENTION, type RetentionDays } from './chores.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { createContext, type ReachOf } from './context.ts'
import { type Controls, createControls } from './control.ts'
import { inCrowds } from './crowd.ts'
import { createDirectory, type Known } from './directory.ts'
import { createDispatch, type Dispatching } from './dispatch.ts'
import { createFlow, type FlowOptions } from './flow.ts'
import { createHeads } from './heads.ts'
import { watchLag } from './lag.ts'
import { createLeases } from './leases.ts'
import { createGate } from './limits.ts'
import { createLive, type Live, nameOf } from './live.ts'
import { loadTogether } from './load.ts'
import { createLog, type LogSink } from './log.ts'
import { createMove } from './move.ts'
import type { Observer } from './observer.ts'
import type { Chance } from './random.ts'
import { createReaper } from './reaper.ts'
import { createRehearse, type Rehearse } from './rehearse.ts'
import type { ReplayParts } from './replay.ts'
import { createSerial } from './serial.ts'
import { createSettling, type Ended } from './settlement.ts'
import { createStarting, type Starting } from './start.ts'
import { createTriage, type TriageOptions, type TriageWork } from './triage.ts'
import { type AskWhy, createWhy } from './why.ts'
import { windowsOf } from './windows.ts'
import { startWork, type Working, type WorkTimes } from './work.ts'
import { createWorker, type Worker, type WorkerParts } from './worker.ts'

/** An opened store: the ports the engine works through. */
export interface Ports {
  readonly store: Store
  readonly reader: Reader
  readonly keeper: Keeper
  readonly workers: Workers
  readonly limits: Limits
  readonly triage: Triage
}

export interface EngineOptions extends Ports, TriageOptions {
  readonly definitions: readonly Known[]
  readonly runners: readonly AnyRunner[]
  readonly compile: (stored: StoredDefinition) => Known | undefined
  readonly reachOf: ReachOf
  /** Takes every secret this process has used out of what will be kept or shown. */
  readonly clean: <Value>(value: Value) => Value
  readonly clock: Clock
  readonly chance: Chance
  readonly sink: LogSink
  readonly calendars?: ReadonlyMap<string, DeliveryWindow>
  readonly leaseMs?: number
  readonly drainMs?: number
  readonly flow?: FlowOptions
  /** Per runner type; named apart from the port that keeps them. */
  readonly typeLimits?: LimitOptions
  readonly retention?: RetentionDays
  /** Is told of every settlement that was written. */
  readonly onSettled?: ((ended: Ended, settlement: Settlement) => void) | undefined
  /** Watches the engine at work. */
  readonly observer?: Required<Observer> | undefined
  /** Chores of others, done by one process at a time like the engine's own. */
  readonly chores?: readonly Chore[]
  /** What an execution waits for besides events, for `why`. */
  readonly timersOf?: Agenda['timersOf']
  readonly version: string
  readonly host: string
}

export interface WorkOptions {
  /** Attempts at the same time, and one more in eight for tenants that have none under way. Default 64. */
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
  /** Bulk operations and alerts, as fast as it goes. */
  readonly triage: () => Promise<number>
}

export interface Engine extends Dispatching {
  readonly starting: Starting
  readonly advancing: Advancing
  readonly controls: Controls
  readonly live: Live
  readonly why: AskWhy
  readonly commit: Commit
  readonly triage: TriageWork
  /** What making an action anew needs. */
  readonly anew: ReplayParts
  /** What a change of variables would come to. */
  readonly rehearse: Rehearse
  readonly work: (options: WorkOptions) => Working
  readonly hands: (options: WorkOptions) => Hands
  /** The actions under way in this process. */
  readonly underWay: () => readonly string[]
}

const LEASE_MS = 30_000
const DRAIN_MS = 25_000
const SLOTS = 64
const BATCH = 50
const SWEEP_EVERY_MS = 60_000
const SWEPT_AFTER_MS = 86_400_000
const SWEPT_AT_ONCE = 500

/** What everything in the process shares. */
type Shared = ReturnType<typeof createShared>

const createShared = (options: EngineOptions) => {
  const { reader, limits, clock, chance, definitions, compile } = options
  const store = { ...options.store, load: loadTogether(options.store.load, clock.timers.turn) }
  const settingsOf = parseLimits(options.typeLimits ?? {})
  const log = createLog(options.sink)
  const worker = `wrk_${chance.nonce()}`
  const byType = new Map(options.runners.map((runner) => [runner.type, runner]))
  const assembled = new Map<Worker, number>()
  const live = createLive(options.workers, describeSelf(options, worker, assembled), clock)
  const directory = createDirectory({ own: definitions, reader, compile, isAlive: live.knows })
  const flow = createFlow(store, clock, options.flow)
  const cache = createExecutionCache()
  const runnerOf = (type: string): AnyRunner | undefined => byType.get(type)
  const bulkLeaseMs = (options.leaseMs ?? LEASE_MS) / 2
  const acting = { clock, chance, log, worker, reader, cache, runnerOf, bulkLeaseMs }
  const triage = createTriage({ ...acting, triage: options.triage, commit: flow.commit }, options)
  const { commit } = triage
  const serial = createSerial()
  const move = inCrowds(serial, createMove({ store, commit, directory, cache, clock, chance }))
  const settling = createSettling({
    move,
    commit,
    clock,
    alerts: triage.alerts,
    onSettled: options.onSettled,
    observer: options.observer,
  })
  return {
    log,
    worker,
    byType,
    runnerOf,
    triage,
    assembled,
    live,
    directory,
    commit,
    serial,
    join: flow.join,
    cache,
    move,
    settling,
    settingsOf,
    gate: createGate({ limits, settingsOf, clock, chance, commit, log }),
    advancing: createAdvancing({ store, directory, cache, move, clock, chance, log }),
    reap: createReaper({ store, settling, clock, log, worker }),
    chores: createHousekeeping(options, worker, triage.chores),
  }
}

const createHousekeeping = (options: EngineOptions, worker: string, triage: readonly Chore[]) => {
  const { keeper, limits, clock, retention = DEFAULT_RETENTION, chores = [] } = options
  const sweep = async (): Promise<void> => {
    while (await limits.sweep(clock.now() - SWEPT_AFTER_MS, SWEPT_AT_ONCE)) await clock.timers.turn()
  }
  const more: readonly Chore[] = [['limits', SWEEP_EVERY_MS, sweep], ...chores, ...triage]
  return createChores({ keeper, clock, worker, retention, more })
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
const assemble = (
  options: EngineOptions,
  shared: Shared,
  work: WorkOptions,
  { onFree, isLate }: Pick<WorkerParts, 'onFree' | 'isLate'>,
) => {
  const { store, clock, sink, leaseMs = LEASE_MS, calendars = new Map() } = options
  const { slots = SLOTS, batch = BATCH } = work
  const isOffered = (lane: string): boolean => {
    const [type, pin] = lane.split('@')
    return shared.byType.has(type!) && (pin === undefined || pin === work.runner)
  }
  const leases = createLeases(store, { leaseMs, clock, log: shared.log })
  const heads = createHeads(store, { clock, isOffered, gate: shared.gate })
  const contextOf = createContext({ storeId: store.id, clock, sink })
  const windowOf = windowsOf(calendars)
  const parts = { ...options, ...shared, heads, leases, onFree, isLate, contextOf, windowOf }
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

const workOn = (options: EngineOptions, shared: Shared, work: WorkOptions, times: WorkTimes): Working => {
  const { store, clock, chance } = options
  const own: { worker?: Worker; working?: Working } = {}
  const lag = watchLag({ clock, log: shared.log, suspects: () => own.worker?.ids() ?? [] })
  const assembled = assemble(options, shared, work, {
    onFree: () => own.working?.poke(),
    isLate: lag.isLate,
  })
  own.worker = assembled.worker
  own.working = startWork(
    { ...shared, ...assembled, lag, clock, chance, listen: store.wake, nextTimerAt: nextTimer(options) },
    times,
  )
  return own.working
}

export const createEngine = (options: EngineOptions): Engine => {
  const { store, reader, clock, chance, leaseMs = LEASE_MS, drainMs = DRAIN_MS } = options
  const shared = createShared(options)
  const { advancing, directory, live, commit, reap } = shared
  return {
    starting: createStarting({ ...shared, store, clock, chance }),
    ...createDispatch({ clock, chance, asked: options.observer?.asked }),
    advancing,
    controls: createControls({ ...shared, reader, clock }),
    live,
    why: createWhy({
      reader,
      limits: options.limits,
      settingsOf: shared.settingsOf,
      clock,
      workersFor: live.workersFor,
      timersOf: options.timersOf ?? (async () => []),
      isDecided: async (execution) =>
        (await directory.place(execution)).kind !== 'elsewhere' ||
        live.knows(execution.definition, execution.definitionHash),
    }),
    commit,
    triage: shared.triage,
    anew: { ...shared, reader, clock, chance },
    rehearse: createRehearse({ reader, directory, clock }),
    work: (work) => workOn(options, shared, work, { leaseMs, drainMs }),
    hands: (work) => {
      const byHand = { onFree: () => undefined, isLate: () => false }
      const { leases, heads, worker } = assemble(options, shared, work, byHand)
      return {
        worker,
        advancing,
        reap,
        extend: leases.extend,
        hint: heads.spoil,
        triage: () => shared.triage.pass(false),
      }
    },
    underWay: () => [...shared.assembled.keys()].flatMap((worker) => worker.ids()),
  }
}
