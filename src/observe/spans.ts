// Owns the traces (EXPERIENCE §6.5), by the API of OpenTelemetry alone: without an SDK in the process they cost nothing and
// go nowhere. An attempt is linked to what caused it and never its child: it may run weeks later, and no trace is that long.

import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Settlement } from '../core/settle.ts'
import type { Observer, Started } from '../engine/observer.ts'
import type { Ended } from '../engine/settlement.ts'

const NAME = 'pawl'
const MOST_OPEN = 5000

/** What an action carries of the trace it was asked for in, if anything. */
const linksOf = ({ action }: Started): Link[] => {
  const { metadata } = action.plan
  if (typeof metadata['traceparent'] !== 'string') return []
  const found = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, metadata, defaultTextMapGetter))
  return found === undefined ? [] : [{ context: found }]
}

const named = (operation: 'send' | 'process', type: string, id: string): Attributes => ({
  'messaging.system': 'pawl',
  'messaging.operation.type': operation,
  'messaging.destination.name': type,
  'messaging.message.id': id,
})

const carrierOf = (of: Context): Readonly<Record<string, string>> => {
  const carried: Record<string, string> = {}
  propagation.inject(of, carried, defaultTextMapSetter)
  return carried
}

const attributesOf = ({ action, attempt, worker }: Started): Attributes => {
  const { plan, source, id, dueAt } = action
  return {
    ...named('process', plan.type, id),
    'pawl.attempt': attempt,
    'pawl.attempt.max': plan.retryPolicy.maxAttempts,
    'pawl.trigger.kind': source.kind,
    'pawl.trigger.id': source.id,
    'pawl.occurrence.scheduled_at': new Date(dueAt).toISOString(),
    'pawl.idempotency_key': plan.stepKey,
    'pawl.worker.id': worker,
  }
}

const close = (span: Span, { status, outcome, error }: Settlement): void => {
  span.setAttribute('pawl.outcome', outcome)
  span.setAttribute('pawl.status', status)
  if (error !== undefined) {
    span.setAttribute('error.type', error.type)
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
  }
  span.end()
}

export const createSpans = (version: string): Observer => {
  const tracer = trace.getTracer(NAME, version)
  const open = new Map<string, Span>()
  const keyOf = (id: string, attempt: number): string => `${id}#${attempt}`
  /** An attempt whose lease was lost is never settled here. */
  const forget = (): void => {
    const [key, span] = open.entries().next().value!
    open.delete(key)
    span.setAttribute('pawl.outcome', 'lost')
    span.end()
  }
  return {
    started: (started, run) => {
      const { action, attempt } = started
      const options = {
        kind: SpanKind.CONSUMER,
        links: linksOf(started),
        attributes: attributesOf(started),
      }
      const span = tracer.startSpan(`process ${action.plan.type}`, options, ROOT_CONTEXT)
      // A span nobody records need not be remembered.
      if (span.isRecording()) open.set(keyOf(action.id, attempt), span)
      if (open.size > MOST_OPEN) forget()
      return context.with(trace.setSpan(ROOT_CONTEXT, span), run)
    },
    settled: ({ action, attempt }: Ended, settlement) => {
      const span = open.get(keyOf(action.id, attempt))
      open.delete(keyOf(action.id, attempt))
      if (span !== undefined) close(span, settlement)
    },
    asked: (type, id) => {
      const span = tracer.startSpan(`send ${type}`, {
        kind: SpanKind.PRODUCER,
        attributes: named('send', type, id),
      })
      const carried = carrierOf(trace.setSpan(context.active(), span))
      span.end()
      return carried
    },
    outgoing: () => carrierOf(context.active()),
  }
}
