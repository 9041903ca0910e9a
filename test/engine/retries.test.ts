import { expect, it } from 'vitest'
import { waits } from '../../src/core/retry.ts'
import { permanent, retryable } from '../../src/index.ts'
import { at, NOW, onEachStore } from './bed.ts'
import { type Call, only, settle, spy } from './spies.ts'

const flaky = () =>
  spy('flaky', () => {
    throw retryable('temporary_failure', 'not now')
  })

onEachStore('retries', (bed) => {
  const run = async (options: object, act: (call: Call) => unknown = flaky().definition.execute as never) => {
    const runner = spy('flaky', act)
    const pawl = await bed.open({ runners: [runner] })
    const { id } = await pawl.dispatch(runner({ n: 1 }, options as never), { id: 'act_1' })
    return { pawl, id, runner, instants: () => runner.calls.map((call) => call.at - NOW) }
  }

  it.each([
    ['F-061: fixed', { maxAttempts: 4, backoffStrategy: 'fixed', baseDelay: 700 }, [0, 700, 1400, 2100]],
    ['F-061: fixed, 1 s unless given', { maxAttempts: 3, backoffStrategy: 'fixed' }, [0, 1000, 2000]],
    ['F-062: linear', { maxAttempts: 4, backoffStrategy: 'linear', baseDelay: 500 }, [0, 500, 1500, 3000]],
    ['F-063: exponential', { maxAttempts: 4, backoffStrategy: 'exponential' }, [0, 1000, 3000, 7000]],
    [
      'F-063: exponential with a multiplier',
      { maxAttempts: 4, backoffStrategy: 'exponential', baseDelay: 100, multiplier: 3 },
      [0, 100, 400, 1300],
    ],
    [
      'F-064: custom without a function',
      { maxAttempts: 3, backoffStrategy: 'custom', baseDelay: 9 },
      [0, 1000, 2000],
    ],
    [
      'F-065: maxDelay caps',
      { maxAttempts: 5, backoffStrategy: 'exponential', maxDelay: '3s' },
      [0, 1000, 3000, 6000, 9000],
    ],
    [
      'F-067: floored to whole milliseconds',
      { maxAttempts: 4, backoffStrategy: 'exponential', baseDelay: 3, multiplier: 1.5 },
      [0, 3, 7, 13],
    ],
    ['X-07: maxRetries 0 is one attempt', { maxRetries: 0 }, [0]],
    [
      'X-01: backoffDelay is baseDelay',
      { maxAttempts: 2, backoffStrategy: 'fixed', backoffDelay: 5000 },
      [0, 5000],
    ],
  ])('%s: at these instants and no others', async (_, retryPolicy, expected) => {
    const { pawl, instants } = await run({ retryPolicy })
    await pawl.advance({ by: '1d' })
    expect(instants()).toEqual(expected)
    expect(await only(pawl)).toMatchObject({ status: 'dead', attempt: expected.length })
  })

  it('F-066: jitter is within its range, and the same for the same key', async () => {
    const retryPolicy = { maxAttempts: 6, backoffStrategy: 'exponential', jitter: true } as const
    const { pawl, instants } = await run({ retryPolicy })
    await pawl.advance({ by: '1d' })
    const delays = instants().map((instant, index, all) => instant - (all[index - 1] ?? 0))
    expect(delays.slice(1)).toEqual(waits(retryPolicy, 'act_1'))
    for (const [index, delay] of delays.slice(1).entries()) {
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** index)
      expect(delay).toBeLessThanOrEqual(1000 * 2 ** index)
    }
  })

  it('KERNEL §8: without a policy, three attempts with jitter', async () => {
    const { pawl, instants } = await run({})
    await pawl.advance({ by: '1d' })
    expect(instants()).toHaveLength(3)
    expect(await only(pawl)).toMatchObject({ status: 'dead', maxAttempts: 3 })
  })

  it('not a millisecond before it is due', async () => {
    const { pawl, instants } = await run({
      retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 1000 },
    })
    await pawl.advance({ by: 999 })
    expect(instants()).toEqual([0])
    expect(await only(pawl)).toMatchObject({ shown: 'retrying', dueAt: at(1000) })
    await pawl.advance({ by: 1 })
    expect(instants()).toEqual([0, 1000])
  })

  it('every attempt has the same key and the same bytes, and each failure is kept', async () => {
    const { pawl, runner } = await run({ retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed' } })
    await pawl.advance({ by: '1m' })
    expect(new Set(runner.calls.map(({ key }) => key)).size).toBe(1)
    expect(runner.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const action = await only(pawl)
    expect(action.idempotencyKey).toBe(runner.calls[0]!.key)
    expect(action.attempts.map(({ number, outcome, error }) => [number, outcome, error?.type])).toEqual([
      [1, 'failed', 'temporary_failure'],
      [2, 'failed', 'temporary_failure'],
      [3, 'failed', 'temporary_failure'],
    ])
  })

  it('a success after failures has all its attempts', async () => {
    const { pawl } = await run(
      { retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed' } },
      ({ attempt }) => {
        if (attempt < 2) throw retryable('rate_limit', 'slow down')
        return { ok: attempt }
      },
    )
    await pawl.advance({ by: '1m' })
    const action = await only(pawl)
    expect(action).toMatchObject({ status: 'succeeded', attempt: 2, result: { ok: 2 } })
    expect(action.error).toBeUndefined()
    expect(action.attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'succeeded'])
    expect(action.attempts.map(({ startedAt }) => startedAt)).toEqual([at(0), at(1000)])
  })

  it.each([
    ['X-06: Retry-After longer than the backoff', '30s', [0, 30_000]],
    ['X-06: Retry-After shorter than the backoff', '1s', [0, 5000]],
  ])('%s', async (_, after, expected) => {
    const retryPolicy = { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 5000 }
    const { pawl, instants } = await run({ retryPolicy }, () => {
      throw retryable('rate_limit', 'throttled', { after })
    })
    await pawl.advance({ by: '1h' })
    expect(instants()).toEqual(expected)
  })

  it.each([
    ['C-010: permanent()', {}, () => permanent('rate_limit', 'never'), 'rate_limit'],
    [
      'F-068: nonRetryableErrors',
      { nonRetryableErrors: ['rate_limit'] },
      () => retryable('rate_limit', 'no'),
      'rate_limit',
    ],
    [
      'F-068: not among retryableErrors',
      { retryableErrors: ['timeout'] },
      () => retryable('rate_limit', 'no'),
      'rate_limit',
    ],
    ['F-068: a class that is not retried', {}, () => ({ status: 401 }), 'authentication_failed'],
    ['F-084: a 400', {}, () => ({ response: { status: 400 } }), 'malformed_request'],
  ])('%s: one attempt, then a dead letter', async (_, policy, thrown, type) => {
    const { pawl, instants } = await run({ retryPolicy: { maxAttempts: 5, ...policy } }, () => {
      throw thrown()
    })
    await pawl.advance({ by: '1h' })
    expect(instants()).toEqual([0])
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type } })
  })

  it.each([
    ['an Error', () => new Error('boom'), 'unknown_error', 'boom'],
    ['a text', () => 'boom', 'unknown_error', 'boom'],
    ['nothing', () => undefined, 'unknown_error', expect.any(String)],
    ['null', () => null, 'unknown_error', expect.any(String)],
    [
      'a network error',
      () => Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      'network_error',
      expect.any(String),
    ],
    ['a 503', () => ({ status: 503 }), 'service_unavailable', expect.any(String)],
    [
      'its own words',
      () => ({ type: 'gas_price_too_low', message: 'm', retryable: true }),
      'gas_price_too_low',
      'm',
    ],
    [
      'a thing whose every property throws',
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw new Error('no')
            },
          },
        ),
      'unknown_error',
      expect.any(String),
    ],
    ['text no store could keep', () => new Error('a\u0000b\ud800'), 'unknown_error', 'a\uFFFDb\uFFFD'],
  ])('whatever is thrown is classified: %s', async (_, thrown, type, message) => {
    const { pawl } = await run({ retryPolicy: { maxAttempts: 2 } }, () => {
      throw thrown()
    })
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({ status: 'queued', shown: 'retrying', error: { type, message } })
  })

  it('a result that is no JSON is said and not repeated: the effect has happened', async () => {
    const { pawl, instants } = await run({}, () => ({ at: 1n }))
    await pawl.advance({ by: '1h' })
    expect(instants()).toEqual([0])
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'invalid_result' } })
  })

  it('KERNEL §8: of a large result 16 KiB are kept, and what was left out is said', async () => {
    const { pawl } = await run({}, () => 'x'.repeat(20_000))
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({
      status: 'succeeded',
      result: { omitted: expect.stringContaining('20002 bytes') },
    })
  })
})
