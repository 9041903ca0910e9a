import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { advance, OF } from '../../../test/sqlite/members.ts'
import { givenColumns } from '../../../test/stores/given-columns.ts'
import { type Bed, open } from '../../../test/stores/postgres-bed.ts'
import type { ExecutionStatus } from '../../core/execution.ts'

const LIMIT = 50
const COMPLETED = 45_000

/** One execution of each status, older than thousands that have completed. */
const furnish = async (bed: Bed): Promise<void> => {
  const statuses: readonly ExecutionStatus[] = ['active', 'waiting', 'failed', 'cancelled', 'completed']
  for (const status of statuses) {
    const made = advance(status)
    const execution = { ...made.execution, status }
    expect((await bed.commit({ advance: { ...made, execution } })).status).toBe('ok')
  }
  const client = new pg.Client({ connectionString: bed.url })
  await client.connect()
  onTestFinished(() => client.end())
  const { columns } = (await client.query(givenColumns('executions'))).rows[0]
  const copy = (whose: string): Promise<unknown> =>
    client.query(`insert into pawl.executions (${columns}) select ${whose}
      from pawl.executions, generate_series(1, ${COMPLETED}) n
      where id = 'completed' and tenant = '${OF.tenant}' and namespace = '${OF.namespace}'`)
  const own = columns.replace(/\bid\b/, `'x' || n`).replace(/\bcreated_at\b/, 'created_at + n')
  await copy(own)
  // Others have as many, at the same time.
  await copy(own.replace(/\btenant\b/, `'other'`))
  await copy(own.replace(/\bnamespace\b/, `'other'`))
}

it('what is rare among executions is found at once; what is not, among those that are recent, window by window', async () => {
  const bed = await open()
  await furnish(bed)
  for (const status of ['waiting', 'failed', 'cancelled'] as const) {
    const page = await bed.reader.executions(OF, { status }, { limit: LIMIT })
    expect(page.data.map(({ execution }) => execution.id)).toEqual([status])
    expect(page).not.toHaveProperty('window')
  }
  const completed = await bed.reader.executions(OF, { status: 'completed' }, { limit: LIMIT })
  expect(completed.data.length).toBe(LIMIT)
  expect(completed).not.toHaveProperty('window')
  const found: string[] = []
  let windows = 0
  for (let after: string | undefined, isOver = false; !isOver; ) {
    const request = after === undefined ? { limit: LIMIT } : { limit: LIMIT, after }
    const page = await bed.reader.executions(OF, { status: 'active' }, request)
    found.push(...page.data.map(({ execution }) => execution.id))
    if (page.window !== undefined) windows += 1
    after = page.next
    isOver = after === undefined
  }
  expect(found).toEqual(['active'])
  // Two that hold none of it, each of twenty thousand of one's own.
  expect(windows).toBe(2)
})
