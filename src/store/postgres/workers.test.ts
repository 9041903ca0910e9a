import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { open } from '../../../test/stores/postgres-bed.ts'

const worker = (id: string) => ({
  id,
  startedAt: 1,
  slots: 1,
  types: ['mail'],
  definitions: [],
  version: '0.1.0',
  host: 'h',
})

it('a process that was not seen for a day is forgotten with the next beat, also when several beat at once', async () => {
  const { workers, url } = await open()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(
    `insert into pawl.workers select 'old' || n, 1, pawl.clock_ms() - 86400001, 1, 'v', 'h', '[]', '[]'
     from generate_series(1, 150) n`,
  )
  const ids = ['w1', 'w2', 'w3', 'w4', 'w5']
  await Promise.all(ids.map((id) => workers.beat(worker(id))))
  await workers.beat(worker('w1'))
  const { rows } = await client.query('select id from pawl.workers order by id')
  expect(rows.map(({ id }) => id)).toEqual(ids)
})
