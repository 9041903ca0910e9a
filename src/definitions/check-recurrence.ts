// Owns checking that a recurrence written as data makes sense: its cron, zone and durations, and what its action may
// name. The shape is the business of shape/recurrence.ts.

import type { KnownNames } from '../core/template/known.ts'
import { parseCron } from '../core/time/cron/parse.ts'
import { assertMinInterval } from '../core/time/cron/spacing.ts'
import { durationMs } from '../core/time/duration.ts'
import { parseInstant } from '../core/time/instant.ts'
import { assertZone } from '../core/time/zone.ts'
import { MIN_INTERVAL_MS, type RecurrenceData } from '../core/triggers/recurrence-data.ts'
import { requestProblems } from './check-request.ts'
import { templateProblems } from './check-text.ts'
import type { LooseRequest } from './loose.ts'
import { type Path, type Problem, problem, refusal } from './problem.ts'

type Loosened<T> = { readonly [K in keyof T]?: T[K] | undefined }
export type LooseRecurrence = Loosened<Omit<RecurrenceData, 'action'>> & {
  readonly action?: (LooseRequest & { readonly dedupKey?: string | undefined }) | undefined
}

/** What an occurrence tells the templates of its action. */
const KNOWN: KnownNames = {
  recurring_id: true,
  execution_time: true,
  scheduled_at: true,
  previous_at: true,
  now: true,
}

export function* recurrenceProblems(recurrence: LooseRecurrence): Generator<Problem> {
  const { cron, timezone, grace, jitter, endsAt, misfire, catchUp, action } = recurrence
  if (cron !== undefined) yield* cronProblems(cron, ['cron'])
  if (timezone !== undefined) yield* refusal(['timezone'], () => assertZone(timezone))
  for (const [name, value] of [
    ['grace', grace],
    ['jitter', jitter],
  ] as const)
    if (value !== undefined) yield* refusal([name], () => durationMs(value, name))
  if (endsAt !== undefined) yield* refusal(['endsAt'], () => parseInstant(endsAt))
  if (misfire !== undefined && catchUp !== undefined)
    yield problem(['catchUp'], 'catchUp stands beside misfire', { expected: 'one of the two', point: 'key' })
  if (action !== undefined) yield* recurringActionProblems(action, ['action'])
}

/** Of a cron: that it can be read, that some year has its date, that it is not too often. */
export const cronProblems = (text: string, at: Path): readonly Problem[] =>
  refusal(at, () => assertMinInterval(parseCron(text), MIN_INTERVAL_MS))

function* recurringActionProblems(
  { dedupKey, ...request }: LooseRecurrence['action'] & {},
  at: Path,
): Generator<Problem> {
  yield* requestProblems(request, at, KNOWN)
  yield* templateProblems(dedupKey, [...at, 'dedupKey'], KNOWN, 'refused')
  if (dedupKey !== undefined && request.dedup !== undefined)
    yield problem([...at, 'dedupKey'], 'dedupKey stands beside dedup', {
      expected: 'one of the two',
      point: 'key',
    })
}
