import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permanent, retryable } from './action-error.ts'
import { classify } from './classify.ts'
import { PawlError } from './errors.ts'

const NOW = Date.UTC(2026, 0, 5, 12)

const withCode = (code: unknown, message = 'the original message', more: object = {}): Error =>
  Object.assign(new Error(message), { code }, more)

describe('F-082…F-085, X-06: HTTP answers', () => {
  it.each([
    [400, 'malformed_request', 'Malformed request', false, 'none'],
    [401, 'authentication_failed', 'Authentication failed', false, 'none'],
    [403, 'authorization_failed', 'Insufficient permissions', false, 'none'],
    [404, 'not_found', 'Not found', false, 'none'],
    [405, 'malformed_request', 'Malformed request', false, 'none'],
    [408, 'timeout', 'Request timed out', true, 'none'],
    [409, 'conflict', 'Conflict', false, 'none'],
    [410, 'not_found', 'Not found', false, 'none'],
    [422, 'malformed_request', 'Malformed request', false, 'none'],
    [425, 'timeout', 'Request timed out', true, 'none'],
    [429, 'rate_limit', 'Rate limit exceeded', true, 'none'],
    [500, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
    [502, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
    [503, 'service_unavailable', 'Service temporarily unavailable', true, 'none'],
    [504, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
    [999, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
    [300, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
    [399, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
  ])('%d → %s', (status, type, message, isRetryable, effect) => {
    const expected = { error: { type, message, retryable: isRetryable, code: `HTTP_${status}` }, effect }
    expect(classify({ status, headers: {} }, NOW)).toStrictEqual(expected)
    expect(classify(Object.assign(new Error('axios'), { response: { status } }), NOW)).toStrictEqual(expected)
    expect(classify(Object.assign(new Error('sdk'), { statusCode: status }), NOW)).toStrictEqual(expected)
    expect(classify(new Error('wrapped', { cause: { status } }), NOW)).toStrictEqual(expected)
  })

  it('F-088: a status nobody named keeps the original message; the 400s had no effect', () => {
    expect(classify(Object.assign(new Error('teapot'), { status: 418 }), NOW)).toStrictEqual({
      error: { type: 'unknown_error', message: 'teapot', retryable: true, code: 'HTTP_418' },
      effect: 'none',
    })
    expect(classify({ status: 499 }, NOW)).toStrictEqual({
      error: { type: 'unknown_error', message: 'HTTP_499', retryable: true, code: 'HTTP_499' },
      effect: 'none',
    })
  })

  it.each([299, 1000, '500', null, Number.NaN])('status %j is no failed HTTP answer', (status) => {
    expect(classify({ status, message: 'exit' }, NOW)).toStrictEqual({
      error: { type: 'unknown_error', message: 'exit', retryable: true },
      effect: 'unknown',
    })
  })

  it('the answer inside an error says more than a status on it', () => {
    const thrown = Object.assign(new Error('x'), { status: 500, response: { status: 401 } })
    expect(classify(thrown, NOW).error.type).toBe('authentication_failed')
    expect(classify({ status: 401, statusCode: 500 }, NOW).error.type).toBe('authentication_failed')
  })
})

describe('X-06: Retry-After', () => {
  it.each([
    ['plain', { 'Retry-After': '30' }],
    ['lower case', { 'retry-after': '30' }],
    ['a number', { 'retry-after': 30 }],
    ['a list', { 'retry-after': ['30'] }],
    ['fetch', new Headers({ 'Retry-After': '30' })],
    ['a map', new Map([['retry-after', '30']])],
    ['a date', { 'RETRY-AFTER': 'Mon, 05 Jan 2026 12:00:30 GMT' }],
  ])('is read from headers that are %s', (_, headers) => {
    for (const status of [429, 503]) {
      expect(classify({ status, headers }, NOW).retryAfterMs).toBe(30_000)
      expect(classify({ message: 'x', response: { status, headers } }, NOW).retryAfterMs).toBe(30_000)
    }
  })

  it.each([408, 425, 428, 430, 500, 502, 504])('means nothing with %d', (status) => {
    expect(classify({ status, headers: { 'retry-after': '30' } }, NOW)).not.toHaveProperty('retryAfterMs')
  })

  it.each([
    ['absent', {}],
    ['unreadable', { 'retry-after': 'soon' }],
    ['another', { 'x-retry-after': '30' }],
    [
      'hostile',
      {
        'retry-after': {
          toString: () => {
            throw new Error('no')
          },
        },
      },
    ],
    ['null', null],
    ['text', 'retry-after: 30'],
  ])('is left out when %s', (_, headers) => {
    expect(classify({ status: 429, headers }, NOW)).not.toHaveProperty('retryAfterMs')
  })
})

describe('F-086, F-087, C-011, A-018: codes', () => {
  const timedOut = ['timeout', 'Request timed out', true] as const
  const network = ['network_error', 'Network connection failed', true] as const
  const original = 'the original message'

  it.each([
    ['ECONNABORTED', ...timedOut, 'unknown'],
    ['ETIMEDOUT', ...timedOut, 'unknown'],
    ['UND_ERR_HEADERS_TIMEOUT', ...timedOut, 'unknown'],
    ['UND_ERR_BODY_TIMEOUT', ...timedOut, 'unknown'],
    ['UND_ERR_CONNECT_TIMEOUT', ...timedOut, 'none'],
    ['ECONNREFUSED', ...network, 'none'],
    ['ENOTFOUND', ...network, 'none'],
    ['EAI_AGAIN', ...network, 'none'],
    ['ECONNRESET', ...network, 'unknown'],
    ['EPIPE', ...network, 'unknown'],
    ['EHOSTUNREACH', ...network, 'unknown'],
    ['ENETUNREACH', ...network, 'unknown'],
    ['ENETDOWN', ...network, 'unknown'],
    ['UND_ERR_SOCKET', ...network, 'unknown'],
    ['EAGAIN', 'temporary_failure', original, true, 'unknown'],
    ['EBUSY', 'temporary_failure', original, true, 'unknown'],
    ['EMFILE', 'temporary_failure', original, true, 'unknown'],
    ['ENFILE', 'temporary_failure', original, true, 'unknown'],
    ['ENOMEM', 'temporary_failure', original, true, 'unknown'],
    ['ENOSPC', 'temporary_failure', original, true, 'unknown'],
    ['ENOENT', 'not_found', original, false, 'unknown'],
    ['EACCES', 'authorization_failed', original, false, 'unknown'],
    ['EPERM', 'authorization_failed', original, false, 'unknown'],
    ['ERR_INVALID_ARG_TYPE', 'invalid_configuration', original, false, 'unknown'],
    ['ERR_INVALID_ARG_VALUE', 'invalid_configuration', original, false, 'unknown'],
    ['ERR_INVALID_URL', 'invalid_configuration', original, false, 'unknown'],
    ['ERR_OUT_OF_RANGE', 'invalid_configuration', original, false, 'unknown'],
    ['SOMETHING_ELSE', 'unknown_error', original, true, 'unknown'],
    [21211, 'unknown_error', original, true, 'unknown'],
  ])('%s → %s', (code, type, message, isRetryable, effect) => {
    const expected = { error: { type, message, retryable: isRetryable, code: String(code) }, effect }
    expect(classify(withCode(code), NOW)).toStrictEqual(expected)
    expect(classify(new Error(message, { cause: withCode(code, '') }), NOW)).toStrictEqual(expected)
  })

  it('the way fetch says it: the code is on the cause', () => {
    const refused = withCode('ECONNREFUSED', '', { syscall: 'connect' })
    expect(classify(new TypeError('fetch failed', { cause: refused }), NOW)).toStrictEqual({
      error: {
        type: 'network_error',
        message: 'Network connection failed',
        retryable: true,
        code: 'ECONNREFUSED',
      },
      effect: 'none',
    })
  })

  it.each([
    ['CERT_HAS_EXPIRED', 'certificate has expired', 'network_error', 'certificate has expired'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'handshake timeout', 'timeout', 'Request timed out'],
  ])('S12: %s before anything was sent keeps its message unless it is %s', (code, said, type, message) => {
    const unreached = withCode(code, said, { syscall: 'connect' })
    const expected = { error: { type, message, retryable: true, code }, effect: 'none' }
    expect(classify(unreached, NOW)).toStrictEqual(expected)
    expect(classify(withCode(code, 'outer', { cause: unreached }), NOW).effect).toBe('none')
    expect(classify(withCode(code, said), NOW).effect).toBe('unknown')
  })

  it('a failure in connect carried no byte of the request, whatever its code', () => {
    expect(classify(withCode('ETIMEDOUT', 'x', { syscall: 'connect' }), NOW).effect).toBe('none')
    expect(classify(withCode('ETIMEDOUT', 'x', { syscall: 'read' }), NOW).effect).toBe('unknown')
  })

  it('A-018: a security error is known by its name', () => {
    expect(classify(new DOMException('denied', 'SecurityError'), NOW)).toStrictEqual({
      error: { type: 'authorization_failed', message: 'denied', retryable: false, code: '18' },
      effect: 'unknown',
    })
  })

  it('a code is a better sign than a word in the message', () => {
    const thrown = withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND timeout.example')
    expect(classify(thrown, NOW).error.type).toBe('network_error')
  })
})

describe('F-086, F-088: messages', () => {
  it.each([
    [new Error('Socket timeout of 30 s'), undefined],
    [new Error('Headers Timeout Error'), undefined],
    [new Error('failed', { cause: new Error('upstream timeout') }), undefined],
    ['gateway timeout', undefined],
    [withCode('E_X', 'a timeout'), 'E_X'],
  ])('%s → timeout', (thrown, code) => {
    expect(classify(thrown, NOW)).toStrictEqual({
      error: { type: 'timeout', message: 'Request timed out', retryable: true, ...(code && { code }) },
      effect: 'unknown',
    })
  })

  it('AbortSignal.timeout is one', async () => {
    const { reason } = AbortSignal.abort(
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    )
    expect(classify(reason, NOW).error.type).toBe('timeout')
  })

  it.each([
    [new Error('boom'), 'boom'],
    ['boom', 'boom'],
    [{ message: 'boom' }, 'boom'],
    [new Error('', { cause: new Error('inner') }), 'inner'],
    [withCode('E_X', ''), 'E_X'],
    [undefined, 'The runner failed without a message'],
    [null, 'The runner failed without a message'],
    ['', 'The runner failed without a message'],
    [42, 'The runner failed without a message'],
    [{ message: 42 }, 'The runner failed without a message'],
  ])('F-088: %s → unknown_error “%s”', (thrown, message) => {
    expect(classify(thrown, NOW)).toMatchObject({
      error: { type: 'unknown_error', message, retryable: true },
      effect: 'unknown',
    })
  })
})

describe('what somebody already knows', () => {
  it('C-010: retryable() and permanent() are taken as they are, also wrapped', () => {
    for (const thrown of [retryable('conflict', 'busy', { after: '1m' }), permanent('timeout', 'never')]) {
      expect(classify(thrown, NOW)).toBe(thrown.failure)
      expect(classify(new Error('outer', { cause: new Error('middle', { cause: thrown }) }), NOW)).toBe(
        thrown.failure,
      )
      expect(classify(Object.assign(new Error('outer', { cause: thrown }), { status: 401 }), NOW)).toBe(
        thrown.failure,
      )
    }
  })

  it('F-042: an ActionError that a runner made', () => {
    const error = {
      type: 'printer_on_fire',
      message: 'hot',
      retryable: false,
      code: 'P1',
      details: { at: 3 },
    }
    expect(classify(error, NOW)).toStrictEqual({ error, effect: 'unknown' })
    expect(classify({ ...error, status: 429 }, NOW)).toStrictEqual({ error, effect: 'unknown' })
    expect(classify({ type: 'quiet', retryable: true }, NOW)).toStrictEqual({
      error: { type: 'quiet', message: 'quiet', retryable: true },
      effect: 'unknown',
    })
  })

  it.each([[{ type: '', message: 'm', retryable: false }], [{ type: 7, message: 'm', retryable: false }]])(
    '%j is not one, but its word on retrying counts',
    (thrown) => {
      expect(classify(thrown, NOW).error).toStrictEqual({
        type: 'unknown_error',
        message: 'm',
        retryable: false,
      })
    },
  )

  it('X-02: error.retryable overrides the class', () => {
    expect(classify({ status: 401, retryable: true }, NOW).error).toMatchObject({
      type: 'authentication_failed',
      retryable: true,
    })
    expect(classify(withCode('ECONNRESET', 'x', { retryable: false }), NOW).error.retryable).toBe(false)
    expect(classify(withCode('ECONNRESET', 'x', { retryable: 'no' }), NOW).error.retryable).toBe(true)
    expect(classify({ type: 'StripeCardError', statusCode: 402, message: 'declined' }, NOW).error.type).toBe(
      'unknown_error',
    )
  })

  it('F-044: what Pawl itself refuses is a matter of configuration', () => {
    const refused = new PawlError('invalid_duration', '“30” is not a duration', { expected: '30s' })
    const expected = {
      error: {
        type: 'invalid_configuration',
        message: '“30” is not a duration; expected 30s',
        retryable: false,
        code: 'invalid_duration',
      },
      effect: 'unknown',
    }
    expect(classify(refused, NOW)).toStrictEqual(expected)
    expect(classify(new Error('timeout', { cause: refused }), NOW)).toStrictEqual(expected)
  })

  it.each([
    ['destination_forbidden', 'destination_forbidden', 'none'],
    ['template_value_forbidden', 'template_value_forbidden', 'none'],
    ['secret_destination_mismatch', 'secret_destination_mismatch', 'none'],
    ['path_must_be_relative', 'invalid_configuration', 'none'],
    ['request_invalid', 'invalid_configuration', 'none'],
    ['redirect_not_followed', 'redirect_not_followed', 'unknown'],
    ['response_too_large', 'response_too_large', 'unknown'],
  ] as const)('S12…S21: %s is %s, effect %s, not retried', (code, type, effect) => {
    const expected = { error: { type, message: 'no', retryable: false, code }, effect }
    expect(classify(new PawlError(code, 'no', { status: 500 }), NOW)).toStrictEqual(expected)
    expect(classify(new Error('outer', { cause: new PawlError(code, 'no') }), NOW)).toStrictEqual(expected)
  })
})

describe('hostile things', () => {
  it('looks at eight links of a chain of causes, and at a ring no longer', () => {
    const chain = (links: number): Error => {
      let error = withCode('ECONNREFUSED')
      for (let i = 1; i < links; i++) error = new Error('outer', { cause: error })
      return error
    }
    expect(classify(chain(8), NOW).error.type).toBe('network_error')
    expect(classify(chain(9), NOW).error.type).toBe('unknown_error')
    const ring = new Error('ring')
    ring.cause = ring
    expect(classify(ring, NOW).error).toStrictEqual({
      type: 'unknown_error',
      message: 'ring',
      retryable: true,
    })
  })

  it('survives getters and proxies that throw', () => {
    const fail = (): never => {
      throw new Error('trap')
    }
    const trapped = new Proxy(new Error('x'), { get: fail, getPrototypeOf: fail, ownKeys: fail, has: fail })
    expect(classify(trapped, NOW)).toStrictEqual({
      error: { type: 'unknown_error', message: 'The runner failed without a message', retryable: true },
      effect: 'unknown',
    })
    expect(classify({ status: 429, headers: trapped }, NOW).error.type).toBe('rate_limit')
  })

  it('S44: nothing but type, message and code of a raw error is kept', () => {
    const secret = 'Bearer canary'
    const raw = Object.assign(new Error('Request failed'), {
      config: { headers: { authorization: secret } },
      request: { path: secret },
      response: { status: 500, data: secret, headers: { 'set-cookie': secret } },
      stack: secret,
    })
    expect(JSON.stringify(classify(raw, NOW))).not.toContain('canary')
    expect(Object.keys(classify(raw, NOW).error).sort()).toEqual(['code', 'message', 'retryable', 'type'])
  })

  it('is total: any value gives a failure that can be stored', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }), (thrown) => {
        const { error, effect } = classify(thrown, NOW)
        expect(error.message !== '' && error.message.length <= 500).toBe(true)
        expect(typeof error.retryable).toBe('boolean')
        expect(['none', 'unknown']).toContain(effect)
        expect(JSON.parse(JSON.stringify(error))).toEqual(error)
      }),
    )
  })
})
