// Owns the checks of a member, all of them before its first write, so that a loser leaves nothing to undo. It reads
// what the writes will need and hands it on. Precedence: fenced, conflict, duplicate; the first culprit is named.

import type { Advance, Consumed, Control, Delivered, Member, Result, Settle, Tenancy } from '../store.ts'
import { checkControl, type Target } from './check-control.ts'
import { type FenceRecord, fenced } from './fence.ts'
import type { Statements } from './statements.ts'
import type { Work } from './work.ts'

export interface FoundExecution {
  readonly revision: number
  readonly status: string
  readonly paused_from: string | null
  readonly definition: string
  readonly input_hash: string | null
}

export interface Found {
  /** Undefined: taken for what its claim says. */
  readonly settled: readonly (FenceRecord | undefined)[]
  readonly execution: FoundExecution | undefined
  readonly controlled: readonly Target[]
}

export type Checked = { readonly lost: Result } | { readonly found: Found }

const lose = (status: Result['status'], subject: string): { readonly lost: Result } => ({
  lost: { status, subject },
})

export const findExecution = (sql: Statements, of: Tenancy, id: string): FoundExecution | undefined =>
  sql.findExecution.get({ namespace: of.namespace, tenant: of.tenant, id })

const advanceConflicts = (advance: Advance, row: FoundExecution | undefined): boolean =>
  advance.expected === 0
    ? row !== undefined && row.input_hash !== (advance.inputHash ?? null)
    : row?.revision !== advance.expected

/**
 * The execution as the engine knows it, where that is enough: the write itself asks whether it is so. One that stands still, or
 * is to, is read: what it was before belongs to its row.
 */
const assumedExecution = (
  { isCareful, isAlone }: Work,
  { was, expected, execution }: Advance,
): FoundExecution | undefined => {
  const { status, definition } = execution
  if (isCareful || !isAlone || expected === 0 || was === undefined) return undefined
  if (was === 'paused' || status === 'paused') return undefined
  return { revision: expected, status: was, paused_from: null, definition, input_hash: null }
}

/** What is there under the id of an advance. Nobody can have begun one whose id was drawn; if so, its insertion fails. */
const executionBefore = (work: Work, member: Member, advance: Advance): FoundExecution | undefined =>
  advance.isDrawn === true && advance.expected === 0 && !work.isCareful
    ? undefined
    : (assumedExecution(work, advance) ?? findExecution(work.sql, member, advance.execution.id))

const isKnown = (sql: Statements, of: Tenancy, execution: string, { event, from }: Consumed): boolean => {
  const { namespace, tenant } = of
  switch (from) {
    case 'result':
      return false
    case 'timer':
      return sql.findTimer.get({ namespace, tenant, execution, key: timerKey(event) }) === undefined
    case 'outside':
      return sql.findInbox.get({ namespace, tenant, execution, event_id: event.id }) !== undefined
    case 'inbox': {
      const at = { namespace, tenant, execution, event_id: event.id }
      return sql.findInbox.get<{ applied_at: number | null }>(at)?.applied_at !== null
    }
  }
}

/** An event of a timer names it; one that does not is its own timer. */
export const timerKey = (event: Consumed['event']): string => event.timer ?? event.id

/** An execution that the same member begins is there when its events are delivered. */
const missingReceiver = (
  sql: Statements,
  member: Member,
  deliver: readonly Delivered[],
): string | undefined =>
  deliver.find(
    ({ execution }) =>
      execution !== member.advance?.execution.id && findExecution(sql, member, execution) === undefined,
  )?.execution

const firstDuplicate = (
  sql: Statements,
  member: Member,
  row: FoundExecution | undefined,
): string | undefined => {
  const { namespace, tenant, advance, deliver = [], enqueue = [] } = member
  if (advance !== undefined) {
    if (advance.expected === 0 && row !== undefined) return advance.execution.id
    const again = advance.consume.find((consumed) => isKnown(sql, member, advance.execution.id, consumed))
    if (again !== undefined) return again.event.id
  }
  const delivered = deliver.find(
    ({ execution, event }) =>
      sql.findInbox.get({ namespace, tenant, execution, event_id: event.id }) !== undefined,
  )
  if (delivered !== undefined) return delivered.event.id
  return enqueue.find(
    ({ id, isDrawn, mayExist }) =>
      isDrawn !== true && mayExist !== true && sql.actionExists.get({ namespace, tenant, id }) !== undefined,
  )?.id
}

/** What one part of a member does to an action, another cannot have checked. */
const namedTwice = (settle: readonly Settle[], control: readonly Control[]): string | undefined => {
  if (control.length === 0 && settle.length < 2) return undefined
  const ids = [
    ...settle.map(({ claim }) => claim.id),
    ...control.flatMap((one) => ('id' in one ? [one.id] : one.kind === 'hold' ? [one.claim.id] : [])),
  ]
  return ids.length < 2 ? undefined : ids.find((id, index) => ids.indexOf(id) !== index)
}

/** The row of one that succeeded needs no reading. */
const isAssumed = (work: Work, { settlement, onlyIfExpired, isKeyed }: Settle): boolean =>
  !work.isCareful && settlement.status === 'succeeded' && onlyIfExpired !== true && isKeyed !== true

/** `leaseNow` is the lease clock of the member, asked for only when something expires by it. */
export const checkMember = (work: Work, member: Member, leaseNow: () => number): Checked => {
  const checked = checkParts(work, member, leaseNow)
  if (!('lost' in checked) || checked.lost.status === 'fenced') return checked
  // Whatever else it lost by, a claim that does not hold comes first.
  const gone = member.settle?.find(
    (one) => isAssumed(work, one) && fenced(work.sql, member, one.claim, undefined) === undefined,
  )
  return gone === undefined ? checked : lose('fenced', gone.claim.id)
}

const checkParts = (work: Work, member: Member, leaseNow: () => number): Checked => {
  const { sql } = work
  const { advance, settle = [], control = [], deliver = [] } = member
  // Whatever is asked of an action is asked of its row.
  if (control.length > 0) work.moveFinished()
  const settled: (FenceRecord | undefined)[] = []
  for (const one of settle) {
    const { claim, onlyIfExpired } = one
    if (work.hasFinished(claim.id)) return lose('fenced', claim.id)
    if (isAssumed(work, one)) {
      settled.push(undefined)
      continue
    }
    const row = fenced(sql, member, claim, onlyIfExpired ? leaseNow() : undefined)
    if (row === undefined) return lose('fenced', claim.id)
    settled.push(row)
  }
  const twice = namedTwice(settle, control)
  if (twice !== undefined) return lose('conflict', twice)
  const targets = control.map((one) => checkControl(sql, member, one))
  const fencedTarget = targets.find((target) => target.status === 'fenced')
  if (fencedTarget !== undefined) return lose('fenced', fencedTarget.subject)

  const execution = advance && executionBefore(work, member, advance)
  if (advance && advanceConflicts(advance, execution)) return lose('conflict', advance.execution.id)
  const missing = missingReceiver(sql, member, deliver)
  if (missing !== undefined) return lose('conflict', missing)
  const refusedTarget = targets.find((target) => target.status === 'conflict')
  if (refusedTarget !== undefined) return lose('conflict', refusedTarget.subject)

  const duplicate = firstDuplicate(sql, member, execution)
  if (duplicate !== undefined) return lose('duplicate', duplicate)
  return { found: { settled, execution, controlled: targets } }
}
