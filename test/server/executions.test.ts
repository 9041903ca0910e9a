// API.md, the rows of definitions and executions, with literal bodies, against a spawned server on both stores.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../processes/receiver.ts'
import { leaseOf, useServed } from './bed.ts'
import { type Client, until } from './checked.ts'
import { STORES } from './stores.ts'

const YAML = readFileSync(new URL('../definitions/good/lease.yaml', import.meta.url), 'utf8')
const LEASE_JSON = readFileSync(new URL('../definitions/good/lease.json', import.meta.url), 'utf8')
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const HASH = /^[0-9a-f]{64}$/

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, { work: true })
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
  })
  afterAll(() => receiver.close())

  const withLease = async (): Promise<Client> => {
    const client = bed.client()
    expect((await client.post('/v1/definitions', leaseOf(`${receiver.url}/hook`))).status).toBe(201)
    return client
  }
  const started = async (id: string, variables = {}): Promise<Client> => {
    const client = await withLease()
    expect((await client.post('/v1/executions', { definition: 'lease', id, variables })).status).toBe(201)
    return client
  }

  it('POST /v1/definitions: 201 with kind, id, version, hash; the same content 200; another content the next version', async () => {
    const client = bed.client()
    const send = (type: string, body: string) =>
      client.ask('POST', '/v1/definitions', { headers: { 'content-type': type }, body })
    const first = await send('application/yaml', YAML)
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      kind: 'machine',
      id: 'lease',
      version: 1,
      hash: expect.stringMatching(HASH),
    })
    expect(first.headers.get('location')).toBe('/v1/definitions/machine/lease')
    const again = await send('application/json; charset=utf-8', LEASE_JSON)
    expect([again.status, again.json]).toEqual([200, first.json])
    const changed = await send('application/yaml', YAML.replace('14d', '15d'))
    expect([changed.status, changed.json.version]).toEqual([201, 2])
    const list = await client.get('/v1/definitions')
    expect(list.json).toEqual({
      data: [{ ...changed.json, createdAt: expect.stringMatching(INSTANT) }],
      page: { hasMore: false },
    })
    const one = await client.get('/v1/definitions/machine/lease')
    expect(one.json).toMatchObject({ version: 2, content: { id: 'lease', initial: 'active' } })
    expect(one.json.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    expect((await client.get('/v1/definitions/machine/nobody')).json.code).toBe('definition_unknown')
    expect((await client.get('/v1/definitions/dragon/lease')).status).toBe(404)
  })

  it('POST /v1/definitions: what is wrong is told with its line, and nothing is stored', async () => {
    const client = bed.client()
    const body = 'kind: machine\nid: bad\ninitial: nowhere\nstates:\n  a: {}\n'
    const refused = await client.ask('POST', '/v1/definitions', {
      headers: { 'content-type': 'application/yaml' },
      body,
    })
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({ code: 'invalid_definition', errors: [{ path: 'initial', line: 3 }] })
    expect((await client.get('/v1/definitions')).json.data).toEqual([])
  })

  it('GET /v1/definitions, GET /v1/definitions/{kind}/{id}: If-None-Match 304, If-Match 412 unless it is the newest, If-None-Match * only where there is none', async () => {
    const client = await withLease()
    const path = '/v1/definitions/machine/lease'
    const etag = (await client.get(path)).headers.get('etag')!
    expect((await client.get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const next = { ...leaseOf(receiver.url), description: 'next' }
    const put = (headers: Record<string, string>, body: object = next) =>
      client.post('/v1/definitions', body, { headers })
    expect((await put({ 'if-match': `"${'0'.repeat(64)}"` })).json).toMatchObject({
      status: 412,
      code: 'precondition_failed',
    })
    expect((await put({ 'if-none-match': '*' })).status).toBe(412)
    expect((await put({ 'if-match': 'W/"x"' })).status).toBe(400)
    expect((await put({ 'if-match': etag })).status).toBe(201)
    expect((await put({ 'if-none-match': '*' }, { ...next, id: 'another' })).status).toBe(201)
  })

  it('POST /v1/executions: 201; same id and input 200; other input 409; unknown definition 404', async () => {
    const client = await withLease()
    const body = { definition: 'lease', id: 'l_882', variables: { landlord: 'ada' } }
    const first = await client.post('/v1/executions', body)
    expect(first.status).toBe(201)
    expect(first.json).toEqual({
      id: 'l_882',
      kind: 'machine',
      definition: 'lease',
      version: expect.stringMatching(HASH),
      status: 'active',
      state: 'active',
      variables: { landlord: 'ada' },
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
      namespace: 'default',
      tenant: expect.any(String),
    })
    const again = await client.post('/v1/executions', { ...body, kind: 'machine' })
    expect([again.status, again.json]).toEqual([200, first.json])
    const other = await client.post('/v1/executions', { ...body, variables: { landlord: 'bob' } })
    expect([other.status, other.json.code]).toEqual([409, 'execution_exists'])
    expect((await client.post('/v1/executions', { definition: 'leese' })).json.code).toBe(
      'definition_unknown',
    )
    expect((await client.post('/v1/executions', { definition: 'lease', kind: 'journey' })).status).toBe(501)
    expect((await client.get('/v1/executions/l_882')).json).toEqual(first.json)
    expect((await client.get('/v1/executions/nobody')).json.code).toBe('execution_not_found')
  })

  it('GET /v1/executions, GET /v1/executions/{id}: filter, limit, after', async () => {
    const client = await withLease()
    for (const id of ['a', 'b', 'c']) await client.post('/v1/executions', { definition: 'lease', id })
    await client.post('/v1/executions/b/cancel')
    const ids = ({ json }: { json: { data: { id: string }[] } }) => json.data.map(({ id }) => id)
    const first = await client.get('/v1/executions?limit=2')
    expect(ids(first)).toHaveLength(2)
    expect(first.json.page).toEqual({ next: expect.any(String), hasMore: true })
    const rest = await client.get(`/v1/executions?limit=2&after=${encodeURIComponent(first.json.page.next)}`)
    expect([...ids(first), ...ids(rest)].toSorted()).toEqual(['a', 'b', 'c'])
    expect(rest.json.page).toEqual({ hasMore: false })
    expect(ids(await client.get('/v1/executions?filter=status:cancelled+definition:lease'))).toEqual(['b'])
    expect(ids(await client.get('/v1/executions?filter=state:%22nowhere%22'))).toEqual([])
    for (const bad of [
      'filter=stauts:dead',
      'filter=status:dad',
      'limit=0',
      'limit=251',
      'limit=x',
      'offset=3',
    ])
      expect((await client.get(`/v1/executions?${bad}`)).status, bad).toBe(400)
    const moved = await client.get(
      `/v1/executions?limit=1&after=${encodeURIComponent(first.json.page.next)}x`,
    )
    expect([moved.status, moved.json.code]).toEqual([400, 'invalid_cursor'])
  })

  it('POST /v1/executions/{id}/events: applied once; what the state does not take is 200 with the reason', async () => {
    const client = await started('l_1')
    const path = '/v1/executions/l_1/events'
    const event = { type: 'notice.received', payload: { until: '2026-12-31' }, id: 'evt_1' }
    const first = await client.post(path, event)
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ applied: true, duplicate: false, execution: { id: 'l_1' } })
    expect((await client.post(path, event)).json).toMatchObject({ applied: false, duplicate: true })
    const ignored = await client.post(path, { type: 'nobody.knows' })
    expect([ignored.status, ignored.json]).toMatchObject([200, { applied: false, reason: 'no_transition' }])
    const ended = await until(
      () => client.get('/v1/executions/l_1'),
      ({ json }) => json.state === 'terminating',
    )
    expect(ended.json.nextAt).toMatch(INSTANT)
    expect((await client.post('/v1/executions/nobody/events', { type: 'x' })).status).toBe(404)
  })

  it('PATCH /v1/executions/{id}/variables: a dry run says the difference and changes nothing', async () => {
    const client = await started('l_1', { landlord: 'ada', rent: 900 })
    const patch = (query: string, json: object) =>
      client.ask('PATCH', `/v1/executions/l_1/variables${query}`, { json })
    const dry = await patch('?dryRun=true', { rent: 950 })
    expect([dry.status, dry.json]).toMatchObject([
      200,
      { execution: { variables: { landlord: 'ada', rent: 950 } }, plan: { variables: { rent: 950 } } },
    ])
    expect((await client.get('/v1/executions/l_1')).json.variables.rent).toBe(900)
    const done = await patch('', { rent: 950, note: 'x' })
    expect(done.json.plan.variables).toEqual({ rent: 950, note: 'x' })
    expect(done.json.execution.variables).toEqual({ landlord: 'ada', rent: 950, note: 'x' })
    expect((await client.get('/v1/executions/l_1')).json.variables).toEqual(done.json.execution.variables)
    expect((await patch('?dryRun=yes', {})).status).toBe(400)
    expect((await client.ask('PATCH', '/v1/executions/nobody/variables', { json: {} })).status).toBe(404)
  })

  it('POST /v1/executions/{id}/{pause,resume,cancel}: an event to a paused one is 202 and applied on resume; a second time 409', async () => {
    const client = await started('l_1')
    const paused = await client.post('/v1/executions/l_1/pause', { reason: 'holiday' })
    expect([paused.status, paused.json.status]).toEqual([200, 'paused'])
    expect((await client.post('/v1/executions/l_1/pause')).json).toMatchObject({ status: 409 })
    const kept = await client.post('/v1/executions/l_1/events', {
      type: 'notice.received',
      payload: { until: 'x' },
    })
    expect([kept.status, kept.json]).toMatchObject([
      202,
      { accepted: true, applied: false, reason: 'paused' },
    ])
    expect((await client.get('/v1/executions/l_1/why')).json.reasons[0].code).toBe('paused')
    expect((await client.post('/v1/executions/l_1/resume')).status).toBe(200)
    await until(
      () => client.get('/v1/executions/l_1'),
      ({ json }) => json.state === 'terminating',
    )
    const cancelled = await client.ask('POST', '/v1/executions/l_1/cancel')
    expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled'])
    expect((await client.post('/v1/executions/l_1/cancel')).json.code).toBe('execution_conflict')
    expect((await client.post('/v1/executions/nobody/pause')).status).toBe(404)
  })

  it('GET /v1/executions/{id}/{history,timeline,actions,why}: in order, hash-chained; past, now and planned', async () => {
    const client = await started('l_1')
    await client.post('/v1/executions/l_1/events', { type: 'notice.received', payload: { until: 'x' } })
    await until(
      () => client.get('/v1/executions/l_1'),
      ({ json }) => json.state === 'terminating',
    )
    const history = await client.get('/v1/executions/l_1/history')
    const entries = history.json.data
    expect(entries.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
    for (const [index, entry] of entries.entries())
      if (index > 0) expect(entry.prevHash).toBe(entries[index - 1].hash)
    expect(entries[1]).toMatchObject({
      type: 'execution.transitioned',
      data: { from: 'active', to: 'notice_received', event: { type: 'notice.received' } },
    })
    const page = await client.get('/v1/executions/l_1/history?limit=2')
    expect(page.json.page.hasMore).toBe(true)
    const timeline = await client.get('/v1/executions/l_1/timeline')
    const whens = timeline.json.data.map(({ when }: { when: string }) => when)
    expect(whens).toEqual(['past', 'past', 'past', 'now', 'planned'])
    expect(timeline.json.data[3].what).toBe('active in terminating')
    const first = await client.get('/v1/executions/l_1/timeline?limit=1')
    expect(first.json.data.map(({ what }: { what: string }) => what)).toEqual([
      '· → active by execution.started',
    ])
    const actions = await client.get('/v1/executions/l_1/actions')
    expect(actions.json.data).toMatchObject([
      { name: 'tell', type: 'webhook', status: 'succeeded', executionId: 'l_1' },
    ])
    const why = await client.get('/v1/executions/l_1/why')
    expect(why.json).toMatchObject({
      status: 'active',
      reasons: [
        { code: 'timer', text: expect.stringMatching(/^it is in “terminating”: its timer .* fires in /) },
      ],
    })
    for (const what of ['history', 'timeline', 'actions', 'why'])
      expect((await client.get(`/v1/executions/nobody/${what}`)).json.code, what).toBe('execution_not_found')
  })
})
