import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ActionFailure,
  actionError,
  ERROR_TYPES,
  MAX_MESSAGE,
  permanent,
  retryable,
  retryableByType,
} from './action-error.ts'
import type { JsonObject } from './json.ts'

const DAY = 86_400_000
const nested = (depth: number): JsonObject => {
  let value: JsonObject = {}
  for (let i = 1; i < depth; i++) value = { a: value }
  return value
}

describe('error types', () => {
  it('F-081, X-02: every known type has a default', () => {
    const byDefault = (is: boolean) =>
      [...ERROR_TYPES]
        .filter(([, retried]) => retried === is)
        .map(([type]) => type)
        .sort()
    expect(byDefault(true)).toEqual([
      'gas_price_too_low',
      'network_congestion',
      'network_error',
      'rate_limit',
      'service_unavailable',
      'temporary_failure',
      'timeout',
      'unknown_error',
    ])
    expect(byDefault(false)).toEqual([
      'authentication_failed',
      'authorization_failed',
      'cancelled',
      'conflict',
      'destination_forbidden',
      'expired',
      'invalid_configuration',
      'malformed_request',
      'not_found',
      'outcome_unknown',
      'poison',
      'quota_exceeded',
      'redirect_not_followed',
      'response_too_large',
      'secret_destination_mismatch',
      'template_value_forbidden',
    ])
  })

  it('X-02: a type that is not known is worth another attempt', () => {
    expect(['timeout', 'conflict', 'printer_on_fire', 'constructor'].map(retryableByType)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })
})

describe('E1: an ActionError can be stored', () => {
  const base = { type: 'timeout', message: 'late', retryable: true }

  it('has only the fields it was given', () => {
    expect(actionError(base)).toStrictEqual(base)
    const whole = { ...base, code: 'E1', details: { status: 500 } }
    expect(actionError(whole)).toStrictEqual(whole)
  })

  it('S44: a message is cut at 500 characters, type and code at 64', () => {
    const { type, message, code } = actionError({
      type: 't'.repeat(65),
      message: 'm'.repeat(501),
      retryable: true,
      code: 'c'.repeat(65),
    })
    expect([type.length, message.length, code?.length]).toEqual([64, MAX_MESSAGE, 64])
    expect(MAX_MESSAGE).toBe(500)
    expect(actionError({ ...base, message: 'm'.repeat(500) }).message).toHaveLength(500)
  })

  it('never ends in half a character and holds no NUL', () => {
    expect(actionError({ ...base, message: `${'m'.repeat(499)}😀` }).message).toBe(`${'m'.repeat(499)}\uFFFD`)
    expect(actionError({ ...base, message: 'a\0b\0\ud800c😀' }).message).toBe('a\uFFFDb\uFFFD\uFFFDc😀')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (message) => {
        const kept = actionError({ ...base, message }).message
        expect(kept.length).toBeLessThanOrEqual(500)
        expect(Buffer.from(kept).toString() === kept && !kept.includes('\0')).toBe(true)
      }),
    )
  })

  it.each([
    [
      'a ring',
      () => {
        const ring: Record<string, unknown> = {}
        ring['self'] = ring
        return ring
      },
    ],
    ['a bigint', () => ({ big: 1n })],
    ['too deep', () => nested(65)],
    ['too long', () => ({ text: 'x'.repeat(16 * 1024 - 10) })],
    [
      'a getter that throws',
      () => ({
        get bad() {
          throw new Error('no')
        },
      }),
    ],
    ['a function', () => () => 1],
  ])('details that are %s are replaced by a word about them', (_, details) => {
    expect(actionError({ ...base, details: details() }).details).toEqual({
      omitted: 'details must be JSON of at most 16384 characters',
    })
  })

  it('details at both limits are kept, as a copy', () => {
    const long = { text: 'x'.repeat(16 * 1024 - 11) }
    expect(JSON.stringify(long)).toHaveLength(16 * 1024)
    expect(actionError({ ...base, details: long }).details).toEqual(long)
    expect(actionError({ ...base, details: nested(64) }).details).toEqual(nested(64))
    expect(actionError({ ...base, details: long }).details).not.toBe(long)
  })
})

describe('what a runner throws', () => {
  it('retryable(): an error, and a failure that had no effect', () => {
    const thrown = retryable('rate_limit', 'throttled', {
      after: '30s',
      code: 'E429',
      details: { queue: 'sms' },
    })
    expect(thrown).toBeInstanceOf(ActionFailure)
    expect(thrown).toBeInstanceOf(Error)
    expect([thrown.name, thrown.message]).toEqual(['ActionFailure', 'throttled'])
    expect(thrown.failure).toStrictEqual({
      error: {
        type: 'rate_limit',
        message: 'throttled',
        retryable: true,
        code: 'E429',
        details: { queue: 'sms' },
      },
      effect: 'none',
      retryAfterMs: 30_000,
    })
  })

  it('retryable() without options says only that', () => {
    expect(retryable('conflict', 'busy').failure).toStrictEqual({
      error: { type: 'conflict', message: 'busy', retryable: true },
      effect: 'none',
    })
  })

  it('permanent(): nothing brings it back', () => {
    expect(
      permanent('malformed_request', 'no', { code: 'X', details: { field: 'to' } }).failure,
    ).toStrictEqual({
      error: {
        type: 'malformed_request',
        message: 'no',
        retryable: false,
        code: 'X',
        details: { field: 'to' },
      },
      effect: 'none',
      permanent: true,
    })
    expect(permanent('timeout', 'no').failure).toStrictEqual({
      error: { type: 'timeout', message: 'no', retryable: false },
      effect: 'none',
      permanent: true,
    })
  })

  it('X-02: outcome_unknown is the one word by which a runner says that it cannot know', () => {
    expect([
      retryable('outcome_unknown', '?').failure.effect,
      permanent('outcome_unknown', '?').failure.effect,
    ]).toEqual(['unknown', 'unknown'])
  })

  it.each([
    [0, 0],
    [1500, 1500],
    ['2m', 120_000],
    ['24h', DAY],
    ['2d', DAY],
  ])('after: %j waits %d ms, at most a day (F43)', (after, expected) => {
    expect(retryable('rate_limit', 'x', { after }).failure.retryAfterMs).toBe(expected)
  })

  it.each(['30', 'soon', -1, Number.NaN, 'x'.repeat(80)])(
    'after: %j is noted and does not end the action',
    (after) => {
      expect(retryable('rate_limit', 'x', { after, details: { a: 1 } }).failure).toStrictEqual({
        error: {
          type: 'rate_limit',
          message: 'x',
          retryable: true,
          details: { a: 1, after: `not a duration: ${after}` },
        },
        effect: 'none',
      })
    },
  )

  it('cuts such a note at 80 characters', () => {
    const { details } = retryable('rate_limit', 'x', { after: 'y'.repeat(81) }).failure.error
    expect(details).toEqual({ after: `not a duration: ${'y'.repeat(80)}` })
  })
})
