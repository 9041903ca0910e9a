// Owns the routes of what people do and look at: tasks, what the sandbox would have sent, and how actions fare.

import { PawlError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { json, object } from '../../definitions/shape/values.ts'
import { parseFilter } from '../filter.ts'
import { asked, listQuery, window } from '../inputs.ts'
import { listOf, ok, type Route, route } from '../route.ts'
import { open, pageOf } from '../shapes.ts'

const list = route({
  method: 'GET',
  path: '/v1/tasks',
  operation: 'listTasks',
  summary: 'Tasks for people, newest first',
  policy: { scope: 'read' },
  query: listQuery,
  answers: { 200: pageOf(open) },
  serve: async ({ pawl, query }) => {
    const fields = { status: ['open', 'overdue', 'done'], assignee: 'text', execution: 'text' } as const
    return listOf(
      await pawl.tasks.list(parseFilter(query.filter, fields) as never, asked(query)),
      (row) => row,
    )
  },
})

const get = route({
  method: 'GET',
  path: '/v1/tasks/{id}',
  operation: 'getTask',
  summary: 'One task',
  policy: { scope: 'read' },
  answers: { 200: open },
  serve: async ({ pawl, params }) => {
    const id = params['id']!
    const found = await pawl.tasks.get(id)
    if (found === undefined)
      throw new PawlError('task_not_found', `there is no task “${id.slice(0, 80)}”`, { path: 'task' })
    return ok(found)
  },
})

const complete = route({
  method: 'POST',
  path: '/v1/tasks/{id}/complete',
  operation: 'completeTask',
  summary: 'Says that a task is done; the same again changes nothing',
  policy: { scope: 'operate' },
  body: object('what came of it', { result: json('a value').describe('What came of it.').exactOptional() }),
  answers: { 200: open },
  serve: async ({ pawl, params, body: { result }, actor, changed }) => {
    const id = params['id']!
    const before = await pawl.tasks.get(id)
    const given = { by: actor.id, ...(result !== undefined && { result: result as Json }) }
    const { task, repeated } = await pawl.tasks.complete(id, given)
    if (!repeated) await changed({ type: 'task.completed', subject: id, before, after: task })
    return ok(task)
  },
})

const outbox = route({
  method: 'GET',
  path: '/v1/outbox',
  operation: 'listOutbox',
  summary: 'What runners in the sandbox would have sent, newest first',
  policy: { scope: 'read' },
  query: listQuery,
  answers: { 200: pageOf(open) },
  serve: async ({ pawl, query }) => {
    const filter = parseFilter(query.filter, { type: 'text', action: 'text' })
    return listOf(await pawl.outbox.list(filter as never, asked(query)), (row) => row)
  },
})

const outboxEntry = route({
  method: 'GET',
  path: '/v1/outbox/{id}',
  operation: 'getOutbox',
  summary: 'One message of the sandbox',
  policy: { scope: 'read' },
  answers: { 200: open },
  serve: async ({ pawl, params }) => {
    const found = await pawl.outbox.get(params['id']!)
    if (found === undefined) throw new PawlError('not_found', 'there is no such message')
    return ok(found)
  },
})

const stats = route({
  method: 'GET',
  path: '/v1/stats',
  operation: 'getStats',
  summary: 'How all actions fared in a window of time',
  policy: { scope: 'read' },
  query: object('the query', { window }),
  answers: { 200: open },
  serve: async ({ pawl, query }) =>
    ok(await pawl.stats(query.window === undefined ? {} : { window: query.window })),
})

const health = route({
  method: 'GET',
  path: '/v1/health/actions/{name}',
  operation: 'getActionHealth',
  summary: 'How the actions of one name fared, and what to do about it',
  policy: { scope: 'read' },
  query: object('the query', { window }),
  answers: { 200: open },
  serve: async ({ pawl, params, query }) =>
    ok(await pawl.health(params['name']!, query.window === undefined ? {} : { window: query.window })),
})

export const taskRoutes: readonly Route[] = [list, get, complete, outbox, outboxEntry, stats, health]
