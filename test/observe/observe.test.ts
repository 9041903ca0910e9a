// What a process tells of itself, over a real engine: metrics, spans and log lines of the same few actions.

import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { realClock } from '../../src/engine/clock.ts'
import { permanent, runner } from '../../src/index.ts'
import { createLogObserver } from '../../src/observe/log-observer.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { createSpans } from '../../src/observe/spans.ts'
import { createStateReader } from '../../src/observe/state.ts'
import { together } from '../../src/observe/together.ts'
import { openParts } from '../../src/pawl/open.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
beforeAll(() => provider.register())
afterAll(async () => {
  await provider.shutdown()
  trace.disable()
  context.disable()
  propagation.disable()
})

const heard: (string | undefined)[] = []
const ring = runner({
  type: 'ring',
  config: z.object({ fail: z.boolean().default(false) }),
  result: z.object({ ok: z.boolean() }),
  execute: async ({ config }) => {
    heard.push(trace.getActiveSpan()?.spanContext().spanId)
    if (config.fail) throw permanent('malformed_request', 'no such bell')
    return { ok: true }
  },
})

const opened = async () => {
  const metrics = createMetrics({ version: '9.9.9', maxSeries: 10 })
  const lines: object[] = []
  const log = createLogObserver((level, message, fields) => lines.push({ level, message, ...fields }))
  const observer = together([createSpans('9.9.9'), metrics.observer, log])
  const parts = await openParts({ store: 'sqlite::memory:', runners: [ring], builtIns: false, observer })
  metrics.watch(createStateReader(parts.ports, realClock))
  return { ...parts, metrics, lines }
}

/** Does what is due until all of these have ended. */
const drain = async (
  pawl: Awaited<ReturnType<typeof opened>>['pawl'],
  ids: readonly string[],
): Promise<void> => {
  const stop = await pawl.work({ slots: 2 })
  await vi.waitFor(
    async () => {
      const found = await Promise.all(ids.map((id) => pawl.actions.get(id)))
      for (const action of found) expect(action?.status).toMatch(/succeeded|dead/)
    },
    { timeout: 60_000 },
  )
  await stop()
}

const samples = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('pawl_'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

describe('one success and one dead letter', () => {
  let found: ReadonlyMap<string, number>
  let lines: readonly object[]
  let asker: string | undefined
  beforeAll(async () => {
    const { pawl, metrics, lines: told } = await opened()
    const tracer = trace.getTracer('test')
    const ids = await tracer.startActiveSpan('a request', async (span) => {
      asker = span.spanContext().traceId
      const made = [await pawl.dispatch(ring({})), await pawl.dispatch(ring({ fail: true }))]
      span.end()
      return made.map(({ id }) => id)
    })
    await drain(pawl, ids)
    found = samples(await metrics.text())
    lines = told
    await pawl.close()
  })

  it.each([
    ['pawl_actions_created_total{trigger_kind="direct",action_type="ring"}', 2],
    ['pawl_actions_finished_total{action_type="ring",status="succeeded"}', 1],
    ['pawl_actions_finished_total{action_type="ring",status="dead"}', 1],
    ['pawl_attempts_total{action_type="ring",outcome="succeeded",error_type=""}', 1],
    ['pawl_attempts_total{action_type="ring",outcome="failed",error_type="malformed_request"}', 1],
    ['pawl_action_start_delay_seconds_count{action_type="ring"}', 2],
    ['pawl_attempt_duration_seconds_count{action_type="ring",outcome="failed"}', 1],
    ['pawl_dead_letters{action_type="ring",error_type="malformed_request"}', 1],
    ['pawl_actions{status="dead"}', 1],
    ['pawl_actions{status="succeeded"}', 1],
    ['pawl_build_info{version="9.9.9"}', 1],
    ['pawl_worker_slots{state="used"}', 0],
  ])('%s is %d', (name, value) => {
    expect(found.get(name)).toBe(value)
  })

  it('the store was asked, and how long it took is told', () => {
    expect(found.get('pawl_store_query_duration_seconds_count{query="commit"}')).toBeGreaterThan(1)
  })

  it('no id is a label', () => {
    expect([...found.keys()].filter((name) => /act_|wrk_|exe_/.test(name))).toEqual([])
  })

  it('each attempt is a span of a trace of its own, linked to who asked and no child of it', () => {
    const spans = exporter.getFinishedSpans()
    const attempts = spans.filter(({ name }) => name === 'process ring')
    const sends = spans.filter(({ name }) => name === 'send ring')
    expect(sends.map(({ kind }) => kind)).toEqual([SpanKind.PRODUCER, SpanKind.PRODUCER])
    expect(attempts).toHaveLength(2)
    for (const span of attempts) {
      expect(span.kind).toBe(SpanKind.CONSUMER)
      expect(span.parentSpanContext).toBeUndefined()
      expect(span.spanContext().traceId).not.toBe(asker)
      expect(span.links.map(({ context: linked }) => linked.traceId)).toEqual([asker])
      expect(sends.map((sent) => sent.spanContext().spanId)).toContain(span.links[0]?.context.spanId)
      expect(span.attributes).toMatchObject({
        'messaging.system': 'pawl',
        'messaging.operation.type': 'process',
        'messaging.destination.name': 'ring',
        'pawl.attempt': 1,
        'pawl.trigger.kind': 'direct',
      })
    }
    expect(attempts.flatMap(({ attributes }) => attributes['error.type'] ?? [])).toEqual([
      'malformed_request',
    ])
  })

  it('the runner runs inside its span', () => {
    const attempts = exporter.getFinishedSpans().filter(({ name }) => name === 'process ring')
    expect([...heard].sort()).toEqual(attempts.map((span) => span.spanContext().spanId).sort())
  })

  it('each end is one line with the ids to search for', () => {
    expect(lines).toHaveLength(2)
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'action.dead',
        type: 'ring',
        attempt: 1,
        action: expect.stringMatching(/^act_/),
        error: { type: 'malformed_request', message: 'no such bell' },
      }),
    )
  })
})

it('a watcher that throws loses what it was told and nothing else', async () => {
  const broken = (): never => {
    throw new Error('watcher')
  }
  const observer = {
    claimed: broken,
    started: broken,
    settled: broken,
    committed: broken,
    asked: broken,
    outgoing: broken,
  }
  const { pawl } = await openParts({ store: 'sqlite::memory:', runners: [ring], builtIns: false, observer })
  const { id } = await pawl.dispatch(ring({}))
  await drain(pawl, [id])
  expect((await pawl.actions.get(id))?.status).toBe('succeeded')
  await pawl.close()
})
