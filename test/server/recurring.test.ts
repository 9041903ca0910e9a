// with literal bodies, against a spawned server on both stores.

import { describe, expect, it } from 'vitest'
import { useServed } from './bed.ts'
import { check } from './checked.ts'
import type { Served } from './served.ts'
import { STORES } from './stores.ts'

const INSTANT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let tenants = 0

const tenantOf = (served: Served) => {
  tenants += 1
  const tenant = `r${tenants}`
  const of = `namespace=prod&tenant=${tenant}`
  const ask = async (method: string, path: string, json?: unknown) => {
    const full = path.includes('?') ? `${path}&${of}` : `${path}?${of}`
    const got = await served.ask(method, method === 'POST' && path === '/v1/recurring' ? path : full, {
      ...(json !== undefined && { json }),
    })
    check(method, path, got)
    return got
  }
  const body = {
    namespace: 'prod',
    tenant,
    cron_expr: '0 9 * * MON-FRI',
    timezone: 'US/Eastern',
    provider: 'delay',
    action_type: 'digest',
    payload: {},
  }
  return { tenant, ask, body }
}

describe.each(STORES)('recurring actions over HTTP, %s', (store) => {
  const bed = useServed(store, {})

  it('R-031: POST /v1/recurring: created with 201 and its next instant, nine o’clock there', async () => {
    const { ask, body } = tenantOf(bed.served())
    const { status, json } = await ask('POST', '/v1/recurring', {
      ...body,
      metadata: { team: 'ops' },
      dedup_key: '{{recurring_id}}:{{execution_time}}',
      description: 'Morning digest',
      labels: { tier: 'gold' },
      enabled: true,
      ends_at: '2999-01-01T00:00:00Z',
    })
    expect(status).toBe(201)
    expect(json).toEqual({
      recurring_id: expect.stringMatching(UUID),
      next_execution: INSTANT,
      cron_expr: '0 9 * * MON-FRI',
      timezone: 'US/Eastern',
      enabled: true,
    })
    const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
    expect(local.format(new Date(json.next_execution))).toBe('09:00')
  })

  it.each([
    ['a cron that is none', { cron_expr: '61 * * * *' }, 'cron_expr'],
    ['R-041: a date no year has', { cron_expr: '0 0 30 2 *' }, 'cron_expr'],
    ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an abbreviation', { timezone: 'BST' }, ''],
    ['an empty provider', { provider: '' }, 'provider'],
    ['an empty action type', { action_type: '' }, 'action_type'],
    ['a payload that is no object', { payload: [1] }, 'payload'],
    ['an end in the past', { ends_at: '2020-01-01T00:00:00Z' }, 'ends_at'],
    ['an end that is no instant', { ends_at: 'soon' }, 'ends_at'],
    ['no namespace', { namespace: undefined }, 'namespace'],
    ['no tenant', { tenant: undefined }, 'tenant'],
    ['a word nobody knows', { corn_expr: '* * * * *' }, 'corn_expr'],
  ])('R-032: %s is 400 and makes nothing', async (_, wrong, path) => {
    const { ask, body } = tenantOf(bed.served())
    const { status, json } = await ask('POST', '/v1/recurring', { ...body, ...wrong })
    expect([status, json.status]).toEqual([400, 400])
    if (path !== '') expect(JSON.stringify(json.errors)).toContain(path)
    expect((await ask('GET', '/v1/recurring')).json.recurring_actions).toEqual([])
  })

  it('R-001, R-003, R-033, R-034, X-08: GET /v1/recurring, GET /v1/recurring/{id}: listed with the fields that are named, shown in full, 404 where there is none', async () => {
    const { ask, body, tenant } = tenantOf(bed.served())
    const { json: made } = await ask('POST', '/v1/recurring', { ...body, labels: { tier: 'gold' } })
    const off = await ask('POST', '/v1/recurring', { ...body, enabled: false })
    expect(off.json).toMatchObject({ enabled: false, next_execution: null })
    const { json: on } = await ask('GET', '/v1/recurring?enabled=true')
    expect(on.recurring_actions).toEqual([
      {
        id: made.recurring_id,
        cron_expr: '0 9 * * MON-FRI',
        timezone: 'US/Eastern',
        enabled: true,
        description: null,
        provider: 'delay',
        action_type: 'digest',
        next_execution_at: made.next_execution,
        last_executed_at: null,
        execution_count: 0,
        created_at: INSTANT,
        labels: { tier: 'gold' },
      },
    ])
    const { json: shown } = await ask('GET', `/v1/recurring/${made.recurring_id}`)
    expect(shown).toEqual({
      id: made.recurring_id,
      namespace: 'prod',
      tenant,
      cron_expr: '0 9 * * MON-FRI',
      timezone: 'US/Eastern',
      enabled: true,
      action_template: {
        provider: 'delay',
        action_type: 'digest',
        payload: {},
        metadata: {},
        dedup_key: null,
      },
      created_at: INSTANT,
      updated_at: INSTANT,
      last_executed_at: null,
      next_execution_at: made.next_execution,
      ends_at: null,
      execution_count: 0,
      description: null,
      labels: { tier: 'gold' },
      words: 'Weekdays at 09:00 (US/Eastern)',
      success_count: 0,
      failure_count: 0,
      error: null,
      misfire: null,
      overlap: null,
      dst: null,
      jitter: null,
      max_executions: null,
      pause_after_failures: null,
    })
    const none = await ask('GET', '/v1/recurring/00000000-0000-4000-8000-000000000000')
    expect([none.status, none.json.error]).toEqual([404, 'recurring action not found'])
    const bare = await bed.served().ask('GET', '/v1/recurring')
    expect([bare.status, bare.json.error]).toEqual([400, expect.stringContaining('namespace must be named')])
  })

  it('R-035, R-040: PUT /v1/recurring/{id}: what is named changes, what is not stays, and the next instant is computed anew', async () => {
    const { ask, body } = tenantOf(bed.served())
    const { json: made } = await ask('POST', '/v1/recurring', { ...body, metadata: { team: 'ops' } })
    const path = `/v1/recurring/${made.recurring_id}`
    const { status, json } = await ask('PUT', path, { cron_expr: '0 0 1 1 *', payload: { duration: 5 } })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      cron_expr: '0 0 1 1 *',
      timezone: 'US/Eastern',
      next_execution_at: expect.stringMatching(/-01-01T05:00:00.000Z$/),
      action_template: { provider: 'delay', payload: { duration: 5 }, metadata: { team: 'ops' } },
    })
    const wrong = await ask('PUT', path, { timezone: 'Mars/Olympus' })
    expect(wrong.status).toBe(400)
    expect((await ask('GET', path)).json.timezone).toBe('US/Eastern')
  })

  it('R-036, R-037, R-038: POST /v1/recurring/{id}/{pause,resume}, DELETE /v1/recurring/{id}: paused without a next, resumed with one, removed for good', async () => {
    const { ask, body } = tenantOf(bed.served())
    const { json: made } = await ask('POST', '/v1/recurring', body)
    const path = `/v1/recurring/${made.recurring_id}`
    expect((await ask('POST', `${path}/pause`)).json).toEqual({
      id: made.recurring_id,
      enabled: false,
      next_execution_at: null,
    })
    expect((await ask('POST', `${path}/resume`)).json).toEqual({
      id: made.recurring_id,
      enabled: true,
      next_execution_at: made.next_execution,
    })
    const removed = await ask('DELETE', path)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await ask('DELETE', path)).status).toBe(404)
    expect((await ask('GET', '/v1/recurring')).json.recurring_actions).toEqual([])
  })

  it('M-01: POST /v1/recurring/{id}/{run-now,skip-next,backfill}, GET /v1/recurring/{id}/{history,next}', async () => {
    const { ask, body } = tenantOf(bed.served())
    const { json: made } = await ask('POST', '/v1/recurring', {
      ...body,
      cron_expr: '0 0 * * *',
      timezone: 'UTC',
    })
    const path = `/v1/recurring/${made.recurring_id}`
    const { json: preview } = await ask('GET', `${path}/next?n=2`)
    expect(preview.next).toEqual([made.next_execution, INSTANT])
    expect((await ask('POST', `${path}/skip-next`)).json.next_execution_at).toBe(preview.next[1])
    expect((await ask('POST', `${path}/run-now`)).json.execution_count).toBe(1)
    const range = { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z' }
    const filled = await ask('POST', `${path}/backfill`, range)
    expect(filled.json.fired).toEqual(['2020-01-01T00:00:00.000Z', '2020-01-02T00:00:00.000Z'])
    expect((await ask('POST', `${path}/backfill`, range)).json.fired).toEqual([])
    const { json: history } = await ask('GET', `${path}/history`)
    expect(history.data.map(({ fate, reason }: { fate: string; reason: string }) => [fate, reason])).toEqual([
      ['skipped', 'asked'],
      ['fired', 'run_now'],
      ['fired', 'backfill'],
      ['fired', 'backfill'],
    ])
  })
})
