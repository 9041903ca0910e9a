import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from './action-error.ts'
import { classify } from './classify.ts'
import { spread } from './hash.ts'
import {
  delayBefore,
  nextDelay,
  PRESETS,
  type PresetSource,
  presetFor,
  type RetryPolicy,
  shouldRetry,
  waits,
} from './retry.ts'

const KEY = 'l_882/notice_received/send_termination_notice'
const YEAR = 366 * 86_400_000
const policy = (more: Partial<RetryPolicy> = {}): RetryPolicy => ({
  maxAttempts: 5,
  backoffStrategy: 'fixed',
  ...more,
})

describe('delayBefore', () => {
  it.each([
    ['F-061: fixed', policy(), [1000, 1000, 1000, 1000]],
    ['F-061: fixed, own base', policy({ baseDelay: 5000 }), [5000, 5000, 5000, 5000]],
    ['F-062: linear', policy({ backoffStrategy: 'linear' }), [1000, 2000, 3000, 4000]],
    ['F-062: linear, own base', policy({ backoffStrategy: 'linear', baseDelay: 250 }), [250, 500, 750, 1000]],
    ['F-063: exponential', policy({ backoffStrategy: 'exponential' }), [1000, 2000, 4000, 8000]],
    [
      'F-063: own multiplier',
      policy({ backoffStrategy: 'exponential', baseDelay: 10, multiplier: 3 }),
      [10, 30, 90, 270],
    ],
    [
      'F-063: a multiplier below one',
      policy({ backoffStrategy: 'exponential', multiplier: 0.5 }),
      [1000, 500, 250, 125],
    ],
    [
      'F-064: custom without a function',
      policy({ backoffStrategy: 'custom', baseDelay: 7 }),
      [1000, 1000, 1000, 1000],
    ],
    [
      'F-064: any other word',
      policy({ backoffStrategy: 'fibonacci' as 'custom', baseDelay: 7 }),
      [1000, 1000, 1000, 1000],
    ],
    ['F-065: maxDelay', policy({ backoffStrategy: 'exponential', maxDelay: 3000 }), [1000, 2000, 3000, 3000]],
    ['F-065: also for custom', policy({ backoffStrategy: 'custom', maxDelay: 300 }), [300, 300, 300, 300]],
    [
      'F-067: floor',
      policy({ backoffStrategy: 'exponential', baseDelay: 30_001, multiplier: 1.5 }),
      [30_001, 45_001, 67_502, 101_253],
    ],
    ['X-14: a base of zero', policy({ backoffStrategy: 'exponential', baseDelay: 0 }), [0, 0, 0, 0]],
    ['X-14: a cap of zero', policy({ maxDelay: 0 }), [0, 0, 0, 0]],
    [
      'X-14: a multiplier of zero',
      policy({ backoffStrategy: 'exponential', multiplier: 0 }),
      [1000, 0, 0, 0],
    ],
    ['X-14: a jitter of zero', policy({ jitter: 0 }), [1000, 1000, 1000, 1000]],
    ['jitter off', policy({ jitter: false }), [1000, 1000, 1000, 1000]],
    ['one attempt', policy({ maxAttempts: 1 }), []],
  ])('%s', (_, given, expected) => {
    expect(waits(given, KEY)).toEqual(expected)
  })

  it('F-066: jitter true is between half and all of the capped delay, by the hash of key and attempt', () => {
    const given = policy({ backoffStrategy: 'exponential', maxDelay: 3000, jitter: true })
    const capped = [1000, 2000, 3000, 3000]
    expect(waits(given, KEY)).toEqual(
      capped.map((delay, index) => Math.floor(delay * (0.5 + 0.5 * spread(`${KEY}#${index + 1}`)))),
    )
  })

  it('X-07: a fraction is that much to either side', () => {
    const given = policy({ jitter: 0.25 })
    expect(waits(given, KEY)).toEqual(
      [1, 2, 3, 4].map((attempt) => Math.floor(1000 * (0.75 + 0.5 * spread(`${KEY}#${attempt}`)))),
    )
  })

  it('R2: a fraction does not lift a delay above maxDelay', () => {
    const given = policy({ jitter: 0.5, maxDelay: 1000 })
    const delays = Array.from({ length: 50 }, (_, index) => delayBefore(given, 1, `k${index}`))
    expect(Math.max(...delays)).toBe(1000)
    expect(Math.min(...delays)).toBeLessThan(700)
  })

  it('is deterministic, and spreads keys over the whole range', () => {
    const given = policy({ baseDelay: 10_000, jitter: true })
    const delays = Array.from({ length: 1000 }, (_, index) => delayBefore(given, 1, `l_${index}`))
    expect(delays).toEqual(Array.from({ length: 1000 }, (_, index) => delayBefore(given, 1, `l_${index}`)))
    expect(Math.min(...delays)).toBeLessThan(5050)
    expect(Math.max(...delays)).toBeGreaterThan(9950)
    expect(new Set(delays).size).toBeGreaterThan(850)
  })

  it('R1: exponentials stop at 366 days', () => {
    const given = policy({ backoffStrategy: 'exponential', baseDelay: 60_000 })
    expect([20, 21, 2000].map((attempt) => delayBefore(given, attempt, KEY))).toEqual([
      60_000 * 2 ** 19,
      YEAR,
      YEAR,
    ])
    expect(delayBefore(policy({ backoffStrategy: 'exponential', baseDelay: 0 }), 5000, KEY)).toBe(0)
    expect(delayBefore(policy({ baseDelay: YEAR + 1, maxDelay: YEAR + 1 }), 1, KEY)).toBe(YEAR)
  })

  it('R1, R2: whole, not negative, within the cap, for any policy and attempt', () => {
    const any = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e308),
    )
    const anyPolicy = fc.record(
      {
        maxAttempts: any,
        backoffStrategy: fc.constantFrom('fixed', 'linear', 'exponential', 'custom'),
        baseDelay: any,
        maxDelay: any,
        multiplier: any,
        jitter: fc.oneof(fc.boolean(), any),
      },
      { requiredKeys: ['maxAttempts', 'backoffStrategy'] },
    ) as fc.Arbitrary<RetryPolicy>
    fc.assert(
      fc.property(
        anyPolicy,
        fc.oneof(fc.nat(5000), any),
        fc.string(),
        fc.option(any, { nil: undefined }),
        (given, attempt, key, after) => {
          for (const delay of [delayBefore(given, attempt, key), nextDelay(given, attempt, key, after)]) {
            expect(Number.isInteger(delay) && delay >= 0 && delay <= YEAR).toBe(true)
            if (given.maxDelay !== undefined && given.maxDelay >= 0)
              expect(delay).toBeLessThanOrEqual(given.maxDelay)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it('without jitter, fixed, linear and growing exponential delays never shrink', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('fixed', 'linear', 'exponential'),
        fc.nat(100_000),
        fc.double({ min: 1, max: 10, noNaN: true }),
        (backoffStrategy, baseDelay, multiplier) => {
          const ladder = waits({ maxAttempts: 40, backoffStrategy, baseDelay, multiplier }, KEY)
          expect(ladder).toEqual([...ladder].sort((a, b) => a - b))
        },
      ),
    )
  })
})

describe('nextDelay', () => {
  const given = policy({ baseDelay: 5000, maxDelay: 60_000 })

  it.each([
    ['absent', undefined, 5000],
    ['shorter than the backoff', 4999, 5000],
    ['longer than the backoff', 5001, 5001],
    ['longer than maxDelay', 60_001, 60_000],
  ])('X-06: Retry-After %s', (_, retryAfterMs, expected) => {
    expect(nextDelay(given, 1, KEY, retryAfterMs)).toBe(expected)
  })

  it('X-06: without maxDelay the provider is obeyed; a fraction of a millisecond is dropped', () => {
    expect(nextDelay(policy(), 1, KEY, 86_400_000)).toBe(86_400_000)
    expect(nextDelay(policy(), 1, KEY, 2000.5)).toBe(2000)
  })
})

describe('shouldRetry', () => {
  const failure = (type: string, retryable: boolean, permanent?: true): Failure => ({
    error: { type, message: type, retryable },
    effect: 'none',
    ...(permanent && { permanent }),
  })
  const limit = failure('rate_limit', true)
  const denied = failure('authentication_failed', false)

  it.each([
    ['F-068: attempts left', limit, 4, {}, true],
    ['F-068: the last attempt', limit, 5, {}, false],
    ['F-068: beyond the last attempt', limit, 6, {}, false],
    ['attempts come before the lists', limit, 5, { retryableErrors: ['rate_limit'] }, false],
    [
      'permanent() comes before the lists',
      failure('rate_limit', true, true),
      1,
      { retryableErrors: ['rate_limit'] },
      false,
    ],
    ['F-068: nonRetryableErrors', limit, 1, { nonRetryableErrors: ['timeout', 'rate_limit'] }, false],
    ['F-068: not in nonRetryableErrors', limit, 1, { nonRetryableErrors: ['timeout'] }, true],
    [
      'both lists: not retried',
      limit,
      1,
      { retryableErrors: ['rate_limit'], nonRetryableErrors: ['rate_limit'] },
      false,
    ],
    ['F-068: in retryableErrors', limit, 1, { retryableErrors: ['temporary_failure', 'rate_limit'] }, true],
    ['F-068: not in retryableErrors', limit, 1, { retryableErrors: ['temporary_failure'] }, false],
    ['F-068: an empty list is none', limit, 1, { retryableErrors: [], nonRetryableErrors: [] }, true],
    [
      'the lists win over the class, also for 401',
      denied,
      1,
      { retryableErrors: ['authentication_failed'] },
      true,
    ],
    ['a list of other types leaves the class', denied, 1, { nonRetryableErrors: ['timeout'] }, false],
    ['X-02: error.retryable', failure('rate_limit', false), 1, {}, false],
    ['X-02: error.retryable, the other way', failure('authentication_failed', true), 1, {}, true],
  ])('%s', (_, given, attempt, lists, expected) => {
    expect(shouldRetry(given, attempt, policy(lists))).toBe(expected)
  })

  it.each(['authentication_failed', 'authorization_failed', 'invalid_configuration', 'malformed_request'])(
    'F-068, A-018: %s is not retried by default',
    (type) => {
      const status = { authentication_failed: 401, authorization_failed: 403, malformed_request: 400 }[type]
      const thrown =
        status === undefined ? Object.assign(new Error(), { code: 'ERR_INVALID_URL' }) : { status }
      const classified = classify(thrown, 0)
      expect(classified.error.type).toBe(type)
      expect(shouldRetry(classified, 1, policy())).toBe(false)
    },
  )
})

describe('X-07: presets', () => {
  const sources: readonly PresetSource[] = [
    'machine',
    'journey',
    'stream',
    'reconciler',
    'recurrence',
    'direct',
  ]

  it('when no policy is given: 3, exponential, 1 s, ×2, at most 5 min, jitter on', () => {
    expect(PRESETS.default).toEqual({
      maxAttempts: 3,
      backoffStrategy: 'exponential',
      baseDelay: 1000,
      multiplier: 2,
      maxDelay: 300_000,
      jitter: true,
    })
    for (const source of ['machine', 'recurrence', 'direct'] as const)
      expect(presetFor(source, 'email')).toBe(PRESETS.default)
  })

  it('C-009: reconciler, four attempts: at once, then 1, 2, 4 s', () => {
    expect(waits(presetFor('reconciler', 'email'), KEY)).toEqual([1000, 2000, 4000])
  })

  it('A-017: stream, six attempts: 2^n s ± 10 %, at most 300 s', () => {
    const preset = presetFor('stream', 'email')
    for (const key of ['a', 'b', 'c', 'd']) {
      const ladder = waits(preset, key)
      expect(ladder).toHaveLength(5)
      for (const [index, delay] of ladder.entries()) {
        expect(delay).toBeGreaterThanOrEqual(0.9 * 1000 * 2 ** (index + 1) - 1)
        expect(delay).toBeLessThanOrEqual(1.1 * 1000 * 2 ** (index + 1))
      }
    }
    expect(preset).toEqual({
      maxAttempts: 6,
      backoffStrategy: 'exponential',
      baseDelay: 2000,
      multiplier: 2,
      maxDelay: 300_000,
      jitter: 0.1,
    })
  })

  it.each([
    ['email', [60_000, 120_000, 240_000]],
    ['sms', [30_000, 45_000, 67_500, 101_250, 151_875]],
    ['task', [300_000]],
    ['delay', []],
    ['fax', [60_000, 120_000, 240_000]],
    ['constructor', [60_000, 120_000, 240_000]],
  ])('J-030, J-031: journey %s waits %j', (type, expected) => {
    expect(waits(presetFor('journey', type), KEY)).toEqual(expected)
  })

  it('KERNEL §8: in attempts', () => {
    const attempts = Object.fromEntries(
      Object.entries(PRESETS).map(([name, preset]) => [name, preset.maxAttempts]),
    )
    expect(attempts).toEqual({
      default: 3,
      reconciler: 4,
      stream: 6,
      'journey.email': 4,
      'journey.sms': 6,
      'journey.task': 2,
      'journey.delay': 1,
    })
    expect(PRESETS['journey.delay']).toEqual({ maxAttempts: 1, backoffStrategy: 'fixed', baseDelay: 0 })
    expect(sources.map((source) => presetFor(source, 'sms').maxAttempts)).toEqual([3, 6, 6, 4, 3, 3])
  })
})
