// Owns the routes of dead letters: listed, grouped by cause, sent again or put away, one by one or as a bulk.

import {
  flag,
  jsonObject,
  list as listShape,
  name,
  number,
  object,
  text,
  textOrNumber,
} from '../../definitions/shape/values.ts'
import { parseFilter } from '../filter.ts'
import { asked, listQuery, pageQuery, reasonBody } from '../inputs.ts'
import { listOf, ok, type Route, route } from '../route.ts'
import { action, deadGroup, open, pageOf } from '../shapes.ts'
import { changeAction } from './actions.ts'

const list = route({
  method: 'GET',
  path: '/v1/dead-letters',
  operation: 'listDeadLetters',
  summary: 'Actions that ended dead, newest first',
  policy: { scope: 'read' },
  query: listQuery,
  answers: { 200: pageOf(action) },
  serve: async ({ pawl, query }) => {
    const fields = {
      type: 'text',
      execution: 'text',
      fingerprint: 'text',
      name: 'text',
      tag: 'text',
    } as const
    const filter = { ...parseFilter(query.filter, fields), status: 'dead' as const }
    return listOf(await pawl.actions.list(filter, asked(query)), (row) => row)
  },
})

const groups = route({
  method: 'GET',
  path: '/v1/dead-letters/groups',
  operation: 'listDeadLetterGroups',
  summary: 'Dead letters by their cause, the newest first',
  policy: { scope: 'read' },
  query: object('the query of a list', { limit: pageQuery.shape.limit }),
  answers: { 200: pageOf(deadGroup) },
  serve: async ({ pawl, query: { limit = 50 } }) =>
    listOf({ data: await pawl.dead.groups(limit) }, (row) => row),
})

const filterShape = object('a filter of dead letters', {
  type: name('the type of an action').exactOptional(),
  name: name('the name of an action').exactOptional(),
  errorType: name('the type of an error').exactOptional(),
  tag: name('a tag').exactOptional(),
  execution: name('the id of an execution').exactOptional(),
  since: textOrNumber('an instant').exactOptional(),
  until: textOrNumber('an instant').exactOptional(),
  ids: listShape(name('the id of an action'), 'a list of ids').exactOptional(),
})

const replay = route({
  method: 'POST',
  path: '/v1/dead-letters/replay',
  operation: 'replayDeadLetters',
  summary: 'Sends dead letters again, at a rate; a dry run counts them',
  policy: { scope: 'operate' },
  body: object('a replay of dead letters', {
    filter: filterShape.describe('Which ones.').exactOptional(),
    group: text('the id of a group').describe('All of one group, instead of a filter.').exactOptional(),
    ratePerSecond: number('a number').describe('Default 100.').exactOptional(),
    stopAfterFailures: number('a whole number').exactOptional(),
    asNew: flag().describe('As new actions, with keys of their own.').exactOptional(),
    patch: jsonObject('an object').describe('Merged into each config.').exactOptional(),
    dryRun: flag().describe('Only counts.').exactOptional(),
  }),
  answers: { 200: open, 202: open },
  serve: async ({ pawl, body, actor, ownId, changed }) => {
    const id = ownId('blk')
    const bulk = await pawl.bulk.replay({ ...body, by: actor.id, ...(id !== undefined && { id }) })
    if (!('id' in bulk)) return ok(bulk)
    const bulkId = String(bulk.id)
    await changed({ type: 'bulk.started', subject: bulkId, after: bulk })
    return { status: 202, headers: { location: `/v1/bulk/${encodeURIComponent(bulkId)}` }, body: bulk }
  },
})

const retry = route({
  method: 'POST',
  path: '/v1/dead-letters/{id}/retry',
  operation: 'retryDeadLetter',
  summary: 'Queues a dead letter again',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) => changeAction(call, 'action.retried', call.pawl.actions.retry),
})

const archive = route({
  method: 'POST',
  path: '/v1/dead-letters/{id}/archive',
  operation: 'archiveDeadLetter',
  summary: 'Puts a dead letter away',
  policy: { scope: 'operate' },
  body: reasonBody,
  answers: { 200: action },
  serve: (call) => changeAction(call, 'action.archived', call.pawl.actions.archive),
})

export const deadLetterRoutes: readonly Route[] = [list, groups, replay, retry, archive]
