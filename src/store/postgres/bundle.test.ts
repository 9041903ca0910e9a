import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { open } from '../../../test/stores/postgres-bed.ts'
import { type Bundles, createBundles, type MakeQuery } from './bundle.ts'

const connect = async (): Promise<Bundles & { readonly client: pg.Client; readonly sent: () => number }> => {
  const { url } = await open()
  const client = new pg.Client({ connectionString: url, pipeline: true } as pg.ClientConfig)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end().catch(() => undefined))
  let sent = 0
  const query = client.query.bind(client) as (asked: unknown) => Promise<never>
  Object.assign(client, {
    query: (asked: unknown) => {
      sent += 1
      return query(asked)
    },
  })
  return { ...createBundles(client, pg.Query as unknown as MakeQuery), client, sent: () => sent }
}

const numbered = (name: string, n: number) => ({ name, text: 'select $1::int as n', values: [n] })
const broken = { name: 'broken', text: 'select 1 / $1::int as n', values: [0] }
const rowsOf = async (answer: Promise<{ readonly rows: readonly unknown[] }>) => (await answer).rows

it('what is asked in one breath is one query to the driver, and each is answered with its own', async () => {
  const { ask, sent } = await connect()
  for (let round = 0; round < 3; round++) {
    const before = sent()
    const answers = [ask(numbered('a', 1)), ask(numbered('b', 2)), ask(numbered('a', 3))]
    expect(await Promise.all(answers.map(rowsOf))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    expect(sent() - before).toBe(1)
  }
})

it('says which command it was and how many rows it changed', async () => {
  const { ask } = await connect()
  const make = ask({ name: 'make', text: 'create temp table t (n int)', values: [] })
  expect(await make).toMatchObject({ command: 'CREATE', count: 0, rows: [] })
  const text = 'insert into t select generate_series(1, $1::int)'
  expect(await ask({ name: 'fill', text, values: [3] })).toMatchObject({ command: 'INSERT', count: 3 })
})

it('values arrive as they were given: nothing, bytes, lists of odd texts', async () => {
  const { ask } = await connect()
  const texts = ['', 'NULL', 'a "b" \\ {c},', 'ä 雪']
  const text =
    'select $1::text is null as nothing, $2::text[] as texts, $3::bytea as bytes, $4::bigint[] as numbers'
  const values = [null, texts, Buffer.from([0, 1, 255]), [1, -2]]
  const [row] = (await ask({ name: 'odd', text, values })).rows as readonly Record<string, unknown>[]
  expect(row).toMatchObject({ nothing: true, bytes: '\\x0001ff', numbers: '{1,-2}' })
  const back = { name: 'back', text: 'select unnest($1::text[]) as text', values: [row!['texts']] }
  expect(await rowsOf(ask(back))).toEqual(texts.map((one) => ({ text: one })))
})

it('when one fails all of its bundle do, the next is not concerned, and what was passed over can be asked again', async () => {
  const { ask } = await connect()
  const answers = [ask(numbered('first', 1)), ask(broken), ask(numbered('behind', 3))]
  const next = Promise.resolve().then(() => ask(numbered('next', 4)))
  for (const answer of await Promise.allSettled(answers))
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(await rowsOf(next)).toEqual([{ n: 4 }])
  expect(await Promise.all(['first', 'behind'].map((name) => rowsOf(ask(numbered(name, 5)))))).toEqual([
    [{ n: 5 }],
    [{ n: 5 }],
  ])
})

it('a statement that cannot be read fails its bundle, and is not taken for a prepared one', async () => {
  const { ask } = await connect()
  const wrong = { name: 'same', text: 'selec 1', values: [] }
  await expect(ask(wrong)).rejects.toMatchObject({ code: '42601' })
  expect(await rowsOf(ask(numbered('same', 1)))).toEqual([{ n: 1 }])
})

it('what is hurried is answered before what travels with it is done, also when that fails', async () => {
  const { ask, hurry } = await connect()
  const told: string[] = []
  const first = ask(numbered('first', 1)).then(() => told.push('first'))
  hurry()
  const slow = { name: 'slow', text: 'select 1 / (length(pg_sleep(0.2)::text) * $1::int)', values: [1] }
  const behind = ask(slow).catch(() => told.push('behind'))
  await first
  expect(told).toEqual(['first'])
  await behind
  expect(told).toEqual(['first', 'behind'])
})

it('a connection that ends fails what is under way', async () => {
  const { ask, client } = await connect()
  const { processID } = client as unknown as { readonly processID: number }
  const text = 'select pg_terminate_backend($1::int)'
  const answers = [ask({ name: 'end', text, values: [processID] }), ask(numbered('behind', 1))]
  for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected')
})
