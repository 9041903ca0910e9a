// Owns what a run of mutants comes to: the score, who killed how many, and by name whatever must not be.

import type { Verdict } from './campaign.ts'
import { EQUIVALENT } from './equivalent.ts'

export interface SqlMutantSummary {
  /** Those that were tried and are mutants. */
  readonly mutants: number
  readonly killed: number
  /** Killed of those that change something. */
  readonly score: string
  readonly survived: readonly string[]
  /** Live, and no case calls their statement: it needs one. */
  readonly unheard: readonly string[]
  /** Known to change nothing, and nobody noticed any. */
  readonly equivalent: number
  /** Said to change nothing, and killed: the list is wrong. */
  readonly mistaken: readonly string[]
  /** Not taken by the database: no mutants. */
  readonly stillborn: number
  /** Not come to, in a quick run. */
  readonly untried: number
  /** Killed by another than the one that is recorded, or not recorded at all: --record. */
  readonly strayed: number
  /** Killers that are red without a mutant. */
  readonly red: readonly string[]
  readonly byKiller: Readonly<Record<string, number>>
  readonly seconds: number
}

/** Harnesses, not their single cases: those are told as the mutants go by. */
const harnessOf = (killer: string): string => killer.split(':')[0]!

const byHarness = (verdicts: readonly Verdict[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { answer } of verdicts) {
    if (answer.kind !== 'killed') continue
    const harness = harnessOf(answer.killer)
    counts[harness] = (counts[harness] ?? 0) + 1
  }
  return counts
}

export const summarise = (
  verdicts: readonly Verdict[],
  red: readonly string[],
  due: number,
  seconds: number,
): { readonly isHeld: boolean; readonly summary: SqlMutantSummary } => {
  const isKnown = ({ mutant }: Verdict): boolean => EQUIVALENT.has(mutant.name)
  const killed = verdicts.filter(({ answer }) => answer.kind === 'killed')
  const alive = verdicts.filter(({ answer }) => answer.kind === 'survived')
  const survived = alive.filter((verdict) => !isKnown(verdict))
  const stillborn = verdicts.filter(({ answer }) => answer.kind === 'stillborn').length
  const named = (list: readonly Verdict[]): readonly string[] => list.map(({ mutant }) => mutant.name)
  const summary: SqlMutantSummary = {
    mutants: verdicts.length - stillborn,
    killed: killed.length,
    score: `${killed.length} of ${killed.length + survived.length}`,
    survived: named(survived.filter(({ isUnheard }) => !isUnheard)),
    unheard: named(survived.filter(({ isUnheard }) => isUnheard)),
    equivalent: alive.length - survived.length,
    mistaken: named(killed.filter(isKnown)),
    stillborn,
    untried: due - verdicts.length,
    strayed: verdicts.filter(({ strayed }) => strayed !== undefined).length,
    red,
    byKiller: byHarness(verdicts),
    seconds,
  }
  const isHeld = survived.length + summary.mistaken.length + red.length === 0
  return { isHeld, summary }
}
