// Owns what a model file gives to the command and to the tests: the real protocol in its settings, and the same with one
// rule taken away, each with the invariant that must then break. A new model is a new file and a line in suites.ts.

import { check, type Model, STUCK, type Verdict } from './checker.ts'
import type { InvariantId } from './invariants.ts'

/** `commit`: seconds, every time. `release`: more workers and more faults, by the torture command. */
export type Size = 'commit' | 'release'

/** Far more states than any model has: beyond, it is taken to be endless. */
const LIMITS: Readonly<Record<Size, number>> = { commit: 60_000, release: 5_000_000 }

interface Scenario {
  readonly name: string
  readonly check: (size: Size) => Verdict
}

interface Weaker {
  readonly name: string
  readonly breaks: InvariantId
  readonly check: () => Verdict
}

export interface Suite {
  readonly name: string
  readonly real: readonly Scenario[]
  /** Rules that can go alone, because another one does their work: second lines of defence. They must hold too. */
  readonly spare: readonly Scenario[]
  readonly weaker: readonly Weaker[]
}

export const scenario = <State>(name: string, model: (size: Size) => Model<State>): Scenario => ({
  name,
  check: (size) => check(model(size), LIMITS[size]),
})

/** Only the named invariant is asked, so that the story told is the shortest of that harm, not of a lesser one before it. */
export const weaker = <State>(name: string, breaks: InvariantId, model: Model<State>): Weaker => {
  const asked = breaks in model.invariants ? { [breaks]: model.invariants[breaks]! } : {}
  if (!(breaks in model.invariants) && breaks !== STUCK)
    throw new Error(`the model of "${name}" does not state ${breaks}`)
  return { name, breaks, check: () => check({ ...model, invariants: asked }, LIMITS.commit) }
}
