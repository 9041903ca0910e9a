// Owns checking what only a machine written in code has: schemas, runners, functions, and events that must be declared
// because the compiler narrows by them. What it shares with a machine from a file is checked by check-machine.ts.

import { FAILED, SUCCEEDED } from '../core/event.ts'
import { isObject } from '../core/json.ts'
import { isSchema } from '../core/schema.ts'
import type { AnyRunner } from '../runners/runner.ts'
import { isEngineEvent } from './check-event.ts'
import { type Path, type Problem, problem, quote, unknownName } from './problem.ts'

type Loose = Readonly<Record<string, unknown>>

const MACHINE_KEYS = [
  'id',
  'description',
  'variables',
  'events',
  'uses',
  'initial',
  'states',
  'onActionDead',
  'version',
  'versions',
]
const STATE_KEYS = ['description', 'enter', 'on', 'after', 'final']
const TRANSITION_KEYS = ['to', 'of', 'internal', 'when', 'condition', 'set']

export function* codeProblems(definition: Loose): Generator<Problem> {
  const { variables, version } = definition
  yield* keyProblems(definition, MACHINE_KEYS, [])
  if (variables !== undefined && !isSchema(variables)) yield noSchema(['variables'])
  if (version !== undefined && typeof version !== 'string')
    yield problem(['version'], 'version is not text', {
      expected: 'text such as "2", changed with the functions',
    })
  yield* eventProblems(definition)
  yield* usesProblems(definition)
  const known = knownEvents(definition)
  for (const [name, state] of membersOf(definition['states']))
    yield* stateProblems(state, ['states', name], known)
}

const SCHEMA = 'a Standard Schema, for example z.object({…})'
const noSchema = (at: Path): Problem => problem(at, `${at.join('.')} is not a schema`, { expected: SCHEMA })

function* eventProblems({ events }: Loose): Generator<Problem> {
  if (events !== undefined && !isObject(events))
    yield problem(['events'], 'events is not an object', { expected: 'names of events with their schemas' })
  for (const [name, schema] of membersOf(events)) {
    if (!isSchema(schema)) yield noSchema(['events', name])
    if (isEngineEvent(name))
      yield problem(['events', name], `${quote(name)} is an event of the engine and cannot be declared`, {
        expected: 'another name',
        point: 'key',
      })
  }
}

function* usesProblems({ uses, events }: Loose): Generator<Problem> {
  if (uses !== undefined && !Array.isArray(uses))
    yield problem(['uses'], 'uses is not a list', { expected: 'a list of runners' })
  const seen = new Set<string>()
  for (const [index, runner] of listOf(uses).entries()) {
    const at = ['uses', index]
    if (!isRunner(runner)) {
      yield problem(at, 'this is not a runner', { expected: 'what runner({ … }) returned' })
      continue
    }
    if (seen.has(runner.type)) yield problem(at, `a second runner of the type ${quote(runner.type)}`)
    seen.add(runner.type)
    if (isObject(events) && Object.hasOwn(events, runner.event))
      yield problem(
        ['events', runner.event],
        `${quote(runner.event)} is the result event of ${runner.type}`,
        {
          expected: 'another name for one of the two',
          point: 'key',
        },
      )
  }
}

function* stateProblems(state: unknown, at: Path, known: readonly string[]): Generator<Problem> {
  if (!isObject(state)) return
  yield* keyProblems(state, STATE_KEYS, at)
  yield* functionProblems(state, 'enter', at)
  for (const [event, written] of membersOf(state['on'])) {
    const place = [...at, 'on', event]
    if (!known.includes(event))
      yield unknownName(place, `the machine has no event ${quote(event)}`, event, known, { point: 'key' })
    yield* transitionProblems(written, place)
  }
  for (const [label, written] of membersOf(state['after']))
    yield* transitionProblems(written, [...at, 'after', label])
}

function* transitionProblems(written: unknown, at: Path): Generator<Problem> {
  if (Array.isArray(written)) {
    for (const [index, item] of written.entries()) yield* transitionProblems(item, [...at, index])
  } else if (isObject(written)) {
    yield* keyProblems(written, TRANSITION_KEYS, at)
    yield* functionProblems(written, 'when', at)
    yield* functionProblems(written, 'set', at)
  }
}

function* keyProblems(holder: Loose, known: readonly string[], at: Path): Generator<Problem> {
  for (const key of Object.keys(holder))
    if (!known.includes(key))
      yield unknownName([...at, key], `${quote(key)} is not a known key`, key, known, { point: 'key' })
}

function* functionProblems(holder: Loose, name: string, at: Path): Generator<Problem> {
  if (holder[name] !== undefined && typeof holder[name] !== 'function')
    yield problem([...at, name], `${name} is not a function`, {
      expected: `${name}: ({ variables, event }) => …`,
    })
}

/** The names `on` may use, in the order people meet them. */
const knownEvents = ({ events, uses }: Loose): readonly string[] => [
  ...new Set([
    ...membersOf(events).map(([name]) => name),
    ...listOf(uses)
      .filter(isRunner)
      .map((runner) => runner.event),
    SUCCEEDED,
    FAILED,
  ]),
]

const isRunner = (value: unknown): value is AnyRunner =>
  typeof value === 'function' && 'definition' in value && 'event' in value

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isObject(value) ? Object.entries(value) : []
