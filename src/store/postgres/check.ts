// Owns the checks of a member, all of them before its first write, so that a loser leaves nothing to undo. It looks at
// what was read under lock and hands on what the writes will need. Precedence: fenced, conflict, duplicate; the first
// culprit is named.

import { executionKey } from '../execution-key.ts'
import type { Advance, Consumed, Member, Result, Tenancy } from '../store.ts'
import { checkControl, type Target } from './check-control.ts'
import { type Draft, keyOf } from './draft.ts'
import { fenced } from './fence.ts'
import type { ActionState, ExecutionState } from './states.ts'

export interface Found {
  readonly settled: readonly ActionState[]
  readonly execution: ExecutionState | undefined
  readonly controlled: readonly Target[]
}

export type Checked = { readonly lost: Result } | { readonly found: Found }

const lose = (status: Result['status'], subject: string): { readonly lost: Result } => ({
  lost: { status, subject },
})

const findExecution = (draft: Draft, of: Tenancy, id: string): ExecutionState | undefined =>
  draft.executions.get(executionKey(of.namespace, of.tenant, id))

const advanceConflicts = (advance: Advance, row: ExecutionState | undefined): boolean =>
  advance.expected === 0
    ? row !== undefined && row.input_hash !== (advance.inputHash ?? null)
    : row?.revision !== advance.expected

const isKnown = (draft: Draft, of: Tenancy, execution: string, { event, from }: Consumed): boolean => {
  const at = (key: string): string => keyOf(of.namespace, of.tenant, execution, key)
  switch (from) {
    case 'result':
      return false
    case 'timer':
      return draft.timers.get(at(timerKey(event))) === undefined
    case 'outside':
      return draft.inbox.get(at(event.id)) !== undefined
    case 'inbox':
      return draft.inbox.get(at(event.id))?.applied !== false
  }
}

/** An event of a timer names it; one that does not is its own timer. */
export const timerKey = (event: Consumed['event']): string => event.timer ?? event.id

/** The first execution that something is delivered to and that is not there. */
const missingReceiver = (draft: Draft, member: Member): string | undefined =>
  (member.deliver ?? []).find(
    ({ execution }) =>
      member.advance?.execution.id !== execution && findExecution(draft, member, execution) === undefined,
  )?.execution

const firstDuplicate = (
  draft: Draft,
  member: Member,
  row: ExecutionState | undefined,
): string | undefined => {
  const { namespace, tenant, advance, deliver = [], enqueue = [] } = member
  if (advance !== undefined) {
    if (advance.expected === 0 && row !== undefined) return advance.execution.id
    const again = advance.consume.find((consumed) => isKnown(draft, member, advance.execution.id, consumed))
    if (again !== undefined) return again.event.id
  }
  const delivered = deliver.find(
    ({ execution, event }) => draft.inbox.get(keyOf(namespace, tenant, execution, event.id)) !== undefined,
  )
  if (delivered !== undefined) return delivered.event.id
  // One that was drawn is met by the key of its row, if at all.
  return enqueue.find(
    ({ id, isDrawn, mayExist }) =>
      isDrawn !== true &&
      mayExist !== true &&
      (draft.actions.get(id) !== undefined || draft.world.known.has(id)),
  )?.id
}

/** What one part of a member does to an action, another cannot have checked. */
const namedTwice = ({ settle = [], control = [] }: Member): string | undefined => {
  if (settle.length + control.length < 2) return undefined
  const ids = [
    ...settle.map(({ claim }) => claim.id),
    ...control.flatMap((one) => ('id' in one ? [one.id] : one.kind === 'hold' ? [one.claim.id] : [])),
  ]
  return ids.find((id, index) => ids.indexOf(id) !== index)
}

export const checkMember = (draft: Draft, member: Member): Checked => {
  const { advance, settle = [], control = [] } = member
  const leaseNow = member.lease ?? draft.world.clock
  const settled: ActionState[] = []
  for (const { claim, onlyIfExpired } of settle) {
    const row = fenced(draft, member, claim, onlyIfExpired ? leaseNow : undefined)
    if (row === undefined) return lose('fenced', claim.id)
    settled.push(row)
  }
  const twice = namedTwice(member)
  if (twice !== undefined) return lose('conflict', twice)
  const targets = control.map((one) => checkControl(draft, member, one))
  const fencedTarget = targets.find((target) => target.status === 'fenced')
  if (fencedTarget !== undefined) return lose('fenced', fencedTarget.subject)

  const execution = advance && findExecution(draft, member, advance.execution.id)
  if (advance && advanceConflicts(advance, execution)) return lose('conflict', advance.execution.id)
  const missing = missingReceiver(draft, member)
  if (missing !== undefined) return lose('conflict', missing)
  const refusedTarget = targets.find((target) => target.status === 'conflict')
  if (refusedTarget !== undefined) return lose('conflict', refusedTarget.subject)

  const duplicate = firstDuplicate(draft, member, execution)
  if (duplicate !== undefined) return lose('duplicate', duplicate)
  return { found: { settled, execution, controlled: targets } }
}
