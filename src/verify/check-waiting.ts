// Owns I9 and the rest of I7: an execution that goes on waits for something that can come, and whatever waits for it can
// reach it. One that does not go on says why.

import type { Execution, ExecutionStatus } from '../core/execution.ts'
import type { ExecutionFile } from '../store/inspect.ts'
import { type Broken, type Finding, judged, whereOf } from './finding.ts'
import type { Told } from './told.ts'

const GOES_ON: ReadonlySet<ExecutionStatus> = new Set(['active', 'waiting'])
/** Timers are kept by what goes on, is paused, or failed by its code and can be mended. */
const ENDED: ReadonlySet<ExecutionStatus> = new Set(['completed', 'cancelled'])
const OPEN: ReadonlySet<string> = new Set(['queued', 'running'])

type Pending = Execution['pending']

const says = (file: ExecutionFile, rule: string, text: string, expected: string): Broken => ({
  invariant: 'I9',
  rule,
  where: whereOf(file),
  text,
  expected,
  found: `${file.status}, ${file.timers.length} timers, ${file.inbox.filter(({ appliedAt }) => appliedAt === null).length} events waiting`,
})

const saysWhy = (file: ExecutionFile): Broken | false => {
  const { id, status, pausedFrom, hasError, isPausedItself } = file
  const isPaused = status === 'paused'
  if (status === 'failed' && !hasError)
    return says(file, 'silent_failure', `${id} failed and does not say why`, 'an error')
  if (isPaused !== (pausedFrom !== null))
    return isPaused
      ? says(
          file,
          'paused_from',
          `${id} is paused and does not say what it was before`,
          'what a resume makes it',
        )
      : says(
          file,
          'paused_from',
          `${id} is ${status} and says what it was before a pause`,
          'a pause, or nothing',
        )
  return (
    isPausedItself &&
    GOES_ON.has(status) &&
    says(file, 'pause_ignored', `${id} was paused by itself and goes on`, 'paused, or no pause')
  )
}

const waitsForNothing = (file: ExecutionFile): Broken | false => {
  const { id, kind, status, state } = file
  const waiting = file.inbox.some(({ appliedAt }) => appliedAt === null)
  if (!GOES_ON.has(status) || waiting || file.isCut) return false
  if (state === null && kind === 'machine')
    return says(
      file,
      'never_began',
      `${id} has no state, and its first event is not there`,
      'its first event waiting',
    )
  // A recurrence that is switched off waits for whoever switches it on.
  const isOff = kind === 'recurrence' && state === 'disabled'
  const isStalled =
    kind !== 'machine' &&
    !isOff &&
    file.timers.length === 0 &&
    !file.steps.some((step) => OPEN.has(step.status))
  return (
    isStalled &&
    says(
      file,
      'stalled',
      `${id} goes on and waits for nothing: it will never move`,
      'a timer, an action, an event',
    )
  )
}

const timersDiffer = (file: ExecutionFile, { taken }: Told, pending: Pending): readonly Broken[] => {
  const armed = new Set(file.timers.map(({ key }) => key))
  const wanted = new Set(pending.timers)
  const isFired = (key: string): boolean =>
    taken.has(key) || file.inbox.some(({ eventId }) => eventId === key)
  const missing = GOES_ON.has(file.status) || file.status === 'paused' ? pending.timers : []
  return [
    ...missing
      .filter((key) => !armed.has(key) && !isFired(key) && !file.isCut)
      .map((key) => ({
        ...says(
          file,
          'timer_missing',
          `${file.id} waits for the timer ${key}, which is not armed`,
          'the timer',
        ),
        where: { ...whereOf(file), timer: key },
      })),
    ...file.timers
      .filter(({ key }) => ENDED.has(file.status) || !wanted.has(key))
      .map(({ key }) => ({
        ...says(
          file,
          'timer_unwanted',
          `the timer ${key} is armed, and ${file.id} does not wait for it`,
          'no timer',
        ),
        where: { ...whereOf(file), timer: key },
      })),
  ]
}

const unreachable = (file: ExecutionFile): readonly Broken[] => {
  const isPaused = file.status === 'paused'
  const isSure = isPaused || GOES_ON.has(file.status)
  const held = isPaused ? 'held until the execution is resumed' : 'not held'
  const wrongly = (what: string, is: boolean): string =>
    is
      ? `${what} is held, and ${file.id} is not paused: it will never come`
      : `${what} is not held, and ${file.id} is paused`
  return [
    ...file.timers
      .filter(({ isHeld }) => isSure && isHeld !== isPaused)
      .map(({ key, isHeld }) => ({
        invariant: 'I7' as const,
        rule: 'timer_held',
        where: { ...whereOf(file), timer: key },
        text: wrongly(`the timer ${key}`, isHeld),
        expected: held,
        found: isHeld ? 'held' : 'not held',
      })),
    ...file.inbox
      .filter(({ appliedAt }) => appliedAt === null)
      .flatMap(({ eventId, isHeld, definition }): Broken[] => {
        const where = { ...whereOf(file), event: eventId }
        if (definition !== file.definition)
          return [
            {
              invariant: 'I7',
              rule: 'event_elsewhere',
              where,
              text: `the event ${eventId} waits for ${definition}, and ${file.id} is a ${file.definition}`,
              expected: file.definition,
              found: definition,
            },
          ]
        if (!isSure || isHeld === isPaused) return []
        return [
          {
            invariant: 'I7',
            rule: 'event_held',
            where,
            text: wrongly(`the event ${eventId}`, isHeld),
            expected: held,
            found: isHeld ? 'held' : 'not held',
          },
        ]
      }),
  ]
}

export const checkWaiting = (file: ExecutionFile, told: Told): readonly Finding[] => {
  const { snapshot } = file
  if ('unreadable' in snapshot)
    return judged({
      invariant: 'readable',
      rule: 'snapshot',
      where: whereOf(file),
      text: snapshot.unreadable.message,
      expected: 'the snapshot as it was written',
      found: 'visits or pending steps that cannot be read',
    })
  return judged(
    saysWhy(file),
    waitsForNothing(file),
    timersDiffer(file, told, snapshot.pending),
    unreachable(file),
  )
}
