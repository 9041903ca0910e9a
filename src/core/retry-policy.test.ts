import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from './errors.ts'
import { normalisePolicy, PRESETS, type RetryPolicyInput } from './retry.ts'

const refusal = (input: unknown, path?: string): PawlError => {
  try {
    normalisePolicy(input as RetryPolicyInput, path)
  } catch (error) {
    expect(error).toBeInstanceOf(PawlError)
    return error as PawlError
  }
  throw new Error('was accepted')
}

describe('normalisePolicy', () => {
  const exponential = { backoffStrategy: 'exponential' } as const

  it.each<[string, RetryPolicyInput, object]>([
    ['X-14: nothing given is the default, without jitter and cap', {}, { maxAttempts: 3, ...exponential }],
    [
      'X-14: undefined is not given',
      { maxAttempts: undefined, maxDelay: undefined } as object,
      { maxAttempts: 3, ...exponential },
    ],
    [
      'F-060: a whole policy stays as it is',
      { ...PRESETS.default, retryableErrors: ['a'], nonRetryableErrors: ['b'] },
      { ...PRESETS.default, retryableErrors: ['a'], nonRetryableErrors: ['b'] },
    ],
    [
      'X-01: backoffDelay is baseDelay',
      { maxAttempts: 2, backoffStrategy: 'fixed', backoffDelay: 5000 },
      { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 5000 },
    ],
    ['X-07: maxRetries is one less', { maxRetries: 4 }, { maxAttempts: 5, ...exponential }],
    ['X-07: maxRetries 0 really means none', { maxRetries: 0 }, { maxAttempts: 1, ...exponential }],
    [
      'X-14: zero means zero',
      { baseDelay: 0, maxDelay: 0, multiplier: 0, jitter: 0 },
      { maxAttempts: 3, ...exponential, baseDelay: 0, maxDelay: 0, multiplier: 0, jitter: 0 },
    ],
    [
      'durations as text',
      { baseDelay: '1m', maxDelay: 'PT1H' },
      { maxAttempts: 3, ...exponential, baseDelay: 60_000, maxDelay: 3_600_000 },
    ],
    ['an alias as text', { backoffDelay: '90s' }, { maxAttempts: 3, ...exponential, baseDelay: 90_000 }],
    ['jitter off', { jitter: false }, { maxAttempts: 3, ...exponential, jitter: false }],
    ['a whole fraction', { jitter: 1 }, { maxAttempts: 3, ...exponential, jitter: 1 }],
    [
      'empty lists',
      { retryableErrors: [], nonRetryableErrors: [] },
      { maxAttempts: 3, ...exponential, retryableErrors: [], nonRetryableErrors: [] },
    ],
    ['the most attempts', { maxAttempts: 1000 }, { maxAttempts: 1000, ...exponential }],
    ['the most retries', { maxRetries: 999 }, { maxAttempts: 1000, ...exponential }],
    [
      'the fewest attempts',
      { maxAttempts: 1, backoffStrategy: 'custom' },
      { maxAttempts: 1, backoffStrategy: 'custom' },
    ],
    [
      'the longest list',
      { retryableErrors: new Array(100).fill('x') },
      { maxAttempts: 3, ...exponential, retryableErrors: new Array(100).fill('x') },
    ],
  ])('%s', (_, input, expected) => {
    expect(normalisePolicy(input)).toStrictEqual(expected)
  })

  it.each<[string, unknown, object]>([
    ['maxAttempts', 0, { expected: 'a whole number from 1 to 1000' }],
    ['maxAttempts', 1001, { expected: 'a whole number from 1 to 1000' }],
    ['maxAttempts', 2.5, {}],
    ['maxAttempts', '3', {}],
    ['maxAttempts', Number.NaN, {}],
    ['maxAttempts', null, {}],
    ['maxRetries', -1, { expected: 'a whole number from 0 to 999' }],
    ['maxRetries', 1000, {}],
    [
      'backoffStrategy',
      'exponental',
      { suggestion: 'exponential', expected: 'one of fixed, linear, exponential, custom' },
    ],
    ['backoffStrategy', 'random', {}],
    ['backoffStrategy', 7, {}],
    ['baseDelay', 'soon', { expected: '90s, 5m, 1h30m, 42d, 2w, 500ms or PT15M' }],
    ['baseDelay', -1, { expected: 'between 0 and 366 days' }],
    ['baseDelay', true, { expected: 'a duration such as 30s, or milliseconds' }],
    ['baseDelay', null, {}],
    ['baseDelay', [5], {}],
    ['backoffDelay', '-5s', {}],
    ['maxDelay', 1e15, {}],
    ['maxDelay', '400d', {}],
    ['multiplier', -0.1, { expected: 'a number of at least 0' }],
    ['multiplier', Number.POSITIVE_INFINITY, {}],
    ['multiplier', Number.NaN, {}],
    ['multiplier', '2', {}],
    ['jitter', -0.01, { expected: 'true, false or a fraction from 0 to 1' }],
    ['jitter', 1.01, {}],
    ['jitter', 'yes', {}],
    ['retryableErrors', 'rate_limit', { expected: 'at most 100 names such as "rate_limit"' }],
    ['retryableErrors', ['a', ''], {}],
    ['nonRetryableErrors', ['a', 7], {}],
    ['nonRetryableErrors', new Array(101).fill('x'), {}],
    ['maxAtempts', 3, { suggestion: 'maxAttempts' }],
    ['constructor', 3, {}],
  ])('refuses %s: %j', (field, value, details) => {
    const error = refusal({ [field]: value })
    expect(error.code).toBe('invalid_policy')
    expect(error.details).toMatchObject({ path: `retryPolicy.${field}`, ...details })
    expect(error.message).toContain(`retryPolicy.${field} `)
    if (!('suggestion' in details)) expect(error.details).not.toHaveProperty('suggestion')
  })

  it('names every setting it knows when it meets one it does not', () => {
    expect(refusal({ zzz: 1 }).details.expected).toBe(
      'one of maxAttempts, maxRetries, backoffStrategy, baseDelay, backoffDelay, maxDelay, multiplier, jitter, retryableErrors, nonRetryableErrors',
    )
  })

  it('quotes what it refuses, cut at 80 characters, and never an object', () => {
    expect(refusal({ backoffStrategy: 'x'.repeat(100) }).message).toBe(
      `retryPolicy.backoffStrategy cannot be “${'x'.repeat(80)}”`,
    )
    expect(refusal({ maxAttempts: { toString: () => 'no' } }).message).toBe(
      'retryPolicy.maxAttempts cannot be an object',
    )
    expect(refusal({ baseDelay: 'soon' }).message).toBe(
      'retryPolicy.baseDelay cannot be read: “soon” is not a duration',
    )
    expect(refusal({ retryableErrors: 7 }).message).toBe(
      'retryPolicy.retryableErrors is not a list of error types',
    )
    expect(refusal({ zzz: 1 }).message).toBe('retryPolicy.zzz is not a setting of a retry policy')
  })

  it.each([
    [{ maxAttempts: 3, maxRetries: 2 }, 'retryPolicy.maxRetries', 'says the same as maxAttempts'],
    [{ baseDelay: 0, backoffDelay: 0 }, 'retryPolicy.backoffDelay', 'says the same as baseDelay'],
  ])('refuses two words for one setting: %j', (input, path, problem) => {
    const error = refusal(input)
    expect(error.message).toBe(`${path} ${problem}`)
    expect(error.details).toEqual({ path, expected: 'one of the two' })
  })

  it.each([[null], [[]], ['fast'], [3]])('refuses %j as a policy', (input) => {
    expect(refusal(input, 'steps.0.retry').details).toEqual({ path: 'steps.0.retry', expected: 'an object' })
  })

  it('says where inside a larger document', () => {
    expect(refusal({ jitter: 2 }, 'actions.send.retryPolicy').details.path).toBe(
      'actions.send.retryPolicy.jitter',
    )
  })

  it('is idempotent, keeps no reference to its input and changes nothing in it', () => {
    const input = fc.record(
      {
        maxAttempts: fc.integer({ min: 1, max: 1000 }),
        backoffStrategy: fc.constantFrom('fixed', 'linear', 'exponential', 'custom'),
        baseDelay: fc.nat(),
        maxDelay: fc.nat(),
        multiplier: fc.double({ min: 0, max: 100, noNaN: true }),
        jitter: fc.oneof(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true })),
        retryableErrors: fc.array(fc.string({ minLength: 1 })),
      },
      { requiredKeys: [], noNullPrototype: true },
    ) as fc.Arbitrary<RetryPolicyInput>
    fc.assert(
      fc.property(input, (given) => {
        const before = structuredClone(given)
        const once = normalisePolicy(given)
        expect(normalisePolicy(once)).toStrictEqual(once)
        expect(given).toStrictEqual(before)
        if (given.retryableErrors) expect(once.retryableErrors).not.toBe(given.retryableErrors)
      }),
    )
  })
})
