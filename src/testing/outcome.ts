// Owns the “then” of given/when/then: a decision held against what a test expects of it, and the words when it is not so:
// what was given, what happened, and each part that differs, expected beside actual.

import type { ActionPlan } from '../core/action.ts'
import type { Decision } from '../core/decision.ts'
import type { Execution } from '../core/execution.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Expected, ExpectedAction, Moment, Outcome, Words } from './scenario.ts'
import { type Difference, differences } from './subset.ts'

interface Taken {
  /** What was given, in words. */
  readonly before: string
  readonly happened: string
  readonly decision: Decision
  readonly go: (execution: Execution, told: string) => Moment<Words>
}

const waitOf = (payload: Json): Json => (payload as JsonObject)['after']!

const actionOf = (plan: ActionPlan, expected: string | ExpectedAction | undefined): Json => {
  const { name, type, config, status, priority } = plan
  return typeof expected === 'string' ? name : { name, type, config, status, priority }
}

/** The decision in the words of the expectation. */
const actualFor = (expected: Expected, { execution, actions, timers, applied, reason }: Decision) => ({
  state: execution.state,
  status: execution.status,
  variables: execution.variables,
  actions: actions.map((plan, index) => actionOf(plan, expected.actions?.[index])),
  waits: timers.map(({ event }) => waitOf(event.payload)),
  applied,
  ...(reason !== undefined && { reason }),
})

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

const fail = ({ before, happened, decision }: Taken, found: readonly Difference[], whole: object): never => {
  const lines = found.flatMap(({ path, expected, actual }) => [
    `  expected ${path}: ${shown(expected)}`,
    `  actual   ${path}: ${shown(actual)}`,
  ])
  const note = decision.applied ? [] : [`  the event was ignored: ${decision.reason}`]
  const message = [`given ${before}`, `when ${happened}`, ...lines, ...note].join('\n')
  // Runners of tests print the difference of these two.
  throw Object.assign(new Error(message), {
    expected: Object.fromEntries(found.map(({ path, expected }) => [path, expected])),
    actual: Object.fromEntries(found.map(({ path, actual }) => [path, actual])),
    decision: whole,
  })
}

export const createOutcome = (taken: Taken): Outcome<Words> => {
  const { before, happened, decision, go } = taken
  const next = (): Moment<Words> => go(decision.execution, `${before}, then ${happened}`)
  const hold = (
    expected: Expected & { readonly applied?: boolean; readonly reason?: string },
  ): Moment<Words> => {
    const actual = actualFor(expected, decision)
    const found = differences(expected, actual, '')
    return found.length === 0 ? next() : fail(taken, found, actual)
  }
  return {
    decision,
    leadsTo: (expected) => hold({ applied: true, ...expected }),
    isIgnored: (reason) => hold({ applied: false, ...(reason !== undefined && { reason }) }),
  }
}
