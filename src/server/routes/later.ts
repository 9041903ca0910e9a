// Owns the paths that are promised and not yet served: each asks for its scope like any other, then says what is missing.

import { anyObject } from '../inputs.ts'
import { notBuilt } from '../refusals.ts'
import { type Policy, type Route, route } from '../route.ts'

type Line = readonly [
  method: Route['method'],
  path: string,
  operation: string,
  scope: Policy['scope'],
  what: string,
]

const STREAMS = 'event streams and their reactions'
const JOURNEYS = 'journeys'

const LINES: readonly Line[] = [
  ['POST', '/v1/events', 'publishEvents', 'operate', STREAMS],
  ['GET', '/api/worker/status', 'getWorkerStatus', 'work', STREAMS],
  ['GET', '/api/worker/statistics', 'getWorkerStatistics', 'work', STREAMS],
  ['GET', '/api/worker/stream-info', 'getStreamInfo', 'work', STREAMS],
  ['POST', '/api/worker/test-event', 'sendTestEvent', 'work', STREAMS],
  ['POST', '/api/worker/initialize-stream', 'initializeStream', 'work', STREAMS],
  ['POST', '/api/execution/process', 'processExecutions', 'operate', JOURNEYS],
  ['GET', '/api/execution/status/{id}', 'getJourneyStatus', 'read', JOURNEYS],
  ['POST', '/api/execution/retry/{id}', 'retryJourney', 'operate', JOURNEYS],
  ['GET', '/api/execution/metrics', 'getJourneyMetrics', 'read', JOURNEYS],
  ['POST', '/api/execution/pause/{id}', 'pauseJourney', 'operate', JOURNEYS],
  ['POST', '/api/execution/resume/{id}', 'resumeJourney', 'operate', JOURNEYS],
]

export const laterRoutes: readonly Route[] = LINES.map(([method, path, operation, scope, what]) =>
  route({
    method,
    path,
    operation,
    summary: `Not served by this version: ${what}`,
    policy: { scope },
    ...(method !== 'GET' && method !== 'DELETE' && { body: anyObject }),
    answers: {},
    serve: async () => {
      throw notBuilt(what)
    },
  }),
)
