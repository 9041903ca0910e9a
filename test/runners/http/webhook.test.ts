import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createWebhook } from '../../../src/runners/webhook/webhook.ts'
import { emptyOutbox, failureIn, json, KEY, performing, receiver, resultIn } from './bed.ts'

const webhook = createWebhook({ outbox: emptyOutbox() })

const secretOf = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`

describe('what is sent', () => {
  it('F-013: the payload as JSON by POST, the headers, and the key under both names', async () => {
    const { url, received } = await receiver(() => ({}))
    await performing(webhook)({ url: `${url}/hook?a=1`, headers: { 'X-Count': 7 }, payload: { b: [1, 'ü'] } })
    expect(received).toMatchObject([
      {
        method: 'POST',
        path: '/hook?a=1',
        body: '{"b":[1,"ü"]}',
        headers: {
          'content-type': 'application/json',
          'x-count': '7',
          'idempotency-key': KEY,
          'webhook-id': KEY,
          'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        },
      },
    ])
    expect(received[0]!.headers).not.toHaveProperty('webhook-signature')
  })

  it.each([
    ['text as it is', 'a=1&b', undefined, 'a=1&b', 'text/plain; charset=utf-8'],
    ['text under the type that is given', '<a/>', { 'Content-Type': 'text/xml' }, '<a/>', 'text/xml'],
    [
      'JSON under the type that is given',
      {},
      { 'content-type': 'application/hal+json' },
      '{}',
      'application/hal+json',
    ],
    ['null as JSON', null, undefined, 'null', 'application/json'],
    ['false as JSON', false, undefined, 'false', 'application/json'],
  ])('%s', async (_, payload, headers, body, type) => {
    const { url, received } = await receiver(() => ({}))
    await performing(webhook)({ url, payload, ...(headers && { headers }) })
    expect(received[0]).toMatchObject({ body, headers: { 'content-type': type } })
  })

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'put'])(
    'the method %s, without a payload',
    async (method) => {
      const { url, received } = await receiver(() => ({}))
      expect(resultIn(await performing(webhook)({ url, method }))).toMatchObject({
        statusCode: 200,
        data: null,
      })
      expect(received).toMatchObject([{ method: method.toUpperCase(), body: '' }])
    },
  )
})

describe('S40: Standard Webhooks, verified by the public library', () => {
  const payload = { type: 'application.approved', data: { id: 'ä' } }

  it('is signed with the secret, anew at each attempt, over the same id and the same bytes', async () => {
    const { url, received } = await receiver(() => ({}))
    const run = performing(webhook)
    const secret = secretOf(1)
    const start = Date.now()
    for (const attempt of [1, 2])
      await run({ url, payload, signing: { secret } }, { attempt, now: () => start + attempt * 10_000 })
    for (const { body, headers } of received)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(payload)
    const [first, second] = received.map(({ headers }) => headers)
    expect(received[0]!.body).toBe(received[1]!.body)
    expect(first!['webhook-id']).toBe(second!['webhook-id'])
    expect(Number(second!['webhook-timestamp']) - Number(first!['webhook-timestamp'])).toBe(10)
    expect(first!['webhook-signature']).not.toBe(second!['webhook-signature'])
  })

  it('S39: carries two signatures during a rotation, and is refused by any third', async () => {
    const { url, received } = await receiver(() => ({}))
    const signing = { secret: secretOf(2, 24), previousSecret: secretOf(1, 64) }
    await performing(webhook)({ url, payload: 'text', signing })
    const { body, headers } = received[0]!
    const verify = (secret: string) =>
      new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false })
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2)
    verify(signing.secret)
    verify(signing.previousSecret)
    expect(() => verify(secretOf(3))).toThrow('No matching signature')
  })

  it('signs an empty body too', async () => {
    const { url, received } = await receiver(() => ({}))
    await performing(webhook)({ url, method: 'GET', signing: { secret: secretOf(1) } })
    new Webhook(secretOf(1)).verify('', received[0]!.headers as Record<string, string>)
  })
})

describe('F-076: what comes of it', () => {
  it('result, event and metadata', async () => {
    const { url } = await receiver(() => ({
      ...json({ id: 7 }, 201),
      headers: { 'content-type': 'application/json', 'X-Id': 'a', 'Set-Cookie': 'session=1' },
    }))
    let time = 1000
    const done = await performing(webhook)({ url, payload: {} }, { now: () => (time += 100) })
    expect(done).toMatchObject({
      outcome: {
        result: { statusCode: 201, headers: { 'x-id': 'a' }, data: { id: 7 } },
        event: {
          type: 'webhook_called',
          payload: { url, method: 'POST', statusCode: 201, responseTime: expect.any(Number) },
        },
      },
      metadata: { url, statusCode: 201 },
    })
    expect(JSON.stringify(done)).not.toContain('session')
    expect(done).not.toHaveProperty('costEstimate')
  })

  it.each([
    ['JSON', 'application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['JSON of a kind', 'application/problem+json', '[1]', [1]],
    ['JSON that says nothing of its type', undefined, '{"a":1}', { a: 1 }],
    ['null', 'application/json', 'null', null],
    ['text', 'text/plain', '123', '123'],
    ['text that says nothing of its type', undefined, 'ok', 'ok'],
    ['what calls itself JSON and is not', 'application/json', '{"a":', '{"a":'],
    ['a number that JSON reads as infinite', 'application/json', '1e999', '1e999'],
    [
      'JSON too deep to be stored',
      'application/json',
      '['.repeat(60) + ']'.repeat(60),
      '['.repeat(60) + ']'.repeat(60),
    ],
    ['a prototype that is only data', 'application/json', '{"constructor":1}', { constructor: 1 }],
    ['nothing', 'application/json', '', null],
  ])('the data of an answer: %s', async (_, type, body, data) => {
    const { url } = await receiver(() => ({ body, ...(type && { headers: { 'content-type': type } }) }))
    expect(resultIn(await performing(webhook)({ url }))).toMatchObject({ data })
  })

  it.each([
    ['too long', 'text/plain', 'x'.repeat(200_000)],
    ['too long once it is written as JSON', 'text/plain', '\u0001'.repeat(30_000)],
  ])('an answer that is %s is left out whole, and the success stands', async (_, type, body) => {
    const { url } = await receiver(() => ({ body, headers: { 'content-type': type } }))
    expect(resultIn(await performing(webhook)({ url }))).toMatchObject({
      statusCode: 200,
      data: null,
      omitted: expect.stringMatching(/^an answer of \d+ characters; at most 131072 are kept$/),
    })
  })

  it('S19: an answer beyond what is read at all fails, its effect unknown', async () => {
    const { url } = await receiver(() => ({ body: 'x'.repeat(2 * 1024 * 1024) }))
    expect(failureIn(await performing(webhook)({ url }))).toMatchObject({
      error: { type: 'response_too_large', retryable: false },
      effect: 'unknown',
    })
  })

  it('costs what the configuration says', async () => {
    const { url } = await receiver(() => ({}))
    const priced = createWebhook({ outbox: emptyOutbox(), cost: 0.002 })
    expect(await performing(priced)({ url })).toMatchObject({ costEstimate: 0.002 })
    expect(await performing(priced)({ url, provider: 'sandbox' })).toMatchObject({ costEstimate: 0 })
  })
})

describe('F-043, F-044: the config', () => {
  const url = 'https://crm.example/hook'

  it.each([
    [{}, 'url: expected a URL'],
    [{ url: '' }, 'url: expected a URL'],
    [{ url: 7 }, 'url: expected a URL'],
    [{ url, method: 'TRACE' }, 'method: expected GET, HEAD, POST, PUT, PATCH, DELETE'],
    [{ url, method: 'Post' }, 'method: expected GET'],
    [
      { url, expectedStatusCode: [200] },
      '“expectedStatusCode” is not a known key; did you mean expectedStatusCodes?',
    ],
    [{ url, xyz: 1 }, '“xyz” is not a known key; expected provider, url, method,'],
    [{ url, body: {} }, 'what is sent is the payload'],
    [{ url, timeout: 5 }, 'it is an option of the action'],
    [{ url, expectedStatusCodes: [] }, 'expectedStatusCodes: expected at least one status'],
    [{ url, expectedStatusCodes: [20] }, 'expectedStatusCodes.0: expected a status from 200 to 599'],
    [{ url, expectedStatusCodes: [600] }, 'expectedStatusCodes.0: expected a status from 200 to 599'],
    [{ url, expectedStatusCodes: Array(51).fill(200) }, 'expected at most 50'],
    [{ url, headers: { a: null } }, 'headers.a: expected text, a number or a boolean'],
    [{ url, headers: { 'Webhook-Id': 'x' } }, 'headers.Webhook-Id: is written by Pawl'],
    [{ url, headers: { 'Idempotency-Key': 'x' } }, 'headers.Idempotency-Key: is written by Pawl'],
    [{ url, headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a: is given twice'],
    [{ url, method: 'GET', payload: {} }, 'payload: a GET carries no payload'],
    [{ url, method: 'head', payload: 'x' }, 'payload: a HEAD carries no payload'],
    [{ url, provider: 'sandbx' }, 'provider: expected http or sandbox'],
    [
      { url, signing: { secret: 'top-secret' } },
      'signing.secret: expected whsec_ and 24 to 64 bytes in base64',
    ],
    [{ url, signing: { secret: secretOf(1, 23) } }, 'signing.secret: expected whsec_'],
    [{ url, signing: { secret: secretOf(1, 65) } }, 'signing.secret: expected whsec_'],
    [{ url, signing: { secret: `${secretOf(1)}!` } }, 'signing.secret: expected whsec_'],
    [{ url, signing: { secret: secretOf(1).slice(6) } }, 'signing.secret: expected whsec_'],
    [{ url, signing: { secrets: [] } }, 'previousSecret during a rotation'],
  ])('%j is refused, nothing is sent, and no value is quoted', async (config, message) => {
    const { isValid, errors } = webhook.validateConfig(config)
    expect(isValid).toBe(false)
    expect(errors.map(({ path, message: each }) => `${path}: ${each}`).join('\n')).toContain(message)
    expect(JSON.stringify(errors)).not.toMatch(/top-secret|AQEB/)
    expect(failureIn(await performing(webhook)(config as never))).toMatchObject({
      error: { type: 'invalid_configuration', retryable: false },
      effect: 'none',
    })
  })

  it('takes the config of F-013, and says what it needs', () => {
    expect(
      webhook.validateConfig({
        url,
        method: 'POST',
        headers: {},
        payload: {},
        expectedStatusCodes: [200, 201, 202],
      }),
    ).toEqual({ isValid: true, errors: [] })
    expect(webhook.getRequiredPermissions()).toEqual([{ kind: 'egress', value: '*' }])
    expect(webhook.type).toBe('webhook')
  })
})
