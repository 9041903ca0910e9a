// GET /v1/stream: facts as they happen, resumed without loss by Last-Event-ID, filtered, alive, and ended with its key or
// its server; on both stores.

import { describe, expect, it, onTestFinished } from 'vitest'
import { useServed } from './bed.ts'
import { until } from './checked.ts'
import { startServed } from './served.ts'
import { newStore, STORES } from './stores.ts'

const MACHINE = {
  kind: 'machine',
  id: 'm',
  initial: 'a',
  states: { a: { on: { go: 'b' } }, b: { on: { back: 'a' } } },
}

interface Fact {
  readonly id: string
  readonly event: string
  readonly data: string
}

interface Reader {
  readonly facts: Fact[]
  readonly comments: () => number
  readonly isEnded: () => boolean
  readonly close: () => void
}

const factOf = (block: string): Fact => {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
  return { id: field('id'), event: field('event'), data: field('data') }
}

const openStream = async (url: string, headers: Record<string, string> = {}): Promise<Reader> => {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const response = await fetch(url, { headers, signal: ending.signal })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const facts: Fact[] = []
  let comments = 0
  let isEnded = false
  const read = async (): Promise<void> => {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks)
        if (block === ':') comments += 1
        else facts.push(factOf(block))
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true
    })
  await until(
    async () => facts.length,
    (count) => count > 0,
  )
  return { facts, comments: () => comments, isEnded: () => isEnded, close: () => ending.abort() }
}

/** What was told after the beginning. Births are left out: PostgreSQL's feed may stand before one that is just over. */
const told = (reader: Reader, count: number) =>
  until(
    async () => reader.facts.slice(1).filter(({ data }) => JSON.parse(data).data.from !== null),
    (facts) => facts.length >= count,
  )

describe.each(STORES)('%s', (store) => {
  const bed = useServed(store, { env: { PAWL_SERVER_HEARTBEAT: '150ms', PAWL_SERVER_STREAMS_PER_KEY: '3' } })

  it('GET /v1/stream: tells what happens from now on, and resumes after the last fact that was seen', async () => {
    const client = bed.client()
    await client.post('/v1/definitions', MACHINE)
    await client.post('/v1/executions', { definition: 'm', id: 'x' })
    const { tenant } = (await client.get('/v1/executions/x')).json
    const url = `${bed.served().url}/v1/stream?tenant=${tenant}&filter=type:execution.transitioned`
    const reader = await openStream(url)
    expect(reader.facts[0]).toMatchObject({ event: 'ready', data: '{}' })
    const send = (type: string) => client.post('/v1/executions/x/events', { type })
    await send('go')
    const [first] = await told(reader, 1)
    expect(first!.event).toBe('execution.transitioned')
    expect(JSON.parse(first!.data)).toMatchObject({
      type: 'execution.transitioned',
      execution: 'x',
      data: { from: 'a', to: 'b' },
    })
    reader.close()
    await send('back')
    await send('go')
    const resumed = await openStream(url, { 'last-event-id': first!.id })
    const missed = await told(resumed, 2)
    expect(missed.map(({ data }) => JSON.parse(data).data.to)).toEqual(['a', 'b'])
    const early = await openStream(url, { 'last-event-id': reader.facts[0]!.id })
    expect((await told(early, 3)).map(({ data }) => JSON.parse(data).data.to)).toEqual(['b', 'a', 'b'])
  })

  it('is filtered by execution and type, keeps the way open, and refuses what is no cursor before it begins', async () => {
    const client = bed.client()
    await client.post('/v1/definitions', MACHINE)
    for (const id of ['x', 'y']) await client.post('/v1/executions', { definition: 'm', id })
    const { tenant } = (await client.get('/v1/executions/x')).json
    const url = `${bed.served().url}/v1/stream?tenant=${tenant}`
    const reader = await openStream(`${url}&filter=execution:y+type:execution.*`)
    await client.post('/v1/executions/x/events', { type: 'go' })
    await client.post('/v1/executions/y/events', { type: 'nobody.knows' })
    await client.post('/v1/executions/y/events', { type: 'go' })
    const facts = await told(reader, 1)
    expect(new Set(facts.map(({ data }) => JSON.parse(data).execution))).toEqual(new Set(['y']))
    await until(
      async () => reader.comments(),
      (count) => count > 1,
    )
    const bad = await client.get('/v1/stream', { headers: { 'last-event-id': 'x' } })
    expect([bad.status, bad.json.code]).toEqual([400, 'invalid_cursor'])
    const foreign = await bed
      .client()
      .get('/v1/stream', { headers: { 'last-event-id': reader.facts[0]!.id } })
    expect(foreign.json.code).toBe('invalid_cursor')
    expect((await client.get('/v1/stream?filter=color:red')).status).toBe(400)
  })

  it('one actor holds so many and no more; one that goes away makes room', async () => {
    const client = bed.client()
    const { url } = bed.served()
    await until(
      async () => (await fetch(`${url}/v1/stream?after=x`)).status,
      (status) => status === 400,
    )
    const readers = [
      await openStream(`${url}/v1/stream`),
      await openStream(`${url}/v1/stream`),
      await openStream(`${url}/v1/stream`),
    ]
    const refused = await client.get('/v1/stream')
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '10',
    ])
    readers[0]!.close()
    const again = await until(
      async () => {
        const response = await fetch(`${url}/v1/stream`)
        await response.body!.cancel()
        return response.status
      },
      (status) => status === 200,
    )
    expect(again).toBe(200)
    for (const reader of readers) reader.close()
  })

  it('ends when its key is revoked, and when its server does', async () => {
    const served = await startServed({
      store: await newStore(store),
      env: { PAWL_SERVER_HEARTBEAT: '100ms' },
    })
    onTestFinished(async () => void (await served.end()))
    const first = await served.ask('POST', '/v1/keys', { json: { name: 'first', scopes: ['admin'] } })
    const { token } = first.json
    const second = await served.ask('POST', '/v1/keys', { token, json: { name: 'reader', scopes: ['read'] } })
    const open = (bearer: string) =>
      openStream(`${served.url}/v1/stream`, { authorization: `Bearer ${bearer}` })
    const [kept, revoked] = [await open(token), await open(second.json.token)]
    expect((await served.ask('DELETE', `/v1/keys/${second.json.id}`, { token })).status).toBe(204)
    await until(
      async () => revoked.isEnded(),
      (isEnded) => isEnded,
    )
    expect(kept.isEnded()).toBe(false)
    expect(await served.end()).toBe(0)
    await until(
      async () => kept.isEnded(),
      (isEnded) => isEnded,
    )
  })
})
