// Owns the route of the live feed.

import { object, text } from '../../definitions/shape/values.ts'
import type { FeedRow } from '../../store/reader.ts'
import { eventStream } from '../event-stream.ts'
import { parseFilter } from '../filter.ts'
import { filter } from '../inputs.ts'
import { type Route, route } from '../route.ts'

/** `action.*`: all that begin so. */
const fits = (pattern: string | undefined, type: string): boolean =>
  pattern === undefined || (pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type)

const stream = route({
  method: 'GET',
  path: '/v1/stream',
  operation: 'stream',
  summary: 'Every fact as it happens, as server-sent events; resumes with Last-Event-ID',
  policy: { scope: 'read' },
  query: object('the query', {
    filter,
    after: text('a cursor').describe('Resume after this fact, where a header cannot be set.').optional(),
  }),
  answers: { 200: 'events' },
  serve: async ({ pawl, query, header, actor, house, holds }) => {
    const wanted = parseFilter(query.filter, { execution: 'text', type: 'text' })
    // A cursor that is none is refused before the answer begins.
    const from = await pawl.position(header('last-event-id') ?? query.after)
    const { execution, type } = wanted
    const { signal, close } = house.streams.open(actor)
    const rows = pawl.watch({ after: from, signal, ...(execution !== undefined && { execution }) })
    const isWanted = (row: FeedRow): boolean => fits(type, row.type)
    const { heartbeatMs } = house.streams
    const body = eventStream({ from, rows, isWanted, heartbeatMs, signal, holds, onEnd: close })
    return { status: 200, headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, body }
  },
})

export const streamRoutes: readonly Route[] = [stream]
