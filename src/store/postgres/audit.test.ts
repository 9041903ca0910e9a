import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { OF } from '../../../test/sqlite/members.ts'
import { open } from '../../../test/stores/postgres-bed.ts'
import { firstBroken } from '../../core/history.ts'
import { auditStart } from '../audit.ts'

it('what comes together is one chain in the order it came, in few transactions; what cannot be kept spoils nothing', async () => {
  const { url, office } = await open()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  const entry = (n: number) => ({ type: 'thing.changed', at: n === 12 ? 0.5 : n, data: { n } })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) => office.audit.append(OF, entry(n))),
  )
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([12])
  const { data } = await office.audit.list(OF, { limit: 50 })
  const chain = data.toReversed()
  expect(firstBroken(auditStart(OF), chain)).toBeUndefined()
  expect(chain.map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, n) => n).filter((n) => n !== 12))
  await Promise.all(Array.from({ length: 30 }, (_, n) => office.audit.append(OF, entry(n + 100))))
  const { rows } = await client.query(
    'select count(distinct xmin::text)::int as count from pawl.audit where at >= 100',
  )
  expect(rows[0].count).toBe(2)
})
