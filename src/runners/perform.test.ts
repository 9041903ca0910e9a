import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { permanent, retryable } from '../core/action-error.ts'
import { actionResult } from './action-result.ts'
import { perform } from './perform.ts'
import { type AnyRunner, runner } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'

const T0 = Date.UTC(2026, 0, 5, 9)

/** A context whose clock moves a second with every look at it. */
const contextAt = (attempt = 1): RunnerContext => {
  let time = T0 - 1000
  const unused = () => {
    throw new Error('not used here')
  }
  return {
    fetch: unused,
    signal: new AbortController().signal,
    attempt,
    idempotencyKey: 'key_1',
    stepKey: 'l_1/notice/notify',
    secret: unused,
    log: { debug: unused, info: unused, warn: unused, error: unused },
    now: () => (time += 1000),
    timestamp: T0,
  }
}

const performing = (
  performed: AnyRunner,
  config: Parameters<typeof perform>[1]['config'],
  {
    attempt = 1,
    delivery = 'at_least_once',
  }: Partial<Parameters<typeof perform>[1]> & { attempt?: number } = {},
) => perform(performed, { config, delivery, ctx: contextAt(attempt) })

const notify = runner({
  type: 'notify',
  config: z.object({ to: z.string(), text: z.string().default('hello') }),
  result: z.object({ id: z.string(), parts: z.number().default(1) }),
  event: 'notified',
  execute: ({ config }) => ({ id: `${config.to}:${config.text}` }),
})

describe('a performance that succeeds', () => {
  it('gives execute the config with its defaults, and the result through its schema', async () => {
    expect(await performing(notify, { to: 'ada' })).toEqual({
      outcome: {
        kind: 'succeeded',
        result: { id: 'ada:hello', parts: 1 },
        event: { type: 'notified', payload: { id: 'ada:hello', parts: 1 } },
      },
      startedAt: T0,
      endedAt: T0 + 2000,
      metadata: {},
    })
  })

  it('X-03: gives execute the attempt, the key and the signal', async () => {
    const seen = runner({
      type: 'see',
      config: z.object({}),
      execute: ({ ctx }) => ({ attempt: ctx.attempt, key: ctx.idempotencyKey, aborted: ctx.signal.aborted }),
    })
    expect(await performing(seen, {}, { attempt: 3 })).toMatchObject({
      outcome: { result: { attempt: 3, key: 'key_1', aborted: false } },
    })
  })

  it('a runner that wraps another may hand on what it got, spread', async () => {
    const inner = runner({ type: 'in', config: z.object({}), execute: ({ ctx }) => ctx.attempt })
    const outer = runner({
      type: 'out',
      config: z.object({}),
      execute: (work) => inner.definition.execute({ ...work, config: {} }),
    })
    expect(await performing(outer, {}, { attempt: 3 })).toMatchObject({ outcome: { result: 3 } })
  })

  it.each([
    ['a list', [1, 2], [1, 2]],
    ['a text', 'done', 'done'],
    ['nothing', undefined, null],
  ])('a result that is %s has no fields for the event', async (_, returned, result) => {
    const odd = runner({ type: 'odd', config: z.object({}), execute: async () => returned })
    expect(await performing(odd, {})).toMatchObject({
      outcome: { kind: 'succeeded', result, event: { type: 'action.succeeded', payload: {} } },
    })
  })

  it('F-071, F-076: the runner may say event fields, cost and metadata of its own', async () => {
    const webhook = runner({
      type: 'webhook',
      config: z.object({ url: z.string() }),
      result: z.object({ statusCode: z.number() }),
      event: 'webhook_called',
      eventPayload: ({ config, result, durationMs }) => ({ ...config, ...result, responseTime: durationMs }),
      cost: ({ result }) => result.statusCode / 100,
      metadata: ({ config, result }) => ({ ...config, ...result }),
      execute: async () => ({ statusCode: 200 }),
    })
    expect(await performing(webhook, { url: 'https://crm.example' })).toMatchObject({
      outcome: {
        result: { statusCode: 200 },
        event: { payload: { url: 'https://crm.example', statusCode: 200, responseTime: 1000 } },
      },
      costEstimate: 2,
      metadata: { url: 'https://crm.example', statusCode: 200 },
    })
  })
})

describe('P1: before the effect', () => {
  const never = runner({ ...notify.definition, execute: () => Promise.reject(new Error('must not run')) })

  it('F-044, X-15: a config that does not fit is invalid_configuration and is not retried', async () => {
    expect(await performing(never, { text: 7 })).toMatchObject({
      outcome: {
        kind: 'failed',
        failure: {
          effect: 'none',
          permanent: true,
          error: {
            type: 'invalid_configuration',
            retryable: false,
            message: expect.stringMatching(/^the config of notify does not fit: to: .*; text: /),
            details: { misfits: [{ path: 'to' }, { path: 'text' }] },
          },
        },
      },
      metadata: {},
    })
  })

  it('reconcile is refused, before anything is sent, by a runner that cannot', async () => {
    expect(await performing(never, { to: 'ada' }, { delivery: 'reconcile' })).toMatchObject({
      outcome: {
        failure: {
          permanent: true,
          effect: 'none',
          error: {
            type: 'invalid_configuration',
            message: 'the runner notify cannot reconcile: it has no reconcile()',
          },
        },
      },
    })
  })
})

describe('reconcile', () => {
  const calls: string[] = []
  const envelope = (found: { id: string } | undefined) =>
    runner({
      type: 'envelope',
      config: z.object({}),
      result: z.object({ id: z.string() }),
      delivery: 'reconcile',
      reconcile: () => {
        calls.push('asked')
        return found
      },
      execute: async () => {
        calls.push('sent')
        return { id: 'new' }
      },
    })

  it.each([
    ['the first attempt sends without asking', 1, { id: 'old' }, ['sent'], 'new'],
    ['a repetition asks, and keeps what it finds', 2, { id: 'old' }, ['asked'], 'old'],
    ['a repetition asks, and sends when there is nothing', 2, undefined, ['asked', 'sent'], 'new'],
  ] as const)('%s', async (_, attempt, found, expected, id) => {
    calls.length = 0
    expect(await performing(envelope(found), {}, { attempt, delivery: 'reconcile' })).toMatchObject({
      outcome: { kind: 'succeeded', result: { id } },
    })
    expect(calls).toEqual(expected)
  })

  it('F-042: sends nothing when the lease was lost while it asked', async () => {
    calls.length = 0
    const lost = new AbortController()
    const ctx = { ...contextAt(2), signal: lost.signal }
    const onNothingFound = (): void => lost.abort(new Error('the lease is lost'))
    const task = { config: {}, delivery: 'reconcile', ctx, onNothingFound } as const
    expect(await perform(envelope(undefined), task)).toMatchObject({ outcome: { kind: 'failed' } })
    expect(calls).toEqual(['asked'])
  })

  it('an effect without a result is found as null; only undefined means that there is none', async () => {
    const ping = runner({
      type: 'ping',
      config: z.object({}),
      delivery: 'reconcile',
      reconcile: () => null,
      execute: () => Promise.reject(new Error('must not run')),
    })
    expect(await performing(ping, {}, { attempt: 2, delivery: 'reconcile' })).toMatchObject({
      outcome: { kind: 'succeeded', result: null },
    })
  })

  it('is not asked under another delivery', async () => {
    calls.length = 0
    await performing(envelope({ id: 'old' }), {}, { attempt: 2, delivery: 'at_least_once' })
    expect(calls).toEqual(['sent'])
  })
})

describe('F-042: whatever is thrown becomes an outcome', () => {
  const throwing = (thrown: unknown) =>
    runner({
      type: 'notify',
      config: z.object({}),
      execute: () => {
        throw thrown
      },
    })

  it.each([
    ['retryable()', retryable('rate_limit', 'throttled', { after: '30s' }), 'rate_limit', true],
    ['permanent()', permanent('malformed_request', 'no'), 'malformed_request', false],
    ['an answer', { status: 401 }, 'authentication_failed', false],
    ['an error', new Error('boom'), 'unknown_error', true],
    ['undefined', undefined, 'unknown_error', true],
  ])('%s', async (_, thrown, type, isRetryable) => {
    expect(await performing(throwing(thrown), {})).toMatchObject({
      outcome: { kind: 'failed', failure: { error: { type, retryable: isRetryable } } },
    })
  })

  it('also when it is thrown later', async () => {
    const later = runner({
      type: 'x',
      config: z.object({}),
      execute: () => Promise.reject(new Error('later')),
    })
    expect(await performing(later, {})).toMatchObject({
      outcome: { failure: { error: { message: 'later' } } },
    })
  })
})

describe('P2: after the effect nothing leads to a repetition', () => {
  const sent = (change: object) =>
    runner({ type: 'sent', config: z.object({}), execute: async () => ({ id: 'm1' }), ...change })
  const thrower = () => {
    throw new Error('boom')
  }

  it.each([
    [
      'a result that does not fit',
      { result: z.object({ id: z.number() }) },
      'the result of sent does not fit: id: ',
    ],
    [
      'a result that is not JSON',
      { execute: () => ({ at: new Date(0) }) },
      'the result of sent cannot be stored: at: ',
    ],
    [
      'an event that is not JSON',
      { eventPayload: () => ({ n: 1n }) },
      'the event of sent cannot be stored: n: ',
    ],
    ['an event that throws', { eventPayload: thrower }, 'the event of sent cannot be stored: boom'],
  ])('%s is invalid_result, its effect unknown, never retried', async (_, change, message) => {
    expect(await performing(sent(change), {})).toMatchObject({
      outcome: {
        kind: 'failed',
        failure: {
          effect: 'unknown',
          permanent: true,
          error: { type: 'invalid_result', retryable: false, message: expect.stringContaining(message) },
        },
      },
    })
  })

  it.each([
    ['a cost that throws', { cost: thrower }, { costUnknown: 'boom' }],
    ['a cost that is no number', { cost: () => 'much' }, {}],
    ['a cost that is NaN', { cost: () => Number.NaN }, { costUnknown: 'number NaN is not JSON' }],
    ['metadata that throws', { metadata: thrower }, { metadataUnknown: 'boom' }],
    ['metadata that is no object', { metadata: () => [1] }, {}],
    [
      'a throw that is no error',
      {
        cost: () => {
          throw 'boom'
        },
      },
      { costUnknown: 'boom' },
    ],
  ])('%s: the success stands', async (_, change, metadata) => {
    const performance = await performing(sent(change), {})
    expect(performance).toMatchObject({ outcome: { kind: 'succeeded' }, metadata })
    expect(performance).not.toHaveProperty('costEstimate')
  })
})

describe('F-041: ActionResult', () => {
  const of = { actionId: 'send_notice', attempt: 2, runner: 'notify' }

  it('of a success', async () => {
    expect(actionResult(await performing(notify, { to: 'ada' }), of)).toEqual({
      actionId: 'send_notice',
      success: true,
      result: { id: 'ada:hello', parts: 1 },
      startTime: T0,
      endTime: T0 + 2000,
      duration: 2000,
      resultEvents: [
        {
          type: 'notified',
          payload: { id: 'ada:hello', parts: 1, actionId: 'send_notice' },
          source: 'action_runner',
          timestamp: '2026-01-05T09:00:02.000Z',
        },
      ],
      attempt: 2,
      runner: 'notify',
      metadata: {},
    })
  })

  it('of a failure: no result, no events (F-042)', async () => {
    const result = actionResult(await performing(notify, {}), of)
    expect(result).toMatchObject({
      success: false,
      error: { type: 'invalid_configuration' },
      resultEvents: [],
    })
    expect(result).not.toHaveProperty('result')
  })

  it('carries the cost', async () => {
    const priced = runner({ type: 'x', config: z.object({}), cost: () => 0, execute: () => null })
    expect(actionResult(await performing(priced, {}), of)).toMatchObject({ costEstimate: 0 })
  })
})
