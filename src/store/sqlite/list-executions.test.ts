import type { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { type Bed, open } from '../../../test/sqlite/bed.ts'
import { advance, OF } from '../../../test/sqlite/members.ts'
import type { ExecutionStatus } from '../../core/execution.ts'
import type { ExecutionFilter } from '../reader.ts'

const LIMIT = 50

/** The columns of executions that are given and not computed. */
const givenColumns = (db: DatabaseSync): string =>
  db.prepare(`select group_concat(name, ', ') as columns from pragma_table_info('executions')`).get()![
    'columns'
  ] as string

/** One execution of each status, older than many that have completed. */
const furnish = async (bed: Bed, completed: number): Promise<void> => {
  const statuses: readonly ExecutionStatus[] = ['active', 'waiting', 'failed', 'cancelled', 'completed']
  for (const status of statuses) {
    const made = advance(status)
    const execution = { ...made.execution, status, state: `in ${status}` }
    expect((await bed.commit({ advance: { ...made, execution } })).status).toBe('ok')
  }
  const columns = givenColumns(bed.connection)
  const copy = (whose: string): void =>
    bed.connection.exec(`with recursive n (n) as (select 1 union all select n + 1 from n where n < ${completed})
      insert into executions (${columns}) select ${whose} from executions, n
      where id = 'completed' and tenant = '${OF.tenant}' and namespace = '${OF.namespace}'`)
  const own = columns.replace(/\bid\b/, `'x' || n`).replace(/\bcreated_at\b/, 'created_at + n')
  copy(own)
  // Others have as many, at the same time.
  copy(own.replace(/\btenant\b/, `'other'`))
  copy(own.replace(/\bnamespace\b/, `'other'`))
}

/** All of a list, and how many of its pages were cut by which window. */
const readAll = async (bed: Bed, filter: ExecutionFilter) => {
  const found: string[] = []
  const windows: number[] = []
  for (let after: string | undefined, isOver = false; !isOver; ) {
    const request = after === undefined ? { limit: LIMIT } : { limit: LIMIT, after }
    const page = await bed.reader.executions(OF, filter, request)
    found.push(...page.data.map(({ execution }) => execution.id))
    if (page.window !== undefined) windows.push(page.window)
    after = page.next
    isOver = after === undefined
  }
  return { found, windows }
}

it('what is rare among executions is found at once; what is not, among those that are recent, window by window', async () => {
  const bed = await open()
  await furnish(bed, 45_000)
  for (const status of ['waiting', 'failed', 'cancelled'] as const) {
    const page = await bed.reader.executions(OF, { status }, { limit: LIMIT })
    expect(page.data.map(({ execution }) => execution.id)).toEqual([status])
    expect(page).not.toHaveProperty('window')
  }
  const completed = await bed.reader.executions(OF, { status: 'completed' }, { limit: LIMIT })
  expect(completed.data.length).toBe(LIMIT)
  expect(completed).not.toHaveProperty('window')
  // Two that hold none of it, each of twenty thousand of one's own.
  expect(await readAll(bed, { status: 'active' })).toEqual({ found: ['active'], windows: [20_000, 20_000] })
})

it('a state is looked for among those that are recent, of one definition or of all, window by window', async () => {
  const bed = await open()
  await furnish(bed, 4500)
  const cut = { found: ['failed'], windows: [2000, 2000] }
  expect(await readAll(bed, { state: 'in failed' })).toEqual(cut)
  expect(await readAll(bed, { state: 'in failed', definition: 'lease' })).toEqual(cut)
  expect(await readAll(bed, { state: 'in failed', status: 'failed' })).toEqual({
    found: ['failed'],
    windows: [],
  })
  expect(await readAll(bed, { state: 'in completed', status: 'active' })).toEqual({
    found: [],
    windows: [2000, 2000],
  })
  const { found, windows } = await readAll(bed, { state: 'in completed' })
  expect([found.length, new Set(found).size, windows]).toEqual([4501, 4501, []])
})
