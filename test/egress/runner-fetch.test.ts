import { describe, expect, expectTypeOf, it } from 'vitest'
import { classify } from '../../src/core/classify.ts'
import { runnerFetch } from '../../src/egress/runner-fetch.ts'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import { bodyOf, failureOf, openEgress, serve, serveRaw } from './bed.ts'

describe('the fetch of a runner', () => {
  it('is ctx.fetch, to the letter', () => {
    expectTypeOf(runnerFetch).returns.toEqualTypeOf<RunnerContext['fetch']>()
  })

  it('sends what a runner gives and nothing else', async () => {
    const server = await serve(async (request, response) => {
      const body = await bodyOf(request)
      if (request.url === '/away') response.writeHead(302, { location: '/end' })
      response.end(
        JSON.stringify([request.method, request.headers['x-a'], request.headers['content-type'], body]),
      )
    })
    const egress = openEgress({ allow: ['127.0.0.1'], limits: { redirects: 0 } })
    const fetch = runnerFetch(egress, { signal: new AbortController().signal })
    const url = `http://127.0.0.1:${server.port}/`
    expect(await (await fetch(url)).json()).toEqual(['GET', null, null, ''])
    const request = { method: 'PUT', headers: { 'X-A': '1' }, json: { b: 2 } }
    expect(await (await fetch(url, request)).json()).toEqual(['PUT', '1', 'application/json', '{"b":2}'])
    expect(await (await fetch(url, { body: 'x' })).json()).toEqual(['POST', null, null, 'x'])
    // A runner in JavaScript may give more than the type has: limits are not its to say.
    const more: object = { maxBytes: 0, timeoutMs: 1 }
    expect((await fetch(`${url}away`, more)).status).toBe(302)
    expect((await fetch(`${url}away`, { redirects: 1 })).status).toBe(200)
  })

  it('S20: where it follows redirects, only what is no credential leaves the origin', async () => {
    const heard = async () => serve((request, response) => response.end(JSON.stringify(request.headers)))
    const other = await heard()
    const door = await serve((request, response) => {
      const port = request.url === '/off' ? other.port : door.port
      response.writeHead(307, { location: `http://127.0.0.1:${port}/end` }).end()
    })
    const fetch = runnerFetch(openEgress({ allow: ['127.0.0.1'] }), { signal: new AbortController().signal })
    const headers = {
      Authorization: 'a',
      'X-Api-Key': 'b',
      'Idempotency-Key': 'c',
      'content-type': 'text/plain',
    }
    const request = { method: 'POST', headers, body: 'x', redirects: 1 }
    const arrived = await (await fetch(`http://127.0.0.1:${door.port}/off`, request)).json()
    expect(arrived).toMatchObject({ 'idempotency-key': 'c', 'content-type': 'text/plain' })
    expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(['authorization']))
    expect(Object.keys(arrived)).not.toEqual(expect.arrayContaining(['x-api-key']))
    const error = await failureOf(
      fetch(`http://127.0.0.1:${door.port}/off`, { ...request, sameOrigin: true }),
    )
    expect(error).toMatchObject({ code: 'redirect_not_followed' })
    expect(other.connections()).toBe(1)
  })

  it('ends with the attempt, by its signal or its time', async () => {
    const server = await serveRaw(() => {})
    const egress = openEgress({ allow: ['127.0.0.1'] })
    const url = `http://127.0.0.1:${server.port}/`
    await expect(runnerFetch(egress, { signal: AbortSignal.abort('stop') })(url)).rejects.toBe('stop')
    const signal = new AbortController().signal
    const error = await failureOf(runnerFetch(egress, { signal, timeoutMs: 400 })(url))
    expect(classify(error, 0)).toMatchObject({ error: { type: 'timeout' }, effect: 'unknown' })
  })
})
