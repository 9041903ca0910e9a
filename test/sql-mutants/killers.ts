// Owns who may kill a mutant: the cases of the conformance suite, random verbs against the model, the race of eight, two
// clients that meet from opposite ends, whole worlds, damage that verify must find, and the scenes of the bugs that peers
// had. A killer has a name, by which it is remembered, and kills by throwing.

import fc from 'fast-check'
import type { StoreName } from '../../scripts/build-sql.ts'
import { runCase } from '../../src/testing/store-conformance/case.ts'
import { CONFORMANCE } from '../../src/testing/store-conformance/suite.ts'
import { simulate } from '../simulation/simulate.ts'
import { DUELS, duel } from '../stores/duels.ts'
import { explorePostgres, exploreSqlite } from '../stores/explore.ts'
import { openEmptied } from '../stores/open-postgres.ts'
import { openSqliteFile, openSqliteMemory, type Stand } from '../stores/open-sqlite.ts'
import { racePostgres, raceSqlite } from '../stores/race-stores.ts'
import { checkCheckpoints } from './checkpoints.ts'
import type { Mutant } from './mutants.ts'
import { SCENES } from './scenes.ts'

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
const WORLDS = 150

const runOn = async (open: Open, index: number): Promise<void> => {
  const stand = await open()
  try {
    await runCase(CONFORMANCE[index]!, stand)
  } finally {
    await stand.close()
  }
}

const casesOn = (open: Open, where: string): readonly Killer[] =>
  CONFORMANCE.map(({ name }, index) => ({
    name: `${where}: ${name}`,
    patienceMs: CASE_MS,
    run: () => runOn(open, index),
  }))

const long = (name: string, run: () => Promise<void>): Killer => ({ name, patienceMs: LONG_MS, run })

const racing = (race: (actions: number) => Promise<{ readonly isHeld: boolean }>): Killer =>
  long('race', async () => {
    const summary = await race(RACERS)
    if (!summary.isHeld) throw new Error(JSON.stringify(summary))
  })

const exploring = (explore: (lists: number) => Promise<number>): Killer =>
  long('model', async () => {
    await explore(LISTS)
  })

const simulating: Killer = long('simulation', async () => {
  const [violation] = (await simulate({ seeds: WORLDS, isEager: true })).violations
  if (violation !== undefined) throw new Error(`${violation.invariant}: ${violation.what}`)
})

const dueling: readonly Killer[] = DUELS.map((name) => long(`duel: ${name}`, () => duel(name)))

const scenesOf = (store: StoreName): readonly Killer[] =>
  SCENES.filter((scene) => scene.store === store).map(({ name, play }) => long(`scene: ${name}`, play))

const covering = (open: Open, isShared: boolean): Killer => ({
  name: 'verify: checkpoints cover every chain and every event',
  patienceMs: CASE_MS,
  run: async () => {
    const stand = await open()
    try {
      await checkCheckpoints(stand, isShared)
    } finally {
      await stand.close()
    }
  },
})

/** Those that are asked one by one which statements they call. */
export const TRACED: Readonly<Record<StoreName, readonly Killer[]>> = {
  sqlite: [...casesOn(openSqliteMemory, 'conformance'), covering(openSqliteMemory, false)],
  postgres: [...casesOn(openEmptied, 'conformance'), covering(openEmptied, true)],
}

/** Those that are tried when none of the traced ones kills, in this order. */
const UNTRACED: Readonly<Record<StoreName, readonly Killer[]>> = {
  sqlite: [...scenesOf('sqlite'), exploring(exploreSqlite), simulating, racing(raceSqlite)],
  postgres: [...scenesOf('postgres'), ...dueling, exploring(explorePostgres), racing(racePostgres)],
}

/** Who is asked first about code: what a lock order is good for, and what peers got wrong, no single case shows. */
export const pointedAt = (store: StoreName): readonly string[] =>
  [...scenesOf(store), ...(store === 'postgres' ? dueling : [])].map(({ name }) => name)

/** The same cases with two processes on one file: after those in memory, which are quicker. */
const ON_FILE = casesOn(openSqliteFile, 'conformance, file')

export const killersOf = (store: StoreName): readonly Killer[] => [
  ...TRACED[store],
  ...UNTRACED[store],
  ...(store === 'sqlite' ? ON_FILE : []),
]

/** The names to try on a mutant, of which these traced ones may notice it. */
export const orderOf = (store: StoreName, mutant: Mutant, traced: readonly string[]): readonly string[] => {
  if (mutant.kind === 'code' && mutant.isEngine)
    return [...scenesOf('sqlite'), simulating].map(({ name }) => name)
  const untraced = UNTRACED[store].map(({ name }) => name)
  const onFile = traced.map((name) => name.replace('conformance:', 'conformance, file:'))
  return [...traced, ...untraced, ...(store === 'sqlite' ? onFile : [])]
}
