// `POST /v1/actions` with a list, on both stores: all of them or none, answered in order.

import { describe, expect, it } from 'vitest'
import { useServed } from './bed.ts'
import { STORES } from './stores.ts'

const action = (n: number, more: object = {}) => ({ type: 'sum', config: { n }, delay: '1h', ...more })
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)
const configs = (json: readonly { readonly config: unknown }[]): readonly unknown[] =>
  json.map(({ config }) => config)

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store)

  it('a list is answered with a list in the same order, and is one line of the audit', async () => {
    const client = bed.client()
    const keyed = { dedup: { key: 'k', while: 'active' } }
    const list = [action(0, { name: 'first', priority: 70 }), action(1, keyed), action(2, keyed)]
    const { status, json } = await client.post('/v1/actions', list)
    expect(status).toBe(202)
    expect(json).toMatchObject([
      {
        id: expect.stringMatching(/^act_/),
        name: 'first',
        priority: 70,
        config: { n: 0 },
        shown: 'scheduled',
      },
      { config: { n: 1 } },
      { id: json[1].id, config: { n: 1 }, deduplicated: true },
    ])
    expect(json[1].deduplicated).toBeUndefined()
    expect((await client.get('/v1/actions')).json.data).toHaveLength(2)
    const { data } = (await client.get('/v1/audit')).json
    expect(data).toMatchObject([
      {
        type: 'actions.dispatched',
        subject: json[0].id,
        after: { count: 2, ids: [json[0].id, json[1].id] },
      },
    ])
  })

  it('an empty list is answered with an empty list', async () => {
    const { status, json } = await bed.client().post('/v1/actions', [])
    expect([status, json]).toEqual([202, []])
  })

  it('repeated under its Idempotency-Key it is answered as before, and nothing is asked for twice', async () => {
    const client = bed.client()
    const headers = { 'idempotency-key': 'many-1' }
    const list = numbers(120).map((n) => action(n))
    const first = await client.post('/v1/actions', list, { headers })
    expect(configs(first.json)).toEqual(numbers(120).map((n) => ({ n })))
    const again = await client.post('/v1/actions', list, { headers })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.json).toEqual(first.json)
    const kept = await client.get('/v1/actions?limit=250')
    expect(kept.json.data).toHaveLength(120)
  })

  it.each<readonly [number, string, string, unknown]>([
    [400, 'unknown_field', '1.status', action(1, { status: 'succeeded' })],
    [400, 'input_invalid', '1.priority', action(1, { priority: 101 })],
    [400, 'input_invalid', '"path":"1"', 'sum'],
    [422, 'invalid_duration', '1.timeout', action(1, { timeout: 'soon' })],
    [422, 'config_invalid', '1.config', action(1, { condition: { nope: [1] } })],
  ])('%i %s at %s: nothing is written', async (status, code, path, bad) => {
    const client = bed.client()
    const got = await client.post('/v1/actions', [action(0), bad, action(2)])
    expect([got.status, got.json.code]).toEqual([status, code])
    expect(got.text).toContain(path)
    expect((await client.get('/v1/actions')).json.data).toEqual([])
  })

  it('more than 1,000 are refused, with what to do', async () => {
    const client = bed.client()
    const got = await client.post(
      '/v1/actions',
      numbers(1001).map((n) => action(n)),
    )
    expect([got.status, got.json.code]).toEqual([400, 'input_invalid'])
    expect(got.text).toContain('at most 1000')
    expect((await client.get('/v1/actions')).json.data).toEqual([])
  })
})
