// Owns who may kill a mutant, quickest first: the cases of the conformance suite that call the statement, random verbs
// against the model, on SQLite the cases again on a file with two processes, and the race of eight. A killer kills by
// throwing.

import fc from 'fast-check'
import type { StoreName } from '../../scripts/build-sql.ts'
import { runCase } from '../../src/testing/store-conformance/case.ts'
import { CONFORMANCE } from '../../src/testing/store-conformance/suite.ts'
import { simulate } from '../simulation/simulate.ts'
import { explorePostgres, exploreSqlite } from '../stores/explore.ts'
import { openEmptied } from '../stores/open-postgres.ts'
import { openSqliteFile, openSqliteMemory, type Stand } from '../stores/open-sqlite.ts'
import { racePostgres, raceSqlite } from '../stores/race-stores.ts'
import type { Mutant } from './mutants.ts'

export interface Killer {
  readonly name: string
  /** A mutant that waits for ever is killed by whoever waits for it; machines are noisy. */
  readonly patienceMs: number
  readonly run: () => Promise<void>
}

type Open = () => Promise<Stand>

// The same lists for every mutant, and no search for a smaller one: that it failed is enough.
fc.configureGlobal({ seed: 6, endOnFailure: true })

const CASE_MS = 90_000
const LONG_MS = 120_000
const LISTS = 60
const RACERS = 1000

export const runOn = async (open: Open, index: number): Promise<void> => {
  const stand = await open()
  try {
    await runCase(CONFORMANCE[index]!, stand)
  } finally {
    await stand.close()
  }
}

export const caseName = (index: number, where = 'conformance'): string =>
  `${where}: ${CONFORMANCE[index]!.name}`

const casesOn = (open: Open, cases: readonly number[], where?: string): readonly Killer[] =>
  cases.map((index) => ({
    name: caseName(index, where),
    patienceMs: CASE_MS,
    run: () => runOn(open, index),
  }))

const racing = (race: (actions: number) => Promise<{ readonly isHeld: boolean }>): Killer => ({
  name: 'race',
  patienceMs: LONG_MS,
  run: async () => {
    const summary = await race(RACERS)
    if (!summary.isHeld) throw new Error(JSON.stringify(summary))
  },
})

const exploring = (explore: (lists: number) => Promise<number>): Killer => ({
  name: 'model',
  patienceMs: LONG_MS,
  run: async () => {
    await explore(LISTS)
  },
})

export const OPEN: Readonly<Record<StoreName, Open>> = { sqlite: openSqliteMemory, postgres: openEmptied }

const WORLDS = 150

const simulating: Killer = {
  name: 'simulation',
  patienceMs: LONG_MS,
  run: async () => {
    const [violation] = (await simulate({ seeds: WORLDS, isEager: true })).violations
    if (violation !== undefined) throw new Error(`${violation.invariant}: ${violation.what}`)
  },
}

/** In the order they are tried; `cases` are indexes of the conformance suite. */
export const killersOf = (mutant: Mutant, cases: readonly number[]): readonly Killer[] => {
  if (mutant.kind === 'code' && mutant.isEngine) return [simulating]
  return mutant.store === 'sqlite'
    ? [
        ...casesOn(openSqliteMemory, cases),
        exploring(exploreSqlite),
        ...casesOn(openSqliteFile, cases, 'conformance, file'),
        simulating,
        racing(raceSqlite),
      ]
    : [...casesOn(openEmptied, cases), exploring(explorePostgres), racing(racePostgres)]
}
