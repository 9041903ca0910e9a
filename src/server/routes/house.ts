// Owns the routes about the house itself: is it alive and ready, who works in it, what time it is, and its description.

import { PawlError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { object, text, textOrNumber, word } from '../../definitions/shape/values.ts'
import { messageOf } from '../../engine/log.ts'
import type { WorkerRow } from '../../store/workers.ts'
import { DOCS_STYLE } from '../docs-style.ts'
import { asked, page } from '../inputs.ts'
import { instant } from '../instant.ts'
import { notBuilt } from '../refusals.ts'
import { type Answer, type House, listOf, ok, type Route, route } from '../route.ts'
import { agendaEntry, clock, health, open, pageOf, worker } from '../shapes.ts'

const PUBLIC = { scope: 'public' } as const
const PROBE = { scope: 'public', anyHost: true } as const

const live = route({
  method: 'GET',
  path: '/livez',
  operation: 'getLive',
  summary: 'Is the process alive?',
  policy: PROBE,
  answers: { 200: health },
  serve: async () => ok({ status: 'ok' }),
})

/** One look at the store is enough: it was migrated and sound when it was opened. */
const storeCheck = async ({ office, log }: House): Promise<string> => {
  try {
    await office.keys.any()
    return 'ok'
  } catch (error) {
    log('warn', 'the store cannot be reached', { error: messageOf(error) })
    return 'unreachable'
  }
}

const readiness = async (house: House, isVerbose: boolean): Promise<Answer> => {
  const checks: JsonObject = { draining: house.isDraining() ? 'yes' : 'no', store: await storeCheck(house) }
  const isReady = !house.isDraining() && checks['store'] === 'ok'
  const body = { status: isReady ? 'ok' : 'unavailable', ...(isVerbose && { checks }) }
  return ok(body, isReady ? 200 : 503)
}

const ready = (path: string, operation: string): Route =>
  route({
    method: 'GET',
    path,
    operation,
    summary: 'Can it serve: store reachable, not ending?',
    policy: PROBE,
    query: object('the query', { verbose: text('text').describe('Says what was looked at.').optional() }),
    answers: { 200: health, 503: health },
    serve: ({ house, query: { verbose } }) => readiness(house, verbose !== undefined),
  })

const metrics = (path: string, operation: string): Route =>
  route({
    method: 'GET',
    path,
    operation,
    summary: 'Figures for Prometheus, of all tenants',
    policy: { scope: 'work' },
    answers: { 200: 'text' },
    serve: async ({ house }) => {
      if (house.metrics === undefined) throw notBuilt('metrics')
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        body: await house.metrics(),
      }
    },
  })

const caches = route({
  method: 'GET',
  path: '/actuator/caches',
  operation: 'getCaches',
  summary: 'The state of caches',
  policy: { scope: 'work' },
  answers: { 200: open },
  serve: async () => {
    throw notBuilt('the state of caches')
  },
})

const describeApi = route({
  method: 'GET',
  path: '/v1/openapi.json',
  operation: 'getOpenApi',
  summary: 'This API, described (OpenAPI 3.1)',
  policy: PUBLIC,
  answers: { 200: open },
  serve: async ({ house }) => ok(house.describe()),
})

const docs = route({
  method: 'GET',
  path: '/v1/docs',
  operation: 'getDocs',
  summary: 'This API, for people to read',
  policy: PUBLIC,
  answers: { 200: 'text' },
  serve: async ({ house }) => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: house.docs(),
  }),
})

const style = route({
  method: 'GET',
  path: '/v1/docs.css',
  operation: 'getDocsStyle',
  summary: 'How that page looks',
  policy: PUBLIC,
  answers: { 200: 'text' },
  serve: async () => ({
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8' },
    body: DOCS_STYLE,
  }),
})

const workerView = ({ startedAt, seenAt, ...row }: WorkerRow) => ({
  ...row,
  startedAt: instant(startedAt),
  seenAt: instant(seenAt),
})

const workers = route({
  method: 'GET',
  path: '/v1/workers',
  operation: 'listWorkers',
  summary: 'The processes at work',
  policy: { scope: 'read' },
  answers: { 200: pageOf(worker) },
  serve: async ({ pawl }) => listOf({ data: await pawl.workers() }, workerView),
})

const agenda = route({
  method: 'GET',
  path: '/v1/agenda',
  operation: 'getAgenda',
  summary: 'What is to come, in order of time',
  policy: { scope: 'read' },
  query: object('the query', {
    ...page,
    from: text('an instant').describe('Default: now.').optional(),
    to: text('an instant').describe('Default: seven days later.').optional(),
    zone: text('a time zone such as Europe/London')
      .describe('Whose wall time is shown. Default UTC.')
      .optional(),
    kind: word(['machine', 'journey', 'recurrence', 'stream', 'reconciler', 'direct'])
      .describe('Only of this kind.')
      .optional(),
    definition: text('an id').describe('Only of this definition, or of this recurrence.').optional(),
    paused: word(['true', 'false']).describe('false leaves out what stands still.').optional(),
  }),
  answers: { 200: pageOf(agendaEntry) },
  serve: async ({ pawl, query: { from, to, zone, kind, definition, paused, ...rest } }) => {
    const query = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(zone !== undefined && { zone }),
      ...(kind !== undefined && { kind }),
      ...(definition !== undefined && { definition }),
      ...(paused !== undefined && { paused: paused === 'true' }),
    }
    return listOf(await pawl.agenda(query, asked(rest)), (row) => row)
  },
})

const getClock = route({
  method: 'GET',
  path: '/v1/clock',
  operation: 'getClock',
  summary: 'What time the engine has',
  policy: { scope: 'read' },
  answers: { 200: clock },
  serve: async ({ house, pawl }) => ok({ now: instant(pawl.now()), virtual: house.isVirtual }),
})

const moveClock = route({
  method: 'POST',
  path: '/v1/clock',
  operation: 'moveClock',
  summary: 'Moves a virtual clock; answers when all that is due by then has been done',
  policy: { scope: 'admin', localOnly: true },
  body: object('an instant or a duration', {
    advanceTo: textOrNumber('an instant').describe('To this instant.').exactOptional(),
    advanceBy: textOrNumber('a duration such as 42d').describe('By this much.').exactOptional(),
  }),
  answers: { 200: clock },
  serve: async ({ house, pawl, body: { advanceTo, advanceBy }, changed }) => {
    if ((advanceTo === undefined) === (advanceBy === undefined))
      throw new PawlError('input_invalid', 'it is not said where the clock is to go', {
        path: 'advanceTo',
        expected: 'either advanceTo or advanceBy',
      })
    const before = { now: instant(pawl.now()) }
    await pawl.advance(advanceTo === undefined ? { by: advanceBy as never } : { to: advanceTo })
    const after = { now: instant(pawl.now()) }
    await changed({ type: 'clock.moved', subject: 'clock', before, after })
    return ok({ ...after, virtual: house.isVirtual })
  },
})

export const houseRoutes: readonly Route[] = [
  live,
  ready('/readyz', 'getReady'),
  ready('/healthz', 'getHealth'),
  ready('/actuator/health', 'getActuatorHealth'),
  metrics('/metrics', 'getMetrics'),
  metrics('/actuator/metrics', 'getActuatorMetrics'),
  caches,
  describeApi,
  docs,
  style,
  workers,
  agenda,
  getClock,
  moveClock,
]
