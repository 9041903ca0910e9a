// Owns pausing and resuming: nothing of what is paused is offered, and all of it comes back as it was. Parked actions
// have the negative of their lane, timers and events are held, as those of a failed execution are. One execution, or every
// execution of a definition in one statement each; tenants and types are a row that closes their lanes.

import { isHeld } from '../held.ts'
import type { Control, Member, Tenancy } from '../store.ts'
import { type Draft, keyOf } from './draft.ts'

type Pause = Extract<Control, { readonly kind: 'pause' }>
type Resume = Extract<Control, { readonly kind: 'resume' }>

export const parkExecution = (draft: Draft, of: Tenancy, execution: string, hold: string): void => {
  const { namespace, tenant } = of
  draft.parking.set(keyOf(namespace, tenant, execution), { namespace, tenant, execution, hold })
}

export const unparkExecution = (draft: Draft, of: Tenancy, execution: string): void => {
  const { namespace, tenant } = of
  draft.parking.set(keyOf(namespace, tenant, execution), { namespace, tenant, execution, hold: undefined })
  draft.wake('all')
}

/** Its events and timers, and those that come: what stands still takes none of them. */
export const holdExecution = (draft: Draft, of: Tenancy, execution: string, held: boolean): void => {
  const { namespace, tenant } = of
  draft.holding.set(keyOf(namespace, tenant, execution), { namespace, tenant, execution, held })
  if (held) return
  draft.wake('timers')
  draft.wake('inbox')
}

const pauseExecution = (draft: Draft, member: Member, id: string): void => {
  const { namespace, tenant, at } = member
  const key = keyOf(namespace, tenant, id)
  const row = draft.executions.get(key)!
  // Its definition is paused: there is one more reason, and nothing more to stop.
  if (row.status === 'paused') return
  draft.executions.set(key, {
    ...row,
    status: 'paused',
    paused_from: row.status,
    revision: row.revision + 1,
    updated_at: at,
  })
  draft.count(member, `executions.${row.status}`, at, -1)
  draft.count(member, 'executions.paused', at, 1)
  parkExecution(draft, member, id, 'paused:execution')
  holdExecution(draft, member, id, true)
}

const resumeExecution = (draft: Draft, member: Member, id: string): void => {
  const { namespace, tenant, at } = member
  const key = keyOf(namespace, tenant, id)
  const row = draft.executions.get(key)!
  if (draft.pauses.get(keyOf(namespace, tenant, 'definition', row.definition)) !== undefined) return
  const status = row.paused_from ?? 'active'
  draft.executions.set(key, { ...row, status, paused_from: null, revision: row.revision + 1, updated_at: at })
  draft.count(member, 'executions.paused', at, -1)
  draft.count(member, `executions.${status}`, at, 1)
  unparkExecution(draft, member, id)
  holdExecution(draft, member, id, isHeld(status))
}

const turnDefinition = (draft: Draft, member: Member, definition: string, isPaused: boolean): void => {
  const { namespace, tenant, at } = member
  draft.definitionPauses.add({ namespace, tenant, definition, isPaused, at })
}

export const pause = (draft: Draft, member: Member, { scope, value, reason }: Pause): void => {
  const { namespace, tenant, at } = member
  draft.pauses.set(keyOf(namespace, tenant, scope, value), { namespace, tenant, scope, value, reason, at })
  if (scope === 'execution') pauseExecution(draft, member, value)
  if (scope === 'definition') turnDefinition(draft, member, value, true)
}

export const resume = (draft: Draft, member: Member, { scope, value }: Resume): void => {
  const { namespace, tenant } = member
  draft.pauses.set(keyOf(namespace, tenant, scope, value), undefined)
  if (scope === 'execution') resumeExecution(draft, member, value)
  if (scope === 'definition') turnDefinition(draft, member, value, false)
  draft.wake('all')
}
