// Owns the routes of bulk operations and of alerts: long work that goes on by itself, and what someone should look at.

import { PawlError } from '../../core/errors.ts'
import { object, word } from '../../definitions/shape/values.ts'
import { asked, page, pageQuery, reasonBody } from '../inputs.ts'
import { listOf, ok, type Route, route } from '../route.ts'
import { open, pageOf } from '../shapes.ts'

const list = route({
  method: 'GET',
  path: '/v1/bulk',
  operation: 'listBulk',
  summary: 'Bulk operations, newest first',
  policy: { scope: 'read' },
  query: pageQuery,
  answers: { 200: pageOf(open) },
  serve: async ({ pawl, query }) => listOf(await pawl.bulk.list(asked(query)), (row) => row),
})

const get = route({
  method: 'GET',
  path: '/v1/bulk/{id}',
  operation: 'getBulk',
  summary: 'One bulk operation and how far it is',
  policy: { scope: 'read' },
  answers: { 200: open },
  serve: async ({ pawl, params }) => {
    const id = params['id']!
    const found = await pawl.bulk.get(id)
    if (found === undefined)
      throw new PawlError('bulk_not_found', `there is no bulk operation “${id.slice(0, 80)}”`, {
        path: 'bulk',
      })
    return ok(found)
  },
})

const failures = route({
  method: 'GET',
  path: '/v1/bulk/{id}/failures',
  operation: 'listBulkFailures',
  summary: 'What failed of a bulk operation',
  policy: { scope: 'read' },
  query: pageQuery,
  answers: { 200: pageOf(open) },
  serve: async ({ pawl, params, query }) =>
    listOf(await pawl.bulk.failures(params['id']!, asked(query)), (row) => row),
})

type Verb = 'pause' | 'resume' | 'stop'
const SUMMARIES: Readonly<Record<Verb, string>> = {
  pause: 'Holds a bulk operation',
  resume: 'Lets a bulk operation go on',
  stop: 'Ends a bulk operation; what was sent stays sent',
}

const verb = (what: Verb): Route =>
  route({
    method: 'POST',
    path: `/v1/bulk/{id}/${what}`,
    operation: `${what}Bulk`,
    summary: SUMMARIES[what],
    policy: { scope: 'operate' },
    body: reasonBody,
    answers: { 200: open },
    serve: async ({ pawl, params, body: { reason }, changed }) => {
      const id = params['id']!
      const { bulk } = pawl
      const before = await bulk.get(id)
      const after = await bulk[what](id, reason)
      await changed({ type: `bulk.${what}`, subject: id, before, after })
      return ok(after)
    },
  })

const alerts = route({
  method: 'GET',
  path: '/v1/alerts',
  operation: 'listAlerts',
  summary: 'What someone should look at, newest first',
  policy: { scope: 'read' },
  query: object('the query of a list', {
    ...page,
    open: word(['true', 'false']).describe('true: only those nobody has acknowledged.').optional(),
  }),
  answers: { 200: pageOf(open) },
  serve: async ({ pawl, query }) => {
    const filter = query.open === undefined ? {} : { open: query.open === 'true' }
    return listOf(await pawl.alerts.list(filter, asked(query)), (row) => row)
  },
})

const acknowledge = route({
  method: 'POST',
  path: '/v1/alerts/{id}/acknowledge',
  operation: 'acknowledgeAlert',
  summary: 'Says that someone is looking at an alert',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: open },
  serve: async ({ pawl, params, actor, changed }) => {
    const after = await pawl.alerts.acknowledge(params['id']!, actor.id)
    await changed({ type: 'alert.acknowledged', subject: params['id']!, after })
    return ok(after)
  },
})

export const bulkRoutes: readonly Route[] = [
  list,
  get,
  failures,
  verb('pause'),
  verb('resume'),
  verb('stop'),
  alerts,
  acknowledge,
]
