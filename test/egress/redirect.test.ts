import { describe, expect, it } from 'vitest'
import { bodyOf, openEgress, resolver, serve } from './bed.ts'

/** Sends `/<status>/<path>` on to where `to` says, and echoes everything else. */
const serveRedirects = (to: () => string) =>
  serve(async (request, response) => {
    const status = Number(/^\/(3\d\d)$/.exec(request.url!)?.[1] ?? 200)
    const body = await bodyOf(request)
    if (status !== 200) response.writeHead(status, { location: to() })
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
  })

const names = { 'a.example': ['127.0.0.1'], 'b.example': ['127.0.0.1'] }
const OPTIONS = { allow: ['127.0.0.1'], resolve: resolver(names) }
const SECRETS = { Authorization: 'Bearer s', Cookie: 'c=1', 'X-API-Key': 'k', 'X-Plain': 'p' }
const request = { json: { a: 1 }, headers: SECRETS, sensitive: ['x-api-key'], redirects: 3 }

describe('S14, X-04: redirects', () => {
  it.each([301, 302, 303, 307, 308])('%i is an answer unless the caller follows', async (status) => {
    const server = await serveRedirects(() => '/end')
    const egress = openEgress(OPTIONS)
    expect((await egress.fetch(`http://a.example:${server.port}/${status}`)).status).toBe(status)
    expect(server.requests).toEqual([`GET /${status}`])
    expect((await egress.fetch(`http://a.example:${server.port}/${status}`, { redirects: 1 })).status).toBe(
      200,
    )
  })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
    [303, 'HEAD', 'HEAD'],
  ])('%i after %s is %s', async (status, method, then) => {
    const server = await serveRedirects(() => '/end')
    const { json: _, ...rest } = request
    const sent = method === 'HEAD' ? rest : request
    const answer = await openEgress(OPTIONS).fetch(`http://a.example:${server.port}/${status}`, {
      ...sent,
      method,
    })
    expect(server.requests).toEqual([`${method} /${status}`, `${then} /end`])
    if (then === 'HEAD') return
    const seen = await answer.json()
    expect(seen.body).toBe(then === 'GET' ? '' : '{"a":1}')
    expect('content-type' in seen.headers).toBe(then !== 'GET')
  })

  it('S20: credentials and sensitive headers go along on one origin, and not to another', async () => {
    let to = '/end'
    const server = await serveRedirects(() => to)
    const egress = openEgress(OPTIONS)
    const same = await (await egress.fetch(`http://a.example:${server.port}/307`, request)).json()
    expect(same.headers).toMatchObject({
      authorization: 'Bearer s',
      cookie: 'c=1',
      'x-api-key': 'k',
      'x-plain': 'p',
    })
    to = `http://b.example:${server.port}/end`
    const other = await (await egress.fetch(`http://a.example:${server.port}/307`, request)).json()
    expect(other.headers).toMatchObject({ 'x-plain': 'p', host: `b.example:${server.port}` })
    for (const name of ['authorization', 'cookie', 'x-api-key'])
      expect(other.headers).not.toHaveProperty(name)
  })

  it('S20: what was dropped does not come back on the way back', async () => {
    const second = await serveRedirects(() => `http://a.example:${first.port}/end`)
    const first = await serveRedirects(() => `http://b.example:${second.port}/307`)
    const seen = await (await openEgress(OPTIONS).fetch(`http://a.example:${first.port}/307`, request)).json()
    expect(seen.url).toBe('/end')
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(seen.headers).not.toHaveProperty(name)
  })

  it('a ring ends after as many as were allowed', async () => {
    const server = await serveRedirects(() => '/302')
    await expect(
      openEgress(OPTIONS).fetch(`http://a.example:${server.port}/302`, { redirects: 3 }),
    ).rejects.toMatchObject({
      code: 'redirect_not_followed',
      message: 'a redirect was not followed: there were more than 3',
    })
    expect(server.requests.length).toBe(4)
  })

  it.each([
    ['http://user:pass@a.example/', /credentials/],
    ['ftp://a.example/', /scheme/],
    ['javascript:x', /scheme/],
    ['\\\\b.example/', /cannot be read/],
    ['//[', /cannot be read/],
    ['http://', /not written/],
  ])('to %j is not followed', async (to, message) => {
    const server = await serveRedirects(() => to)
    await expect(
      openEgress(OPTIONS).fetch(`http://a.example:${server.port}/302`, { redirects: 3 }),
    ).rejects.toMatchObject({
      code: 'redirect_not_followed',
      message: expect.stringMatching(message),
    })
    expect(server.requests.length).toBe(1)
  })

  it('S17: an origin that was named is not left, by the request or by a redirect', async () => {
    const server = await serveRedirects(() => `http://b.example:${server.port}/end`)
    const egress = openEgress(OPTIONS)
    const [a, b] = ['a', 'b'].map((name) => `http://${name}.example:${server.port}`)
    await expect(egress.fetch(`${a}/end`, { origin: b! })).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
    expect(server.connections()).toBe(0)
    await expect(egress.fetch(`${a}/302`, { origin: `${a}/`, redirects: 3 })).rejects.toMatchObject({
      code: 'redirect_not_followed',
    })
    expect(server.requests).toEqual(['GET /302'])
    expect((await egress.fetch(`${a}/end`, { origin: a! })).ok).toBe(true)
  })

  it('a hop that cannot be reached is not "nothing happened"', async () => {
    const server = await serveRedirects(() => 'http://nowhere.example:8080/')
    const failure = openEgress(OPTIONS).fetch(`http://a.example:${server.port}/307`, request)
    await expect(failure).rejects.toMatchObject({
      code: 'ECONNRESET',
      message: expect.stringContaining('nowhere.example'),
    })
    await expect(failure).rejects.not.toHaveProperty('syscall')
  })

  it('a redirect without a location, and 300 and 304, are answers', async () => {
    const server = await serve((incoming, response) =>
      response.writeHead(Number(incoming.url!.slice(1))).end(),
    )
    for (const status of [300, 302, 304])
      expect(
        (await openEgress(OPTIONS).fetch(`http://a.example:${server.port}/${status}`, { redirects: 3 }))
          .status,
      ).toBe(status)
  })
})
