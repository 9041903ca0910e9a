// Owns that a recurrence has its id for itself among all that is defined beside it: two of one id would be one that
// changes its mind at every start. Machines among themselves are link-actions.ts.

import type { ParsedDefinition, ParsedRecurrence } from './parse.ts'
import { type PlacedProblem, type Problem, problem, quote } from './problem.ts'

export interface Distinct {
  readonly recurrences: readonly ParsedRecurrence[]
  readonly problems: readonly (Problem | PlacedProblem)[]
}

/** Of several with one id the first is kept, and a machine before a recurrence. */
export const distinctRecurrences = (definitions: readonly ParsedDefinition[]): Distinct => {
  const ids = new Set(definitions.filter(({ kind }) => kind === 'machine').map(({ id }) => id))
  const all = definitions.filter((each): each is ParsedRecurrence => each.kind === 'recurrence')
  const recurrences = all.filter(({ id }) => ids.size !== ids.add(id).size)
  const problems = all.filter((each) => !recurrences.includes(each)).map(secondOf)
  return { recurrences, problems }
}

const secondOf = ({ id, place }: ParsedRecurrence): Problem | PlacedProblem => {
  const found = problem(['id'], `a second definition is called ${quote(id)}`, { expected: 'each id once' })
  return place?.(found) ?? found
}
