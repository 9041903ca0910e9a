// Who may do what (S01–S06): the matrix of routes, roles and tenants against a table written by hand; another tenant's id
// and one that does not exist, byte for byte; and how local mode ends.

import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../src/server/routes.ts'
import { ACCESS, ROLES, type Role } from './access-table.ts'
import { useServed } from './bed.ts'
import { type Client, clientOf, until } from './checked.ts'
import { askAt, startServed } from './served.ts'
import { newStore, STORES } from './stores.ts'

/** The health of a name that nobody used is told with its window. */
const NOW = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const LINES = ROUTES.map(({ method, path }) => ({ line: `${method} ${path}`, method, path }))
const MACHINE = {
  kind: 'machine',
  id: 'm',
  initial: 'a',
  states: { a: { after: { '9d': 'b' } }, b: { final: true } },
}

it('every route has a policy, an operation of its own, and a line in the table', () => {
  expect(LINES.map(({ line }) => line).toSorted()).toEqual(Object.keys(ACCESS).toSorted())
  for (const { policy, operation } of ROUTES) expect(['public', ...ROLES], operation).toContain(policy.scope)
  const operations = ROUTES.map(({ operation }) => operation)
  expect(new Set(operations).size).toBe(operations.length)
})

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, {
    host: '0.0.0.0',
    env: {
      PAWL_SERVER_REQUESTS_PER_SECOND: '100000',
      PAWL_SERVER_REQUEST_BURST: '100000',
      PAWL_SERVER_FAILURES_PER_MINUTE: '100000',
    },
  })
  const url = () => bed.served().url.replace('0.0.0.0', '127.0.0.1')
  const as = (token: string | undefined): Client =>
    clientOf(
      { ...bed.served(), ask: (...asked) => askAt(url(), ...asked) },
      token === undefined ? {} : { token },
    )
  const operator = (): Client => as(bed.served().firstKey)

  const tokens = new Map<string, string>()
  const tokenOf = async (tenant: string, scopes: readonly Role[]): Promise<string> => {
    const name = `${tenant} ${scopes.join(' ')}`
    const known = tokens.get(name)
    if (known !== undefined) return known
    const { status, json } = await operator().post('/v1/keys', { name, namespace: 'default', tenant, scopes })
    expect(status).toBe(201)
    tokens.set(name, json.token)
    return json.token
  }

  const pathOf = (path: string, id: string): string =>
    path.replace(/\{kind\}/, 'machine').replace(/\{\w+\}/, id)
  const send = (
    token: string | undefined,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ) =>
    askAt(url(), method, path, {
      token,
      headers: { 'x-request-id': 'fixed', ...headers },
      ...(method !== 'GET' && method !== 'DELETE' && { json: {} }),
    })

  it('bound to the world without a key it makes the first one, once, and answers nobody without', async () => {
    expect(bed.served().mode).toBe('keys')
    expect(bed.served().firstKey).toMatch(/^pawl_live_[0-9a-f]{64}$/)
    expect((await as(undefined).get('/v1/executions')).status).toBe(401)
    const { data } = (await operator().get('/v1/keys')).json
    expect(data).toMatchObject([{ name: 'first', scopes: ['admin'], operator: true, tenant: 'default' }])
    expect(JSON.stringify(data)).not.toContain(bed.served().firstKey)
  })

  it('S01: no key, a garbled, an expired and a revoked one are answered alike at every route', async () => {
    const soon = await operator().post('/v1/keys', {
      name: 'soon',
      scopes: ['admin'],
      expiresAt: new Date(Date.now() + 2000).toISOString(),
    })
    const revoked = await operator().post('/v1/keys', { name: 'revoked', scopes: ['admin'] })
    expect((await operator().ask('DELETE', `/v1/keys/${revoked.json.id}`)).status).toBe(204)
    expect((await operator().ask('DELETE', `/v1/keys/${revoked.json.id}`)).status).toBe(404)
    await until(
      () => send(soon.json.token, 'GET', '/v1/keys'),
      ({ status }) => status === 401,
    )
    const bad = [undefined, 'x', 'pawl_live_'.padEnd(74, '0'), soon.json.token, revoked.json.token]
    for (const { method, path, line } of LINES) {
      if (ACCESS[line] === 'public') continue
      const answers = await Promise.all(bad.map((token) => send(token, method, pathOf(path, 'x'))))
      for (const { status, text, headers } of answers) {
        expect([status, headers.get('www-authenticate'), text], line).toEqual([
          401,
          'Bearer realm="pawl"',
          answers[0]!.text,
        ])
      }
    }
  })

  it('S03: every role at every route is let in or refused as the table says', async () => {
    const deviations: string[] = []
    for (const role of ROLES) {
      const token = await tokenOf('matrix', [role])
      for (const { method, path, line } of LINES) {
        if (line === 'GET /v1/stream') continue
        const allowed = ACCESS[line]!
        const { status } = await send(token, method, pathOf(path, 'x'))
        const isIn = allowed === 'public' || allowed.includes(role)
        if (status === 401 || (status === 403) === isIn) deviations.push(`${role} ${line}: ${status}`)
      }
    }
    expect(deviations).toEqual([])
  })

  it('S02: another tenant’s id is answered byte for byte like one that does not exist', async () => {
    const [mine, theirs] = [await tokenOf('mine', ['admin']), await tokenOf('theirs', ['admin'])]
    const ids = { executions: 'x_shared', keys: 'key_none', secrets: 'shared', definitions: 'm', actions: '' }
    // An action's id is drawn: it is asked for before by its name only once it is known.
    const withIds = LINES.filter(({ path, line }) => path.includes('{') && ACCESS[line] !== 'public')
    const owner = as(theirs)
    const made = await owner.post('/v1/actions', { type: 'nobody_runs', config: {}, delay: '1h' })
    const askAll = async (token: string): Promise<Record<string, string>> => {
      const answers: Record<string, string> = {}
      for (const { method, path, line } of withIds) {
        const id =
          path.startsWith('/v1/actions') || path.startsWith('/v1/dead') ? made.json.id : ids.executions
        const { status, text, headers } = await send(token, method, pathOf(path, id))
        answers[line] =
          `${status} ${JSON.stringify([...headers].filter(([name]) => !/^(date|ratelimit)/.test(name)))} ${text.replace(NOW, 'now')}`
      }
      return answers
    }
    const before = await askAll(mine)
    await owner.post('/v1/definitions', { ...MACHINE, id: ids.executions })
    await owner.post('/v1/executions', { definition: ids.executions, id: ids.executions })
    expect((await owner.get(`/v1/executions/${ids.executions}`)).status).toBe(200)
    expect((await owner.get(`/v1/actions/${made.json.id}`)).status).toBe(200)
    const after = await askAll(mine)
    expect(after).toEqual(before)
    const never = await send(mine, 'GET', `/v1/actions/${made.json.id.replace(/.$/, '!')}`)
    const foreign = await send(mine, 'GET', `/v1/actions/${made.json.id}`)
    expect(never.text.replaceAll('!', made.json.id.at(-1)!)).toBe(foreign.text)
    const list = await as(mine).get('/v1/actions')
    expect(list.json.data).toEqual([])
  })

  it('S05: a namespace or tenant that is not the key’s is 400; repeated it is fine', async () => {
    const client = as(await tokenOf('mine', ['read']))
    for (const query of ['tenant=theirs', 'namespace=other', 'namespace=other&tenant=mine'])
      expect((await client.get(`/v1/executions?${query}`)).json, query).toMatchObject({
        status: 400,
        code: 'tenant_mismatch',
      })
    expect((await client.get('/v1/executions?namespace=default&tenant=mine')).status).toBe(200)
    expect((await client.get('/v1/executions?tenant=mine&tenant=theirs')).json.code).toBe('input_invalid')
    const admin = as(await tokenOf('mine', ['admin']))
    const foreign = await admin.post('/v1/keys', { name: 'x', tenant: 'theirs', scopes: ['read'] })
    expect(foreign.json.code).toBe('tenant_mismatch')
    expect((await admin.get('/v1/keys?tenant=theirs')).json.code).toBe('tenant_mismatch')
    expect((await operator().get('/v1/keys?tenant=mine')).json.data.length).toBeGreaterThan(0)
    expect((await operator().get('/v1/executions?tenant=mine')).json.code).toBe('tenant_mismatch')
  })

  it('POST /v1/keys: the token is in one answer, also under an Idempotency-Key', async () => {
    const body = { name: 'once', scopes: ['read'] }
    const headers = { 'idempotency-key': 'make-a-key' }
    const first = await operator().post('/v1/keys', body, { headers })
    expect(first.json.token).toMatch(/^pawl_live_/)
    const again = await operator().post('/v1/keys', body, { headers })
    expect([again.status, again.json.id, again.json.token]).toEqual([201, first.json.id, undefined])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await operator().get(`/v1/keys/${first.json.id}`)).json).toEqual(again.json)
    expect((await operator().post('/v1/keys', { ...body, expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(
      422,
    )
    expect((await operator().post('/v1/keys', { ...body, scopes: ['root'] })).status).toBe(400)
  })

  it('GET, DELETE /v1/keys/{id}: a revoked key is refused at once, and an expired one when its time has come', async () => {
    const { json } = await operator().post('/v1/keys', { name: 'short', scopes: ['read'] })
    const client = as(json.token)
    expect((await client.get('/v1/executions')).status).toBe(200)
    await operator().ask('DELETE', `/v1/keys/${json.id}`)
    expect((await client.get('/v1/executions')).status).toBe(401)
  })

  it('GET /v1/keys: local mode ends with the first key, which must be able to make others; S50: who guesses keys has to wait', async () => {
    const served = await startServed({ store: await newStore(store) })
    try {
      expect(served.mode).toBe('local')
      expect((await served.ask('GET', '/v1/executions?tenant=any&namespace=where')).status).toBe(200)
      const weak = await served.ask('POST', '/v1/keys', { json: { name: 'weak', scopes: ['read'] } })
      expect([weak.status, weak.json.code]).toEqual([422, 'invalid_option'])
      const made = await served.ask('POST', '/v1/keys', {
        json: { name: 'first', tenant: 'acme', scopes: ['admin'] },
      })
      expect([made.status, made.json.operator, made.json.tenant]).toEqual([201, true, 'acme'])
      const { token } = made.json
      expect((await served.ask('GET', '/v1/executions', { token })).status).toBe(200)
      expect((await served.ask('GET', '/v1/executions')).status).toBe(401)
      expect((await served.ask('POST', '/v1/clock', { token, json: { advanceBy: '1d' } })).json.code).toBe(
        'local_only',
      )
      const guess = (n: number) =>
        served.ask('GET', '/v1/executions', { token: `pawl_live_${n}`.padEnd(74, '0') })
      const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => guess(n)))
      const count = (status: number) => guesses.filter((guessed) => guessed.status === status).length
      expect([count(401), count(429)], 'S50').toEqual([10, 5])
      const refused = await guess(0)
      expect([refused.json.code, Number(refused.headers.get('retry-after'))]).toEqual([
        'rate_limited',
        expect.closeTo(30, -1.8),
      ])
      expect((await served.ask('GET', '/v1/executions', { token })).status).toBe(200)
    } finally {
      await served.end()
    }
  })
})
