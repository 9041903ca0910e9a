import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { createApiCall } from '../../../src/runners/api-call/api-call.ts'
import { emptyOutbox, failureIn, json, KEY, performing, receiver, resultIn } from './bed.ts'

const outbox = emptyOutbox()
const SECRET = 'canary-9d1f'

const calling = async (reply: Parameters<typeof receiver>[0] = () => ({})) => {
  const server = await receiver(reply)
  const services = {
    crm: { baseUrl: `${server.url}/v1/`, headers: { 'X-Team': 'ops', 'X-Region': 'eu' }, cost: 0.5 },
    bare: { baseUrl: server.url },
  }
  const runner = createApiCall({ outbox, services })
  const run = performing(runner)
  return { ...server, runner, run, call: (config: JsonObject) => run({ service: 'crm', ...config }) }
}

describe('F-014: what is sent', () => {
  it('goes below the base URL, with the headers of the service under those of the action, and the key', async () => {
    const { call, received } = await calling()
    await call({ endpoint: '/records/7', method: 'put', payload: { a: 1 }, headers: { 'x-team': 'mine' } })
    expect(received).toMatchObject([
      {
        method: 'PUT',
        path: '/v1/records/7',
        body: '{"a":1}',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'idempotency-key': KEY,
          'x-team': 'mine',
          'x-region': 'eu',
        },
      },
    ])
    expect(received[0]!.headers).not.toHaveProperty('authorization')
  })

  it('asks with GET unless told otherwise, for the base itself unless told otherwise', async () => {
    const { call, run, received } = await calling()
    await call({})
    await run({ service: 'bare' })
    expect(received.map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/v1'],
      ['GET', '/'],
    ])
  })

  it.each([
    ['/a', { q: 'ä b&c', n: 7, on: true }, '/v1/a?q=%C3%A4+b%26c&n=7&on=true'],
    ['/a?x=%20', { y: ['1', '2'] }, '/v1/a?x=%20&y=1&y=2'],
    ['a', {}, '/v1/a'],
  ])('the query of %s is extended by %j', async (endpoint, query, path) => {
    const { call, received } = await calling()
    await call({ endpoint, query })
    expect(received[0]!.path).toBe(path)
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '../admin',
    '/a/..%2fadmin',
    '/a/%2e%2e/b',
    'javascript:alert(1)',
  ])('S17: the endpoint %s is refused, and no connection made', async (endpoint) => {
    const { call, connections } = await calling()
    expect(failureIn(await call({ endpoint }))).toMatchObject({
      error: { type: 'invalid_configuration', code: 'path_must_be_relative', retryable: false },
      effect: 'none',
    })
    expect(connections()).toBe(0)
  })

  it('a service that does not exist is told with the nearest that does, for good', async () => {
    const { run } = await calling()
    expect(failureIn(await run({ service: 'crn' }))).toMatchObject({
      error: { type: 'invalid_configuration', message: 'there is no service “crn”; did you mean crm?' },
      effect: 'none',
      permanent: true,
    })
    expect(failureIn(await run({ service: 'constructor' })).error.message).toContain('expected its baseUrl')
  })

  it.each(['', 'ftp://x', 'https://user:pass@api.example', 'https://api.example/?a=1'])(
    'a base URL that cannot be one (%j) is refused when the process starts',
    (baseUrl) => {
      expect(() => createApiCall({ outbox, services: { crm: { baseUrl } } })).toThrow(
        expect.objectContaining({ code: 'destination_forbidden' }),
      )
    },
  )
})

describe('authentication', () => {
  it.each([
    ['none', { type: 'none' }, {}, '/v1'],
    ['bearer', { type: 'bearer', token: SECRET }, { authorization: `Bearer ${SECRET}` }, '/v1'],
    ['basic', { type: 'basic', username: 'ä', password: 'p:w' }, { authorization: 'Basic w6Q6cDp3' }, '/v1'],
    ['api_key, header', { type: 'api_key', header: 'X-Key', key: SECRET }, { 'x-key': SECRET }, '/v1'],
    ['api_key, query', { type: 'api_key', query: 'key', key: 'a&b' }, {}, '/v1?key=a%26b'],
  ])('%s', async (_, authentication, headers, path) => {
    const { call, received } = await calling()
    const done = await call({ authentication })
    expect(received).toMatchObject([{ path, headers }])
    expect(JSON.stringify(done)).not.toMatch(/canary|a%26b|a&b/)
  })

  it('a 401 to what is no token of ours is not tried again here', async () => {
    const { call, received } = await calling(() => ({ status: 401 }))
    const failure = failureIn(await call({ authentication: { type: 'bearer', token: SECRET } }))
    expect(failure).toMatchObject({ error: { type: 'authentication_failed', retryable: false } })
    expect(failure.permanent).toBeUndefined()
    expect(received).toHaveLength(1)
  })
})

describe('what comes of it', () => {
  it('result, event, metadata and cost', async () => {
    const { call } = await calling(() => json({ id: 7 }, 201))
    expect(await call({ endpoint: '/records', method: 'POST', payload: {} })).toMatchObject({
      outcome: {
        result: { statusCode: 201, data: { id: 7 } },
        event: {
          type: 'api_called',
          payload: {
            service: 'crm',
            endpoint: '/records',
            method: 'POST',
            statusCode: 201,
            responseTime: expect.any(Number),
          },
        },
      },
      metadata: { service: 'crm', statusCode: 201 },
      costEstimate: 0.5,
    })
  })

  it('a service without a price is free; without any price nothing is said', async () => {
    const { run, url } = await calling()
    expect(await run({ service: 'bare' })).toMatchObject({ costEstimate: 0 })
    const unpriced = performing(createApiCall({ outbox, services: { bare: { baseUrl: url } } }))
    const done = await unpriced({ service: 'bare' })
    expect(resultIn(done)).toMatchObject({ statusCode: 200 })
    expect(done).not.toHaveProperty('costEstimate')
  })
})

describe('F-043, F-044: the config', () => {
  const runner = createApiCall({ outbox })
  const service = 'crm'
  const oauth2 = { type: 'oauth2', tokenEndpoint: SECRET, clientId: SECRET, clientSecret: SECRET }

  it.each([
    [{}, 'service: expected the name of a service'],
    [{ service: '' }, 'service: expected the name of a service'],
    [{ service, url: 'https://x' }, '“url” is not a known key: give service and endpoint'],
    [{ service, endpoit: '/' }, 'did you mean endpoint?'],
    [{ service, method: 'GET', payload: 1 }, 'payload: a GET carries no payload'],
    [{ service, query: { a: null } }, 'query.a: '],
    [
      { service, authentication: { type: 'oauth' } },
      'expected a type: none, bearer, basic, api_key or oauth2',
    ],
    [{ service, authentication: { type: 'bearer' } }, 'authentication.token: expected text'],
    [{ service, authentication: { type: 'bearer', token: SECRET, tokn: SECRET } }, 'did you mean token?'],
    [
      { service, authentication: { type: 'basic', username: 'a:b', password: SECRET } },
      'a name without a colon',
    ],
    [{ service, authentication: { type: 'api_key', key: SECRET } }, 'one of the two'],
    [
      { service, authentication: { type: 'api_key', key: SECRET, header: 'a', query: 'b' } },
      'one of the two',
    ],
    [
      { service, authentication: { type: 'api_key', key: SECRET, header: 'a b' } },
      'expected a name of letters',
    ],
    [
      { service, authentication: { ...oauth2, clientSecret: '' } },
      'authentication.clientSecret: expected text',
    ],
    [{ service, authentication: { ...oauth2, tokenUrl: SECRET } }, 'it is called tokenEndpoint'],
    [{ service, authentication: { ...oauth2, clientAuthentication: 'body' } }, 'expected header or form'],
    [
      { service, authentication: oauth2, headers: { Authorization: SECRET } },
      'headers.Authorization: is written by authentication',
    ],
    [
      {
        service,
        authentication: { type: 'api_key', key: SECRET, header: 'X-Key' },
        headers: { 'x-key': SECRET },
      },
      'headers.x-key: is written by authentication',
    ],
  ])('%j is refused, and no value is quoted', (config, message) => {
    const { isValid, errors } = runner.validateConfig(config)
    expect(isValid).toBe(false)
    expect(errors.map(({ path, message: each }) => `${path}: ${each}`).join('\n')).toContain(message)
    expect(JSON.stringify(errors)).not.toContain('canary')
  })

  it.each([
    [{ service, authentication: oauth2, headers: { 'X-Key': 'a' } }],
    [{ service, authentication: { type: 'none' }, headers: { Authorization: 'a' } }],
    [{ service, authentication: { type: 'api_key', key: 'a', query: 'b' }, headers: { Authorization: 'a' } }],
  ])('%j fits', (config) => {
    expect(runner.validateConfig(config)).toEqual({ isValid: true, errors: [] })
  })
})
