// Owns what people see of a recurrence and of its occurrences: what its execution keeps, in their words.

import type { JsonObject } from '../core/json.ts'
import { describe } from '../core/time/cron/words.ts'
import { progressOf } from '../core/triggers/recurrence.ts'
import { dataRecurrence } from '../core/triggers/recurrence-data.ts'
import type { RecurringCode } from '../definitions/recurring.ts'
import type { OccurrenceRow } from '../store/occurrences.ts'
import type { StoredExecution } from '../store/store.ts'

export interface RecurrenceView {
  readonly id: string
  /** The settings it was made with, or the timing of one written in code. */
  readonly settings: JsonObject
  /** `At 09:00 on weekdays (Europe/London)`. */
  readonly words: string
  readonly enabled: boolean
  readonly nextAt: string | null
  readonly lastAt: string | null
  readonly executionCount: number
  readonly successCount: number
  readonly failureCount: number
  readonly error: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly namespace: string
  readonly tenant: string
}

export interface OccurrenceView extends Omit<OccurrenceRow, 'at' | 'toldAt' | 'into' | 'until'> {
  readonly at: string
  readonly toldAt: string
  readonly into?: string
  readonly until?: string
  /** How its action stands, or ended. */
  readonly outcome?: string
}

/** Recurrences written in code, by id. */
export type Coded = ReadonlyMap<string, RecurringCode>

export const iso = (instant: number): string => new Date(instant).toISOString()
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant))

/** Of one whose code is elsewhere its timing is not known here. */
export const settingsOf = (coded: Coded, execution: StoredExecution['execution']): JsonObject =>
  coded.get(execution.id)?.content ?? progressOf(execution).settings

const wordsOf = (settings: JsonObject): string => {
  if (settings['cron'] === undefined) return ''
  const { schedule } = dataRecurrence.ruleOf(settings)
  return describe(schedule.cron, schedule.zone)
}

export const recurrenceView = (
  coded: Coded,
  { execution, createdAt, updatedAt }: StoredExecution,
): RecurrenceView => {
  const { enabled, nextAt, lastRunAt, fired, succeeded, failed, error } = progressOf(execution)
  const settings = settingsOf(coded, execution)
  return {
    id: execution.id,
    settings,
    words: wordsOf(settings),
    enabled,
    nextAt: isoOrNull(nextAt),
    lastAt: isoOrNull(lastRunAt),
    executionCount: fired,
    successCount: succeeded,
    failureCount: failed,
    error,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    namespace: execution.namespace,
    tenant: execution.tenant,
  }
}

export const occurrenceView = (
  { at, toldAt, into, until, ...rest }: OccurrenceRow,
  outcome: string | undefined,
): OccurrenceView => ({
  ...rest,
  at: iso(at),
  toldAt: iso(toldAt),
  ...(into !== undefined && { into: iso(into) }),
  ...(until !== undefined && { until: iso(until) }),
  ...(outcome !== undefined && { outcome }),
})
