// Owns given/when/then for machines, from code or from data: a state, something that happens, what it must lead to. It
// calls `decide` alone, so it needs no store, no clock and no waiting.
// W1  Events are checked as the engine checks them: what could not be sent cannot be given here.

import { PawlError } from '../core/errors.ts'
import {
  type Event,
  failedEvent,
  SUCCEEDED,
  startedEvent,
  succeededEvent,
  TIMER_FIRED,
} from '../core/event.ts'
import { blankExecution, type Execution } from '../core/execution.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { stepKey } from '../core/keys.ts'
import { nearest } from '../core/suggest.ts'
import { durationMs } from '../core/time/duration.ts'
import { parseInstant } from '../core/time/instant.ts'
import { decideMachine, type Machine } from '../core/triggers/machine.ts'
import { checkEvent, type EventRules } from '../definitions/check-event.ts'
import type { ParsedMachine } from '../definitions/parse.ts'
import { createOutcome } from './outcome.ts'
import type { AnyWords, Given, Moment, Outcome, Typed, Words, WordsOf } from './scenario.ts'

const NOW = '2026-01-01T00:00:00Z'

interface Subject {
  readonly machine: Machine
  readonly rules: EventRules
}

const subjectOf = (definition: Typed | ParsedMachine): Subject =>
  'machine' in definition
    ? { machine: definition.machine, rules: definition }
    : { machine: definition, rules: definition }

const unknown = (what: string, name: string, known: readonly string[]): PawlError => {
  const suggestion = nearest(name, known)
  return new PawlError('invalid_option', `there is no ${what} “${name.slice(0, 80)}”`, {
    expected: known.join(', ') || `a machine that has one`,
    ...(suggestion !== undefined && { suggestion }),
  })
}

const stateOf = ({ machine }: Subject, name: string) => {
  const state = machine.states.get(name)
  if (state === undefined) throw unknown(`state in ${machine.id}`, name, [...machine.states.keys()])
  return state
}

const blank = ({ machine: { id, hash } }: Subject): Execution =>
  blankExecution({
    id: 'test',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: id,
    definitionHash: hash,
  })

/** The key `decide` gave the timer when the state was entered. */
const timerOf = (subject: Subject, { state, visits }: Execution, wait: string): string => {
  const { after } = stateOf(subject, state!)
  const found = after.find(({ label, ms }) => label === wait || ms === durationMs(wait, 'wait'))
  if (found === undefined)
    throw unknown(
      `wait in ${state}`,
      wait,
      after.map(({ label }) => label),
    )
  return stepKey([state!, 'after', found.label], visits[state!]!)
}

const momentOf = (subject: Subject, execution: Execution, now: number, before: string): Moment<Words> => {
  const decide = decideMachine(subject.machine)
  const happens = (event: Omit<Event, 'at'>, told: string): Outcome<Words> =>
    createOutcome({
      before,
      happened: told,
      decision: decide(execution, { ...event, at: now }, now),
      go: (next, how) => momentOf(subject, next, now, how),
    })
  return {
    execution,
    at: (instant) => momentOf(subject, execution, parseInstant(instant), before),
    when: (type, given) => {
      const payload = checkEvent(subject.rules, type, given)
      return happens({ id: 'evt_1', type, payload }, `${type} ${JSON.stringify(payload)}`)
    },
    whenPassed: (wait) => {
      const key = timerOf(subject, execution, wait)
      const payload = { after: wait, state: execution.state }
      return happens({ id: key, type: TIMER_FIRED, payload, timer: key }, `${wait} have passed`)
    },
    whenSucceeded: (name, result = {}, type = SUCCEEDED) => {
      const said = { type, payload: isObject(result) ? result : {} }
      const event = succeededEvent({ id: 'act_1', name, settlement: 1 }, result, said, now)
      return happens(event, `${name} succeeded with ${JSON.stringify(result)} (${type})`)
    },
    whenFailed: (name, { type = 'unknown_error', message = 'it failed' } = {}) => {
      const error = { type, message, retryable: false }
      const event = failedEvent({ id: 'act_1', name, settlement: 1 }, 'dead', error, now)
      return happens(event, `${name} failed with ${type}: ${message}`)
    },
  }
}

export interface GivenMachine {
  <M extends Typed>(machine: M): Given<WordsOf<M>>
  (definition: ParsedMachine): Given<AnyWords>
}

/**
 * @example
 * given(lease)
 *   .inState('active', { landlord: 'ada' })
 *   .when('notice.received', { until: '2026-12-31' })
 *   .leadsTo({ state: 'notice_received', actions: [{ type: 'notify', config: { to: 'ada' } }], waits: ['30d'] })
 */
export const given = ((definition: Typed | ParsedMachine): Given<Words> => {
  const subject = subjectOf(definition)
  const { machine } = subject
  const now = parseInstant(NOW)
  return {
    started: (input) => {
      const variables = input as JsonObject
      return createOutcome({
        before: `${machine.id} that has not begun`,
        happened: `it is started with ${JSON.stringify(variables)}`,
        decision: decideMachine(machine)(blank(subject), startedEvent('test', variables, now), now),
        go: (next, how) => momentOf(subject, next, now, how),
      })
    },
    inState: (name, variables) => {
      const { after, final } = stateOf(subject, name)
      const execution: Execution = {
        ...blank(subject),
        state: name,
        status: final ? 'completed' : 'active',
        variables: machine.checkVariables(variables as JsonObject),
        visits: { [name]: 1 },
        pending: { timers: after.map(({ label }) => stepKey([name, 'after', label], 1)), actions: [] },
      }
      return momentOf(subject, execution, now, `${machine.id} in ${name} with ${JSON.stringify(variables)}`)
    },
  }
}) as GivenMachine
