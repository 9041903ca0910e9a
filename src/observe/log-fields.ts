// Owns the words of a log line (EXPERIENCE §6.6): what the engine calls `action` is `action_id` for whoever searches logs.

import { trace } from '@opentelemetry/api'
import { isObject, type Json, type JsonObject } from '../core/json.ts'

const NAMES: Readonly<Record<string, string>> = {
  action: 'action_id',
  type: 'action_type',
  execution: 'execution_id',
  worker: 'worker_id',
  requestId: 'request_id',
  durationMs: 'duration_ms',
  correlationId: 'correlation_id',
  triggerKind: 'trigger_kind',
  triggerId: 'trigger_id',
}

/** What a runner was given and gave back: not logged unless asked for. */
const PAYLOADS = ['config', 'result', 'payload', 'variables', 'body']

const errorFields = (error: Json): JsonObject => {
  if (!isObject(error)) return { 'error.message': String(error) }
  return Object.fromEntries(
    ['type', 'message', 'stack'].flatMap((name) => {
      const value = error[name]
      return value === undefined ? [] : [[`error.${name}`, value] as const]
    }),
  )
}

/** A stable name for a constant text: `an attempt broke` → `an_attempt_broke`. */
const slug = (message: string): string =>
  message
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, 60)

export const logFields = (message: string, fields: JsonObject, withPayloads: boolean): JsonObject => {
  const { event, error, ...rest } = fields
  const span = trace.getActiveSpan()?.spanContext()
  const kept = Object.entries(rest).filter(([name]) => withPayloads || !PAYLOADS.includes(name))
  return {
    event: event ?? slug(message),
    ...(span !== undefined && { trace_id: span.traceId, span_id: span.spanId }),
    ...Object.fromEntries(kept.map(([name, value]) => [NAMES[name] ?? name, value])),
    ...(error !== undefined && error !== null && errorFields(error)),
  }
}
