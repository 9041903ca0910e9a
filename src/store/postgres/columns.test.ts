import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, releaseServer, useServer } from '../../../test/stores/postgres-server.ts'
import { columnsOf } from './columns.ts'

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: await createDatabase(await useServer()) })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await releaseServer()
})

/** NUL cannot be stored as text at all; half a character has no UTF-8. */
const text = fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\u0000', ''))

it.each([false, true])(
  'every row comes out as it went in, whatever is written in it (binary: %s)',
  async (isBinary) => {
    const row = fc.record({
      namespace: text,
      execution: fc.option(text),
      number: fc.option(fc.integer()),
      at: fc.maxSafeInteger(),
      data: fc.jsonValue().map((value) => ({ value })),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const { namespace, execution, number, at, data } = columnsOf('insertEvents', rows, isBinary)
        const { rows: read } = await client.query(
          `select namespace, execution, number, at::text, data
        from unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::json[]) as w (namespace, execution, number, at, data)`,
          [namespace, execution, number, at, data],
        )
        expect(read.map((one) => ({ ...one, at: Number(one.at) }))).toEqual(JSON.parse(JSON.stringify(rows)))
      }),
      { numRuns: 50 },
    )
  },
)

it('long texts, flags and columns of any length come out as bytes, too', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => ({
    id: 'x'.repeat(n % 90),
    marked: n % 3 === 0 ? null : n % 2 === 0,
    worker: n % 2 === 0 ? 'ä'.repeat(n % 70) : null,
    plan: { text: 'é'.repeat(n % 200) },
  }))
  const { id, marked, worker, plan, nonce } = columnsOf('insertActions', rows, true)
  const { rows: read } = await client.query(
    `select id, marked, worker, plan, nonce
    from unnest($1::text[], $2::boolean[], $3::text[], $4::json[], $5::text[]) as w (id, marked, worker, plan, nonce)`,
    [id, marked, worker, plan, nonce],
  )
  expect(read).toEqual(rows.map((row) => ({ ...row, nonce: null })))
})

it.each([
  ['number', 2 ** 31],
  ['number', 0.5],
  ['at', 2 ** 53],
  ['at', Number.NaN],
])('as bytes, %s is not sent as %d', (name, value) => {
  expect(() => columnsOf('insertEvents', [{ [name]: value }], true)).toThrow(/no whole number/)
})

it('a column that nobody fills is sent empty, and is null for each', () => {
  expect(columnsOf('deleteTimers', [{ namespace: 'n' }, { namespace: '' }])).toEqual({
    namespace: '{"n",""}',
    tenant: '{}',
    execution: '{}',
    key: '{}',
  })
})
