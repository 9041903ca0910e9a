// Owns the check of an event from outside before a machine may see it: the payload of a declared event must fit, and
// nobody but the engine says what the engine says. What the states make of it is core's.

import { PawlError } from '../core/errors.ts'
import { FAILED, STARTED, SUCCEEDED, TIMER_FIRED, VARIABLES_PATCHED } from '../core/event.ts'
import { assertStorable, type Json } from '../core/json.ts'
import type { EngineEvent } from './machine-events.ts'
import { oneOf, quote } from './problem.ts'
import { storedOf } from './standard-check.ts'
import type { ValueCheck } from './value-check.ts'

const ENGINE_EVENTS: readonly string[] = [
  STARTED,
  SUCCEEDED,
  FAILED,
  TIMER_FIRED,
  VARIABLES_PATCHED,
] satisfies readonly EngineEvent[]

export const isEngineEvent = (type: string): boolean => ENGINE_EVENTS.includes(type)

/** What a machine knows of events, from a file or from code. */
export interface EventRules {
  /** Of each declared event: its payload as it will be kept, or `event_invalid`. */
  readonly payloads: ReadonlyMap<string, ValueCheck<Json>>
  /** The result events of the runners it uses: its guards trust that they come from there. */
  readonly results?: ReadonlySet<string>
}

/** The payload as it will be kept. An event the machine does not know passes: its states ignore it and say so. */
export const checkEvent = ({ payloads, results }: EventRules, type: string, payload: unknown): Json => {
  if (isEngineEvent(type) || results?.has(type))
    throw new PawlError('event_invalid', `${quote(type)} is said by the engine and cannot be sent`, {
      path: 'type',
      ...(payloads.size > 0 && { expected: oneOf([...payloads.keys()]) }),
    })
  const sent = storedOf(payload, 'event_invalid', 'payload')
  const check = payloads.get(type)
  const kept = check === undefined ? sent : check(sent)
  assertStorable(kept, `the payload of ${quote(type)}`)
  return kept
}
