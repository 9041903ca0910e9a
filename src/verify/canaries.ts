// Owns I12 as far as a store can show it: texts that must be nowhere, such as the values of secrets, looked for in every
// column of every row. A finding never repeats what it found.

import { PawlError } from '../core/errors.ts'
import type { TextRow } from '../store/inspect.ts'
import { type Finding, judged } from './finding.ts'

/** Shorter ones are found in what has nothing to do with them. */
const MIN_LENGTH = 4

export const canaryCheck = (
  canaries: readonly string[],
): ((table: string, row: TextRow) => readonly Finding[]) => {
  if (canaries.some((text) => text.length < MIN_LENGTH))
    throw new PawlError('invalid_option', 'a canary is too short to be looked for', {
      path: 'canaries',
      expected: `texts of at least ${MIN_LENGTH} characters`,
    })
  /** As it is, and as JSON and JSON inside JSON spell it. */
  const spellings = canaries.map((text) => {
    const inJson = JSON.stringify(text).slice(1, -1)
    return [text, inJson, JSON.stringify(inJson).slice(1, -1)]
  })
  return (table, { at, text }) => {
    const hits = spellings.filter((spelling) => spelling.some((one) => text.includes(one))).length
    return judged(
      hits > 0 && {
        invariant: 'I12',
        rule: 'canary',
        where: { table, row: at.join(' ') },
        text: `a row of ${table} holds ${hits === 1 ? 'a text' : `${hits} texts`} that must be nowhere`,
        expected: 'none of the given texts',
        found: `${hits} of them`,
      },
    )
  }
}
