// Owns the verbs of Pawl for one tenant: each names the part of the engine that does it, and shows what came of it. It
// checks nothing and decides nothing.

import type { ActionRequest, RequestOptions } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import { isEmpty, isObject, type Json, type JsonObject } from '../core/json.ts'
import { durationMs } from '../core/time/duration.ts'
import { parseInstant } from '../core/time/instant.ts'
import type { Sent } from '../engine/advance.ts'
import type { Commit } from '../engine/committer.ts'
import type { Asked } from '../engine/dispatch.ts'
import type { Health } from '../engine/health.ts'
import { stopOnSignals } from '../engine/signals.ts'
import type { VirtualTime } from '../engine/virtual-time.ts'
import { watchFeed } from '../engine/watch.ts'
import { type ActionOptions, mergeOptions } from '../runners/action-options.ts'
import type { Templates } from '../runners/email/templates.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { verify } from '../verify/verify.ts'
import { agenda } from './agenda.ts'
import { createAlertDesk } from './alerts.ts'
import { createBulkDesk } from './bulk.ts'
import { createDeadLetters, replayAction } from './dead.ts'
import { define, definitions } from './define.ts'
import { createHealthDesk } from './health.ts'
import { createOutboxDesk } from './outbox.ts'
import { preview } from './preview.ts'
import { createRecurring, type RecurringParts } from './recurring.ts'
import { secretVerbs } from './secrets.ts'
import type {
  AnyMachine,
  DispatchEntry,
  DispatchOptions,
  Inside,
  PageOf,
  PauseTarget,
  Pawl,
  Run,
  SendResult,
  StartOptions,
  StopWorking,
} from './surface.ts'
import { createTaskDesk } from './tasks.ts'
import { createTemplateDesk } from './templates.ts'
import { executionWithNext, timeline } from './timeline.ts'
import { actionView, type ExecutionView, executionView } from './views.ts'

export interface PawlParts extends RecurringParts {
  readonly secrets: Secrets
  readonly measuring: Health
  readonly mails: Templates | undefined
  readonly virtual: VirtualTime | undefined
  readonly onWorking: (stop: StopWorking) => void
  readonly close: () => Promise<void>
}

export const createPawl = (parts: PawlParts, of: Tenancy): Pawl => {
  const { engine, opened, clock } = parts
  const { reader, store } = opened
  const { controls } = engine
  return {
    start: start(parts, of, engine.commit),
    send: (execution, ...event) => send(parts, of, execution, ...event),
    dispatch: dispatch(parts, of, engine.commit),
    dispatchMany: dispatchMany(parts, of, engine.commit),
    work: work(parts),
    why: (id) => engine.why(of, id),
    actions: actions(parts, of),
    dead: createDeadLetters(parts, of),
    bulk: createBulkDesk(parts, of),
    alerts: createAlertDesk(parts, of),
    executions: executions(parts, of),
    define: define(parts, of),
    definitions: definitions(parts, of),
    secrets: secretVerbs(parts.secrets, of),
    workers: engine.live.all,
    recurring: createRecurring(parts, of),
    tasks: createTaskDesk({ tasks: opened.tasks, tell: engine.advancing.tell, clock }, of),
    ...createHealthDesk({ store: opened.health, reader, measuring: parts.measuring, clock }, of),
    outbox: createOutboxDesk(opened.outbox, of),
    templates: createTemplateDesk(opened.templates, parts.mails, clock, of),
    agenda: (query = {}, page) => agenda(parts, of)(query, pageOf(page)),
    pause: (target, reason = '') => controls.pause(of, ...scopeOf(target), reason),
    resume: (target) => controls.resume(of, ...scopeOf(target)),
    counts: () => reader.counts(of),
    watch: (options = {}) => watchFeed({ reader, store, clock }, of, options),
    position: async (cursor) => {
      if (cursor === undefined) return reader.feedEnd(of)
      await reader.feed(of, cursor, 1)
      return cursor
    },
    in: (client) => inside(parts, of, opened.inside(client)),
    tenant: (tenant, namespace = of.namespace) => createPawl(parts, { namespace, tenant }),
    advance: (by) => advance(parts, by),
    now: clock.now,
    verify: (options = {}) => verify({ ...options, inspector: opened.inspector }),
    close: parts.close,
  }
}

const DEFAULT_LIMIT = 50
const BY_A_PERSON = 'cancelled by a person'

const pageOf = ({ limit = DEFAULT_LIMIT, after }: PageOf = {}): PageRequest => ({
  limit,
  ...(after !== undefined && { after }),
})

const sentView = ({ applied, duplicate, reason, execution }: Sent): SendResult => ({
  applied,
  duplicate,
  ...(reason !== undefined && { reason }),
  state: execution.state,
})

const scopeOf = (target: PauseTarget): readonly ['definition' | 'type' | 'tenant', string] => {
  if ('definition' in target) return ['definition', target.definition]
  if ('type' in target) return ['type', target.type]
  return ['tenant', '*']
}

const send = async (
  { engine }: PawlParts,
  of: Tenancy,
  execution: string,
  ...[type, payload = {}, options = {}]: [string, Json?, { readonly id?: string }?]
): Promise<SendResult> =>
  sentView(await engine.advancing.send({ ...of, id: execution }, { type, payload, ...options }))

const executionOf = async (
  { opened }: PawlParts,
  of: Tenancy,
  id: string,
): Promise<ExecutionView | undefined> => {
  const loaded = await opened.reader.execution(of, id)
  return loaded && executionView(loaded)
}

const start = (parts: PawlParts, of: Tenancy, commit: Commit): Pawl['start'] => {
  const begin = async (definition: AnyMachine | string, input: StartOptions<unknown> = {}): Promise<Run> => {
    const name = typeof definition === 'string' ? definition : definition.id
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    const { execution, isNew } = await parts.engine.starting.start(of, name, given, commit)
    return {
      id: execution.id,
      isNew,
      send: (type, payload, options) => send(parts, of, execution.id, type, payload as Json, options),
      get: async () => (await executionOf(parts, of, execution.id))!,
    }
  }
  return begin as Pawl['start']
}

/** What is asked for, with the options of its type behind its own. One made by calling a runner has them already. */
const askedOf = ({ rules }: PawlParts, request: ActionRequest, given: DispatchOptions = {}): Asked => {
  if (!isObject(request) || !isObject(request.options)) throw noRequest()
  if (request.literal && isEmpty(given)) return { request }
  const { id, debounce, batch, ...own } = given
  const defaults = (request.literal ? undefined : rules.defaultsOf(request.type)) ?? {}
  const options = mergeOptions(defaults as ActionOptions, request.options as ActionOptions, own)
  const gather = debounce || batch ? { ...(debounce && { debounce }), ...(batch && { batch }) } : undefined
  return { request: { ...request, options: options as RequestOptions }, id, gather }
}

const noRequest = (): PawlError =>
  new PawlError('invalid_option', 'this is no request', {
    path: 'request',
    expected: 'what a runner returns when it is called, or { type, config, options }',
  })

const dispatch =
  (parts: PawlParts, of: Tenancy, commit: Commit): Pawl['dispatch'] =>
  (given, options) => {
    const { request, id, gather } = askedOf(parts, given, options)
    return parts.engine.dispatch(of, request, id, commit, gather)
  }

const entryOf =
  (parts: PawlParts) =>
  (entry: DispatchEntry): Asked =>
    isObject(entry) && 'request' in entry
      ? askedOf(parts, entry.request as ActionRequest, entry.options as DispatchOptions | undefined)
      : askedOf(parts, entry as ActionRequest)

const dispatchMany =
  (parts: PawlParts, of: Tenancy, commit: Commit): Pawl['dispatchMany'] =>
  (entries) =>
    parts.engine.dispatchMany(of, entries, entryOf(parts), commit)

const inside = (parts: PawlParts, of: Tenancy, commit: Commit): Inside => ({
  start: start(parts, of, commit),
  send: async (execution, type, payload = {}, options = {}) => {
    const event = { type, payload, ...options }
    return { id: await parts.engine.advancing.deliver({ ...of, id: execution }, event, commit) }
  },
  dispatch: dispatch(parts, of, commit),
  dispatchMany: dispatchMany(parts, of, commit),
})

const work =
  ({ engine, onWorking }: PawlParts): Pawl['work'] =>
  async ({ signals = false, ...options } = {}) => {
    await engine.live.beat()
    const working = engine.work(options)
    const stopSignals = signals ? stopOnSignals(working.stop) : () => undefined
    const stop: StopWorking = ({ now = false } = {}) => {
      stopSignals()
      return working.stop(now)
    }
    onWorking(stop)
    return stop
  }

const actions = (parts: PawlParts, of: Tenancy): Pawl['actions'] => {
  const { engine, opened, clock, rules } = parts
  const { reader, store } = opened
  const { controls } = engine
  const shown = () => ({ storeId: store.id, now: clock.now(), costOf: rules.costOf })
  return {
    get: async (id) => {
      const row = await reader.action(of, id)
      return row && actionView(row, await reader.attempts(of, id), shown())
    },
    list: async (filter = {}, page) => {
      const found = await reader.actions(of, filter, pageOf(page))
      return { ...found, data: found.data.map((row) => actionView(row, [], shown())) }
    },
    cancel: (id, reason = BY_A_PERSON) => controls.cancelAction(of, id, reason),
    runNow: (id) => controls.runNow(of, id),
    retry: (id) => controls.retry(of, id),
    archive: (id) => controls.archive(of, id),
    replay: replayAction(parts, of),
    resolve: (id, resolution) => controls.resolve(of, id, resolution),
    groups: (limit = DEFAULT_LIMIT) => reader.deadGroups(of, limit),
  }
}

const executions = (parts: PawlParts, of: Tenancy): Pawl['executions'] => {
  const { engine, opened } = parts
  const { reader } = opened
  const { controls, advancing } = engine
  return {
    get: (id) => executionWithNext(parts, of, id),
    list: async (filter = {}, page) => {
      const found = await reader.executions(of, filter, pageOf(page))
      return { ...found, data: found.data.map(executionView) }
    },
    history: (id, page) => reader.history(of, id, pageOf(page)),
    timeline: (id, page) => timeline(parts, of)(id, pageOf(page)),
    preview: preview(parts, of),
    patch: async (id, variables: JsonObject) => sentView(await advancing.patch({ ...of, id }, variables)),
    pause: (id, reason = '') => controls.pause(of, 'execution', id, reason),
    resume: (id) => controls.resume(of, 'execution', id),
    cancel: (id, reason = BY_A_PERSON) => controls.cancelExecution(of, id, reason),
  }
}

const advance = async ({ virtual, clock }: PawlParts, by: Parameters<Pawl['advance']>[0]): Promise<void> => {
  if (virtual === undefined)
    throw new PawlError('invalid_option', 'this clock is real: it cannot be moved', {
      path: 'clock',
      expected: "Pawl.open({ clock: 'virtual:2026-01-01T00:00:00Z' })",
    })
  await virtual.advanceTo('to' in by ? parseInstant(by.to) : clock.now() + durationMs(by.by, 'by'))
}
