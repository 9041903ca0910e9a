import { type MutableResponse, OAuth2Server } from 'oauth2-mock-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiCall } from '../../../src/runners/api-call/api-call.ts'
import { createTokens } from '../../../src/runners/api-call/tokens.ts'
import { openEgress, serveRaw } from '../../egress/bed.ts'
import {
  contexts,
  emptyOutbox,
  failureIn,
  json,
  performing,
  type Received,
  type Reply,
  receiver,
  resultIn,
  type Setting,
} from './bed.ts'

// F-015: tokens by client credentials, from a real token server on this machine.

const servers: OAuth2Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

interface Asked {
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** `change` may alter each answer before it is sent. */
const tokenServer = async (change: (answer: MutableResponse, count: number) => void = () => {}) => {
  const server = new OAuth2Server()
  servers.push(server)
  await server.issuer.keys.generate('ES256')
  await server.start(0, '127.0.0.1')
  const asked: Asked[] = []
  let serial = 0
  // Equal claims of one second would make equal tokens.
  server.service.on('beforeTokenSigning', (token) => {
    token.payload['jti'] = `t${++serial}`
  })
  server.service.on('beforeResponse', (answer, request) => {
    asked.push({ authorization: request.headers.authorization, body: { ...request.body } })
    change(answer, asked.length)
  })
  return { asked, tokenEndpoint: `http://127.0.0.1:${server.address().port}/token` }
}

const CLIENT = { clientId: 'client:1 ü', clientSecret: 'canary-secret/+&' }

const bearerOf = ({ headers }: Received) => String(headers.authorization).replace('Bearer ', '')

const calling = async (
  tokenEndpoint: string,
  reply: (received: Received, count: number) => Reply | Promise<Reply> = () => json({ ok: true }),
) => {
  const api = await receiver(reply)
  const runner = createApiCall({ outbox: emptyOutbox(), services: { db: { baseUrl: api.url } } })
  const run = performing(runner)
  const configOf = (more: object = {}) => ({
    service: 'db',
    authentication: { type: 'oauth2', tokenEndpoint, ...CLIENT, ...more },
  })
  return { ...api, run, runner, configOf, call: (setting?: Setting) => run(configOf(), setting) }
}

describe('a token is had and sent', () => {
  it('with the client in the header, form-encoded, and the scope and audience in the form', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { run, configOf, received } = await calling(tokenEndpoint)
    expect(resultIn(await run(configOf({ scope: 'a b', audience: 'db' })))).toMatchObject({
      data: { ok: true },
    })
    const basic = Buffer.from('client%3A1+%C3%BC:canary-secret%2F%2B%26').toString('base64')
    expect(asked).toEqual([
      {
        authorization: `Basic ${basic}`,
        body: { grant_type: 'client_credentials', scope: 'a b', audience: 'db' },
      },
    ])
    expect(bearerOf(received[0]!)).toMatch(/^ey/)
  })

  it('with the client in the form, when it is told to', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { run, configOf } = await calling(tokenEndpoint)
    resultIn(await run(configOf({ clientAuthentication: 'form' })))
    expect(asked).toEqual([
      {
        authorization: undefined,
        body: {
          grant_type: 'client_credentials',
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
        },
      },
    ])
  })

  it.each([400, 401])('with the client in the form, when the header is refused by %i', async (status) => {
    const { asked, tokenEndpoint } = await tokenServer((answer, count) => {
      if (count === 1) Object.assign(answer, { statusCode: status, body: { error: 'invalid_client' } })
    })
    const { call } = await calling(tokenEndpoint)
    resultIn(await call())
    expect(asked.map(({ body }) => 'client_id' in body)).toEqual([false, true])
  })

  it('S17: an endpoint that is refused costs no token', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { run, configOf } = await calling(tokenEndpoint)
    expect(failureIn(await run({ ...configOf(), endpoint: '//evil.example' }))).toMatchObject({
      effect: 'none',
    })
    expect(asked).toEqual([])
  })
})

describe('F44: a token is kept', () => {
  const START = Date.UTC(2026, 0, 5, 9)
  const lasting = (expires_in: unknown) => (answer: MutableResponse) => {
    Object.assign(answer.body, { expires_in })
  }

  it.each([
    ['an hour: until half a minute before', 3600, 3570],
    ['a hundred seconds: until a tenth before', 100, 90],
    ['as text', '100', 90],
    ['nothing: five minutes are assumed', undefined, 270],
    ['nonsense: it is used once', 'soon', 0],
    ['less than nothing: it is used once', -5, 0],
  ])('for what expires_in says: %s', async (_, expiresIn, seconds) => {
    const { asked, tokenEndpoint } = await tokenServer(lasting(expiresIn))
    const { call } = await calling(tokenEndpoint)
    const callAt = async (ms: number) => resultIn(await call({ now: () => START + ms }))
    await callAt(0)
    if (seconds > 0) {
      await callAt(seconds * 1000 - 1)
      expect(asked).toHaveLength(1)
    }
    await callAt(seconds * 1000)
    expect(asked).toHaveLength(2)
  })

  it('apart for each tenant, client, secret, scope and audience', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { run, configOf } = await calling(tokenEndpoint)
    const variants = [{}, { clientId: 'other' }, { clientSecret: 'other' }, { scope: 'a' }, { audience: 'a' }]
    for (let round = 0; round < 2; round++)
      for (const tenant of ['a', 'b'])
        for (const more of variants) resultIn(await run(configOf(more), { tenant }))
    expect(asked).toHaveLength(10)
  })

  it('for those that were used last, as many as there is room for', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { tokenFor } = createTokens(3)
    const ctx = contexts()()
    const askedAfter = async (clientId: string) => {
      await tokenFor({ type: 'oauth2', tokenEndpoint, clientId, clientSecret: 'x' }, ctx)
      return asked.length
    }
    const counts = []
    for (const client of ['a', 'b', 'c', 'a', 'd', 'a', 'c', 'b']) counts.push(await askedAfter(client))
    // The fourth pushes out b, which was used longest ago, and not a.
    expect(counts).toEqual([1, 2, 3, 3, 4, 4, 4, 5])
  })

  it('fifty calls at once ask once, when there is none and when it has ended', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { call, received } = await calling(tokenEndpoint)
    const fifty = async (now: number) => {
      const calls = Array.from({ length: 50 }, () => call({ now: () => now }))
      for (const done of await Promise.all(calls)) resultIn(done)
    }
    await fifty(START)
    expect(asked).toHaveLength(1)
    await fifty(START + 3600 * 1000)
    expect(asked).toHaveLength(2)
    expect(received).toHaveLength(100)
    expect(new Set(received.map(bearerOf)).size).toBe(2)
  })

  it('fifty calls whose token was revoked ask once for a new one', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const revoked = new Set<string>()
    const { call, received } = await calling(tokenEndpoint, (request) =>
      revoked.has(bearerOf(request)) ? { status: 401 } : json({ ok: true }),
    )
    resultIn(await call())
    revoked.add(bearerOf(received[0]!))
    const all = await Promise.all(Array.from({ length: 50 }, () => call()))
    for (const done of all) resultIn(done)
    expect(asked).toHaveLength(2)
    expect(received).toHaveLength(101)
  })
})

describe('F-082: a 401', () => {
  it('is followed by one new token and one more try, with the same key, and then is final', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { call, received } = await calling(tokenEndpoint, () => ({ status: 401 }))
    expect(failureIn(await call())).toMatchObject({
      error: { type: 'authentication_failed', message: 'Authentication failed', retryable: false },
      effect: 'none',
    })
    expect(asked).toHaveLength(2)
    expect(received).toHaveLength(2)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(new Set(received.map(bearerOf)).size).toBe(2)
  })

  it('that was expected is a success', async () => {
    const { asked, tokenEndpoint } = await tokenServer()
    const { run, configOf, received } = await calling(tokenEndpoint, () => ({ status: 401 }))
    resultIn(await run({ ...configOf(), expectedStatusCodes: [401] }))
    expect([asked.length, received.length]).toEqual([1, 1])
  })
})

describe('no token', () => {
  it.each([
    [
      'refused with a reason',
      401,
      { error: 'invalid_client' },
      'authentication_failed',
      false,
      'the token endpoint refused the client: invalid_client',
    ],
    [
      'refused with a text',
      400,
      { error: 'canary text!' },
      'authentication_failed',
      false,
      'the token endpoint refused the client',
    ],
    ['forbidden', 403, {}, 'authentication_failed', false, 'the token endpoint refused the client'],
    ['not there', 404, {}, 'not_found', false, 'the token endpoint answered 404: not_found'],
    ['too often', 429, {}, 'rate_limit', true, 'the token endpoint answered 429: rate_limit'],
    ['down', 500, {}, 'service_unavailable', true, 'the token endpoint answered 500: service_unavailable'],
    [
      'nothing in it',
      200,
      {},
      'authentication_failed',
      false,
      'the token endpoint answered without an access_token',
    ],
    [
      'a line break in it',
      200,
      { access_token: 'canary\r\nX: 1' },
      'authentication_failed',
      false,
      'answered without an access_token',
    ],
    [
      'of another kind',
      200,
      { access_token: 'canary', token_type: 'mac' },
      'authentication_failed',
      false,
      'is not a bearer token',
    ],
  ])('%s', async (_, statusCode, body, type, retryable, message) => {
    const { tokenEndpoint } = await tokenServer((answer) => void Object.assign(answer, { statusCode, body }))
    const { call, received } = await calling(tokenEndpoint)
    const failure = failureIn(await call())
    expect(failure).toMatchObject({
      error: { type, retryable, message: expect.stringContaining(message) },
      effect: 'none',
    })
    expect(failure.permanent).toBeUndefined()
    expect(received).toEqual([])
    expect(JSON.stringify(failure)).not.toContain('canary')
  })

  it.each([
    ['http://127.0.0.1:1/canary', 'network_error', true],
    ['http://10.0.0.1/canary', 'destination_forbidden', false],
    ['canary', 'destination_forbidden', false],
  ])('S15: a token endpoint at %s is %s, and is not named', async (tokenEndpoint, type, retryable) => {
    const { call, received } = await calling(tokenEndpoint)
    const failure = failureIn(await call())
    expect(failure).toMatchObject({ error: { type, retryable }, effect: 'none' })
    expect(JSON.stringify(failure)).not.toMatch(/canary|10\.0/)
    expect(received).toEqual([])
  })

  it('what is not JSON', async () => {
    const { url } = await receiver(() => ({ body: '<html>' }))
    const { call } = await calling(url)
    expect(failureIn(await call())).toMatchObject({ error: { type: 'authentication_failed' } })
  })

  it('Retry-After of the token endpoint is obeyed', async () => {
    const { url } = await receiver(() => ({ status: 429, headers: { 'retry-after': '9' } }))
    const { call } = await calling(url)
    expect(failureIn(await call())).toMatchObject({ retryAfterMs: 9000, effect: 'none' })
  })

  it('a failure is not kept: the next call asks again', async () => {
    const { asked, tokenEndpoint } = await tokenServer((answer, count) => {
      if (count === 1) Object.assign(answer, { statusCode: 500 })
    })
    const { call } = await calling(tokenEndpoint)
    failureIn(await call())
    resultIn(await call())
    expect(asked).toHaveLength(2)
  })
})

describe('T2: stopped while others wait', () => {
  /** Answers the first request never, and those after it at once. */
  const hangingOnce = async () => {
    const first = Promise.withResolvers<void>()
    const server = await receiver(async (_, count) => {
      if (count > 1) return json({ access_token: 'canary-token', token_type: 'Bearer' })
      first.resolve()
      return new Promise<never>(() => {})
    })
    return { ...server, reached: first.promise }
  }

  it('the one who asks is stopped: another asks, and all others go on', async () => {
    const token = await hangingOnce()
    const { call } = await calling(token.url)
    const stop = new AbortController()
    const asking = call({ signal: stop.signal })
    await token.reached
    const waiting = Array.from({ length: 10 }, () => call())
    stop.abort(new Error('stopped'))
    expect(failureIn(await asking)).toMatchObject({ effect: 'none' })
    for (const done of await Promise.all(waiting)) resultIn(done)
    expect(token.received).toHaveLength(2)
  })

  it('one who waits is stopped: it ends at once, and the others go on', async () => {
    const token = await hangingOnce()
    const { call } = await calling(token.url)
    const [asker, waiter] = [new AbortController(), new AbortController()]
    const asking = call({ signal: asker.signal })
    await token.reached
    const waiting = call({ signal: waiter.signal })
    const late = call({ signal: AbortSignal.abort(new Error('stopped before')) })
    waiter.abort(new Error('stopped'))
    let isAsking = true
    void asking.then(() => {
      isAsking = false
    })
    failureIn(await waiting)
    failureIn(await late)
    expect(isAsking).toBe(true)
    expect(token.received).toHaveLength(1)
    asker.abort(new Error('stopped'))
    failureIn(await asking)
  })

  it('the token endpoint takes too long: it is a timeout, and nothing happened', async () => {
    const { port } = await serveRaw(() => {})
    const { runner, configOf } = await calling(`http://127.0.0.1:${port}/`)
    const run = performing(runner, contexts(openEgress({ allow: ['127.0.0.0/8'] })))
    expect(failureIn(await run(configOf(), { timeoutMs: 50 }))).toMatchObject({
      error: { type: 'timeout', retryable: true },
      effect: 'none',
    })
  })
})

describe('S45: a token that the other side sends back is not kept', () => {
  it.each([200, 400])('with the status %i', async (status) => {
    const { tokenEndpoint } = await tokenServer()
    const { call, received } = await calling(tokenEndpoint, (request) => {
      const token = bearerOf(request)
      return {
        ...json({ token, coded: Buffer.from(token).toString('base64'), [token]: 1 }, status),
        headers: { 'content-type': 'application/json', 'x-token': token },
      }
    })
    const done = JSON.stringify(await call())
    const token = bearerOf(received[0]!)
    expect(done).toContain('‹secret:access_token›')
    expect(done).not.toContain(token)
    expect(done).not.toContain(Buffer.from(token).toString('base64').slice(4, -4))
  })
})
