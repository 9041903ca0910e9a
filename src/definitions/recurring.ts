// Owns `recurring`: a recurrence written in TypeScript. When it fires is data even in code, so it can be foreseen; what is
// done at an occurrence is a function.

import type { ActionRequest } from '../core/action.ts'
import { definitionHash } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import {
  type CatchUp,
  misfireOf,
  type RecurrenceSettings,
  ruleOfSettings,
} from '../core/triggers/recurrence-data.ts'
import type { Recurrence } from '../core/triggers/recurrence-run.ts'

export interface Occasion {
  /** When it was to happen, whenever it does. */
  readonly scheduledAt: Date
  /** The occurrence before that fired, if there was one. */
  readonly previousAt: Date | null
}

export interface RecurringDefinition extends Omit<RecurrenceSettings, 'do' | 'definition' | 'removed'> {
  readonly id: string
  /** Missed while nothing ran: another word for `misfire`, `none` being `skip`. */
  readonly catchUp?: CatchUp
  /** Raise it to have a change of `do` noticed. */
  readonly version?: string
  readonly do: (occasion: Occasion) => ActionRequest | null
}

/** A recurrence with its timing as it is written down. */
export interface RecurringCode extends Recurrence {
  readonly content: JsonObject
}

/**
 * Makes a recurrence.
 * @example
 * const digest = recurring({
 *   id: 'weekday-digest',
 *   cron: '0 9 * * MON-FRI',
 *   timezone: 'Europe/London',
 *   do: ({ scheduledAt }) => email({ to: 'team@example.com', template: 'digest', vars: { day: scheduledAt.toISOString() } }),
 * })
 */
export const recurring = ({
  id,
  do: perform,
  catchUp,
  version,
  ...timing
}: RecurringDefinition): RecurringCode => {
  if (typeof perform !== 'function')
    throw new PawlError('invalid_definition', `“${id}” does not say what to do`, {
      path: 'do',
      expected: 'a function that gives a request, or null',
    })
  const misfire = misfireOf(catchUp, timing.misfire)
  const settings = { ...timing, ...(misfire !== undefined && { misfire }) }
  const rule = ruleOfSettings({ ...settings, do: { type: id, config: {} } })
  const content: JsonObject = { kind: 'recurrence', code: true, id, ...(settings as unknown as JsonObject) }
  return {
    kind: 'recurrence',
    id,
    hash: definitionHash({ ...content, version: version ?? null }),
    content,
    ruleOf: () => rule,
    request: ({ scheduledAt, previousAt }) =>
      perform({
        scheduledAt: new Date(scheduledAt),
        previousAt: previousAt === null ? null : new Date(previousAt),
      }),
  }
}
