// API.md, the rows of actions, dead letters, agenda and workers, with literal bodies, against a spawned server on both
// stores.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accepted, openReceiver, type Receiver } from '../processes/receiver.ts'
import { useServed } from './bed.ts'
import { type Client, until } from './checked.ts'
import { STORES } from './stores.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const HOUR = 3_600_000

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, { work: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterAll(async () => {
    await receiver.close()
  })

  const webhook = (more: object = {}) => ({
    type: 'webhook',
    config: { url: `${receiver.url}/hook`, payload: { a: 1 } },
    ...more,
  })
  const settled = (client: Client, id: string, status: string) =>
    until(
      () => client.get(`/v1/actions/${id}`),
      ({ json }) => json.status === status,
    )
  const dead = async (client: Client): Promise<string> => {
    receiver.answer(() => ({ status: 400, json: { why: 'no' } }))
    const { json } = await client.post('/v1/actions', webhook({ retryPolicy: { maxAttempts: 1 } }))
    await settled(client, json.id, 'dead')
    receiver.answer(accepted)
    return json.id
  }

  it('POST /v1/actions: 202 with the action, which is then done; GET /v1/actions/{id} shows its attempts', async () => {
    const client = bed.client()
    const made = await client.post(
      '/v1/actions',
      webhook({ name: 'tell', priority: 70, tags: ['x'], metadata: { n: 1 } }),
    )
    expect(made.status).toBe(202)
    expect(made.headers.get('location')).toBe(`/v1/actions/${made.json.id}`)
    expect(made.json).toMatchObject({
      id: expect.stringMatching(/^act_/),
      name: 'tell',
      type: 'webhook',
      source: { kind: 'direct' },
      config: { url: `${receiver.url}/hook`, payload: { a: 1 } },
      dueAt: expect.stringMatching(INSTANT),
      priority: 70,
      maxAttempts: 3,
      idempotencyKey: expect.stringMatching(/^key_/),
      tags: ['x'],
      metadata: { n: 1 },
    })
    const done = await settled(client, made.json.id, 'succeeded')
    expect(done.json.attempts).toMatchObject([
      { number: 1, outcome: 'succeeded', worker: expect.any(String) },
    ])
    expect(receiver.callsOf(made.json.idempotencyKey)).toHaveLength(1)
  })

  it('POST /v1/actions: a dedup key that is held gives the action that holds it', async () => {
    const client = bed.client()
    const body = webhook({ delay: '1h', dedup: { key: 'once', while: 'active' } })
    const first = await client.post('/v1/actions', body)
    const second = await client.post('/v1/actions', body)
    expect([second.status, second.json.id, second.json.deduplicated]).toEqual([202, first.json.id, true])
    expect(first.json.deduplicated).toBeUndefined()
    expect(first.json.dedupKey).toBe('once')
  })

  it('POST /v1/actions: debounced, the last of a key counts; batched, one action has the items of all', async () => {
    const client = bed.client()
    const quiet = (n: number) =>
      webhook({ config: { url: receiver.url, payload: { n } }, debounce: { key: 'k', wait: '1h' } })
    const [first, last] = [
      await client.post('/v1/actions', quiet(1)),
      await client.post('/v1/actions', quiet(2)),
    ]
    expect([last.status, last.json.id, last.json.deduplicated]).toEqual([202, first.json.id, true])
    expect(last.json.config.payload).toEqual({ n: 2 })
    const item = (n: number) => ({
      type: 'sum',
      config: { items: [n] },
      batch: { key: 'b', size: 2, wait: '1h' },
    })
    const [one, two] = [await client.post('/v1/actions', item(1)), await client.post('/v1/actions', item(2))]
    expect([two.json.id, two.json.config]).toEqual([one.json.id, { items: [1, 2] }])
    const both = await client.post('/v1/actions', { ...item(3), debounce: { key: 'k', wait: '1h' } })
    expect([both.status, both.json.code]).toEqual([422, 'invalid_option'])
  })

  it.each([
    [400, 'unknown_field', { status: 'succeeded' }],
    [400, 'unknown_field', { tenant: 'other' }],
    [400, 'unknown_field', { attempt: 3 }],
    [400, 'input_invalid', { priority: 101 }],
    [400, 'input_invalid', { delay: { s: 1 } }],
    [422, 'duration_out_of_range', { delay: -1 }],
    [422, 'duration_out_of_range', { delay: '10000d' }],
    [422, 'invalid_duration', { timeout: 'soon' }],
    [422, 'invalid_policy', { retryPolicy: { maxAttempts: 0 } }],
    [422, 'config_invalid', { condition: { nope: [1] } }],
    [413, 'payload_too_large', { config: { url: 'https://a.example', payload: 'x'.repeat(300_000) } }],
  ])('POST /v1/actions: %i %s for %.60j', async (status, code, more) => {
    const client = bed.client()
    const got = await client.post('/v1/actions', webhook(more))
    expect([got.status, got.json.code]).toEqual([status, code])
    expect((await client.get('/v1/actions')).json.data).toEqual([])
  })

  it('an unknown action type is accepted, stays queued, and why says that no worker knows it', async () => {
    const client = bed.client()
    const { status, json } = await client.post('/v1/actions', { type: 'carrier_pigeon', config: {} })
    expect([status, json.status]).toEqual([202, 'queued'])
    const why = await client.get(`/v1/actions/${json.id}/why`)
    expect(why.json).toMatchObject({
      status: 'ready',
      reasons: [{ code: 'no_worker', text: expect.any(String) }],
    })
  })

  it('GET /v1/actions/{id}/why, POST /v1/actions/{id}/run-now: a scheduled one says when; made due now it is done', async () => {
    const client = bed.client()
    const { json } = await client.post('/v1/actions', webhook({ delay: '1h' }))
    expect(json).toMatchObject({ status: 'queued', shown: 'scheduled' })
    const why = await client.get(`/v1/actions/${json.id}/why`)
    expect(why.json).toMatchObject({
      status: 'scheduled',
      reasons: [{ code: 'scheduled', until: json.dueAt }],
      eta: json.dueAt,
    })
    expect((await client.post(`/v1/actions/${json.id}/run-now`)).status).toBe(200)
    await settled(client, json.id, 'succeeded')
    const again = await client.post(`/v1/actions/${json.id}/run-now`)
    expect([again.status, again.json]).toMatchObject([409, { code: 'action_conflict', actual: 'succeeded' }])
  })

  it('POST /v1/actions/{id}/{cancel,resolve}, POST /api/worker/executions/{id}/cancel: 200, then 409; an id that is not there is 404 for every verb', async () => {
    const client = bed.client()
    const { json } = await client.post('/v1/actions', webhook({ delay: '1h' }))
    const cancelled = await client.post(`/v1/actions/${json.id}/cancel`, { reason: 'not needed' })
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled'])
    expect((await client.post(`/v1/actions/${json.id}/cancel`)).status).toBe(409)
    const other = await client.post('/v1/actions', webhook({ delay: '1h' }))
    const path = `/api/worker/executions/${other.json.id}/cancel`
    const stopped = await client.post(`${path}?reason=holiday`)
    expect([stopped.status, stopped.json.status, stopped.json.error.message]).toEqual([
      200,
      'cancelled',
      'holiday',
    ])
    for (const verb of ['run-now', 'retry', 'cancel', 'archive'])
      expect((await client.post(`/v1/actions/nobody/${verb}`)).json.code, verb).toBe('action_not_found')
    const unresolved = await client.post('/v1/actions/nobody/resolve', { outcome: 'succeeded' })
    expect(unresolved.json.code).toBe('action_not_found')
    expect((await client.post(`/v1/actions/${json.id}/resolve`, { outcome: 'succeeded' })).status).toBe(409)
    expect((await client.post(`/v1/actions/${json.id}/resolve`, { outcome: 'maybe' })).status).toBe(400)
  })

  it('GET /v1/dead-letters, GET /v1/dead-letters/groups, POST /v1/dead-letters/{id}/{retry,archive}', async () => {
    const client = bed.client()
    const id = await dead(client)
    const list = await client.get('/v1/dead-letters')
    expect(list.json.data).toMatchObject([
      { id, status: 'dead', error: { type: expect.any(String), retryable: false } },
    ])
    const groups = await client.get('/v1/dead-letters/groups')
    expect(groups.json.data).toMatchObject([
      { actionType: 'webhook', count: 1, firstAt: expect.stringMatching(INSTANT) },
    ])
    const retried = await client.post(`/v1/dead-letters/${id}/retry`)
    expect(retried.status).toBe(200)
    await settled(client, id, 'succeeded')
    const other = await dead(client)
    expect((await client.post(`/v1/dead-letters/${other}/archive`)).json.archivedAt).toMatch(INSTANT)
    expect((await client.get('/v1/dead-letters')).json.data).toEqual([])
    expect((await client.post(`/v1/dead-letters/${other}/retry`)).status).toBe(409)
  })

  it('POST /v1/actions/{id}/replay: the same action again; with another config a new one', async () => {
    const client = bed.client()
    const id = await dead(client)
    const replayed = await client.post(`/v1/actions/${id}/replay`)
    expect([replayed.status, replayed.json.id]).toEqual([200, id])
    await settled(client, id, 'succeeded')
    const other = await dead(client)
    const edited = await client.post(`/v1/actions/${other}/replay`, {
      config: { url: `${receiver.url}/edited` },
    })
    expect(edited.json.id).not.toBe(other)
    await settled(client, edited.json.id, 'succeeded')
  })

  it('POST /v1/dead-letters/replay: a dry run counts, a bulk does it; GET /v1/bulk, GET /v1/bulk/{id}, POST /v1/bulk/{id}/stop', async () => {
    const client = bed.client()
    const ids = [await dead(client), await dead(client)]
    const dry = await client.post('/v1/dead-letters/replay', { filter: { type: 'webhook' }, dryRun: true })
    expect([dry.status, dry.json]).toEqual([200, { count: 2 }])
    const bulk = await client.post('/v1/dead-letters/replay', {
      filter: { type: 'webhook' },
      ratePerSecond: 50,
    })
    expect([bulk.status, bulk.headers.get('location')]).toEqual([202, `/v1/bulk/${bulk.json.id}`])
    const done = await until(
      () => client.get(`/v1/bulk/${bulk.json.id}`),
      ({ json }) => json.status === 'completed',
    )
    expect(done.json).toMatchObject({ total: 2, done: 2, succeeded: 2, failed: 0 })
    for (const id of ids) await settled(client, id, 'succeeded')
    expect((await client.get('/v1/bulk')).json.data).toMatchObject([{ id: bulk.json.id }])
    expect((await client.post(`/v1/bulk/${bulk.json.id}/pause`)).status).toBe(409)
    expect((await client.get('/v1/bulk/nobody')).status).toBe(404)
    expect((await client.post('/v1/bulk/nobody/stop')).status).toBe(404)
  })

  it('GET /v1/actions: filters and pages', async () => {
    const client = bed.client()
    for (const type of ['a', 'b', 'a'])
      await client.post('/v1/actions', { type, config: {}, delay: '1h', tags: [`of-${type}`] })
    const count = async (filter: string) =>
      (await client.get(`/v1/actions?filter=${filter}`)).json.data.length
    expect([
      await count('type:a'),
      await count('status:queued+type:b'),
      await count('tag:of-a'),
      await count('status:dead'),
    ]).toEqual([2, 1, 2, 0])
    const first = await client.get('/v1/actions?limit=2&filter=status:queued')
    const rest = await client.get(`/v1/actions?limit=2&filter=status:queued&after=${first.json.page.next}`)
    expect([first.json.data.length, rest.json.data.length, rest.json.page.hasMore]).toEqual([2, 1, false])
    const other = await client.get(`/v1/actions?limit=2&after=${first.json.page.next}`)
    expect(other.json.code).toBe('invalid_cursor')
  })

  it('GET /v1/agenda: what is to come, in the wall time of a zone', async () => {
    const client = bed.client()
    const dueAt = new Date(Math.ceil(Date.now() / HOUR) * HOUR + 2 * HOUR)
    const { json } = await client.post('/v1/actions', {
      type: 'a',
      config: {},
      dueAt: dueAt.toISOString(),
      summary: 'Tell Ada',
    })
    const agenda = await client.get('/v1/agenda?zone=Asia/Kolkata')
    const shifted = new Date(dueAt.getTime() + 5.5 * HOUR).toISOString().slice(0, 19)
    expect(agenda.json.data).toEqual([
      {
        at: dueAt.toISOString(),
        local: `${shifted}+05:30`,
        zone: 'Asia/Kolkata',
        what: 'Tell Ada',
        type: 'action',
        source: { kind: 'direct', id: json.id },
        actionId: json.id,
      },
    ])
    const none = await client.get(`/v1/agenda?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
    expect(none.json).toEqual({ data: [], page: { hasMore: false } })
    expect((await client.get('/v1/agenda?zone=BST')).json.code).toBe('invalid_zone')
    expect((await client.get('/v1/agenda?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).status).toBe(
      422,
    )
  })

  it('GET /v1/workers, GET /v1/stats, GET /v1/health/actions/{name}: who works, and how actions fared', async () => {
    const client = bed.client()
    const workers = await client.get('/v1/workers')
    expect(workers.json.data).toMatchObject([{ types: expect.arrayContaining(['webhook']), slots: 64 }])
    const { json } = await client.post('/v1/actions', webhook({ name: 'tell' }))
    await settled(client, json.id, 'succeeded')
    expect((await client.get('/v1/stats')).status).toBe(200)
    const health = await client.get('/v1/health/actions/tell?window=24h')
    expect(health.json).toMatchObject({ actionId: 'tell', totalExecutions: 1, successRate: 1 })
    expect((await client.get('/v1/health/actions/nobody')).json.successRate).toBe(0)
  })
})
