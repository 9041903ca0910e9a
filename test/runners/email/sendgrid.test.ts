import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { serveRaw } from '../../egress/bed.ts'
import { failureOf, KEY, MAIL, NOW, openBed, openMailEgress } from './bed.ts'
import { type Answer, API_KEY, CURL, FIRST_CALL, serveSendgrid } from './sendgrid-server.ts'

const CONFIG = { ...MAIL, provider: 'sendgrid' } as const
const FROM = 'Pawl <noreply@pawl.example>'

const bedAt = (baseUrl: string) =>
  openBed({ providers: { sendgrid: { baseUrl, apiKey: API_KEY, from: FROM } } })
const failureAt = async (answer: Answer) => {
  const { attempt } = bedAt((await serveSendgrid(answer)).baseUrl)
  return failureOf(await attempt(CONFIG))
}

describe('the server these tests use', () => {
  const call = async (body: JsonObject, key = API_KEY) => {
    const { baseUrl } = await serveSendgrid()
    const headers = { authorization: `Bearer ${key}` }
    return openMailEgress().fetch(`${baseUrl}/v3/mail/send`, { method: 'POST', headers, json: body })
  }

  it("takes the first call of SendGrid's guide", async () => {
    const { status, headers } = await call(FIRST_CALL)
    expect([status, headers.get('x-message-id')]).toEqual([202, 'sgid-1'])
  })

  it("takes the documentation's own curl example", async () => {
    const { baseUrl, mails } = await serveSendgrid()
    const said = (flag: string): readonly string[] =>
      [...CURL.matchAll(new RegExp(`--${flag} (?:'([^']*)'|(\\S+))`, 'g'))].map(
        ([, quoted, word]) => quoted ?? word!,
      )
    const headers = Object.fromEntries(
      said('header').map((line) => line.replace('<<YOUR_API_KEY>>', API_KEY).split(': ') as [string, string]),
    )
    const url = said('url')[0]!.replace('https://api.sendgrid.com', baseUrl)
    const [method, body] = [said('request')[0]!, said('data')[0]!]
    expect((await openMailEgress().fetch(url, { method, headers, body })).status).toBe(202)
    expect(mails).toMatchObject([{ personalizations: [{ subject: 'Hello, World!' }] }])
  })

  it.each<[string, JsonObject]>([
    ['no sender', { from: {} }],
    ['no subject', { subject: '' }],
    [
      'HTML first',
      {
        content: [
          { type: 'text/html', value: 'x' },
          { type: 'text/plain', value: 'x' },
        ],
      },
    ],
    ['a reserved header', { headers: { 'Reply-To': 'x' } }],
    ['a repeated address', { personalizations: [{ to: [{ email: 'a@b.co' }], cc: [{ email: 'A@b.co' }] }] }],
    ['a word of our own', { idempotency_key: 'x' }],
  ])('refuses %s', async (_, change) => {
    expect((await call({ ...FIRST_CALL, ...change })).status).toBe(400)
  })

  it('refuses another key', async () => {
    expect((await call(FIRST_CALL, 'SG.other')).status).toBe(401)
  })
})

describe('a mail by SendGrid', () => {
  it('F-070, F-071: is the documented request, and is told of', async () => {
    const server = await serveSendgrid()
    const { attempt, email } = bedAt(server.baseUrl)
    const { outcome, metadata } = await attempt({
      ...CONFIG,
      to: [{ address: 'ada@example.com', name: 'Ada' }],
      cc: ['legal@company.com', 'ADA@example.com'],
      bcc: ['audit@company.com'],
      replyTo: 'help@pawl.example',
      html: '<p>Hi Ada</p>',
      headers: { 'X-Campaign': 'one' },
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', text: 'abc' }],
    })
    expect(server.mails).toEqual([
      {
        personalizations: [
          {
            to: [{ email: 'ada@example.com', name: 'Ada' }],
            cc: [{ email: 'legal@company.com' }],
            bcc: [{ email: 'audit@company.com' }],
          },
        ],
        from: { email: 'noreply@pawl.example', name: 'Pawl' },
        reply_to: { email: 'help@pawl.example' },
        subject: 'Hello',
        content: [
          { type: 'text/plain', value: 'Hi Ada' },
          { type: 'text/html', value: '<p>Hi Ada</p>' },
        ],
        attachments: [{ content: 'YWJj', type: 'text/plain', filename: 'a.txt', disposition: 'attachment' }],
        headers: { 'X-Campaign': 'one', 'Message-ID': `<${KEY}@pawl.example>` },
        custom_args: { pawl_key: KEY },
      },
    ])
    const result = {
      messageId: 'sgid-1',
      recipients: ['ada@example.com', 'legal@company.com', 'audit@company.com'],
      template: null,
    }
    expect(outcome).toEqual({ kind: 'succeeded', result, event: { type: 'email_sent', payload: result } })
    expect(metadata).toEqual({ provider: 'sendgrid', templateUsed: null })
    expect(email.getRequiredPermissions()).toEqual([{ kind: 'egress', value: server.baseUrl }])
  })

  it("is made from SendGrid's own template, when there is none of that name here", async () => {
    const server = await serveSendgrid()
    const { attempt } = bedAt(`${server.baseUrl}/v3/`)
    const template = 'd-0123456789abcdef0123456789abcdef'
    const { outcome } = await attempt({
      provider: 'sendgrid',
      to: 'ada@example.com',
      template,
      variables: { n: [1] },
    })
    expect(outcome).toMatchObject({ kind: 'succeeded', result: { template } })
    expect(server.mails).toEqual([
      {
        personalizations: [{ to: [{ email: 'ada@example.com' }], dynamic_template_data: { n: [1] } }],
        from: { email: 'noreply@pawl.example', name: 'Pawl' },
        template_id: template,
        headers: { 'Message-ID': `<${KEY}@pawl.example>` },
        custom_args: { pawl_key: KEY },
      },
    ])
  })

  it('uses the key of the config, of the provider, or a secret', async () => {
    const server = await serveSendgrid()
    const { baseUrl } = server
    const secret = openBed({ providers: { sendgrid: { baseUrl, from: FROM } } })
    expect((await secret.attempt(CONFIG, { secrets: { sendgrid_api_key: API_KEY } })).outcome.kind).toBe(
      'succeeded',
    )
    const other = openBed({ providers: { sendgrid: { baseUrl, from: FROM, apiKey: 'SG.another-key' } } })
    expect((await other.attempt({ ...CONFIG, auth: { apiKey: API_KEY } })).outcome.kind).toBe('succeeded')
    expect(failureOf(await other.attempt(CONFIG))).toMatchObject({ error: { type: 'authentication_failed' } })
    expect(secret.email.getRequiredPermissions()).toContainEqual({
      kind: 'secret',
      value: 'sendgrid_api_key',
    })
    expect(openBed({ providers: { sendgrid: {} } }).email.getRequiredPermissions()).toContainEqual({
      kind: 'egress',
      value: 'https://api.sendgrid.com',
    })
  })

  it('needs a sender', async () => {
    const server = await serveSendgrid()
    const { attempt } = openBed({ providers: { sendgrid: { baseUrl: server.baseUrl, apiKey: API_KEY } } })
    for (const config of [CONFIG, { provider: 'sendgrid', to: 'a@b.example', template: 'd-1' }])
      expect(failureOf(await attempt(config))).toMatchObject({
        error: { code: 'INVALID_EMAIL', details: { path: 'from' } },
      })
    expect(server.requests).toEqual([])
  })

  it('has an id of ours when SendGrid gives none', async () => {
    const { attempt } = bedAt((await serveSendgrid({ status: 202 })).baseUrl)
    expect((await attempt(CONFIG)).outcome).toMatchObject({ result: { messageId: `<${KEY}@pawl.example>` } })
  })
})

describe('what SendGrid answers', () => {
  const says = (message: string, field: string | null = null): JsonObject => ({
    errors: [{ message, field, help: null }],
  })

  it.each<[Answer, object]>([
    [
      { status: 400, body: says('bad', 'content') },
      { error: { type: 'malformed_request', code: 'HTTP_400', retryable: false } },
    ],
    [
      { status: 400, body: says('no valid address', 'personalizations.0.to.0.email') },
      { error: { type: 'invalid_configuration', code: 'INVALID_EMAIL', retryable: false } },
    ],
    [{ status: 400, body: says('no', 'from.email') }, { error: { code: 'INVALID_EMAIL' } }],
    [
      { status: 401, body: says('revoked') },
      { error: { type: 'authentication_failed', code: 'HTTP_401', retryable: false } },
    ],
    [
      { status: 401, body: says('Maximum credits exceeded') },
      { error: { type: 'quota_exceeded', retryable: false } },
    ],
    [
      { status: 403, body: says('no sender identity', 'from') },
      { error: { type: 'authorization_failed', retryable: false } },
    ],
    [{ status: 404 }, { error: { type: 'not_found', retryable: false } }],
    [{ status: 413 }, { error: { type: 'malformed_request', code: 'HTTP_413', retryable: false } }],
    [{ status: 415 }, { error: { type: 'unknown_error' } }],
    [
      {
        status: 429,
        body: says('too many requests'),
        headers: { 'X-RateLimit-Reset': String(Math.ceil(NOW / 1000) + 40) },
      },
      { error: { type: 'rate_limit', code: 'RATE_LIMIT_EXCEEDED', retryable: true }, retryAfterMs: 40_500 },
    ],
    [{ status: 429, headers: { 'Retry-After': '7', 'X-RateLimit-Reset': '9' } }, { retryAfterMs: 7000 }],
    [{ status: 429, headers: { 'X-RateLimit-Reset': '9' } }, { retryAfterMs: 0 }],
    [{ status: 429, headers: { 'X-RateLimit-Reset': '99999999999' } }, { retryAfterMs: 86_400_000 }],
    [{ status: 503 }, { error: { type: 'service_unavailable', retryable: true } }],
  ])('F-072: %j', async (answer, expected) => {
    expect(await failureAt(answer)).toMatchObject({ effect: 'none', ...expected })
  })

  it('is of unknown effect when its own servers fail, or nothing comes', async () => {
    for (const status of [500, 502, 504])
      expect(await failureAt({ status })).toMatchObject({
        error: { type: 'service_unavailable' },
        effect: 'unknown',
      })
    const dropping = await serveRaw((socket) => void socket.once('data', () => socket.resetAndDestroy()))
    expect(failureOf(await bedAt(`http://127.0.0.1:${dropping.port}`).attempt(CONFIG))).toMatchObject({
      error: { type: 'network_error' },
      effect: 'unknown',
    })
    expect(await failureAt({ status: 429, headers: { 'X-RateLimit-Reset': 'soon' } })).not.toHaveProperty(
      'retryAfterMs',
    )
    expect(await failureAt({ status: 302, headers: { location: 'https://evil.example' } })).toMatchObject({
      error: { type: 'redirect_not_followed' },
    })
  })

  it('is quoted: what, and in which field', async () => {
    const body = {
      errors: [{ field: 'from', message: 'is not\nverified' }, { message: 'second' }, 'third', null],
    }
    expect(await failureAt({ status: 403, body })).toMatchObject({
      error: { message: 'SendGrid answered 403: from: is not verified; second', details: { status: 403 } },
    })
    for (const body of ['no json', '[]', '{"errors":{}}', '{"errors":[]}', 'null'])
      expect(await failureAt({ status: 403, body })).toMatchObject({
        error: { message: 'SendGrid answered 403: Insufficient permissions' },
      })
  })

  it('S44: never with the key in it', async () => {
    const spellings = [
      API_KEY,
      `Bearer ${API_KEY}`,
      Buffer.from(API_KEY).toString('base64'),
      encodeURIComponent(API_KEY),
    ]
    const said = JSON.stringify(await failureAt({ status: 401, body: says(spellings.join(' '), API_KEY) }))
    expect(said).toContain('SendGrid answered 401')
    for (const spelling of spellings) expect(said).not.toContain(spelling)
  })
})
