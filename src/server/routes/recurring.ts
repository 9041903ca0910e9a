// Owns the routes of recurring actions, with the names and bodies of: their words are snake_case, namespace
// and tenant are always named, and whatever is wrong is 400.

import { type ErrorCode, PawlError, REGISTRY } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseInstant } from '../../core/time/instant.ts'
import {
  duration,
  flag,
  jsonObject,
  name,
  object,
  text,
  whole,
  word,
} from '../../definitions/shape/values.ts'
import type { NewRecurrence, RecurrenceChanges } from '../../pawl/recurring.ts'
import { asked, page } from '../inputs.ts'
import { type Call, listOf, ok, type Route, route } from '../route.ts'
import { open, pageOf } from '../shapes.ts'
import { created, type Fields, full, listed, partsOf, settingsOf } from './recurring-words.ts'

const timing = {
  cron_expr: text('a cron expression').describe('Five fields, six with seconds, seven with years.'),
  timezone: text('an IANA time zone').describe('Default UTC.').exactOptional(),
  enabled: flag().describe('Default true.').exactOptional(),
  ends_at: text('an instant').nullable().describe('Nothing fires at or after it.').exactOptional(),
  description: text('text').nullable().describe('For people.').exactOptional(),
  labels: jsonObject('an object').nullable().describe('For programs.').exactOptional(),
  misfire: word(['skip', 'latest', 'all']).describe('What was missed. Default skip.').exactOptional(),
  overlap: word(['allow', 'skip', 'cancel_previous'])
    .describe('While one runs. Default allow.')
    .exactOptional(),
  dst: object('{ gap, overlap }', {
    gap: word(['shift', 'skip']).describe('A local time that does not exist.').exactOptional(),
    overlap: word(['first', 'last', 'both']).describe('One that happens twice.').exactOptional(),
  })
    .describe('What clock changes do.')
    .exactOptional(),
  jitter: duration().nullable().describe('Spreads the starts.').exactOptional(),
  max_executions: whole(1, 1_000_000_000).nullable().describe('Then it ends.').exactOptional(),
  pause_after_failures: whole(1, 1_000_000).nullable().describe('So many in a row.').exactOptional(),
}

const template = {
  provider: name('the type of a runner').describe('Who does it.'),
  action_type: name('a name').describe('What it is called.'),
  payload: jsonObject('an object').describe('The config of the runner.'),
  metadata: jsonObject('an object').describe('Goes with every action.').exactOptional(),
  dedup_key: text('text')
    .nullable()
    .describe('May hold {{recurring_id}} and {{execution_time}}.')
    .exactOptional(),
}

const owner = {
  namespace: name('a namespace').describe('Whose it is.'),
  tenant: name('a tenant').describe('Whose it is.'),
}

const optional = <Shape extends Record<string, { exactOptional: () => unknown }>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, each.exactOptional()])) as {
    [Key in keyof Shape]: ReturnType<Shape[Key]['exactOptional']>
  }

/** Where it lies, of refusals that know only what was wrong. */
const PLACES: Readonly<Partial<Record<ErrorCode, string>>> = {
  interval_too_short: 'cron_expr',
  invalid_cron: 'cron_expr',
  invalid_date: 'ends_at',
  invalid_zone: 'timezone',
  never_fires: 'cron_expr',
}

/** what elsewhere is 422 is 400 here. */
const plainly = (given: Route): Route => ({
  ...given,
  serve: async (call) => {
    try {
      return await given.serve(call)
    } catch (error) {
      if (!(error instanceof PawlError) || REGISTRY[error.code].http !== 422) throw error
      const path = PLACES[error.code]
      throw new PawlError('input_invalid', error.message, { ...error.details, ...(path && { path }) }, error)
    }
  },
})

const missing = (): PawlError =>
  new PawlError('recurrence_not_found', 'recurring action not found', { path: 'id' })

const found = async ({ pawl, params }: Pick<Call, 'pawl' | 'params'>) => {
  const view = await pawl.recurring.get(params['id']!)
  if (view === undefined) throw missing()
  return view
}

const assertToCome = (ends: string | null | undefined, now: number): void => {
  if (ends === undefined || ends === null || parseInstant(ends) > now) return
  throw new PawlError('input_invalid', 'ends_at is in the past', {
    path: 'ends_at',
    expected: 'an instant that is still to come',
  })
}

const create = route({
  method: 'POST',
  path: '/v1/recurring',
  operation: 'createRecurring',
  summary: 'Makes a recurring action',
  policy: { scope: 'operate', namesTenant: 'body' },
  body: object('a recurring action', { ...owner, ...timing, ...template }),
  answers: { 201: open },
  serve: async ({ pawl, body, changed, ownId }) => {
    assertToCome(body.ends_at, pawl.now())
    const own = ownId('rec')
    const settings = settingsOf({ timezone: 'UTC', ...body } as Fields) as unknown as NewRecurrence
    const view = await pawl.recurring.create({ ...settings, ...(own !== undefined && { id: own }) })
    await changed({ type: 'recurring.create', subject: view.id, after: view })
    return { status: 201, headers: { location: `/v1/recurring/${view.id}` }, body: created(view) }
  },
})

const ENABLED = { true: true, false: false } as const

const list = route({
  method: 'GET',
  path: '/v1/recurring',
  operation: 'listRecurring',
  summary: 'The recurring actions of a tenant',
  policy: { scope: 'read', namesTenant: 'query' },
  query: object('the query of a list', {
    ...page,
    enabled: word(['true', 'false']).describe('Only these.').optional(),
  }),
  answers: { 200: open },
  serve: async ({ pawl, query }) => {
    const filter = query.enabled === undefined ? {} : { enabled: ENABLED[query.enabled] }
    const rows = await pawl.recurring.list(filter, { limit: 250, ...asked(query) })
    return ok({ recurring_actions: rows.data.map(listed), page: { next: rows.next ?? null } })
  },
})

const get = route({
  method: 'GET',
  path: '/v1/recurring/{id}',
  operation: 'getRecurring',
  summary: 'One recurring action',
  policy: { scope: 'read', namesTenant: 'query' },
  answers: { 200: open },
  serve: async (call) => ok(full(await found(call))),
})

const update = route({
  method: 'PUT',
  path: '/v1/recurring/{id}',
  operation: 'updateRecurring',
  summary: 'Changes what is named; null takes it away',
  policy: { scope: 'operate', namesTenant: 'query' },
  body: object('the changes', optional({ ...timing, ...template })),
  answers: { 200: open },
  serve: async (call) => {
    const { pawl, params, body, changed } = call
    const before = await found(call)
    assertToCome(body.ends_at, pawl.now())
    const merged = settingsOf({ ...partsOf(before), ...body } as Fields)
    const given = settingsOf(body as Fields)
    const changes = { ...given, do: merged['do'] } as unknown as RecurrenceChanges
    const after = await pawl.recurring.update(params['id']!, changes)
    await changed({ type: 'recurring.update', subject: after.id, before, after })
    return ok(full(after))
  },
})

const remove = route({
  method: 'DELETE',
  path: '/v1/recurring/{id}',
  operation: 'deleteRecurring',
  summary: 'Removes a recurring action; what it has asked for goes on',
  policy: { scope: 'operate', namesTenant: 'query' },
  answers: { 204: 'nothing' },
  serve: async (call) => {
    const before = await found(call)
    await call.pawl.recurring.remove(before.id)
    await call.changed({ type: 'recurring.delete', subject: before.id, before })
    return { status: 204 }
  },
})

const turn = (verb: 'pause' | 'resume') =>
  route({
    method: 'POST',
    path: `/v1/recurring/{id}/${verb}`,
    operation: `${verb}Recurring`,
    summary: verb === 'pause' ? 'Takes its next occurrence away' : 'Goes on from now',
    policy: { scope: 'operate', namesTenant: 'query' },
    answers: { 200: open },
    serve: async (call) => {
      const before = await found(call)
      const after = await call.pawl.recurring[verb](before.id)
      await call.changed({ type: `recurring.${verb}`, subject: after.id, before, after })
      return ok({ id: after.id, enabled: after.enabled, next_execution_at: after.nextAt })
    },
  })

const act = (verb: 'runNow' | 'skipNext', path: string, summary: string) =>
  route({
    method: 'POST',
    path: `/v1/recurring/{id}/${path}`,
    operation: `${verb}Recurring`,
    summary,
    policy: { scope: 'operate', namesTenant: 'query' },
    answers: { 200: open },
    serve: async (call) => {
      const before = await found(call)
      const after = await call.pawl.recurring[verb](before.id)
      await call.changed({ type: `recurring.${path.replace('-', '_')}`, subject: after.id, before, after })
      return ok(full(after))
    },
  })

const backfill = route({
  method: 'POST',
  path: '/v1/recurring/{id}/backfill',
  operation: 'backfillRecurring',
  summary: 'Fires what the schedule names in a range of the past and did not fire',
  policy: { scope: 'operate', namesTenant: 'query' },
  body: object('a range', {
    from: text('an instant').describe('From this instant on.'),
    to: text('an instant').describe('Up to this one, which is not part of it.'),
  }),
  answers: { 200: open },
  serve: async (call) => {
    const { id } = await found(call)
    const fired = await call.pawl.recurring.backfill(id, call.body)
    await call.changed({
      type: 'recurring.backfill',
      subject: id,
      after: { ...call.body, fired } as JsonObject,
    })
    return ok({ fired })
  },
})

const history = route({
  method: 'GET',
  path: '/v1/recurring/{id}/history',
  operation: 'getRecurringHistory',
  summary: 'What became of its occurrences, newest first',
  policy: { scope: 'read', namesTenant: 'query' },
  query: object('the query of a list', page),
  answers: { 200: pageOf(open) },
  serve: async (call) => {
    const { id } = await found(call)
    return listOf(await call.pawl.recurring.history(id, asked(call.query)), (row) => row)
  },
})

const next = route({
  method: 'GET',
  path: '/v1/recurring/{id}/next',
  operation: 'previewRecurring',
  summary: 'Its next instants',
  policy: { scope: 'read', namesTenant: 'query' },
  query: object('the query', { n: page.limit }),
  answers: { 200: open },
  serve: async (call) => {
    const { id } = await found(call)
    return ok({ next: await call.pawl.recurring.next(id, call.query.n ?? 5) })
  },
})

export const recurringRoutes: readonly Route[] = [
  create,
  list,
  get,
  update,
  remove,
  turn('pause'),
  turn('resume'),
  act('runNow', 'run-now', 'Fires one more, now'),
  act('skipNext', 'skip-next', 'Leaves the next occurrence out'),
  backfill,
  history,
  next,
].map(plainly)
