// Owns that a row says what its columns can say at all. Where a table keeps that itself there is nothing to find.

import type { ActionFacts, ExecutionFile } from '../store/inspect.ts'
import type { Broken, Where } from './finding.ts'

export const misfit = (
  { id, unfit, status }: Pick<ActionFacts | ExecutionFile, 'id' | 'unfit' | 'status'>,
  where: Where,
): Broken | false =>
  unfit !== null && {
    invariant: 'I2',
    rule: 'unfit',
    where,
    text: `the ${unfit} of ${id} is none that the engine writes`,
    expected: `a ${unfit} as the engine writes it`,
    found: `another ${unfit}, in a row that is ${status}`,
  }
