// Debounce and batch over HTTP when the answer is lost after the work was done: the request is repeated under its
// Idempotency-Key, and nothing is taken in twice.

import { expect, it, onTestFinished } from 'vitest'
import { openParts } from '../../src/pawl/open.ts'
import { startServer } from '../../src/server/start.ts'
import { settle, spy } from '../engine/spies.ts'
import { newStore, STORES } from './stores.ts'

const LIMITS = {
  ...{ headersMs: 5000, requestMs: 5000, connections: 10, requestsPerSecond: 1000, requestBurst: 1000 },
  ...{ failuresPerMinute: 10, streamsPerKey: 1, heartbeatMs: 1000, bodyBytes: 1_000_000 },
}

/** A server that does what it is asked, and loses the answer of all whose key says so, the first time. */
const serve = async (store: string) => {
  const sum = spy('sum')
  const clock = 'virtual:2026-01-05T09:00:00Z'
  const log = (): void => undefined
  const opened = await openParts({ store, clock, runners: [sum], log })
  onTestFinished(() => opened.pawl.close())
  const lost = new Set<string>()
  const { idempotency } = opened.office
  const keep: typeof idempotency.keep = async (of, request, ...rest) => {
    if (!request.key.startsWith('lost') || lost.has(request.key))
      return idempotency.keep(of, request, ...rest)
    lost.add(request.key)
    throw new Error('the process ended')
  }
  const office = { ...opened.office, idempotency: { ...idempotency, keep } }
  const server = await startServer({ ...opened, office, host: '127.0.0.1', port: 0, log, limits: LIMITS })
  onTestFinished(server.close)
  const post = async (key: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const answer = await fetch(`${server.url}/v1/actions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ type: 'sum', ...body }),
    })
    return { status: answer.status, json: (await answer.json()) as { id: string; config: unknown } }
  }
  /** Asked until it is answered. */
  const insist = async (key: string, body: object) => {
    expect((await post(key, body)).status).toBe(500)
    const { status, json } = await post(key, body)
    expect(status).toBe(202)
    return json
  }
  return { pawl: opened.pawl, sum, post, insist }
}

it.each(STORES)('S10, batch: each item is in it once, and none is sent again, on %s', async (store) => {
  const { pawl, sum, post, insist } = await serve(await newStore(store))
  const item = (n: number) => ({ config: { items: [n] }, batch: { key: 'b', size: 3, wait: '1h' } })
  const first = await insist('lost-1', item(1))
  expect(first.config).toEqual({ items: [1] })
  const second = await insist('lost-2', item(2))
  expect(second).toMatchObject({ id: first.id, config: { items: [1, 2] } })
  // The same item under another key is another item.
  expect((await post('k', item(2))).json).toMatchObject({ id: first.id, config: { items: [1, 2, 2] } })
  await settle(pawl)
  expect((await post('lost-2', item(2))).json).toMatchObject({ id: first.id })
  await settle(pawl)
  expect(sum.calls.map(({ config }) => config)).toEqual([{ items: [1, 2, 2] }])
})

it.each(STORES)(
  'S10, batch: asked again when it has run, it is told who took it in, on %s',
  async (store) => {
    const { pawl, sum, post } = await serve(await newStore(store))
    const one = { config: { items: [1] }, batch: { key: 'b', size: 1, wait: '1h' } }
    expect((await post('lost', one)).status).toBe(500)
    await settle(pawl)
    const again = await post('lost', one)
    expect(again.json).toMatchObject({ status: 'succeeded', deduplicated: true })
    await settle(pawl)
    expect(sum.calls).toHaveLength(1)
  },
)

it.each(STORES)(
  'S10, debounce: an older request that is repeated does not count as the last, on %s',
  async (store) => {
    const { pawl, sum, post, insist } = await serve(await newStore(store))
    const last = (n: number) => ({ config: { n }, debounce: { key: 'd', wait: '30s' } })
    expect((await post('lost', last(1))).status).toBe(500)
    const second = await insist('lost-2', last(2))
    expect((await post('lost', last(1))).json).toMatchObject({ id: second.id, config: { n: 2 } })
    await pawl.advance({ by: '1m' })
    expect(sum.calls.map(({ config }) => config)).toEqual([{ n: 2 }])
  },
)
