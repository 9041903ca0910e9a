// Owns the routes of actions: asked for, shown with their attempts, and what people may do to one.

import { z } from 'zod'
import type { RequestOptions } from '../../core/action.ts'
import type { Json } from '../../core/json.ts'
import { actionCore, requestOptions } from '../../definitions/shape/request.ts'
import { duration, json, name, object, text, whole, word } from '../../definitions/shape/values.ts'
import { MOST_AT_ONCE } from '../../engine/dispatch.ts'
import type { DispatchEntry, DispatchOptions } from '../../pawl/surface.ts'
import type { ActionView } from '../../pawl/views.ts'
import { parseFilter } from '../filter.ts'
import { anyObject, asked, listQuery, reasonBody } from '../inputs.ts'
import { noAction } from '../refusals.ts'
import { type Answer, type Call, listOf, ok, type Route, route } from '../route.ts'
import { action, pageOf, why } from '../shapes.ts'
import { shownWhy } from './why.ts'

const STATUSES = ['queued', 'running', 'succeeded', 'dead', 'review', 'cancelled', 'skipped'] as const

const existing = async ({ pawl, params }: Pick<Call, 'pawl' | 'params'>): Promise<ActionView> => {
  const found = await pawl.actions.get(params['id']!)
  if (found === undefined) throw noAction(params['id']!)
  return found
}

const gathering = {
  debounce: object('how requests of a key become one', {
    key: text('the key').describe('Requests with equal keys become one action.'),
    wait: duration().describe('So long after the last of them it runs.'),
    maxWait: duration().describe('At the latest after this.').exactOptional(),
  })
    .describe(
      'Many requests of a key become one action: the last counts, when it has been quiet for a while.',
    )
    .exactOptional(),
  batch: object('how requests of a key become one', {
    key: text('the key').describe('Requests with equal keys become one action.'),
    size: whole(1, 10_000).describe('It runs when it has so many items.'),
    wait: duration().describe('At the latest after this.'),
  })
    .describe('Many requests of a key become one action that has the items of all.')
    .exactOptional(),
}

const oneAction = object('an action', { ...actionCore(), ...requestOptions(), ...gathering })
type AskedAction = z.output<typeof oneAction>
type Entry = Extract<DispatchEntry, { readonly request: unknown }>

const entryOf = (
  { type, config, debounce, batch, ...options }: AskedAction,
  id: string | undefined,
): Entry => ({
  request: { type, config, options: options as RequestOptions },
  options: { ...(debounce && { debounce }), ...(batch && { batch }), ...(id && { id }) } as DispatchOptions,
})

type Dispatching = Pick<Call, 'pawl' | 'ownId' | 'changed'>

const dispatchOne = async ({ pawl, ownId, changed }: Dispatching, body: AskedAction): Promise<Answer> => {
  const { request, options } = entryOf(body, ownId('req'))
  const { id, deduplicated } = await pawl.dispatch(request, options)
  const view = await existing({ pawl, params: { id } })
  if (!deduplicated) await changed({ type: 'action.dispatched', subject: id, after: view })
  const location = `/v1/actions/${encodeURIComponent(id)}`
  return { status: 202, headers: { location }, body: { ...view, ...(deduplicated && { deduplicated }) } }
}

/** So many are read at once, for an answer of many. */
const READ_AT_ONCE = 50

/** All of them or none; told in one line of the audit. Repeated under the same key, each is the one it was. */
const dispatchMany = async (
  { pawl, ownId, changed }: Dispatching,
  bodies: readonly AskedAction[],
): Promise<Answer> => {
  const own = ownId('req')
  const entries = bodies.map((body, index) => entryOf(body, own && `${own}/${index}`))
  const answers = await pawl.dispatchMany(entries)
  const views: ActionView[] = []
  for (let from = 0; from < answers.length; from += READ_AT_ONCE) {
    const some = answers.slice(from, from + READ_AT_ONCE)
    views.push(...(await Promise.all(some.map(({ id }) => existing({ pawl, params: { id } })))))
  }
  const made = answers.filter(({ deduplicated }) => !deduplicated).map(({ id }) => id)
  if (made.length > 0)
    await changed({ type: 'actions.dispatched', subject: made[0]!, after: { count: made.length, ids: made } })
  const body = views.map((view, index) => ({
    ...view,
    ...(answers[index]!.deduplicated && { deduplicated: true }),
  }))
  return { status: 202, body }
}

const dispatch = route({
  method: 'POST',
  path: '/v1/actions',
  operation: 'dispatchAction',
  summary: 'Asks for an effect, now or later; with a list for up to 1,000, all of them or none',
  policy: { scope: 'operate' },
  body: z.union([
    oneAction,
    z
      .array(oneAction)
      .max(MOST_AT_ONCE, { error: `a list of at most ${MOST_AT_ONCE} actions` })
      .describe('All of them or none, in one commit; answered by a list in the same order.'),
  ]),
  answers: { 202: z.union([action, z.array(action)]) },
  serve: ({ body, ...call }) =>
    Array.isArray(body) ? dispatchMany(call, body) : dispatchOne(call, body as AskedAction),
})

const list = route({
  method: 'GET',
  path: '/v1/actions',
  operation: 'listActions',
  summary: 'Actions, newest first',
  policy: { scope: 'read' },
  query: listQuery,
  answers: { 200: pageOf(action) },
  serve: async ({ pawl, query }) => {
    const fields = {
      status: STATUSES,
      type: 'text',
      execution: 'text',
      fingerprint: 'text',
      name: 'text',
      tag: 'text',
    } as const
    return listOf(
      await pawl.actions.list(parseFilter(query.filter, fields) as never, asked(query)),
      (row) => row,
    )
  },
})

const get = route({
  method: 'GET',
  path: '/v1/actions/{id}',
  operation: 'getAction',
  summary: 'One action with its attempts',
  policy: { scope: 'read' },
  answers: { 200: action },
  serve: async (call) => ok(await existing(call)),
})

const ask = route({
  method: 'GET',
  path: '/v1/actions/{id}/why',
  operation: 'whyAction',
  summary: 'What an action, by its id or its step key, is waiting for, in words',
  policy: { scope: 'read' },
  answers: { 200: why },
  serve: async ({ pawl, params }) => {
    const told = await pawl.why(params['id']!)
    await existing({ pawl, params: { id: told.id } })
    return ok(shownWhy(told))
  },
})

type Changing = Pick<Call, 'pawl' | 'params' | 'changed'>

/** Does it, and tells the audit how the action was and how it is. */
export const changeAction = async (
  { pawl, params, changed }: Changing,
  type: string,
  work: (id: string) => Promise<unknown>,
) => {
  const id = params['id']!
  const before = await existing({ pawl, params })
  await work(id)
  const after = await existing({ pawl, params })
  await changed({ type, subject: id, before, after })
  return ok(after)
}

const runNow = route({
  method: 'POST',
  path: '/v1/actions/{id}/run-now',
  operation: 'runActionNow',
  summary: 'Makes a queued action due now',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) => changeAction(call, 'action.run_now', call.pawl.actions.runNow),
})

const retry = route({
  method: 'POST',
  path: '/v1/actions/{id}/retry',
  operation: 'retryAction',
  summary: 'Queues a dead letter again',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) => changeAction(call, 'action.retried', call.pawl.actions.retry),
})

const cancel = route({
  method: 'POST',
  path: '/v1/actions/{id}/cancel',
  operation: 'cancelAction',
  summary: 'Cancels a queued action, or asks a running one to stop',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) =>
    changeAction(call, 'action.cancelled', (id) => call.pawl.actions.cancel(id, call.body.reason)),
})

/** the worker's own word for it. */
const cancelExecution = route({
  method: 'POST',
  path: '/api/worker/executions/{id}/cancel',
  operation: 'cancelWorkerExecution',
  summary: 'Cancels an action, in the words of the worker API',
  policy: { scope: 'work' },
  query: object('the query', { reason: text('text').describe('Why, for people.').optional() }),
  body: anyObject,
  answers: { 200: action },
  serve: (call) =>
    changeAction(call, 'action.cancelled', (id) => call.pawl.actions.cancel(id, call.query.reason)),
})

const archive = route({
  method: 'POST',
  path: '/v1/actions/{id}/archive',
  operation: 'archiveAction',
  summary: 'Puts a dead letter or a review away',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) => changeAction(call, 'action.archived', call.pawl.actions.archive),
})

const resolve = route({
  method: 'POST',
  path: '/v1/actions/{id}/resolve',
  operation: 'resolveAction',
  summary: 'Says what became of an action whose outcome nobody knows',
  policy: { scope: 'operate' },
  body: object('an outcome', {
    outcome: word(['succeeded', 'failed', 'retry']).describe('What happened; retry: that nothing did.'),
    result: json('a value').describe('Of one that succeeded.').exactOptional(),
    error: object('an error', {
      type: name('the type of an error').exactOptional(),
      message: text('text').max(500).exactOptional(),
    })
      .describe('Of one that failed.')
      .exactOptional(),
  }),
  answers: { 200: action },
  serve: (call) => {
    const { outcome, result, error } = call.body
    return changeAction(call, 'action.resolved', (id) =>
      call.pawl.actions.resolve(id, {
        outcome,
        ...(result !== undefined && { result: result as Json }),
        ...(error !== undefined && { error }),
      }),
    )
  },
})

const replay = route({
  method: 'POST',
  path: '/v1/actions/{id}/replay',
  operation: 'replayAction',
  summary: 'Does a dead letter again: as it was, or as a new action with another config',
  policy: { scope: 'operate' },
  body: object('a replay', {
    config: json('the configuration of its runner').describe('Instead of the one it had.').exactOptional(),
  }),
  answers: { 200: action },
  serve: async ({ pawl, params, body: { config }, changed }) => {
    const id = params['id']!
    const before = await existing({ pawl, params })
    const after = await pawl.actions.replay(id, config === undefined ? {} : { config: config as Json })
    await changed({ type: 'action.replayed', subject: id, before, after })
    return ok(after)
  },
})

export const actionRoutes: readonly Route[] = [
  dispatch,
  list,
  get,
  ask,
  runNow,
  retry,
  cancel,
  cancelExecution,
  archive,
  resolve,
  replay,
]
