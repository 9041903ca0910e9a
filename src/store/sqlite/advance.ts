// Owns what moving an execution writes: the snapshot over the revision it was decided on, the chain's next links, the
// events it consumed, what it cancelled, and the actions and timers it asked for.

import { PawlError } from '../../core/errors.ts'
import type { Execution } from '../../core/execution.ts'
import { type ChainHead, nextLink } from '../../core/history.ts'
import { isEmpty } from '../../core/json.ts'
import { isHeld } from '../held.ts'
import type { Inserted } from '../inserted.ts'
import { nativeSha256Hex } from '../native-hash.ts'
import type { Advance, Consumed, Member, Result } from '../store.ts'
import type { StoredPlan } from '../stored-plan.ts'
import { readOr } from '../unreadable.ts'
import { cancelAction, insertActions } from './actions.ts'
import { type FoundExecution, timerKey } from './check.ts'
import { LostMember } from './lost.ts'
import { writeOccurrences } from './occurrences.ts'
import { holdExecution, parkExecution, unparkExecution } from './pause.ts'
import { sealEvent } from './rows.ts'
import { seal, sealOptional, unseal } from './sealed.ts'
import type { Work } from './work.ts'

type Moved = Pick<Result, 'status' | 'revision' | 'chain'> & Inserted

interface Scene {
  readonly work: Work
  readonly member: Member
  readonly advance: Advance
  /** The execution as it was, or undefined when it begins. */
  readonly before: FoundExecution | undefined
  readonly leaseNow: () => number
}

/** The status that is written: an execution that begins while its definition is paused begins paused. */
const writtenStatus = ({ work, member, advance, before }: Scene) => {
  const { status, definition } = advance.execution
  const isBornPaused =
    before === undefined &&
    (status === 'active' || status === 'waiting') &&
    work.isStopped(member, definition)
  if (isBornPaused) return { status: 'paused', from: status, hold: 'paused:definition' }
  const from = status === 'paused' ? (before?.paused_from ?? before?.status ?? null) : null
  return { status, from, hold: status === 'paused' ? 'paused:execution' : undefined }
}

type Written = ReturnType<typeof writtenStatus>

const writeHistory = ({ work, member, advance }: Scene): ChainHead => {
  const { namespace, tenant } = member
  const execution = advance.execution.id
  let head = advance.chain
  for (const entry of advance.history) {
    const { link, text } = nextLink(head, entry, nativeSha256Hex)
    const { number, type, at, hash, prevHash: prev_hash } = link
    const data = sealEvent({ execution, number, type, at, prev_hash, hash }, text)
    work.sql.insertEvent.run({ namespace, tenant, execution, number, type, at, prev_hash, hash, data })
    head = { number, hash }
  }
  return head
}

/** Most have none, and nothing that waits. */
const NO_VARIABLES = seal({})
const NOTHING_PENDING = seal({ timers: [], actions: [] })

const sealPending = (pending: Execution['pending']): string =>
  pending.timers.length === 0 && pending.actions.length === 0 ? NOTHING_PENDING : seal(pending)

/** All that an advance may write of an execution; each statement takes what it names. */
const columnsOf = ({ member, advance, before }: Scene, { status, from }: Written, chain: ChainHead) => {
  const { execution } = advance
  return {
    namespace: member.namespace,
    tenant: member.tenant,
    id: execution.id,
    kind: execution.kind,
    definition: execution.definition,
    definition_hash: execution.definitionHash,
    input_hash: advance.inputHash ?? null,
    expected: advance.expected,
    was: before?.status ?? null,
    status,
    paused_from: from,
    state: execution.state,
    chain_number: chain.number,
    chain_hash: chain.hash,
    at: member.at,
    error: sealOptional(execution.error),
    visits: seal(execution.visits),
    pending: sealPending(execution.pending),
    variables: isEmpty(execution.variables) ? NO_VARIABLES : seal(execution.variables),
  }
}

const writeSnapshot = (scene: Scene, written: Written, chain: ChainHead): void => {
  const { work, member, advance, before } = scene
  const { execution } = advance
  const { status } = written
  const columns = columnsOf(scene, written, chain)
  if (before === undefined) work.sql.insertExecution.run(columns)
  else {
    const isSame = before.definition === execution.definition
    const update = isSame ? work.sql.moveExecution : work.sql.updateExecution
    // What was taken for granted is not so: everything is undone, and every row looked at.
    if (update.run(columns) === 0) throw new LostMember('conflict', execution.id)
  }
  if (before?.status === status) return
  if (before !== undefined) work.count(member, `executions.${before.status}`, member.at, -1)
  work.count(member, `executions.${status}`, member.at, 1)
}

const consume = ({ work, member, advance }: Scene, { event, from }: Consumed): void => {
  const { namespace, tenant, at } = member
  const execution = advance.execution.id
  if (from === 'timer') work.sql.deleteTimer.run({ namespace, tenant, execution, key: timerKey(event) })
  if (from === 'inbox') work.sql.applyInbox.run({ namespace, tenant, execution, event_id: event.id, at })
  if (from === 'outside')
    work.sql.insertInbox.run({
      namespace,
      tenant,
      execution,
      event_id: event.id,
      definition: advance.execution.definition,
      held: 0,
      received_at: at,
      applied_at: at,
      event: null,
    })
}

const cancelSteps = ({ work, member, advance }: Scene): void => {
  const { namespace, tenant } = member
  const execution = advance.execution.id
  for (const key of advance.cancel.timers) work.sql.deleteTimer.run({ namespace, tenant, execution, key })
  if (advance.cancel.actions.length === 0) return
  const left = new Set(advance.cancel.actions)
  type Row = Parameters<typeof cancelAction>[2] & { readonly plan: string }
  for (const row of work.sql.cancellableActions.all<Row>({ namespace, tenant, execution })) {
    // Whose step it is cannot be known of one that cannot be read: its claim will find it.
    const stepKey = readOr(
      () => unseal<StoredPlan>(row.plan, `the plan of ${row.id}`).stepKey ?? row.id,
      () => undefined,
    )
    if (stepKey !== undefined && left.has(stepKey)) cancelAction(work, member, row, 'its state was left')
  }
}

const writeSteps = (scene: Scene, { status, hold: parked }: Written): Inserted => {
  const { work, member, advance, leaseNow } = scene
  const { namespace, tenant, at } = member
  const execution = advance.execution.id
  writeOccurrences(work.sql, member, advance)
  for (const { key, dueAt, event } of advance.timers) {
    const held = isHeld(status) ? 1 : 0
    work.sql.upsertTimer.run({ namespace, tenant, execution, key, due_at: dueAt, held, event: seal(event) })
    work.wakeTimers()
  }
  return insertActions(work, member, advance.actions, { at, execution, parked, leaseNow })
}

/** A step that stops an execution, or sets it going, does so with all that is due of it. */
const turn = ({ work, member, advance }: Scene, before: FoundExecution, { status, hold }: Written): void => {
  const { id } = advance.execution
  const wasPaused = before.status === 'paused'
  if (hold !== undefined && !wasPaused) parkExecution(work, member, id, hold)
  if (hold === undefined && wasPaused) unparkExecution(work, member, id)
  if (isHeld(status) !== isHeld(before.status)) holdExecution(work, member, id, isHeld(status))
}

export const advanceExecution = (scene: Scene): Moved => {
  const { member, advance, before } = scene
  const { execution } = advance
  if (execution.namespace !== member.namespace || execution.tenant !== member.tenant)
    throw new PawlError('commit_refused', `execution "${execution.id.slice(0, 80)}" is another tenant's`, {
      path: 'advance.execution',
    })
  const written = writtenStatus(scene)
  const chain = writeHistory(scene)
  writeSnapshot(scene, written, chain)
  for (const consumed of advance.consume) consume(scene, consumed)
  cancelSteps(scene)
  if (before !== undefined) turn(scene, before, written)
  const { deduplicated, claimed } = writeSteps(scene, written)
  const moved = { status: 'ok' as const, revision: advance.expected + 1, chain }
  if (deduplicated !== undefined) return { ...moved, deduplicated, ...(claimed && { claimed }) }
  return claimed === undefined ? moved : { ...moved, claimed }
}
