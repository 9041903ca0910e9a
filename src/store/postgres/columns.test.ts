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

it('every row comes out as it went in, whatever is written in it', async () => {
  const row = fc.record({
    namespace: text,
    execution: fc.option(text),
    number: fc.option(fc.integer()),
    data: fc.jsonValue().map((value) => ({ value })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const { namespace, execution, number, data } = columnsOf('insertEvents', rows)
      const { rows: read } = await client.query(
        'select * from unnest($1::text[], $2::text[], $3::int[], $4::json[]) as w (namespace, execution, number, data)',
        [namespace, execution, number, data],
      )
      expect(read).toEqual(JSON.parse(JSON.stringify(rows)))
    }),
    { numRuns: 50 },
  )
})

it('a column that nobody fills is sent empty, and is null for each', () => {
  expect(columnsOf('deleteTimers', [{ namespace: 'n' }, { namespace: '' }])).toEqual({
    namespace: '{"n",""}',
    tenant: '{}',
    execution: '{}',
    key: '{}',
  })
})
