// Owns who may kill a mutant: the cases of the conformance suite, random verbs against the model, the race of eight, two
// clients that meet from opposite ends, whole worlds, damage that verify must find, and the scenes of the bugs that peers
// had. A killer has a name, by which it is remembered, and kills by throwing.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { StoreName } from '../../scripts/build-sql.ts'
import { openPostgres } from '../../src/store/postgres/open.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { dumpSchema as dumpSqlite } from '../../src/store/sqlite/schema.ts'
import { runCase } from '../../src/testing/store-conformance/case.ts'
import { CONFORMANCE } from '../../src/testing/store-conformance/suite.ts'
import { simulate } from '../simulation/simulate.ts'
import { BUNDLES, playBundle } from '../stores/bundles.ts'
import { DUELS, duel } from '../stores/duels.ts'
import { explorePostgres, exploreSqlite } from '../stores/explore.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { openEmptied } from '../stores/open-postgres.ts'
import { openSqliteFile, openSqliteMemory, type Stand } from '../stores/open-sqlite.ts'
import { dumpSchema as dumpPostgres, SCHEMA_FILE } from '../stores/postgres-schema.ts'
import { createDatabase, startServer, useServer } from '../stores/postgres-server.ts'
import { racePostgres, raceSqlite } from '../stores/race-stores.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'
import { playReceipt, RECEIPTS } from '../stores/receipts.ts'
import { playSheet, SHEETS } from '../stores/sheets.ts'
import { STANDOFFS, standoff } from '../stores/standoffs.ts'
import { playTally, TALLIES } from '../stores/tallies.ts'
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

const standing: readonly Killer[] = STANDOFFS.map((name) => ({
  name: `standoff: ${name}`,
  patienceMs: CASE_MS,
  run: () => standoff(name),
}))

const sheets: readonly Killer[] = SHEETS.map((name) => ({
  name: `sheet: ${name}`,
  patienceMs: CASE_MS,
  run: () => playSheet(name),
}))

const bundles: readonly Killer[] = BUNDLES.map((name) => ({
  name: `bundle: ${name}`,
  patienceMs: CASE_MS,
  run: () => playBundle(name),
}))
const signing: readonly Killer[] = RECEIPTS.map((name) => ({
  name: `receipt: ${name}`,
  patienceMs: CASE_MS,
  run: () => playReceipt(name),
}))

const tallying: readonly Killer[] = TALLIES.map((name) => ({
  name: `tally: ${name}`,
  patienceMs: CASE_MS,
  run: () => playTally(name),
}))

const SCHEMA = 'schema: a store that was opened is as the committed dump says'
const committed = {
  sqlite: new URL('../../src/store/sqlite/schema.sql', import.meta.url),
  postgres: SCHEMA_FILE,
}
const given = { random: randomText, timers: realTimers }

const schemaIn: Readonly<Record<StoreName, () => Promise<string>>> = {
  sqlite: async () => {
    const { store, connection } = await openSqlite({ ...given, file: ':memory:', reserveBytes: 0 })
    const schema = dumpSqlite(connection)
    await store.close()
    return schema
  },
  postgres: async () => {
    const url = await createDatabase(await useServer())
    await (await openPostgres({ ...given, url })).store.close()
    return dumpPostgres(url)
  },
}

/** What may be there once is kept twice, by a lock or a revision and by the schema: this one sees the schema alone. */
const dumping = (store: StoreName): Killer => ({
  name: SCHEMA,
  patienceMs: CASE_MS,
  run: async () => {
    if ((await schemaIn[store]()) !== readFileSync(committed[store], 'utf8'))
      throw new Error('another schema')
  },
})

/** Roles are the server's: whether one is made is seen where nobody has made it. */
const founding: Killer = {
  name: 'first: a store on a server that never had one',
  patienceMs: CASE_MS,
  run: async () => {
    const server = await startServer(memoryFolder())
    try {
      await (await openPostgres({ ...given, url: await createDatabase(server) })).store.close()
    } finally {
      await server.stop()
    }
  },
}

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
  sqlite: [...casesOn(openSqliteMemory, 'conformance'), covering(openSqliteMemory, false), ...bundles],
  postgres: [
    ...casesOn(openEmptied, 'conformance'),
    covering(openEmptied, true),
    ...standing,
    ...sheets,
    ...signing,
    ...tallying,
  ],
}

/** Those that are tried when none of the traced ones kills, in this order. */
const UNTRACED: Readonly<Record<StoreName, readonly Killer[]>> = {
  sqlite: [
    dumping('sqlite'),
    ...scenesOf('sqlite'),
    exploring(exploreSqlite),
    simulating,
    racing(raceSqlite),
  ],
  postgres: [
    dumping('postgres'),
    founding,
    ...scenesOf('postgres'),
    ...dueling,
    exploring(explorePostgres),
    racing(racePostgres),
  ],
}

/** Who is asked first about code: what a lock order is good for, and what peers got wrong, no single case shows. */
export const pointedAt = (store: StoreName): readonly string[] =>
  [...scenesOf(store), ...(store === 'postgres' ? [...standing, ...dueling] : [])].map(({ name }) => name)

/** The same cases with two processes on one file: after those in memory, which are quicker. */
const ON_FILE = casesOn(openSqliteFile, 'conformance, file')

export const killersOf = (store: StoreName): readonly Killer[] => [
  ...TRACED[store],
  ...UNTRACED[store],
  ...(store === 'sqlite' ? ON_FILE : []),
]

/** So many cases are asked at a first look. */
export const LIKELIEST = 24

/** The names to try on a mutant, of which these traced ones may notice it. */
export const orderOf = (store: StoreName, mutant: Mutant, traced: readonly string[]): readonly string[] => {
  if (mutant.kind === 'code' && mutant.isEngine)
    return [...scenesOf('sqlite'), simulating].map(({ name }) => name)
  // Whom the likeliest cases do not see, the dump does: there is no need to ask all.
  if (mutant.kind === 'schema') return [...traced.slice(0, LIKELIEST), SCHEMA]
  const untraced = UNTRACED[store].map(({ name }) => name)
  const onFile = traced.map((name) => name.replace('conformance:', 'conformance, file:'))
  return [...traced, ...untraced, ...(store === 'sqlite' ? onFile : [])]
}
