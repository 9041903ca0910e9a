// Owns one member of a commit: everything is checked, then everything is written, in one fixed order. A loser has
// written nothing.

import { PawlError } from '../../core/errors.ts'
import { isHeld } from '../held.ts'
import { NOTHING, together } from '../inserted.ts'
import type { Delivered, Member, Recorded, Result } from '../store.ts'
import { insertActions } from './actions.ts'
import { advanceExecution } from './advance.ts'
import { checkMember, type Found, findExecution } from './check.ts'
import { applyControl } from './control.ts'
import { LostMember } from './lost.ts'
import { sealEvent } from './rows.ts'
import { seal } from './sealed.ts'
import { settleAction } from './settle.ts'
import type { Work } from './work.ts'

/** Not yet accepted by anyone: it can still be refused without a promise being broken. */
const isNew = ({ settle = [], enqueue = [], deliver = [], advance }: Member): boolean =>
  settle.length === 0 &&
  (enqueue.length > 0 ||
    deliver.length > 0 ||
    (advance !== undefined &&
      (advance.expected === 0 || advance.consume.some(({ from }) => from === 'outside'))))

const FULL = (): PawlError =>
  new PawlError('store_full', 'there is no room for new work; what was accepted goes on', {
    expected: 'room on the disk: free some, or let retention remove what is past its time',
  })

const deliver = (work: Work, member: Member, { execution, event }: Delivered): void => {
  const { namespace, tenant, at } = member
  const receiver = findExecution(work.sql, member, execution)!
  const isStill = isHeld(receiver.status)
  const inserted = work.sql.insertInbox.run({
    namespace,
    tenant,
    execution,
    event_id: event.id,
    definition: receiver.definition,
    held: isStill ? 1 : 0,
    received_at: at,
    applied_at: null,
    event: seal(event),
  })
  if (inserted === 0) throw new LostMember('duplicate', event.id)
  if (!isStill) work.wakeInbox()
}

const record = (work: Work, { namespace, tenant }: Member, { type, at, data, execution }: Recorded): void => {
  const row = { execution: execution ?? null, number: null, type, at, prev_hash: null, hash: null }
  work.sql.insertEvent.run({ ...row, data: sealEvent(row, JSON.stringify(data)), namespace, tenant })
}

const OK: Result = { status: 'ok' }

const write = (work: Work, member: Member, found: Found, leaseNow: () => number): Result => {
  const { settle = [], control = [], enqueue = [], at, advance } = member
  settle.forEach((one, index) => {
    settleAction(work, member, one, found.settled[index])
  })
  const versions = control.map((one, index) => applyControl(work, member, one, found.controlled[index]!))
  const moved = advance && advanceExecution({ work, member, advance, before: found.execution, leaseNow })
  for (const one of member.deliver ?? []) deliver(work, member, one)
  const born = { at, execution: null, parked: undefined, leaseNow }
  const queued = enqueue.length === 0 ? NOTHING : insertActions(work, member, enqueue, born)
  for (const one of member.record ?? []) record(work, member, one)
  if (versions.length === 0 && queued === NOTHING) return moved ?? OK
  if (versions.length === 0 && moved === undefined) return { ...OK, ...queued }
  const inserted = queued === NOTHING ? NOTHING : together([moved ?? NOTHING, queued])
  return Object.assign({ ...OK }, moved, ...versions, inserted)
}

export const applyMember = (work: Work, member: Member): Result => {
  if (work.full && isNew(member)) return { status: 'refused', error: FULL() }
  const leaseNow = (): number => member.lease ?? work.clock()
  const checked = checkMember(work, member, leaseNow)
  return 'lost' in checked ? checked.lost : write(work, member, checked.found, leaseNow)
}
