// Owns checking an action that names the state it belongs to. Whether that state exists is known only beside its
// machine: check-machine.ts for a machine's own list, link-actions.ts for files of their own.

import type { KnownNames } from '../core/template/known.ts'
import { parseInstant } from '../core/time/instant.ts'
import { assertZone } from '../core/time/zone.ts'
import { cronProblems } from './check-recurrence.ts'
import { requestProblems } from './check-request.ts'
import type { LooseAction } from './loose.ts'
import { type Path, type Problem, problem, refusal } from './problem.ts'

export function* actionProblems(action: LooseAction, at: Path, known: KnownNames): Generator<Problem> {
  const { name, schedule, triggerState } = action
  yield* requestProblems(action, at, schedule === undefined ? known : { ...known, ...REPEATED })
  if (name !== undefined && name !== action.actionId)
    yield problem([...at, 'name'], 'an action is named by its actionId', {
      expected: 'no name',
      point: 'key',
    })
  if (schedule === undefined && triggerState === undefined)
    yield problem([...at, 'triggerState'], 'nothing asks for this action', {
      expected: 'triggerState: the state whose entering asks for it, or schedule: a cron expression',
    })
  yield* scheduleProblems(action, at)
  for (const field of ['createdAt', 'updatedAt'] as const) {
    const instant = action[field]
    if (instant !== undefined) yield* refusal([...at, field], () => parseInstant(instant))
  }
}

/** What a repetition tells the templates of its action beside all the others. */
const REPEATED = { execution_time: true, scheduled_at: true } as const

function* scheduleProblems({ schedule, timezone }: LooseAction, at: Path): Generator<Problem> {
  const unreadable = schedule === undefined ? [] : cronProblems(schedule, [...at, 'schedule'])
  yield* unreadable
  if (timezone !== undefined) yield* refusal([...at, 'timezone'], () => assertZone(timezone))
  if (schedule !== undefined && timezone === undefined && unreadable.length === 0)
    yield problem([...at, 'schedule'], 'the schedule is read by the clock of UTC', {
      expected: 'timezone: an IANA name such as Europe/London, or UTC',
      severity: 'warning',
    })
  if (schedule === undefined && timezone !== undefined)
    yield problem([...at, 'timezone'], 'a timezone without a schedule says nothing', {
      expected: 'schedule: a cron expression',
      point: 'key',
    })
}
