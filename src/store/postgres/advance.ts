// Owns what moving an execution writes: the snapshot over the revision it was decided on, the chain's next links, the
// events it consumed, what it cancelled, and the actions and timers it asked for.

import { PawlError } from '../../core/errors.ts'
import type { ExecutionStatus } from '../../core/execution.ts'
import { type ChainHead, nextLink } from '../../core/history.ts'
import { executionKey } from '../execution-key.ts'
import { isHeld } from '../held.ts'
import type { Inserted } from '../inserted.ts'
import { nativeSha256Hex } from '../native-hash.ts'
import type { Advance, Consumed, Member, Result } from '../store.ts'
import { cancelAction, insertActions } from './actions.ts'
import { timerKey } from './check.ts'
import { type Draft, keyOf } from './draft.ts'
import { assertNamed } from './names.ts'
import { writeOccurrences } from './occurrences.ts'
import { holdExecution, parkExecution, unparkExecution } from './pause.ts'
import type { ExecutionState } from './states.ts'

type Moved = Pick<Result, 'revision' | 'chain'> & Inserted

interface Scene {
  readonly draft: Draft
  readonly member: Member
  readonly advance: Advance
  /** The execution as it was, or undefined when it begins. */
  readonly before: ExecutionState | undefined
}

interface Written {
  readonly status: ExecutionStatus
  readonly from: ExecutionStatus | null
  readonly hold: string | undefined
}

/** The status that is written: an execution that begins while its definition is paused begins paused. */
const writtenStatus = ({ draft, member, advance, before }: Scene): Written => {
  const { namespace, tenant } = member
  const { status, definition } = advance.execution
  const isBornPaused =
    before === undefined &&
    (status === 'active' || status === 'waiting') &&
    draft.pauses.get(keyOf(namespace, tenant, 'definition', definition)) !== undefined
  if (isBornPaused) return { status: 'paused', from: status, hold: 'paused:definition' }
  const from = status === 'paused' ? (before?.paused_from ?? before?.status ?? null) : null
  return { status, from, hold: status === 'paused' ? 'paused:execution' : undefined }
}

const writeHistory = ({ draft, member, advance }: Scene): ChainHead => {
  const { namespace, tenant } = member
  const execution = advance.execution.id
  let head = advance.chain
  for (const line of advance.history) {
    // Its data as the text it was hashed as: it need not be written twice.
    const { link, text: data } = nextLink(head, line, nativeSha256Hex)
    const { number, type, at, hash, prevHash } = link
    draft.events.add({ namespace, tenant, execution, number, type, at, prev_hash: prevHash, hash, data })
    head = link
  }
  return { number: head.number, hash: head.hash }
}

const writeSnapshot = (scene: Scene, { status, from }: Written, chain: ChainHead): void => {
  const { draft, member, advance, before } = scene
  const { namespace, tenant, at } = member
  const { id, kind, definition, definitionHash, state, visits, pending, variables, error } = advance.execution
  const key = executionKey(namespace, tenant, id)
  const was = draft.executions.was(key)
  draft.executions.set(key, {
    namespace,
    tenant,
    id,
    revision: advance.expected + 1,
    status,
    paused_from: from,
    definition,
    input_hash: before === undefined ? (advance.inputHash ?? null) : before.input_hash,
    updated_at: at,
    read_revision: was?.revision ?? null,
    read_status: was?.status ?? null,
    kind,
    definition_hash: definitionHash,
    state,
    chain_number: chain.number,
    chain_hash: chain.hash,
    created_at: before?.created_at ?? at,
    error: error === undefined ? null : { ...error },
    visits,
    pending,
    variables,
  })
  if (before?.status === status) return
  if (before !== undefined) draft.count(member, `executions.${before.status}`, at, -1)
  draft.count(member, `executions.${status}`, at, 1)
}

const consume = ({ draft, member, advance }: Scene, { event, from }: Consumed): void => {
  const { namespace, tenant, at } = member
  const { id: execution, definition } = advance.execution
  if (from === 'timer') draft.timers.set(keyOf(namespace, tenant, execution, timerKey(event)), undefined)
  if (from !== 'inbox' && from !== 'outside') return
  const key = keyOf(namespace, tenant, execution, event.id)
  const waiting = draft.inbox.get(key)
  const birth =
    from === 'outside' ? { definition, held: false, received_at: at, event: null } : waiting?.birth
  draft.inbox.set(key, {
    namespace,
    tenant,
    execution,
    event_id: event.id,
    applied: true,
    applied_at: at,
    ...(birth !== undefined && { birth: { ...birth, event: null } }),
  })
}

const cancelSteps = ({ draft, member, advance }: Scene): void => {
  const { namespace, tenant } = member
  const execution = advance.execution.id
  for (const key of advance.cancel.timers)
    draft.timers.set(keyOf(namespace, tenant, execution, key), undefined)
  if (advance.cancel.actions.length === 0) return
  const left = new Set(advance.cancel.actions)
  const stored = draft.world.steps.get(keyOf(namespace, tenant, execution)) ?? []
  // Those that an earlier member of the same batch asked for are not stored yet.
  const made = draft.actions
    .changes()
    .flatMap(([id, row]) =>
      row?.birth !== undefined && row.execution === execution ? [{ id, step: row.birth.plan.stepKey }] : [],
    )
  for (const { id } of [...stored, ...made].filter(({ step }) => left.has(step))) {
    const row = draft.actions.get(id)
    const isOwn = row?.namespace === namespace && row.tenant === tenant && row.ended === undefined
    if (isOwn && (row.status === 'queued' || row.status === 'running'))
      cancelAction(draft, member, row, 'its state was left')
  }
}

const writeSteps = ({ draft, member, advance }: Scene, { status, hold: parked }: Written): Inserted => {
  const { namespace, tenant, at } = member
  const execution = advance.execution.id
  writeOccurrences(draft, member, advance)
  for (const { key, dueAt, event } of advance.timers) {
    const plan = { due_at: dueAt, held: isHeld(status), event }
    draft.timers.set(keyOf(namespace, tenant, execution, key), { namespace, tenant, execution, key, plan })
    draft.wake('timers')
  }
  const born = { at, execution, parked, leaseNow: member.lease ?? draft.world.clock }
  return insertActions(draft, member, advance.actions, born)
}

/** A step that stops an execution, or sets it going, does so with all that is due of it. */
const turn = ({ draft, member, advance }: Scene, before: ExecutionState, { status, hold }: Written): void => {
  const { id } = advance.execution
  const wasPaused = before.status === 'paused'
  if (hold !== undefined && !wasPaused) parkExecution(draft, member, id, hold)
  if (hold === undefined && wasPaused) unparkExecution(draft, member, id)
  if (isHeld(status) !== isHeld(before.status)) holdExecution(draft, member, id, isHeld(status))
}

export const advanceExecution = (scene: Scene): Moved => {
  const { member, advance, before } = scene
  const { execution } = advance
  if (execution.namespace !== member.namespace || execution.tenant !== member.tenant)
    throw new PawlError('commit_refused', `execution "${execution.id.slice(0, 80)}" is another tenant's`, {
      path: 'advance.execution',
    })
  assertNamed(member, execution.id, 'advance.execution')
  const written = writtenStatus(scene)
  const chain = writeHistory(scene)
  writeSnapshot(scene, written, chain)
  for (const consumed of advance.consume) consume(scene, consumed)
  cancelSteps(scene)
  if (before !== undefined) turn(scene, before, written)
  return { revision: advance.expected + 1, chain, ...writeSteps(scene, written) }
}
