// Owns the metrics of a process (EXPERIENCE §6.4): their names, labels and help, what the engine's calls add to them, and
// the text that Prometheus reads. Ids are never labels; what users name is folded when there is too much of it.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { own } from '../core/json.ts'
import type { Settlement } from '../core/settle.ts'
import type { ToldOccurrence } from '../core/triggers/occurrences.ts'
import type { Observer } from '../engine/observer.ts'
import type { Ended } from '../engine/settlement.ts'
import type { Member, Result } from '../store/store.ts'
import { recurringFacts } from './recurring-facts.ts'
import { createFold, type Fold } from './series.ts'
import type { State } from './state.ts'

export interface MetricsOptions {
  readonly version: string
  /** Values of a label that are kept apart. */
  readonly maxSeries: number
  /** Memory, event loop and garbage collection of the process too. */
  readonly process?: boolean
}

export interface Metrics {
  readonly observer: Observer
  /** A request was answered. The route is its pattern, never its path. */
  readonly answered: (request: { method: string; route: string; status: number; seconds: number }) => void
  /** From here on the gauges can be read. */
  readonly watch: (state: () => Promise<State>) => void
  readonly text: () => Promise<string>
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]

const createInstruments = (register: Registry) => {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers: [register] })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers: [register] })
  const histogram = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [register] })
  return {
    created: counter('pawl_actions_created_total', 'Actions created.', 'trigger_kind', 'action_type'),
    finished: counter('pawl_actions_finished_total', 'Actions that ended.', 'action_type', 'status'),
    attempts: counter('pawl_attempts_total', 'Attempts that ended.', 'action_type', 'outcome', 'error_type'),
    took: histogram('pawl_attempt_duration_seconds', 'How long attempts took.', 'action_type', 'outcome'),
    delay: histogram('pawl_action_start_delay_seconds', 'From due to the first attempt.', 'action_type'),
    transitions: counter(
      'pawl_machine_transitions_total',
      'Transitions of machines.',
      ...(['machine', 'from', 'to', 'event'] as const),
    ),
    alerts: counter(
      'pawl_alerts_raised_total',
      'Alerts raised, those that were counted to one included.',
      'type',
    ),
    dispatched: counter('pawl_recurring_dispatched_total', 'Occurrences that were fired.'),
    recurringErrors: counter(
      'pawl_recurring_errors_total',
      'Occurrences that could not be fired, and recurrences that never fire again.',
    ),
    recurring: gauge('pawl_recurring_active', 'Recurrences that are switched on.'),
    occurrences: counter(
      'pawl_occurrences_total',
      'What became of occurrences.',
      ...(['trigger_kind', 'trigger_id', 'result'] as const),
    ),
    lateness: histogram(
      'pawl_occurrence_lateness_seconds',
      'From its instant to its firing.',
      'trigger_kind',
    ),
    query: histogram('pawl_store_query_duration_seconds', 'How long the store took.', 'query'),
    http: histogram('pawl_http_request_duration_seconds', 'Requests.', 'method', 'route', 'status'),
    actions: gauge('pawl_actions', 'Actions there are.', 'status'),
    oldest: gauge('pawl_oldest_ready_age_seconds', 'How long the oldest due action waits.', 'action_type'),
    dead: gauge('pawl_dead_letters', 'Dead letters there are.', 'action_type', 'error_type'),
    executions: gauge('pawl_executions', 'Executions there are.', 'status'),
    workers: gauge('pawl_workers', 'Live workers that run a type.', 'runner_type'),
    slots: gauge('pawl_worker_slots', 'Slots of live workers.', 'state'),
    build: gauge('pawl_build_info', 'The version that runs.', 'version'),
  }
}

type Instruments = ReturnType<typeof createInstruments>

const settledBy = ({ finished, attempts, took }: Instruments, fold: Fold) => {
  return ({ action, attempt, startedAt, endedAt }: Ended, { status, outcome, error }: Settlement): void => {
    const action_type = fold(action.plan.type)
    if (status !== 'queued') finished.inc({ action_type, status })
    if (attempt <= action.attempt) return
    attempts.inc({ action_type, outcome, error_type: fold(error?.type ?? '') })
    took.observe({ action_type, outcome }, Math.max(0, endedAt - startedAt) / 1000)
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** `missed` and `late` are derived: skipped because of it, fired although of it. */
const resultOf = ({ fate, reason }: ToldOccurrence): string => {
  if (reason === 'missed') return fate === 'fired' ? 'late' : 'missed'
  return fate
}

const recurringBy = ({ dispatched, recurringErrors, occurrences, lateness }: Instruments, fold: Fold) => {
  return (member: Member, result: Result): void => {
    for (const { event } of recurringFacts(member, result))
      if (event === 'recurring.dispatch') dispatched.inc()
      else if (event === 'recurring.dispatch_error' || event === 'recurring.no_next') recurringErrors.inc()
    if (result.status !== 'ok') return
    const { execution, occurrences: told = [] } = member.advance ?? {}
    for (const each of told) {
      const trigger_id = fold(execution!.id)
      occurrences.inc({ trigger_kind: 'recurrence', trigger_id, result: resultOf(each) }, each.count ?? 1)
      if (each.fate === 'fired' && each.reason !== 'backfill')
        lateness.observe({ trigger_kind: 'recurrence' }, Math.max(0, member.at - each.at) / 1000)
    }
  }
}

const committedBy = (instruments: Instruments, fold: Fold) => {
  const { created, transitions, alerts, query } = instruments
  const recurring = recurringBy(instruments, fold)
  const count = (member: Member, { status, deduplicated = [] }: Result): void => {
    if (status !== 'ok') return
    for (const each of member.control ?? [])
      if (each.kind === 'alert_raise') alerts.inc({ type: each.alert.type })
    const taken = new Set(deduplicated.map(({ id }) => id))
    for (const { id, plan, source } of [...(member.enqueue ?? []), ...(member.advance?.actions ?? [])])
      if (!taken.has(id)) created.inc({ trigger_kind: source.kind, action_type: fold(plan.type) })
    for (const { type, data } of member.advance?.history ?? []) {
      if (type !== 'execution.transitioned') continue
      const [from, to, event] = [data['from'], data['to'], own(data['event'], 'type')].map((name) =>
        fold(textOf(name)),
      )
      transitions.inc({
        machine: fold(member.advance!.execution.definition),
        from: from!,
        to: to!,
        event: event!,
      })
    }
  }
  return (members: readonly Member[], results: readonly Result[], tookMs: number): void => {
    query.observe({ query: 'commit' }, tookMs / 1000)
    for (const [index, member] of members.entries()) {
      count(member, results[index]!)
      recurring(member, results[index]!)
    }
  }
}

/** The counter of open actions holds those that run as well; slots in use are those. */
const show = (gauges: Instruments, fold: Fold, state: State, running: number): void => {
  const { actions, oldest, dead, executions, workers, slots, recurring } = gauges
  recurring.set(state.recurring)
  for (const each of [actions, oldest, dead, executions, workers, slots]) each.reset()
  for (const [name, value] of state.counted) {
    const [table, status] = name.split('.') as [string, string]
    if (table === 'executions') executions.set({ status }, value)
    else if (table === 'actions') actions.set({ status }, value)
  }
  actions.set({ status: 'ready' }, state.ready)
  for (const [type, ms] of state.oldestReady) oldest.set({ action_type: fold(type) }, ms / 1000)
  for (const { actionType, errorType, count } of state.dead)
    dead.inc({ action_type: fold(actionType), error_type: fold(errorType) }, count)
  for (const [type, count] of state.workers) workers.inc({ runner_type: fold(type) }, count)
  slots.set({ state: 'used' }, running)
  slots.set({ state: 'free' }, Math.max(0, state.slots - running))
}

export const createMetrics = (options: MetricsOptions): Metrics => {
  const register = new Registry()
  const instruments = createInstruments(register)
  const fold = createFold(options.maxSeries)
  let state: (() => Promise<State>) | undefined
  let running = 0
  instruments.build.set({ version: options.version }, 1)
  if (options.process) collectDefaultMetrics({ register })
  return {
    observer: {
      claimed: (_, tookMs) => instruments.query.observe({ query: 'claim' }, tookMs / 1000),
      committed: committedBy(instruments, fold),
      started: ({ action, attempt, now }, run) => {
        running += 1
        const late = Math.max(0, now - action.dueAt) / 1000
        if (attempt === 1) instruments.delay.observe({ action_type: fold(action.plan.type) }, late)
        const value = run()
        void Promise.resolve(value).finally(() => {
          running -= 1
        })
        return value
      },
      settled: settledBy(instruments, fold),
    },
    answered: ({ method, route, status, seconds }) =>
      instruments.http.observe({ method, route: fold(route), status: String(status) }, seconds),
    watch: (read) => {
      state = read
    },
    text: async () => {
      if (state !== undefined) show(instruments, fold, await state(), running)
      return register.metrics()
    },
  }
}
