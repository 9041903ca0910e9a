import { describe, expect, it } from 'vitest'
import { PawlError } from '../core/errors.ts'
import { createClient } from './client.ts'
import type { ClientOptions } from './transport.ts'

interface Seen {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A client whose requests are kept, and answered in turn; the last answer again and again. */
const faked = (answers: readonly (() => Response)[], options: Partial<ClientOptions> = {}) => {
  const seen: Seen[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    const { method = 'GET', headers, body } = init
    seen.push({
      url,
      method,
      headers: headers as Record<string, string>,
      body: body && JSON.parse(String(body)),
    })
    return answers[Math.min(seen.length, answers.length) - 1]!()
  }) as typeof globalThis.fetch
  return { seen, client: createClient({ url: 'http://pawl.test/base/', fetch, ...options }) }
}
const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status })

describe('a request', () => {
  it('goes below the address, with key, tenancy and an idempotency key of its own', async () => {
    const { seen, client } = faked([json({ id: 'e' })], { token: 'pawl_live_x', tenant: 'acme' })
    await client.executions.start({ definition: 'lease', variables: { a: 1 } })
    await client.executions.start({ definition: 'lease' })
    expect(seen[0]).toMatchObject({
      url: 'http://pawl.test/base/v1/executions?tenant=acme',
      method: 'POST',
      body: { definition: 'lease', variables: { a: 1 } },
      headers: { authorization: 'Bearer pawl_live_x', 'content-type': 'application/json' },
    })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[0]).not.toBe(keys[1])
  })

  it('an id is one segment of the path, whatever it holds', async () => {
    const { seen, client } = faked([json({})])
    await client.actions.get('a/../b?c#d')
    expect(seen[0]?.url).toBe('http://pawl.test/base/v1/actions/a%2F..%2Fb%3Fc%23d')
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined()
  })

  it('many actions are one list', async () => {
    const { seen, client } = faked([json([{ id: 'a' }, { id: 'b' }], 202)])
    const made = await client.actions.dispatchMany([
      { type: 'x', config: 1 },
      { type: 'y', config: 2 },
    ])
    expect(made.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(seen[0]).toMatchObject({
      url: 'http://pawl.test/base/v1/actions',
      method: 'POST',
      body: [
        { type: 'x', config: 1 },
        { type: 'y', config: 2 },
      ],
    })
    expect(seen[0]?.headers['idempotency-key']).toBeDefined()
  })

  it('machines are started by the names of their types', async () => {
    const { seen, client } = faked([json({ id: 'l_1' }), json({ applied: true })])
    const run = await createTyped(client).machines.lease.start({ landlord: 'ada' }, { id: 'l_1' })
    await run.send('notice.received', { until: '2026-12-31' }, { id: 'e1' })
    expect(seen.map(({ url, body }) => [url.slice(21), body])).toEqual([
      ['/v1/executions', { definition: 'lease', variables: { landlord: 'ada' }, id: 'l_1' }],
      ['/v1/executions/l_1/events', { type: 'notice.received', payload: { until: '2026-12-31' }, id: 'e1' }],
    ])
  })
})

interface Lease {
  readonly '~types'?: {
    readonly input: { readonly landlord: string }
    readonly events: { readonly 'notice.received': { readonly until: string } }
  }
}
const createTyped = (client: ReturnType<typeof createClient>) =>
  client as unknown as ReturnType<typeof createClient<{ readonly lease: Lease }>>

describe('a refusal', () => {
  it('is the error the library would have thrown, said once', async () => {
    const detail = 'there is no execution “x”; expected an id; did you mean y?'
    const body = {
      code: 'execution_not_found',
      detail,
      expected: 'an id',
      suggestion: 'y',
      requestId: 'req_1',
    }
    const { client } = faked([json(body, 404)])
    const error = await client.executions.get('x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PawlError)
    expect(error).toMatchObject({
      code: 'execution_not_found',
      message: 'there is no execution “x”',
      details: { expected: 'an id', suggestion: 'y', requestId: 'req_1', status: 404 },
    })
  })

  it.each([
    ['a code of a newer server', json({ code: 'from_tomorrow', detail: 'no' }, 418), 'no (from_tomorrow)'],
    [
      'what is not JSON',
      () => new Response('<html>', { status: 502 }),
      'the server answered 502: <html> (502)',
    ],
    ['nothing at all', () => new Response(null, { status: 500 }), 'the server answered 500 (500)'],
  ])('%s is server_failed', async (_, answer, message) => {
    await expect(faked([answer]).client.stats()).rejects.toMatchObject({ code: 'server_failed', message })
  })

  it('a server that is away is server_unreachable', async () => {
    const fetch = (async () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    }) as typeof globalThis.fetch
    const client = createClient({ url: 'http://pawl.test', fetch })
    await expect(client.stats()).rejects.toMatchObject({
      code: 'server_unreachable',
      message: 'no server answers at http://pawl.test: connect ECONNREFUSED',
    })
  })
})

describe('a list', () => {
  const page = (ids: readonly number[], next?: string) =>
    json({ data: ids.map((id) => ({ id })), page: { hasMore: next !== undefined, ...(next && { next }) } })

  it('is walked page by page, each once', async () => {
    const { seen, client } = faked([page([1, 2], 'c1'), page([3], 'c2'), page([])])
    const ids: unknown[] = []
    for await (const { id } of client.actions.list({ status: 'dead', type: 'a b' })) ids.push(id)
    expect(ids).toEqual([1, 2, 3])
    expect(seen.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, 'c1', 'c2'])
    expect(new URL(seen[0]!.url).searchParams.get('filter')).toBe('status:dead type:"a b"')
  })

  it('gives one page when one is wanted, and asks for no more', async () => {
    const { seen, client } = faked([page([1], 'c1')])
    expect(await client.executions.list().page({ limit: 1 })).toMatchObject({ page: { next: 'c1' } })
    expect(seen).toHaveLength(1)
  })

  it('a short one takes no page', async () => {
    const { seen, client } = faked([page([1])])
    for await (const key of client.keys.list()) expect(key).toEqual({ id: 1 })
    expect(seen[0]?.url).toBe('http://pawl.test/base/v1/keys')
  })
})
