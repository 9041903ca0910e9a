// What must hold of a tenant after every case, whatever it did: every action is counted once and in the status it is
// listed in (I6), every execution too, and every chain follows from its start.

import type { ActionStatus } from '../../core/action.ts'
import type { ExecutionStatus } from '../../core/execution.ts'
import { chainStart, firstBroken } from '../../core/history.ts'
import type { Page, PageRequest, Reader } from '../../store/reader.ts'
import type { Tenancy } from '../../store/store.ts'
import { isTrue, same } from './check.ts'
import { ELSEWHERE, OF, OTHER } from './members.ts'

const LIMIT = 250

/** Every row of a list, page by page. */
export const everyRow = async <Row>(list: (page: PageRequest) => Promise<Page<Row>>, limit = LIMIT) => {
  const rows: Row[] = []
  for (let after: string | undefined; ; ) {
    const page: Page<Row> = await list({ limit, ...(after !== undefined && { after }) })
    isTrue(page.data.length <= limit, `a page of ${page.data.length} rows, asked for ${limit}`)
    rows.push(...page.data)
    if (page.next === undefined) return rows
    isTrue(page.next !== after, 'a page that leads to itself')
    after = page.next
  }
}

const tally = (statuses: readonly string[]): Record<string, number> => {
  const counted: Record<string, number> = {}
  for (const status of statuses) counted[status] = (counted[status] ?? 0) + 1
  return counted
}

const listed = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))

const LIVE: readonly ActionStatus[] = ['queued', 'running', 'dead', 'review']

type Counts = Awaited<ReturnType<Reader['counts']>>

const checkActions = async (
  reader: Reader,
  of: Tenancy,
  { actions, archived }: Counts,
  isPruned: boolean,
): Promise<void> => {
  const all = await everyRow((page) => reader.actions(of, {}, page))
  const kept = all.filter(({ archivedAt }) => archivedAt === undefined)
  const wanted = isPruned ? kept.filter(({ status }) => LIVE.includes(status)) : kept
  const counted = Object.entries(actions).filter(
    ([status]) => !isPruned || LIVE.includes(status as ActionStatus),
  )
  same(
    listed(Object.fromEntries(counted)),
    tally(wanted.map(({ status }) => status)),
    `actions of ${of.tenant}`,
  )
  if (!isPruned) same(archived, all.length - kept.length, `archived actions of ${of.tenant}`)
  if (all.length === 0) return
  for (const status of Object.keys(actions) as ActionStatus[]) {
    const rows = await everyRow((page) => reader.actions(of, { status }, page))
    const ids = kept.filter((row) => row.status === status).map(({ id }) => id)
    same(
      rows.map(({ id }) => id),
      ids,
      `${status} actions of ${of.tenant} by status, and in the list of all`,
    )
  }
}

const checkExecutions = async (
  reader: Reader,
  of: Tenancy,
  { executions }: Counts,
  isPruned: boolean,
): Promise<void> => {
  const all = await everyRow((page) => reader.executions(of, {}, page))
  same(listed(executions), tally(all.map(({ execution }) => execution.status)), `executions of ${of.tenant}`)
  if (all.length === 0) return
  for (const status of Object.keys(executions) as ExecutionStatus[]) {
    const rows = await everyRow((page) => reader.executions(of, { status }, page))
    const wanted = all.filter(({ execution }) => execution.status === status)
    same(rows, wanted, `${status} executions of ${of.tenant} by status, and in the list of all`)
  }
  if (isPruned) return
  for (const { execution, chain } of all) {
    const history = await everyRow((page) => reader.history(of, execution.id, page))
    const start = chainStart(of.namespace, of.tenant, execution.id)
    same(firstBroken(start, history) ?? null, null, `the chain of ${execution.id} breaks`)
    const { number, hash } = history.at(-1) ?? start
    same(chain, { number, hash }, `the head of ${execution.id} is its newest entry`)
  }
}

/** Of a tenant without rows the two lists of all are enough. `isPruned`: retention took ended rows away; what is live must still add up. */
export const checkConserved = async (reader: Reader, isPruned: boolean): Promise<void> => {
  for (const owner of [OF, OTHER, ELSEWHERE]) {
    const counts = await reader.counts(owner)
    await checkActions(reader, owner, counts, isPruned)
    await checkExecutions(reader, owner, counts, isPruned)
  }
}
