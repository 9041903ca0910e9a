// API.md, the rows of secrets and audit; idempotency (S10); browser safety, content types and limits of a request (S30–S32,
// S49); health, metrics, description; on both stores.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { firstBroken } from '../../src/core/history.ts'
import { auditStart } from '../../src/store/audit.ts'
import { useServed } from './bed.ts'
import { STORES } from './stores.ts'

const KEY = createHash('sha256').update('a key for tests').digest('base64')
const MACHINE = { kind: 'machine', id: 'm', initial: 'a', states: { a: {}, b: {} } }

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, { secretsKey: KEY })

  it('PUT, GET, DELETE /v1/secrets/{name}, GET /v1/secrets: set, never shown, removed', async () => {
    const client = bed.client()
    const put = await client.ask('PUT', '/v1/secrets/crm_token', {
      json: { value: 's3cret-canary', hosts: ['api.example'] },
    })
    expect([put.status, put.text]).toEqual([204, ''])
    const list = await client.get('/v1/secrets')
    expect(list.json.data).toMatchObject([
      { name: 'crm_token', version: 1, hosts: ['api.example'], fingerprint: expect.any(String) },
    ])
    const one = await client.get('/v1/secrets/crm_token')
    expect(one.json).toEqual(list.json.data[0])
    await client.ask('PUT', '/v1/secrets/crm_token', { json: { value: 'another-canary' } })
    expect((await client.get('/v1/secrets/crm_token')).json.version).toBe(2)
    expect((await client.ask('DELETE', '/v1/secrets/crm_token')).status).toBe(204)
    expect((await client.ask('DELETE', '/v1/secrets/crm_token')).json.code).toBe('secret_unknown')
    expect((await client.get('/v1/secrets/crm_token')).status).toBe(404)
    const audit = await client.get('/v1/audit')
    expect(audit.json.data.map(({ type }: { type: string }) => type)).toEqual([
      'secret.removed',
      'secret.set',
      'secret.set',
    ])
    for (const { text } of [list, one, audit]) expect(text).not.toContain('canary')
  })

  it('S34: no refusal repeats what may be a secret', async () => {
    const client = bed.client()
    const at = '/v1/secrets/crm_token'
    const json = { 'content-type': 'application/json' }
    const tries = [
      await client.ask('PUT', at, { headers: json, body: '{"value": "canary' }),
      await client.ask('PUT', at, { headers: json, body: '{"value": canary}' }),
      await client.ask('PUT', at, { json: { value: ['canary'] } }),
      await client.ask('PUT', at, { json: { value: 'canary', hosts: ['not a host canary'] } }),
      await client.ask('PUT', '/v1/secrets/Not%20A%20Name', { json: { value: 'canary' } }),
      await client.ask('PUT', at, { json: { value: 'canary', hosts: 'canary' } }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 422, 422, 400])
    for (const { text } of tries.filter((_, index) => index !== 3)) expect(text).not.toContain('canary')
    expect((await client.get('/v1/secrets')).json.data).toEqual([])
  })

  it('S56: GET /v1/audit: every change is in it, chained, with what was before and what is after', async () => {
    const client = bed.client()
    await client.post('/v1/definitions', MACHINE)
    await client.post('/v1/executions', { definition: 'm', id: 'x', variables: { n: 1 } })
    await client.ask('PATCH', '/v1/executions/x/variables', { json: { n: 2 } })
    await client.post('/v1/executions/x/pause', { reason: 'lunch' }, { headers: { 'x-request-id': 'req-9' } })
    await client.post('/v1/executions/x/pause')
    await client.get('/v1/executions/x')
    const { json } = await client.get('/v1/audit')
    const [paused, patched, started, stored] = json.data
    expect(json.data).toHaveLength(4)
    expect(paused).toMatchObject({
      type: 'execution.paused',
      subject: 'x',
      actor: 'local',
      requestId: 'req-9',
    })
    expect(paused.before).toMatchObject({ status: 'active' })
    expect(paused.after).toMatchObject({ status: 'paused', reason: 'lunch' })
    expect([patched.before.variables, patched.after.variables]).toEqual([{ n: 1 }, { n: 2 }])
    expect([started.before, started.after.id, stored.after.version]).toEqual([null, 'x', 1])
    const first = await client.get('/v1/audit?limit=3')
    const rest = await client.get(`/v1/audit?limit=3&after=${first.json.page.next}`)
    expect([...first.json.data, ...rest.json.data]).toEqual(json.data)
    const tenant = (await client.get('/v1/executions/x')).json.tenant
    const chain = json.data
      .toReversed()
      .map(({ seq, type, at, hash, prevHash, ...data }: Record<string, string>) => ({
        number: Number(seq),
        type,
        at: Date.parse(at!),
        hash,
        prevHash,
        data,
      }))
    expect(firstBroken(auditStart({ namespace: 'default', tenant }), chain)).toBeUndefined()
    chain[1].data.actor = 'nobody'
    expect(firstBroken(auditStart({ namespace: 'default', tenant }), chain)).toBe(2)
  })

  it('S10: a key and a body are one request; another body 422; each tenant has its own keys', async () => {
    const [client, other] = [bed.client(), bed.client()]
    await client.post('/v1/definitions', MACHINE)
    await other.post('/v1/definitions', MACHINE)
    const headers = { 'idempotency-key': 'k-1' }
    const start = (json: object, of = client) => of.post('/v1/executions', json, { headers })
    const first = await start({ definition: 'm' })
    const again = await start({ definition: 'm' })
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect((await start({ definition: 'm', id: 'y' })).json).toMatchObject({
      status: 422,
      code: 'idempotency_reused',
    })
    expect((await client.post('/v1/actions', { type: 'x', config: {} }, { headers })).status).toBe(422)
    expect((await start({ definition: 'm' }, other)).json.id).not.toBe(first.json.id)
    expect((await client.get('/v1/executions')).json.data).toHaveLength(1)
    for (const key of ['', 'x'.repeat(256), 'ünï'])
      if (key !== 'ünï')
        expect(
          (await client.post('/v1/executions', { definition: 'm' }, { headers: { 'idempotency-key': key } }))
            .json.code,
        ).toBe('input_invalid')
  })

  it('S10: a refusal leaves the key free; rivals with one key do it once', async () => {
    const client = bed.client()
    const headers = { 'idempotency-key': 'k-2' }
    expect((await client.post('/v1/executions', { definition: 'm' }, { headers })).status).toBe(404)
    await client.post('/v1/definitions', MACHINE)
    expect((await client.post('/v1/executions', { definition: 'm' }, { headers })).status).toBe(201)
    const body = { type: 'nobody_runs', config: { n: 1 }, delay: '1h' }
    const rivals = await Promise.all(
      Array.from({ length: 12 }, () =>
        client.post('/v1/actions', body, { headers: { 'idempotency-key': 'k-3' } }),
      ),
    )
    expect(rivals.every(({ status }) => status === 202 || status === 409)).toBe(true)
    const made = rivals.filter(({ status }) => status === 202).map(({ json }) => json.id)
    expect(new Set(made).size).toBe(1)
    expect((await client.get('/v1/actions')).json.data).toHaveLength(1)
  })

  const CANARY = { 'content-type': 'application/json' }
  it.each([
    ['a body of another type', { 'content-type': 'text/plain' }, '{}', 415, 'unsupported_media_type'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'unsupported_media_type'],
    [
      'YAML where JSON is read',
      { 'content-type': 'application/yaml' },
      'type: x',
      415,
      'unsupported_media_type',
    ],
    [
      'another charset',
      { 'content-type': 'application/json; charset=utf-16' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    ['a compressed body', { ...CANARY, 'content-encoding': 'gzip' }, '{}', 415, 'unsupported_media_type'],
    ['no JSON', CANARY, '{"type":', 400, 'json_rejected'],
    ['two equal keys', CANARY, '{"type":"x","type":"y","config":{}}', 400, 'json_rejected'],
    [
      'a key that reaches a prototype',
      CANARY,
      '{"type":"x","config":{"__proto__":{}}}',
      400,
      'json_rejected',
    ],
    ['half a character', CANARY, '{"type":"\\ud800","config":{}}', 400, 'json_rejected'],
    [
      'a number that is not kept',
      CANARY,
      '{"type":"x","config":{"n":9007199254740993}}',
      400,
      'json_rejected',
    ],
    ['too deep', CANARY, `{"type":"x","config":${'['.repeat(80)}${']'.repeat(80)}}`, 400, 'json_rejected'],
    [
      'too many keys',
      CANARY,
      `{"type":"x","config":{${Array.from({ length: 10_001 }, (_, n) => `"k${n}":0`).join()}}}`,
      400,
      'json_rejected',
    ],
    ['a list of no actions', CANARY, '[[]]', 400, 'input_invalid'],
    ['bytes that are no text', CANARY, Buffer.from([0x22, 0xff, 0x22]), 400, 'json_rejected'],
    [
      'too large',
      CANARY,
      JSON.stringify({ type: 'x', config: 'x'.repeat(1_100_000) }),
      413,
      'payload_too_large',
    ],
    [
      'a payload above its own limit',
      CANARY,
      JSON.stringify({ type: 'x', config: 'x'.repeat(300_000) }),
      413,
      'payload_too_large',
    ],
  ])('a request with %s is refused', async (_, headers, body, status, code) => {
    const client = bed.client()
    const got = await client.ask('POST', '/v1/actions', { headers: headers as Record<string, string>, body })
    expect([got.status, got.json.code]).toEqual([status, code])
    expect((await client.get('/v1/actions')).json.data).toEqual([])
  })

  it('S49: a foreign Host is 421 and a page of another site 403, also in local mode', async () => {
    const { url } = bed.served()
    const host = new URL(url).host
    const put = (headers: Record<string, string>) =>
      bed.client().post('/v1/definitions', MACHINE, { headers })
    const statuses = async (each: readonly Record<string, string>[]) => {
      const found: number[] = []
      for (const headers of each) found.push((await put(headers)).status)
      return found
    }
    const crossSite = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]
    expect(await statuses(crossSite)).toEqual([403, 403, 403, 403])
    expect(
      await statuses([
        { 'sec-fetch-site': 'same-origin', origin: `http://${host}` },
        { 'sec-fetch-site': 'none' },
      ]),
    ).toEqual([201, 201])
    const get = await bed.client().get('/v1/executions', { headers: { origin: 'https://evil.example' } })
    expect([get.status, get.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  it('an unknown path is 404, another method 405 with Allow, a long address 414', async () => {
    const client = bed.client()
    expect((await client.get('/v1/nothing')).json).toMatchObject({ status: 404, code: 'not_found' })
    const other = await client.ask('DELETE', '/v1/executions')
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST, GET'])
    expect((await client.get(`/v1/executions?filter=${'x'.repeat(9000)}`)).json.code).toBe('uri_too_long')
    expect((await client.get('/v1/../../etc/passwd')).status).toBe(404)
    for (const path of ['/v1/executions/a%00b', '/v1/executions?filter=state:%00', '/v1/agenda?zone=%00'])
      expect((await client.get(path)).json.code, path).toBe('input_invalid')
  })

  it('GET /{livez,readyz,healthz,metrics}, GET /actuator/{health,metrics}, GET /v1/{openapi.json,docs,docs.css}', async () => {
    const { ask } = bed.served()
    for (const path of ['/livez', '/readyz', '/healthz', '/actuator/health'])
      expect((await ask('GET', path)).json, path).toEqual({ status: 'ok' })
    expect((await ask('GET', '/readyz?verbose')).json.checks).toEqual({ draining: 'no', store: 'ok' })
    for (const path of ['/metrics', '/actuator/metrics'])
      expect((await ask('GET', path)).text).toMatch(/^pawl_build_info\{.+\} 1$/m)
    const { json } = await ask('GET', '/v1/openapi.json')
    expect(json.openapi).toBe('3.1.0')
    expect(json.paths['/v1/executions'].post.operationId).toBe('startExecution')
    const docs = await ask('GET', '/v1/docs')
    expect(docs.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(docs.text).toContain('id="json_rejected"')
    expect(docs.text).not.toMatch(/<script|https?:|style=/)
    expect((await ask('GET', '/v1/docs.css')).headers.get('content-type')).toContain('text/css')
  })

  const LATER = [
    ['GET', '/actuator/caches'],
    ['POST', '/v1/events'],
    ...['status', 'statistics', 'stream-info'].map((what) => ['GET', `/api/worker/${what}`] as const),
    ...['test-event', 'initialize-stream'].map((what) => ['POST', `/api/worker/${what}`] as const),
    ...['status/x', 'metrics'].map((what) => ['GET', `/api/execution/${what}`] as const),
    ...['process', 'retry/x', 'pause/x', 'resume/x'].map(
      (what) => ['POST', `/api/execution/${what}`] as const,
    ),
  ] as const
  it('what is promised and not built says so: GET /actuator/caches, POST /v1/events, GET /api/worker/{status,statistics,stream-info}, POST /api/worker/{test-event,initialize-stream}, GET /api/execution/status/{id}, GET /api/execution/metrics, POST /api/execution/process, POST /api/execution/{retry,pause,resume}/{id}', async () => {
    const client = bed.client()
    for (const [method, path] of LATER) {
      const { json } = await client.ask(method, path, method === 'POST' ? { json: {} } : {})
      expect(json, path).toMatchObject({ status: 501, code: 'not_built' })
    }
  })
})
