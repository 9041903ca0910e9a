import { describe, expect, it } from 'vitest'
import { createApiCall } from '../../../src/runners/api-call/api-call.ts'
import { createWebhook } from '../../../src/runners/webhook/webhook.ts'
import { openEgress, serveRaw } from '../../egress/bed.ts'
import {
  contexts,
  emptyOutbox,
  failureIn,
  json,
  performing,
  type Reply,
  receiver,
  resultIn,
  type Setting,
} from './bed.ts'

// What each answer, and each way to have none, comes to: both HTTP runners, over the real door.

const outbox = emptyOutbox()
const webhook = createWebhook({ outbox })
const apiCall = (baseUrl: string) => createApiCall({ outbox, services: { crm: { baseUrl } } })

/** The same request by either runner. */
const RUNNERS = ['webhook', 'api_call'] as const
type Name = (typeof RUNNERS)[number]

const request = (name: Name, url: string, more: object = {}, setting: Setting = {}) =>
  name === 'webhook'
    ? performing(webhook)({ url, method: 'POST', ...more }, setting)
    : performing(apiCall(url))({ service: 'crm', method: 'POST', ...more }, setting)

const each = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  RUNNERS.flatMap((name) => rows.map((row) => [name, ...row] as const))

const STATUSES = [
  ['F-082', 401, 'authentication_failed', 'Authentication failed', false, 'none'],
  ['F-083', 403, 'authorization_failed', 'Insufficient permissions', false, 'none'],
  ['F-084', 429, 'rate_limit', 'Rate limit exceeded', true, 'none'],
  ['F-085', 500, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
  ['F-085', 502, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
  ['F-085', 503, 'service_unavailable', 'Service temporarily unavailable', true, 'none'],
  ['F-085', 504, 'service_unavailable', 'Service temporarily unavailable', true, 'unknown'],
  ['X-06', 400, 'malformed_request', 'Malformed request', false, 'none'],
  ['X-06', 404, 'not_found', 'Not found', false, 'none'],
  ['X-06', 405, 'malformed_request', 'Malformed request', false, 'none'],
  ['X-06', 408, 'timeout', 'Request timed out', true, 'none'],
  ['X-06', 409, 'conflict', 'Conflict', false, 'none'],
  ['X-06', 422, 'malformed_request', 'Malformed request', false, 'none'],
  ['X-06', 425, 'timeout', 'Request timed out', true, 'none'],
  ['F-088', 418, 'unknown_error', 'HTTP_418', true, 'none'],
  ['X-04', 301, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
  ['X-04', 302, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
  ['X-04', 303, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
  ['X-04', 307, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
  ['X-04', 308, 'redirect_not_followed', 'Redirect not followed', false, 'unknown'],
] as const

describe('a status that is refused', () => {
  it.each(each(STATUSES))('%s, %s: %i is %s', async (name, _, status, type, message, retryable, effect) => {
    const { url, received } = await receiver(() => ({
      ...json({ why: 'because' }, status),
      ...(status < 400 && { headers: { location: '/other' } }),
    }))
    const failure = failureIn(await request(name, url))
    expect(failure).toMatchObject({
      error: {
        type,
        message,
        retryable,
        code: `HTTP_${status}`,
        details: { statusCode: status, body: '{"why":"because"}' },
      },
      effect,
    })
    expect(failure.error.details?.['location']).toBe(status < 400 ? '/other' : undefined)
    expect(received).toHaveLength(1)
  })

  it('410 to a webhook: gone for good, and says that deliveries are to end', async () => {
    const { url } = await receiver(() => ({ status: 410 }))
    expect(failureIn(await request('webhook', url))).toMatchObject({
      error: {
        type: 'not_found',
        message: expect.stringContaining('deliveries to this endpoint end'),
        retryable: false,
        code: 'HTTP_410',
      },
      effect: 'none',
      permanent: true,
    })
  })

  it('X-06: 410 to an API is not_found', async () => {
    const { url } = await receiver(() => ({ status: 410 }))
    expect(failureIn(await request('api_call', url))).toMatchObject({
      error: { type: 'not_found', retryable: false },
    })
  })

  it.each(
    each([
      ['seconds', 429, '7', 7000],
      ['seconds', 503, '120', 120_000],
      ['a date of the engine’s time', 429, 'Mon, 05 Jan 2026 09:00:30 GMT', 30_000],
      ['nothing readable', 429, 'soon', undefined],
    ] as const),
  )('X-06, %s: Retry-After in %s is obeyed on %i', async (name, _, status, after, wait) => {
    const { url } = await receiver(() => ({ status, headers: { 'Retry-After': after } }))
    const now = () => Date.UTC(2026, 0, 5, 9)
    expect(failureIn(await request(name, url, {}, { now })).retryAfterMs).toBe(wait)
  })

  it.each(
    each([
      ['short', 2000, { body: 'x'.repeat(2000) }],
      ['long', 2001, { omitted: 'an answer of 2001 characters; at most 2000 are kept' }],
      ['empty', 0, {}],
    ] as const),
  )('%s: the body of a refusal that is %s is kept whole or not at all', async (name, _, length, kept) => {
    const { url } = await receiver(() => ({ status: 400, body: 'x'.repeat(length) }))
    expect(failureIn(await request(name, url)).error.details).toEqual({ statusCode: 400, ...kept })
  })
})

describe('X-04, F-075: expectedStatusCodes', () => {
  it.each(
    each([
      [200, undefined, true],
      [204, undefined, true],
      [299, undefined, true],
      [200, [200, 201, 202], true],
      [202, [200, 201, 202], true],
      [204, [200, 201, 202], false],
      [404, [404], true],
      [302, [302], true],
      [401, [401], true],
      [410, [410], true],
      [200, [404], false],
      [500, [200], false],
    ] as const),
  )('%s: %i of %j: %s', async (name, status, expectedStatusCodes, isSuccess) => {
    const { url, received } = await receiver(() => ({ status }))
    const { outcome } = await request(name, url, expectedStatusCodes ? { expectedStatusCodes } : {})
    expect(outcome.kind).toBe(isSuccess ? 'succeeded' : 'failed')
    expect(received).toHaveLength(1)
  })

  it.each(RUNNERS)('%s: a success that was not expected may have had its effect', async (name) => {
    const { url } = await receiver(() => ({ status: 204 }))
    expect(failureIn(await request(name, url, { expectedStatusCodes: [200, 201] }))).toMatchObject({
      error: {
        type: 'unknown_error',
        retryable: true,
        code: 'HTTP_204',
        message: 'the status 204 is not among expectedStatusCodes (200, 201)',
      },
      effect: 'unknown',
    })
  })
})

describe('no answer at all', () => {
  const resolve = async () => {
    throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  }

  it.each(
    each([
      ['nobody listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
      ['there is no such name', 'http://gone.example', 'ENOTFOUND'],
    ] as const),
  )('F-087, %s: %s', async (name, _, url, code) => {
    const contextOf = contexts(openEgress({ allow: ['127.0.0.0/8'], resolve }))
    const run = performing(name === 'webhook' ? webhook : apiCall(url), contextOf)
    expect(failureIn(await run(name === 'webhook' ? { url } : { service: 'crm' }))).toMatchObject({
      error: { type: 'network_error', message: 'Network connection failed', retryable: true, code },
      effect: 'none',
    })
  })

  it.each(RUNNERS)(
    'F-086, F-075, %s: an answer that does not come within the time of the action',
    async (name) => {
      const { port } = await serveRaw(() => {})
      expect(
        failureIn(await request(name, `http://127.0.0.1:${port}`, {}, { timeoutMs: 400 })),
      ).toMatchObject({
        error: { type: 'timeout', message: 'Request timed out', retryable: true },
        effect: 'unknown',
      })
    },
  )

  it.each(RUNNERS)('%s: a connection that breaks', async (name) => {
    const { port } = await serveRaw((socket) => socket.on('data', () => socket.destroy()))
    expect(failureIn(await request(name, `http://127.0.0.1:${port}`))).toMatchObject({
      error: { type: 'network_error', retryable: true },
      effect: 'unknown',
    })
  })

  it.each([
    ['http://10.0.0.1/', 'destination_forbidden'],
    ['http://[::ffff:a9fe:a9fe]/', 'destination_forbidden'],
    ['http://169.254.169.254/latest', 'destination_forbidden'],
    ['file:///etc/passwd', 'destination_forbidden'],
    ['http://user:pass@127.0.0.1/', 'destination_forbidden'],
    ['not a url', 'destination_forbidden'],
    ['http://127.0.0.1/\r\nX: 1', 'template_value_forbidden'],
  ])('S12, S18, S21: %s is refused by a webhook, 0 bytes out', async (url, type) => {
    expect(failureIn(await request('webhook', url))).toMatchObject({
      error: { type, retryable: false },
      effect: 'none',
    })
  })

  it.each([
    [{ 'X-A': 'a\r\nX-B: b' }, 'template_value_forbidden'],
    [{ Host: 'other.example' }, 'invalid_configuration'],
    [{ 'Content-Length': '0' }, 'invalid_configuration'],
    [{ 'Transfer-Encoding': 'chunked' }, 'invalid_configuration'],
  ])('S21: headers %j are refused, 0 bytes out', async (headers, type) => {
    const server = await receiver((): Reply => ({}))
    for (const name of RUNNERS)
      expect(failureIn(await request(name, server.url, { headers }))).toMatchObject({
        error: { type, retryable: false },
        effect: 'none',
      })
    expect(server.connections()).toBe(0)
  })

  it.each(RUNNERS)('S14, %s: a redirect to a private place reaches nothing', async (name) => {
    const inside = await receiver(() => ({}))
    const { url } = await receiver(() => ({ status: 302, headers: { location: inside.url } }))
    expect(failureIn(await request(name, url)).error.type).toBe('redirect_not_followed')
    expect(inside.connections()).toBe(0)
    expect(resultIn(await request(name, inside.url))).toMatchObject({ statusCode: 200 })
  })
})
