import { expect, it } from 'vitest'
import { createApiCall } from '../../../src/runners/api-call/api-call.ts'
import { createWebhook } from '../../../src/runners/webhook/webhook.ts'
import { onEachStore } from '../../engine/bed.ts'
import { emptyOutbox, failureIn, performing, receiver, resultIn } from './bed.ts'

const outbox = emptyOutbox()

/** `/n` leads to `/n-1`; `/0` is the end. */
const serveHops = () =>
  receiver(({ path }) => {
    const left = Number(/\d+/.exec(path)?.[0] ?? 0)
    return left === 0 ? { body: 'there' } : { status: 308, headers: { location: `/${left - 1}` } }
  })

it('X-04: a webhook follows as many redirects as its config says, and no more', async () => {
  const { url, received } = await serveHops()
  const send = performing(createWebhook({ outbox }))
  const type = async (config: object) => failureIn(await send({ ...config } as never)).error.type
  expect(await type({ url: `${url}/1` })).toBe('redirect_not_followed')
  expect(await type({ url: `${url}/3`, redirects: 2 })).toBe('redirect_not_followed')
  expect(await type({ url: `${url}/1`, redirects: 6 })).toBe('invalid_configuration')
  const before = received.length
  const { data } = resultIn(await send({ url: `${url}/2`, redirects: 2, payload: { a: 1 } })) as {
    data: string
  }
  expect(data).toBe('there')
  expect(received.slice(before).map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/2', '{"a":1}'],
    ['POST', '/1', '{"a":1}'],
    ['POST', '/0', '{"a":1}'],
  ])
})

it('X-04: an api_call stays on the origin of its service, and each hop is checked', async () => {
  const other = await receiver(() => ({ body: 'off' }))
  const service = await receiver(({ path }) => ({
    status: path === '/ok' ? 200 : 307,
    headers: { location: path === '/near' ? '/ok' : path === '/off' ? other.url : 'http://10.0.0.1/' },
  }))
  const call = performing(createApiCall({ outbox, services: { crm: { baseUrl: service.url } } }))
  const authentication = { type: 'bearer', token: 'not-for-others' }
  const to = (endpoint: string) => call({ service: 'crm', endpoint, authentication, redirects: 3 })
  expect(resultIn(await to('/near'))).toMatchObject({ statusCode: 200 })
  expect(failureIn(await to('/off')).error.type).toBe('redirect_not_followed')
  expect(failureIn(await to('/private')).error.type).toBe('redirect_not_followed')
  expect(other.connections()).toBe(0)
})

onEachStore('S20: a secret bound to a host', (bed) => {
  it('is not led off it by a redirect, nor sent elsewhere, whoever bound it', async () => {
    const other = await receiver(() => ({ body: 'off' }))
    const bound = await receiver(() => ({ status: 307, headers: { location: other.url } }))
    const env = { PAWL_SECRET_TOKEN: 'canary-token-1', PAWL_SECRET_TOKEN_HOSTS: `127.0.0.1:${bound.port}` }
    const hosts = { other: [`127.0.0.1:${bound.port}`] }
    const pawl = await bed.open({
      egress: { allow: ['127.0.0.0/8'] },
      secrets: { env: { ...env, PAWL_SECRET_OTHER: 'canary-other-2' }, hosts },
    })
    const send = async (url: string, name: string) => {
      const headers = { 'x-key': `{{secrets.${name}}}` }
      const options = { retryPolicy: { maxAttempts: 1 } }
      const { id } = await pawl.dispatch({ type: 'webhook', config: { url, headers, redirects: 2 }, options })
      await pawl.advance({ by: '1m' })
      return (await pawl.actions.get(id))?.error
    }
    for (const name of ['token', 'other']) {
      expect(await send(bound.url, name)).toMatchObject({ type: 'redirect_not_followed' })
      expect(await send(other.url, name)).toMatchObject({ code: 'secret_destination_mismatch' })
    }
    expect(bound.received.map(({ headers }) => headers['x-key'])).toEqual([
      'canary-token-1',
      'canary-other-2',
    ])
    expect(other.connections()).toBe(0)
  })
})
