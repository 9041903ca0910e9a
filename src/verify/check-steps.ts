// Owns I3 and I5: one step has one action, and an action that ended was heard of by its execution, once the history or the
// inbox has its result event; and what the history says has ended has ended.

import type { ExecutionFile, StepRow } from '../store/inspect.ts'
import { type Broken, type Finding, judged, whereOf } from './finding.ts'
import type { Told } from './told.ts'

const stepsTwice = (file: ExecutionFile): readonly Broken[] => {
  const groups = Map.groupBy(
    file.steps.filter(({ stepKey }) => stepKey !== undefined),
    ({ stepKey }) => stepKey!,
  )
  return [...groups].flatMap(([stepKey, rows]) => {
    const ids = [...new Set(rows.map(({ id }) => id))].sort()
    if (ids.length === 1) return []
    return [
      {
        invariant: 'I3' as const,
        rule: 'step_twice',
        where: { ...whereOf(file), action: ids[1]! },
        text: `the step ${stepKey} has ${ids.length} actions: its effect would be sent under one key for two`,
        expected: 'one action',
        found: ids.join(', '),
      },
    ]
  })
}

/** Ends an execution is told of. */
const HEARD: ReadonlySet<string> = new Set(['succeeded', 'dead', 'review'])

const isHeard = ({ id, token, stepKey, isBornDead }: StepRow, ids: ReadonlySet<string>): boolean =>
  ids.has(`${id}/${token}`) || ids.has(`${id}/resolved`) || (isBornDead === true && ids.has(`${stepKey}/0`))

/** The ids of result events; that of what a person said ends with when it was said. */
const eventIds = (file: ExecutionFile, { taken }: Told): ReadonlySet<string> =>
  new Set(
    [...taken.keys(), ...file.inbox.map(({ eventId }) => eventId)].map((id) =>
      id.replace(/\/resolved\/\d+$/, '/resolved'),
    ),
  )

const unheard = (file: ExecutionFile, told: Told): readonly Broken[] => {
  const ids = eventIds(file, told)
  return file.steps
    .filter((step) => HEARD.has(step.status) && (step.finishedAt ?? 0) >= told.since && !isHeard(step, ids))
    .map(({ id, status, token }) => ({
      invariant: 'I5',
      rule: 'unheard',
      where: { ...whereOf(file), action: id },
      text: `${id} is ${status}, and ${file.id} has not heard of it and never will`,
      expected: `the event ${id}/${token}, taken or waiting`,
      found: 'neither a line nor an event in the inbox',
    }))
}

/** Said to have succeeded: it has, for ever. Said to have ended otherwise: it is there, whatever became of it. */
const untrue = (file: ExecutionFile, told: Told, doneHorizon: number | null): readonly Broken[] => {
  const steps = new Map(file.steps.map((step) => [step.id, step]))
  return told.settled.flatMap(({ action, status, line }) => {
    const step = steps.get(action)
    // A finished row that retention has taken, or that was left out with the oldest ones.
    const isGone = step === undefined && (file.isCut || doneHorizon === null || line.at < doneHorizon)
    const isTrue = step !== undefined && (status !== 'succeeded' || step.status === 'succeeded')
    if (isGone || isTrue) return []
    return [
      {
        invariant: 'I5' as const,
        rule: 'end_untrue',
        where: { ...whereOf(file), action, line: line.number },
        text: `line ${line.number} of ${file.id} says that ${action} is ${status}; it is ${step?.status ?? 'not there'}`,
        expected: status,
        found: step?.status ?? 'no such action',
      },
    ]
  })
}

export const checkSteps = (file: ExecutionFile, told: Told, doneHorizon: number | null): readonly Finding[] =>
  judged(stepsTwice(file), unheard(file, told), untrue(file, told, doneHorizon))
