// Owns the rest of I11: whatever belongs to something belongs to what is there, in the same tenant.

import type { DedupRow, OwnedRow, PauseRow } from '../store/inspect.ts'
import { type Finding, judged, type Where } from './finding.ts'

interface Words {
  /** `an attempt`, and what it belongs to. */
  readonly one: string
  readonly owner: 'action' | 'execution' | 'bulk operation'
  readonly whereOf: (row: OwnedRow) => Where
  /** A worker that runs mends it. */
  readonly isMended?: true
}

export const ATTEMPT: Words = {
  one: 'an attempt',
  owner: 'action',
  whereOf: ({ owner, name }) => ({ action: owner!, attempt: name }),
}
const ofExecution = (one: string, whereOf: (row: OwnedRow) => Where): Words => ({
  one,
  owner: 'execution',
  whereOf: (row) => ({ execution: row.owner!, ...whereOf(row) }),
})
export const LINE: Words = ofExecution('an event of the history', ({ at }) => ({ row: String(at[0]) }))
export const INBOX: Words = ofExecution('an event', ({ name }) => ({ event: name }))
export const TIMER: Words = ofExecution('a timer', ({ name }) => ({ timer: name }))

export const TASK: Words = {
  one: 'a task',
  owner: 'execution',
  whereOf: ({ owner, name }) => ({ execution: owner!, task: name }),
}
export const BULK_ITEM: Words = {
  one: 'an item',
  owner: 'bulk operation',
  whereOf: ({ owner, name }) => ({ bulk: owner!, action: name }),
}
/** It keeps nobody out, because only what runs counts; it is swept after a day. */
export const PLACE: Words = {
  one: 'a place of a limit',
  owner: 'action',
  whereOf: ({ owner, name }) => ({ action: owner!, limit: name }),
  isMended: true,
}

export const checkOwned = (row: OwnedRow, { one, owner, whereOf, isMended }: Words): readonly Finding[] => {
  const { namespace, tenant } = row
  return judged(
    !row.isOwned && {
      invariant: 'I11',
      rule: `no_${owner.split(' ')[0]}`,
      ...(isMended && { severity: 'warning' as const }),
      where: { namespace, tenant, ...whereOf(row) },
      text: `${one} of ${row.owner} is there, and its tenant has no such ${owner}`,
      expected: `${owner === 'bulk operation' ? 'a' : 'an'} ${owner} of the same tenant`,
      found: `none called ${row.owner} in ${namespace}/${tenant}`,
    },
  )
}

/** Held by an action that has not ended, or for a time. */
const HOLDS: ReadonlySet<string | null> = new Set(['queued', 'running', 'review'])

export const checkDedup = (row: DedupRow): readonly Finding[] => {
  const { namespace, tenant, key, action, until, status, isDone } = row
  const isRight = until === null ? HOLDS.has(status) : status !== null || isDone
  return judged(
    !isRight && {
      invariant: 'I11',
      rule: 'dedup_held_by_nobody',
      where: { namespace, tenant, dedup: key, action },
      text: `the key ${key} is held by ${action}, which ${status === null && !isDone ? 'is not there' : 'has ended'}: it keeps others out`,
      expected: until === null ? 'an action under way' : 'an action of this tenant',
      found: status ?? (isDone ? 'finished' : 'none'),
    },
  )
}

export const checkPause = ({ namespace, tenant, scope, value, isKnown }: PauseRow): readonly Finding[] =>
  judged(
    !isKnown && {
      invariant: 'I11',
      rule: 'pause_of_nothing',
      where: { namespace, tenant, pause: `${scope} ${value}` },
      text: `the ${scope} ${value} is paused, and does not exist`,
      expected: `an ${scope} of this tenant`,
      found: 'none',
    },
  )
