// Owns which batches can be written without being read, and what is then taken for true of their rows: a claim that
// succeeded holds, an execution is at the revision and in the status it was decided on, a drawn id is new, a timer is armed,
// an event waits. All of it is looked at by the statements that write (each undoes the whole when it was not so): whoever
// adds a part to a member must say here whether it is.

import { executionKey } from '../execution-key.ts'
import { isHeld } from '../held.ts'
import type { Advance, Member, NewAction, Tenancy } from '../store.ts'
import { assumedAction, isSettledSurely } from './assume.ts'
import { timerKey } from './check.ts'
import { keyOf, type World } from './draft.ts'
import type { ActionState, ExecutionState, InboxState, TimerState } from './states.ts'

const isFree = ({ plan, asked }: NewAction): boolean => plan.dedup === undefined && asked === undefined

/** It stands still neither before nor after: nothing of it is to be parked or held. */
const isMoveSure = ({ expected, isDrawn, was, execution }: Advance): boolean =>
  expected === 0 ? isDrawn === true : was !== undefined && !isHeld(was) && !isHeld(execution.status)

/** A timer that fires and is armed again is one row, and whether it was there would not be seen. */
const rearms = ({ consume, timers }: Advance): boolean =>
  timers.length > 0 &&
  consume.some(({ from, event }) => from === 'timer' && timers.some(({ key }) => key === timerKey(event)))

const isAdvanceSure = (advance: Advance): boolean =>
  isMoveSure(advance) &&
  advance.cancel.actions.length === 0 &&
  advance.actions.every(isFree) &&
  !rearms(advance)

const isSure = ({ settle, advance, deliver, enqueue, control }: Member): boolean =>
  (control === undefined || control.length === 0) &&
  (settle === undefined || settle.every(isSettledSurely)) &&
  (enqueue === undefined || enqueue.every((action) => action.isDrawn === true && isFree(action))) &&
  (advance === undefined || isAdvanceSure(advance)) &&
  (deliver === undefined || deliver.every(({ execution }) => execution === advance?.execution.id))

export const isSureOf = (batch: readonly Member[]): boolean => batch.every(isSure)

const assumedExecution = ({ namespace, tenant }: Tenancy, { execution, expected, was }: Advance) => ({
  namespace,
  tenant,
  id: execution.id,
  revision: expected,
  status: was!,
  paused_from: null,
  definition: execution.definition,
  input_hash: null,
})

type Assumed = Pick<World, 'actions' | 'executions' | 'inbox' | 'timers'>

/** The rows of a batch that can be written without being read, as its members say they are. */
export const assumeRows = (batch: readonly Member[]): Assumed => {
  const actions = new Map<string, ActionState>()
  const executions = new Map<string, ExecutionState>()
  const inbox = new Map<string, InboxState>()
  const timers = new Map<string, TimerState>()
  const assumeMove = (member: Member, advance: Advance): void => {
    const { namespace, tenant } = member
    const execution = advance.execution.id
    const key = executionKey(namespace, tenant, execution)
    // Members before it may have moved it, or begun it.
    const isFirst = !executions.has(key)
    if (isFirst && advance.expected > 0) executions.set(key, assumedExecution(member, advance))
    for (const { event, from } of advance.consume)
      if (from === 'timer')
        timers.set(keyOf(namespace, tenant, execution, timerKey(event)), {
          namespace,
          tenant,
          execution,
          key: timerKey(event),
        })
      else if (from === 'inbox')
        inbox.set(keyOf(namespace, tenant, execution, event.id), {
          namespace,
          tenant,
          execution,
          event_id: event.id,
          applied: false,
        })
  }
  for (const member of batch) {
    for (const settle of member.settle ?? []) actions.set(settle.claim.id, assumedAction(member, settle))
    if (member.advance !== undefined) assumeMove(member, member.advance)
  }
  return { actions, executions, inbox, timers }
}
