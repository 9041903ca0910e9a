// API.md, the rows of what people see and do: tasks, alerts, the outbox, dead letters in bulk; with literal bodies, against
// a spawned server on both stores.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accepted, openReceiver, type Receiver } from '../processes/receiver.ts'
import { useServed } from './bed.ts'
import { type Client, until } from './checked.ts'
import { STORES } from './stores.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const REPAIR = {
  kind: 'machine',
  id: 'repair',
  initial: 'reported',
  states: {
    reported: {
      enter: {
        type: 'task',
        name: 'call_plumber',
        config: { title: 'Call a plumber', assignee: 'ada', dueIn: '3d', data: { unit: 7 } },
      },
      on: { task_completed: { to: 'planned', set: { day: '{{event.payload.result.day}}' } } },
    },
    planned: { final: true },
  },
}

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, { work: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterAll(() => receiver.close())

  const settled = (client: Client, id: string, status: string) =>
    until(
      () => client.get(`/v1/actions/${id}`),
      ({ json }) => json.status === status,
    )
  const dead = async (client: Client, more: object = {}): Promise<string> => {
    receiver.answer(() => ({ status: 400, json: { why: 'no' } }))
    const { json } = await client.post('/v1/actions', {
      type: 'webhook',
      config: { url: `${receiver.url}/hook` },
      retryPolicy: { maxAttempts: 1 },
      ...more,
    })
    await settled(client, json.id, 'dead')
    return json.id
  }

  it('GET /v1/tasks, GET /v1/tasks/{id}, POST /v1/tasks/{id}/complete: a task is made once, done once, and its machine goes on', async () => {
    const client = bed.client()
    await client.post('/v1/definitions', REPAIR)
    await client.post('/v1/executions', { definition: 'repair', id: 'r_1' })
    const list = await until(
      () => client.get('/v1/tasks?filter=status:open+assignee:ada'),
      ({ json }) => json.data.length === 1,
    )
    const [task] = list.json.data
    expect(list.json.page).toEqual({ hasMore: false })
    expect(task).toEqual({
      id: expect.stringMatching(/^task_/),
      title: 'Call a plumber',
      assignee: 'ada',
      status: 'open',
      dueAt: expect.stringMatching(INSTANT),
      data: { unit: 7 },
      actionId: expect.stringMatching(/^act_/),
      executionId: 'r_1',
      createdAt: expect.stringMatching(INSTANT),
      namespace: 'default',
      tenant: expect.any(String),
    })
    expect((await client.get(`/v1/tasks/${task.id}`)).json).toEqual(task)
    const done = await client.post(`/v1/tasks/${task.id}/complete`, { result: { day: 'Friday' } })
    expect([done.status, done.json]).toEqual([
      200,
      {
        ...task,
        status: 'done',
        completedAt: expect.stringMatching(INSTANT),
        completedBy: 'local',
        result: { day: 'Friday' },
      },
    ])
    expect((await client.get('/v1/executions/r_1')).json).toMatchObject({
      state: 'planned',
      status: 'completed',
      variables: { day: 'Friday' },
    })
    const again = await client.post(`/v1/tasks/${task.id}/complete`, { result: { day: 'Friday' } })
    expect([again.status, again.json]).toEqual([200, done.json])
    const other = await client.post(`/v1/tasks/${task.id}/complete`, { result: { day: 'Monday' } })
    expect([other.status, other.json.code]).toEqual([409, 'task_conflict'])
    expect((await client.post('/v1/tasks/nobody/complete', {})).json.code).toBe('task_not_found')
    expect((await client.get('/v1/tasks/nobody')).json.code).toBe('task_not_found')
    expect((await client.post(`/v1/tasks/${task.id}/complete`, { outcome: 'x' })).json.code).toBe(
      'unknown_field',
    )
    const { data } = (await client.get('/v1/audit')).json
    expect(data.filter(({ type }: { type: string }) => type === 'task.completed')).toHaveLength(1)
  })

  it('GET /v1/alerts, POST /v1/alerts/{id}/acknowledge: one alert of a cause, counted, until somebody looks at it', async () => {
    const client = bed.client()
    await dead(client, { priority: 95, name: 'pay' })
    const newest = await dead(client, { priority: 95, name: 'pay' })
    await dead(client, { priority: 10, name: 'pay' })
    const list = await client.get('/v1/alerts?open=true')
    const [alert] = list.json.data
    expect(list.json).toEqual({ data: [alert], page: { hasMore: false } })
    expect(alert).toEqual({
      id: expect.stringMatching(/^alr_/),
      type: 'action_failed',
      severity: 'high',
      cause: expect.any(String),
      count: 2,
      firstAt: expect.stringMatching(INSTANT),
      lastAt: expect.stringMatching(INSTANT),
      details: {
        actionId: newest,
        name: 'pay',
        actionType: 'webhook',
        priority: 95,
        status: 'dead',
        attempt: 1,
        error: { type: 'malformed_request', message: 'Malformed request', code: 'HTTP_400' },
      },
      namespace: 'default',
      tenant: expect.any(String),
    })
    const seen = await client.post(`/v1/alerts/${alert.id}/acknowledge`, { reason: 'calling the bank' })
    expect([seen.status, seen.json]).toEqual([
      200,
      { ...alert, acknowledgedAt: expect.stringMatching(INSTANT), acknowledgedBy: 'local' },
    ])
    expect((await client.get('/v1/alerts?open=true')).json.data).toEqual([])
    expect((await client.get('/v1/alerts?open=false')).json.data).toEqual([seen.json])
    expect((await client.post('/v1/alerts/nobody/acknowledge')).status).toBe(404)
    expect((await client.get('/v1/alerts?open=maybe')).status).toBe(400)
  })

  it('GET /v1/outbox, GET /v1/outbox/{id}: what the sandbox would have sent', async () => {
    const client = bed.client()
    const { json } = await client.post('/v1/actions', {
      type: 'webhook',
      config: { url: 'https://crm.example/hook', payload: { a: 1 }, provider: 'sandbox' },
    })
    await settled(client, json.id, 'succeeded')
    const [entry] = (await client.get(`/v1/outbox?filter=action:${json.id}`)).json.data
    expect(entry).toMatchObject({ type: 'webhook', actionId: json.id, key: json.idempotencyKey })
    expect((await client.get(`/v1/outbox/${entry.id}`)).json).toEqual(entry)
    expect((await client.get('/v1/outbox/nobody')).json.code).toBe('not_found')
  })

  it('POST /v1/actions/{id}/{retry,archive}: a dead letter comes back, or is put away', async () => {
    const client = bed.client()
    const [kept, put] = [await dead(client), await dead(client)]
    receiver.answer(accepted)
    const retried = await client.post(`/v1/actions/${kept}/retry`, { reason: 'mended' })
    expect([retried.status, retried.json.id]).toEqual([200, kept])
    await settled(client, kept, 'succeeded')
    const archived = await client.post(`/v1/actions/${put}/archive`)
    expect([archived.status, archived.json.status]).toEqual([200, 'dead'])
    expect((await client.post(`/v1/actions/${put}/archive`)).status).toBe(409)
  })

  it('POST /v1/bulk/{id}/{pause,resume}, GET /v1/bulk/{id}/failures: held, let go, and told what failed', async () => {
    const client = bed.client()
    const [one, other] = [await dead(client), await dead(client)]
    const made = await client.post('/v1/dead-letters/replay', {
      filter: { type: 'webhook' },
      ratePerSecond: 1,
    })
    const path = `/v1/bulk/${made.json.id}`
    const paused = await client.post(`/v1/bulk/${made.json.id}/pause`, { reason: 'lunch' })
    expect([paused.status, paused.json.status]).toEqual([200, 'paused'])
    const resumed = await client.post(`/v1/bulk/${made.json.id}/resume`)
    expect([resumed.status, resumed.json.status]).toEqual([200, 'running'])
    const done = await until(
      () => client.get(path),
      ({ json }) => json.status === 'completed',
    )
    expect(done.json).toMatchObject({ total: 2, done: 2, succeeded: 0, failed: 2 })
    const failures = await client.get(`/v1/bulk/${made.json.id}/failures`)
    expect(failures.json.data.map(({ actionId }: { actionId: string }) => actionId).toSorted()).toEqual(
      [one, other].toSorted(),
    )
  })
})
