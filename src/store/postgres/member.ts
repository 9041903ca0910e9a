// Owns one member of a commit: everything is checked, then everything is written down in the draft, in one fixed order.
// A loser has written nothing.

import { isHeld } from '../held.ts'
import { together } from '../inserted.ts'
import type { Delivered, Member, Recorded, Result } from '../store.ts'
import { insertActions } from './actions.ts'
import { advanceExecution } from './advance.ts'
import { checkMember, type Found } from './check.ts'
import { applyControl } from './control.ts'
import { type Draft, keyOf } from './draft.ts'
import { faultOf, memberError } from './faults.ts'
import { LostMember } from './lost.ts'
import { settleAction } from './settle.ts'

const deliver = (draft: Draft, member: Member, { execution, event }: Delivered): void => {
  const { namespace, tenant, at } = member
  const { definition, status } = draft.executions.get(keyOf(namespace, tenant, execution))!
  const held = isHeld(status)
  const key = keyOf(namespace, tenant, execution, event.id)
  if (draft.inbox.get(key) !== undefined) throw new LostMember('duplicate', event.id)
  draft.inbox.set(key, {
    namespace,
    tenant,
    execution,
    event_id: event.id,
    applied: false,
    birth: { definition, held, received_at: at, event },
  })
  if (!held) draft.wake('inbox')
}

const record = (draft: Draft, { namespace, tenant }: Member, line: Recorded): void => {
  const { type, at, data, execution = null } = line
  draft.events.add({
    namespace,
    tenant,
    execution,
    number: null,
    type,
    at,
    prev_hash: null,
    hash: null,
    data,
  })
}

const write = (draft: Draft, member: Member, found: Found): Result => {
  const { settle = [], control = [], enqueue = [], at, advance } = member
  settle.forEach((one, index) => {
    settleAction(draft, member, one, found.settled[index]!)
  })
  const versions = control.map((one, index) => applyControl(draft, member, one, found.controlled[index]!))
  const moved = advance && advanceExecution({ draft, member, advance, before: found.execution })
  for (const one of member.deliver ?? []) deliver(draft, member, one)
  for (const one of member.record ?? []) record(draft, member, one)
  if (enqueue.length === 0) return Object.assign({ status: 'ok' as const }, moved, ...versions)
  const born = { at, execution: null, parked: undefined, leaseNow: member.lease ?? draft.world.clock }
  const queued = insertActions(draft, member, enqueue, born)
  if (moved === undefined && versions.length === 0) return { status: 'ok', ...queued }
  return Object.assign({ status: 'ok' as const }, moved, ...versions, together([moved ?? {}, queued]))
}

export const applyMember = (draft: Draft, member: Member): Result => {
  try {
    return draft.attempt(() => {
      const checked = checkMember(draft, member)
      return 'lost' in checked ? checked.lost : write(draft, member, checked.found)
    })
  } catch (error) {
    if (error instanceof LostMember) return error.result
    if (faultOf(error) !== 'member') throw error
    return { status: 'refused', error: memberError(error) }
  }
}
