// Owns what a commit says of recurrences, in the words of R-061: one fact for each thing that happened to one. Log lines
// and metrics are made of them.

import { type JsonObject, own } from '../core/json.ts'
import { RECURRENCE_EVENTS } from '../core/triggers/recurrence.ts'
import type { Level } from '../engine/log.ts'
import type { Advance, Member, Result } from '../store/store.ts'

export interface RecurringFact {
  readonly level: Level
  readonly event: `recurring.${string}`
  readonly message: string
  readonly fields: JsonObject
}

type Line = Advance['history'][number]

const fact = (level: Level, word: string, message: string, fields: JsonObject = {}): RecurringFact => ({
  level,
  event: `recurring.${word}`,
  message,
  fields,
})

const CHANGES: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  [RECURRENCE_EVENTS.pause, ['pause', 'a recurrence was switched off']],
  [RECURRENCE_EVENTS.resume, ['resume', 'a recurrence was switched on']],
  [RECURRENCE_EVENTS.change, ['update', 'a recurrence was changed']],
])

const changed = ({ data }: Line, { execution }: Advance): readonly RecurringFact[] => {
  if (own(own(execution.variables, 'settings'), 'removed') === true) return [REMOVED]
  const [word, message] = CHANGES.get(own(data['event'], 'type')) ?? ['update', 'a recurrence was changed']
  return [fact('info', word, message)]
}

const REMOVED = fact('info', 'delete', 'a recurrence was removed')

/** It ran out: of its time or its number, or of instants that its cron names. */
const ended = ({ data }: Line): readonly RecurringFact[] => {
  if (data['enabled'] !== false) return []
  const { error } = data
  return error === undefined
    ? [fact('warn', 'expired', 'a recurrence has ended')]
    : [fact('warn', 'no_next', 'a recurrence never fires again', { error: { message: error } })]
}

const factsOf = (line: Line, advance: Advance): readonly RecurringFact[] => {
  switch (line.type) {
    case 'recurrence.started':
      return [fact('info', 'create', 'a recurrence was made')]
    case 'recurrence.changed':
      return changed(line, advance)
    case 'recurrence.fired':
    case 'recurrence.planned':
      return ended(line)
    case 'execution.cancelled':
      return [REMOVED]
    default:
      return []
  }
}

/** what was born dead was never sent on. */
const dispatched = ({ actions, occurrences = [] }: Advance): readonly RecurringFact[] => {
  const instants = new Map(occurrences.map(({ action, at }) => [action, new Date(at).toISOString()]))
  return actions.map(({ id, plan }) => {
    const fields = { action: id, type: plan.type, scheduled_at: instants.get(id) ?? null }
    if (plan.status !== 'dead') return fact('info', 'dispatch', 'an occurrence was fired', fields)
    const error = { type: plan.error!.type, message: plan.error!.message }
    return fact('error', 'dispatch_error', 'an occurrence could not be fired', { ...fields, error })
  })
}

/** another process was faster; R-044: the store refused it. */
const lost = ({ status, error }: Result, { consume }: Advance): readonly RecurringFact[] => {
  if (!consume.some(({ from }) => from === 'timer')) return []
  if (status === 'refused')
    return [
      fact('error', 'dispatch_error', 'an occurrence could not be fired', {
        error: { type: error!.code, message: error!.message },
      }),
    ]
  return [fact('debug', 'skip_claimed', 'an occurrence was fired by another process')]
}

export const recurringFacts = (
  { advance, namespace, tenant }: Member,
  result: Result,
): readonly RecurringFact[] => {
  if (advance === undefined || advance.execution.kind !== 'recurrence') return []
  const found =
    result.status === 'ok'
      ? [...dispatched(advance), ...advance.history.flatMap((line) => factsOf(line, advance))]
      : lost(result, advance)
  const of = { recurring_id: advance.execution.id, namespace, tenant }
  return found.map((each) => ({ ...each, fields: { ...of, ...each.fields } }))
}
