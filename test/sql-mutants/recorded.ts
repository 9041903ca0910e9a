// Owns who killed which mutant when all killers were tried, so that the next run asks that one first. Written by
// `node test/sql-mutants/run.ts --record`; a mutant that is not in it, or whose killer no longer kills it, is tried by all.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('recorded.json', import.meta.url))

/** What the database does not take is no mutant, and nobody's to kill. */
export const STILLBORN = 'stillborn'

export const readRecorded = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>))

export const writeRecorded = (killers: ReadonlyMap<string, string>): void => {
  const sorted = [...killers].toSorted(([a], [b]) => (a < b ? -1 : 1))
  // Whole at every moment: the other store's run may read it.
  writeFileSync(`${FILE}.new`, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
  renameSync(`${FILE}.new`, FILE)
}
