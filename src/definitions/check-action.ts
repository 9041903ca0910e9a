// Owns checking an action that names the state it belongs to. Whether that state exists is known only beside its
// machine: check-machine.ts for a machine's own list, link-actions.ts for files of their own.

import type { KnownNames } from '../core/template/known.ts'
import { parseCron } from '../core/time/cron/parse.ts'
import { parseInstant } from '../core/time/instant.ts'
import { requestProblems } from './check-request.ts'
import type { LooseAction } from './loose.ts'
import { type Path, type Problem, problem, refusal } from './problem.ts'

export function* actionProblems(action: LooseAction, at: Path, known: KnownNames): Generator<Problem> {
  yield* requestProblems(action, at, known)
  const { name, schedule, triggerState } = action
  if (name !== undefined && name !== action.actionId)
    yield problem([...at, 'name'], 'an action is named by its actionId', {
      expected: 'no name',
      point: 'key',
    })
  if (schedule === undefined && triggerState === undefined)
    yield problem([...at, 'triggerState'], 'nothing asks for this action', {
      expected: 'triggerState: the state whose entering asks for it',
    })
  if (schedule !== undefined) yield* scheduleProblems(schedule, [...at, 'schedule'])
  for (const field of ['createdAt', 'updatedAt'] as const) {
    const instant = action[field]
    if (instant !== undefined) yield* refusal([...at, field], () => parseInstant(instant))
  }
}

function* scheduleProblems(schedule: string, at: Path): Generator<Problem> {
  const refused = refusal(at, () => parseCron(schedule))
  yield* refused
  if (refused.length === 0)
    yield problem(at, 'this version keeps schedules but does not run them', {
      expected: 'triggerState alone, until recurrences are supported',
      severity: 'warning',
    })
}
