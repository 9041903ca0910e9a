// Owns pausing and resuming: nothing of what is paused is offered, and all of it comes back as it was. Parked actions
// have the negative of their lane, timers and events are held, as those of a failed execution are. One execution, or every
// execution of a definition in one statement each; tenants and types are a row that closes their lanes.

import type { ExecutionStatus } from '../../core/execution.ts'
import { isHeld } from '../held.ts'
import type { Control, Member, Tenancy } from '../store.ts'
import type { Work } from './work.ts'

type Pause = Extract<Control, { readonly kind: 'pause' }>
type Resume = Extract<Control, { readonly kind: 'resume' }>

interface Tally {
  readonly status: ExecutionStatus
  readonly count: number
}

export const parkExecution = (work: Work, of: Tenancy, execution: string, hold: string): void => {
  const { namespace, tenant } = of
  work.sql.parkExecutionActions.run({ namespace, tenant, execution, hold })
}

export const unparkExecution = (work: Work, of: Tenancy, execution: string): void => {
  const { namespace, tenant } = of
  work.sql.unparkExecutionActions.run({ namespace, tenant, execution })
  work.wakeAll()
}

/** Its events and timers, and those that come: what stands still takes none of them. */
export const holdExecution = (work: Work, of: Tenancy, execution: string, isStill: boolean): void => {
  const { namespace, tenant } = of
  const held = isStill ? 1 : 0
  work.sql.holdExecutionEvents.run({ namespace, tenant, execution, held })
  work.sql.holdExecutionTimers.run({ namespace, tenant, execution, held })
  if (isStill) return
  work.wakeTimers()
  work.wakeInbox()
}

const countMoved = (work: Work, member: Member, tallies: readonly Tally[], sign: 1 | -1): void => {
  for (const { status, count } of tallies) {
    work.count(member, `executions.${status}`, member.at, sign * count)
    work.count(member, 'executions.paused', member.at, -sign * count)
  }
}

const statusOf = (work: Work, { namespace, tenant }: Tenancy, id: string) =>
  work.sql.findExecution.get<{ status: ExecutionStatus; definition: string }>({ namespace, tenant, id })!

const pauseExecution = (work: Work, member: Member, id: string): void => {
  const { namespace, tenant, at } = member
  const { status } = statusOf(work, member, id)
  // Its definition is paused: there is one more reason, and nothing more to stop.
  if (work.sql.pauseExecution.run({ namespace, tenant, id, at }) === 0) return
  countMoved(work, member, [{ status, count: 1 }], -1)
  parkExecution(work, member, id, 'paused:execution')
  holdExecution(work, member, id, true)
}

const resumeExecution = (work: Work, member: Member, id: string): void => {
  const { namespace, tenant, at } = member
  const { definition } = statusOf(work, member, id)
  const definitionPause = { namespace, tenant, scope: 'definition', value: definition }
  if (work.sql.findPause.get(definitionPause) !== undefined) return
  work.sql.resumeExecution.run({ namespace, tenant, id, at })
  const { status } = statusOf(work, member, id)
  countMoved(work, member, [{ status, count: 1 }], 1)
  unparkExecution(work, member, id)
  holdExecution(work, member, id, isHeld(status))
}

const pauseDefinition = (work: Work, member: Member, definition: string): void => {
  const of = { namespace: member.namespace, tenant: member.tenant, definition }
  countMoved(work, member, work.sql.countToPause.all<Tally>(of), -1)
  work.sql.pauseDefinition.run({ ...of, at: member.at })
  work.sql.parkDefinitionActions.run({ ...of, hold: 'paused:definition' })
  work.sql.holdDefinitionEvents.run(of)
  work.sql.holdDefinitionTimers.run(of)
}

const resumeDefinition = (work: Work, member: Member, definition: string): void => {
  const of = { namespace: member.namespace, tenant: member.tenant, definition }
  countMoved(work, member, work.sql.countToResume.all<Tally>(of), 1)
  work.sql.resumeDefinition.run({ ...of, at: member.at })
  work.sql.unparkDefinitionActions.run(of)
  work.sql.releaseDefinitionEvents.run(of)
  work.sql.releaseDefinitionTimers.run(of)
}

export const pause = (work: Work, member: Member, { scope, value, reason }: Pause): void => {
  const { namespace, tenant, at } = member
  work.sql.insertPause.run({ namespace, tenant, scope, value, reason, at })
  work.forgetPauses()
  if (scope === 'execution') pauseExecution(work, member, value)
  if (scope === 'definition') pauseDefinition(work, member, value)
}

export const resume = (work: Work, member: Member, { scope, value }: Resume): void => {
  const { namespace, tenant } = member
  work.sql.deletePause.run({ namespace, tenant, scope, value })
  work.forgetPauses()
  if (scope === 'execution') resumeExecution(work, member, value)
  if (scope === 'definition') resumeDefinition(work, member, value)
  work.wakeAll()
}
