// Owns checking where events and timers lead: the states and actions that transitions name, what their fields say
// together, and transitions that can never be taken.

import { STARTED, TIMER_FIRED, VARIABLES_PATCHED } from '../core/event.ts'
import { durationMs } from '../core/time/duration.ts'
import { conditionProblems, templateProblems } from './check-text.ts'
import { each, type LooseState, type LooseTransition, type LooseTransitions, members } from './loose.ts'
import type { Names } from './names.ts'
import { type Path, type Problem, problem, quote, refusal, unknownName } from './problem.ts'

/** What happens by itself, and where to say what follows from it. */
const NOT_LISTENED_TO: ReadonlyMap<string, string> = new Map([
  [STARTED, 'enter of the initial state'],
  [TIMER_FIRED, 'after: { 14d: … }'],
  [VARIABLES_PATCHED, 'a condition on an event of your own'],
])

interface Site {
  readonly state: string
  readonly source: 'on' | 'after'
}

export function* stateTransitionProblems(state: LooseState, name: string, names: Names): Generator<Problem> {
  const at = ['states', name]
  for (const [event, transitions] of members(state.on)) {
    yield* eventProblems(event, [...at, 'on', event], names)
    yield* transitionsProblems(transitions, [...at, 'on', event], { state: name, source: 'on' }, names)
  }
  yield* timerProblems(Object.keys(state.after ?? {}), [...at, 'after'])
  for (const [label, transitions] of members(state.after))
    yield* transitionsProblems(transitions, [...at, 'after', label], { state: name, source: 'after' }, names)
}

function* eventProblems(event: string, at: Path, names: Names): Generator<Problem> {
  const instead = NOT_LISTENED_TO.get(event)
  if (instead !== undefined)
    yield problem(at, `the engine keeps ${quote(event)} to itself, so this never happens`, {
      expected: instead,
      point: 'key',
    })
  else if (!names.isEvent(event))
    yield unknownName(at, `${quote(event)} is not declared in events`, event, names.events, {
      expected: 'a declared event, or the result event of a runner',
      point: 'key',
      severity: 'warning',
    })
}

function* timerProblems(labels: readonly string[], at: Path): Generator<Problem> {
  const seen = new Map<number, string>()
  for (const label of labels) {
    const place = [...at, label]
    const unreadable = refusal(place, () => durationMs(label), 'key')
    yield* unreadable
    if (unreadable.length > 0) continue
    const ms = durationMs(label)
    const other = seen.get(ms)
    if (ms === 0)
      yield problem(place, 'a timer of zero fires at once', {
        expected: 'a duration above zero',
        point: 'key',
      })
    if (other !== undefined)
      yield problem(place, `${quote(label)} and ${quote(other)} are the same time`, {
        expected: 'one list of transitions under one of them',
        point: 'key',
        severity: 'warning',
      })
    seen.set(ms, label)
  }
}

function* transitionsProblems(
  transitions: LooseTransitions,
  at: Path,
  site: Site,
  names: Names,
): Generator<Problem> {
  if (typeof transitions === 'string') {
    yield* targetProblems(transitions, at, names)
    return
  }
  const list = each(transitions, at)
  if (Array.isArray(transitions) && transitions.length === 0)
    yield problem(at, 'the list of transitions is empty', { expected: 'at least one transition' })
  for (const [transition, place] of list) yield* transitionProblems(transition, place, site, names)
  yield* neverTaken(list)
}

function* targetProblems(to: string, at: Path, names: Names): Generator<Problem> {
  if (!names.isState(to))
    yield unknownName(at, `${quote(to)} is not a state of this machine`, to, names.states)
}

function* transitionProblems(
  transition: LooseTransition,
  at: Path,
  site: Site,
  names: Names,
): Generator<Problem> {
  const { to, of, internal, set } = transition
  if (to !== undefined) yield* targetProblems(to, [...at, 'to'], names)
  if (to === undefined && !internal)
    yield problem(at, 'it is not said where this leads', {
      expected: 'to: the name of a state, or internal: true with set',
      point: 'key',
    })
  if (internal && to !== undefined && to !== site.state)
    yield problem([...at, 'to'], `an internal transition stays in ${quote(site.state)}`, {
      expected: 'no to, or no internal: true',
    })
  if (internal && set === undefined)
    yield problem([...at, 'internal'], 'an internal transition without set does nothing', {
      expected: 'set: the variables to change',
      point: 'key',
    })
  if (of !== undefined) yield* originProblems(of, [...at, 'of'], site, names)
  yield* conditionProblems(transition.condition, [...at, 'condition'], names.known)
  yield* templateProblems(set, [...at, 'set'], names.known, 'refused')
  for (const variable of Object.keys(set ?? {}))
    if (!names.isVariable(variable))
      yield unknownName(
        [...at, 'set', variable],
        `${quote(variable)} is not a variable of this machine`,
        variable,
        names.variables,
        { point: 'key' },
      )
}

function* originProblems(of: string, at: Path, { source }: Site, names: Names): Generator<Problem> {
  if (source === 'after')
    yield problem(at, 'a timer is not the result of an action', { expected: 'no of', point: 'key' })
  else if (!names.isAction(of))
    yield unknownName(at, `${quote(of)} is not an action of this machine`, of, names.actions)
}

/** The first transition that holds is taken: behind one without a condition nothing is. */
function* neverTaken(list: readonly (readonly [LooseTransition, Path])[]): Generator<Problem> {
  const always = new Set<string | undefined>()
  for (const [{ of, condition }, at] of list) {
    if (always.has(undefined) || always.has(of))
      yield problem(at, 'this transition is never taken: one before it has no condition', {
        expected: 'a condition on every transition but the last',
      })
    if (condition === undefined) always.add(of)
  }
}
