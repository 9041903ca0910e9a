import { describe, expect, it } from 'vitest'
import { builtInRunners } from '../../../src/runners/built-in.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import type { AnyRunner } from '../../../src/runners/runner.ts'
import { KEY, performing, receiver, resultIn } from './bed.ts'

const OF = { namespace: 'default', tenant: 'default' }
const SECRET = 'canary-9d1f'
const WHSEC = `whsec_${Buffer.from('canary-canary-canary-canary').toString('base64')}`

const openAll = (deps: Partial<Parameters<typeof builtInRunners>[0]> = {}) => {
  const outbox = createOutbox()
  const runners = builtInRunners({ outbox, ...deps })
  const run = (type: string) => performing(runners.find((each) => each.type === type) as AnyRunner)
  return { outbox, runners, run }
}

const WEBHOOK = {
  url: 'https://crm.example/hook',
  headers: { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' },
  payload: { a: 1 },
  signing: { secret: WHSEC },
}
const API_CALL = {
  service: 'unknown',
  endpoint: '/records/1',
  method: 'PUT',
  query: { a: 1 },
  headers: { 'X-Key': SECRET },
  authentication: { type: 'oauth2', tokenEndpoint: SECRET, clientId: SECRET, clientSecret: SECRET },
  payload: 'text',
}

describe('X-22: the sandbox', () => {
  it('a webhook: nothing is sent, and what would have been is kept without its secrets', async () => {
    const { outbox, run } = openAll()
    const done = await run('webhook')({ ...WEBHOOK, provider: 'sandbox' }, { now: () => 5000 })
    expect(done).toMatchObject({
      outcome: {
        result: { statusCode: 200, headers: {}, data: null },
        event: { type: 'webhook_called', payload: { url: WEBHOOK.url, method: 'POST', statusCode: 200 } },
      },
    })
    expect(await outbox.list(OF)).toEqual([
      {
        at: 5000,
        ...OF,
        type: 'webhook',
        key: KEY,
        content: {
          url: WEBHOOK.url,
          method: 'POST',
          payload: { a: 1 },
          headers: {
            'content-type': 'application/json',
            authorization: '‹hidden›',
            'idempotency-key': KEY,
            'webhook-id': KEY,
            'webhook-timestamp': '5',
            'webhook-signature': '‹hidden›',
          },
        },
      },
    ])
  })

  it('an api_call: no token is asked for, and the service need not exist', async () => {
    const { outbox, run } = openAll()
    resultIn(await run('api_call')({ ...API_CALL, provider: 'sandbox' }))
    const [entry] = await outbox.list(OF, 'api_call')
    expect(entry!.content).toEqual({
      service: 'unknown',
      endpoint: '/records/1',
      method: 'PUT',
      query: { a: '1' },
      payload: 'text',
      headers: { 'x-key': '‹hidden›' },
      authentication: 'oauth2',
    })
  })

  it.each([
    ['webhook', WEBHOOK],
    ['api_call', API_CALL],
  ])(
    '%s answers the first status that is expected, and keeps an absent payload as null',
    async (type, config) => {
      const { outbox, run } = openAll()
      const { payload: _, ...bare } = config
      const done = await run(type)({ ...bare, provider: 'sandbox', expectedStatusCodes: [202, 200] })
      expect(resultIn(done)).toMatchObject({ statusCode: 202 })
      expect((await outbox.list(OF))[0]!.content['payload']).toBeNull()
      expect(JSON.stringify(await outbox.list(OF))).not.toMatch(/canary|Y2FuYXJ5/)
    },
  )

  it('is the default when it is made so, and http is still had by its name', async () => {
    const { url, received } = await receiver(() => ({}))
    const services = { crm: { baseUrl: url } }
    const { outbox, run } = openAll({ defaultProvider: 'sandbox', services })
    await run('webhook')({ url })
    await run('api_call')({ service: 'crm' })
    expect([received.length, (await outbox.list(OF)).length]).toEqual([0, 2])
    await run('webhook')({ url, provider: 'http' })
    await run('api_call')({ service: 'crm', provider: 'http' })
    expect([received.length, (await outbox.list(OF)).length]).toEqual([2, 2])
  })

  it('is never the default by itself', async () => {
    const { url, received } = await receiver(() => ({}))
    const { outbox, run } = openAll({ services: { crm: { baseUrl: url, cost: 2 } }, costs: { webhook: 1 } })
    expect(await run('webhook')({ url })).toMatchObject({ costEstimate: 1 })
    expect(await run('api_call')({ service: 'crm' })).toMatchObject({ costEstimate: 2 })
    expect(await run('api_call')({ service: 'crm', provider: 'sandbox' })).toMatchObject({ costEstimate: 0 })
    expect([received.length, (await outbox.list(OF)).length]).toEqual([2, 1])
  })

  it('a refused config is refused here too', async () => {
    const { outbox, run } = openAll({ defaultProvider: 'sandbox' })
    expect(await run('webhook')({ url: 7 })).toMatchObject({ outcome: { kind: 'failed' } })
    expect(await outbox.list(OF)).toEqual([])
  })
})

describe('the built-in runners', () => {
  it('are these, with the events that API.md names', () => {
    const { runners } = openAll()
    expect(runners.map(({ type, event }) => [type, event])).toEqual([
      ['webhook', 'webhook_called'],
      ['api_call', 'api_called'],
      ['delay', 'delay_elapsed'],
    ])
  })

  it('mark the places where a secret may stand', () => {
    const { runners } = openAll()
    expect(runners.map(({ definition }) => definition.secrets ?? [])).toEqual([
      ['/headers/*', '/signing/secret', '/signing/previousSecret'],
      ['/headers/*', '/authentication/*'],
      [],
    ])
  })

  it('a delay is over when it runs, and says how to wait to those who look for it in the config', async () => {
    const { runners, run } = openAll()
    expect(await run('delay')({}, { now: () => Date.UTC(2026, 0, 5, 9) })).toMatchObject({
      outcome: {
        result: { elapsedAt: '2026-01-05T09:00:00.000Z' },
        event: { type: 'delay_elapsed', payload: { elapsedAt: '2026-01-05T09:00:00.000Z' } },
      },
    })
    resultIn(await run('delay')({ provider: 'sandbox' }))
    const { errors } = runners[2]!.validateConfig({ duration: '5m', provider: 'x' })
    expect(JSON.stringify(errors)).toContain('the wait is an option of the action')
    expect(JSON.stringify(errors)).toContain('expected sandbox')
  })
})
