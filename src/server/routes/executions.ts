// Owns the routes of executions: begun, told of events, changed, held, ended, and shown.

import type { JsonObject } from '../../core/json.ts'
import { json, name, object, word } from '../../definitions/shape/values.ts'
import type { ExecutionView } from '../../pawl/views.ts'
import type { HistoryRow } from '../../store/reader.ts'
import { parseFilter } from '../filter.ts'
import { anyObject, asked, listQuery, pageQuery, reasonBody } from '../inputs.ts'
import { instant } from '../instant.ts'
import { noExecution, notBuilt } from '../refusals.ts'
import { type Answer, type Call, listOf, ok, type Route, route } from '../route.ts'
import { action, execution, historyEntry, pageOf, patched, sent, timelineEntry, why } from '../shapes.ts'
import { shownWhy } from './why.ts'

const KINDS = ['machine', 'journey', 'recurrence', 'stream', 'reconciler'] as const
const STATUSES = ['active', 'waiting', 'paused', 'completed', 'failed', 'cancelled'] as const

/** Kept in the inbox, and applied when its time comes (KERNEL §2, §3): accepted, not done. */
const KEPT: ReadonlySet<string> = new Set(['paused', 'definition_unknown', 'queued', 'execution_failed'])

const existing = async ({ pawl, params }: Pick<Call, 'pawl' | 'params'>): Promise<ExecutionView> => {
  const found = await pawl.executions.get(params['id']!)
  if (found === undefined) throw noExecution(params['id']!)
  return found
}

const start = route({
  method: 'POST',
  path: '/v1/executions',
  operation: 'startExecution',
  summary: 'Begins an execution; the same id and input again is the same execution',
  policy: { scope: 'operate' },
  body: object('an execution to start', {
    definition: name('the id of a definition').describe('The id of a definition.'),
    kind: word(KINDS).describe('The kind of the definition. Default machine.').exactOptional(),
    id: name('an id').max(200).describe('An id of your own; drawn when absent.').exactOptional(),
    variables: anyObject.describe('What it knows from the beginning.').exactOptional(),
  }),
  answers: { 200: execution, 201: execution },
  serve: async ({ pawl, body: { definition, kind = 'machine', id, variables }, ownId, changed }) => {
    if (kind !== 'machine') throw notBuilt(`an execution of a ${kind}`)
    const own = id ?? ownId('exe')
    const run = await pawl.start(definition, {
      ...(own !== undefined && { id: own }),
      ...(variables !== undefined && { variables: variables as JsonObject }),
    })
    const view = await run.get()
    if (run.isNew) await changed({ type: 'execution.started', subject: run.id, after: view })
    const location = `/v1/executions/${encodeURIComponent(run.id)}`
    return { status: run.isNew ? 201 : 200, headers: { location }, body: view }
  },
})

const list = route({
  method: 'GET',
  path: '/v1/executions',
  operation: 'listExecutions',
  summary: 'Executions, newest first',
  policy: { scope: 'read' },
  query: listQuery,
  answers: { 200: pageOf(execution) },
  serve: async ({ pawl, query }) => {
    const fields = { kind: KINDS, definition: 'text', status: STATUSES, state: 'text' } as const
    return listOf(
      await pawl.executions.list(parseFilter(query.filter, fields) as never, asked(query)),
      (row) => row,
    )
  },
})

const get = route({
  method: 'GET',
  path: '/v1/executions/{id}',
  operation: 'getExecution',
  summary: 'One execution',
  policy: { scope: 'read' },
  answers: { 200: execution },
  serve: async (call) => ok(await existing(call)),
})

const send = route({
  method: 'POST',
  path: '/v1/executions/{id}/events',
  operation: 'sendEvent',
  summary: 'Tells an execution of an event; an event id is applied once',
  policy: { scope: 'operate' },
  body: object('an event', {
    type: name('the type of an event').describe('What happened.'),
    payload: json('a value').describe('The details, as the definition declares them.').exactOptional(),
    id: name('an id').max(200).describe('Applied once. Drawn when absent.').exactOptional(),
  }),
  answers: { 200: sent, 202: sent },
  serve: async ({ pawl, params, body: { type, payload = {}, id }, ownId, changed }) => {
    const executionId = params['id']!
    const before = await existing({ pawl, params })
    const own = id ?? ownId('evt')
    const options = own === undefined ? {} : { id: own }
    const { applied, duplicate, reason } = await pawl.send(executionId, type, payload, options)
    const after = await existing({ pawl, params })
    if (!duplicate)
      await changed({ type: 'event.sent', subject: executionId, before, after: { ...after, event: type } })
    const isKept = !applied && !duplicate && reason !== undefined && KEPT.has(reason)
    const told = { applied, duplicate, ...(reason !== undefined && { reason }), execution: after }
    return isKept ? ok({ accepted: true, ...told }, 202) : ok(told)
  },
})

const patch = route({
  method: 'PATCH',
  path: '/v1/executions/{id}/variables',
  operation: 'patchVariables',
  summary: 'Merges variables into an execution; a dry run only says what would come of it',
  policy: { scope: 'operate' },
  query: object('the query', {
    dryRun: word(['true', 'false']).describe('true changes nothing.').optional(),
  }),
  body: anyObject,
  answers: { 200: patched, 202: patched },
  serve: async ({ pawl, params, query: { dryRun }, body, changed }) => {
    const id = params['id']!
    const before = await existing({ pawl, params })
    const preview = await pawl.executions.preview(id, body as JsonObject)
    if (dryRun === 'true') return ok(preview)
    const { applied, reason } = await pawl.executions.patch(id, body as JsonObject)
    const after = await existing({ pawl, params })
    await changed({ type: 'execution.patched', subject: id, before, after })
    const isKept = !applied && reason !== undefined && KEPT.has(reason)
    return ok({ execution: after, plan: preview.plan }, isKept ? 202 : 200)
  },
})

type Verb = 'pause' | 'resume' | 'cancel'
const WORDS: Readonly<Record<Verb, readonly [past: string, summary: string]>> = {
  pause: ['paused', 'Holds an execution; events wait until it is resumed'],
  resume: ['resumed', 'Lets a paused or failed execution go on'],
  cancel: ['cancelled', 'Ends an execution and what it has queued'],
}

const verb = (what: Verb): Route =>
  route({
    method: 'POST',
    path: `/v1/executions/{id}/${what}`,
    operation: `${what}Execution`,
    summary: WORDS[what][1],
    policy: { scope: 'operate' },
    body: reasonBody,
    answers: { 200: execution },
    serve: async ({ pawl, params, body: { reason }, changed }): Promise<Answer> => {
      const id = params['id']!
      const before = await existing({ pawl, params })
      await pawl.executions[what](id, reason)
      const after = await existing({ pawl, params })
      const cause = { ...after, ...(reason !== undefined && { reason }) }
      await changed({ type: `execution.${WORDS[what][0]}`, subject: id, before, after: cause })
      return ok(after)
    },
  })

const historyView = ({ number, type, at, data, hash, prevHash }: HistoryRow) => ({
  seq: number,
  type,
  at: instant(at),
  data,
  hash,
  prevHash,
})

const history = route({
  method: 'GET',
  path: '/v1/executions/{id}/history',
  operation: 'getHistory',
  summary: 'What happened to an execution, in order, each entry chained to the one before it',
  policy: { scope: 'read' },
  query: pageQuery,
  answers: { 200: pageOf(historyEntry) },
  serve: async ({ pawl, params, query }) => {
    await existing({ pawl, params })
    return listOf(await pawl.executions.history(params['id']!, asked(query)), historyView)
  },
})

const timeline = route({
  method: 'GET',
  path: '/v1/executions/{id}/timeline',
  operation: 'getTimeline',
  summary: 'What an execution went through, where it stands, what is planned',
  policy: { scope: 'read' },
  query: pageQuery,
  answers: { 200: pageOf(timelineEntry) },
  serve: async ({ pawl, params, query }) =>
    listOf(await pawl.executions.timeline(params['id']!, asked(query)), (row) => row),
})

const actions = route({
  method: 'GET',
  path: '/v1/executions/{id}/actions',
  operation: 'listExecutionActions',
  summary: 'The actions of an execution, newest first',
  policy: { scope: 'read' },
  query: pageQuery,
  answers: { 200: pageOf(action) },
  serve: async ({ pawl, params, query }) => {
    await existing({ pawl, params })
    return listOf(await pawl.actions.list({ execution: params['id']! }, asked(query)), (row) => row)
  },
})

const ask = route({
  method: 'GET',
  path: '/v1/executions/{id}/why',
  operation: 'whyExecution',
  summary: 'What an execution is waiting for, in words',
  policy: { scope: 'read' },
  answers: { 200: why },
  serve: async ({ pawl, params }) => {
    await existing({ pawl, params })
    return ok(shownWhy(await pawl.why(params['id']!)))
  },
})

export const executionRoutes: readonly Route[] = [
  start,
  list,
  get,
  send,
  patch,
  verb('pause'),
  verb('resume'),
  verb('cancel'),
  history,
  timeline,
  actions,
  ask,
]
