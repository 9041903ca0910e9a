// Owns the attack: every mutant of the SQL of both stores and every bug that peers had, each against the harnesses, and the
// account of it: who killed which, what lives, what is known to change nothing. Progress goes to stderr.

import { parseArgs } from 'node:util'
import type { StoreName } from '../../scripts/build-sql.ts'
import { spread } from '../../src/core/hash.ts'
import { startServer } from '../stores/postgres-server.ts'
import { type CampaignOptions, tryMutants, type Verdict } from './campaign.ts'
import { EQUIVALENT } from './equivalent.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

/** Of each store; what fits into a minute. */
const QUICK: Readonly<Record<StoreName, number>> = { sqlite: 40, postgres: 15 }

export interface SqlMutantOptions {
  readonly isQuick: boolean
  readonly seed?: number
  readonly stores?: readonly StoreName[]
  /** How many mutants of each store; all of them unless told. */
  readonly size?: number
  /** Nobody judges, to see that it is noticed. */
  readonly isBlind?: boolean
  /** Tells nothing on the way. */
  readonly isQuiet?: boolean
}

export interface SqlMutantSummary {
  readonly mutants: number
  readonly killed: number
  readonly survived: readonly string[]
  /** Known to change nothing, and nobody noticed any. */
  readonly equivalent: number
  /** Said to change nothing, and killed: the list is wrong. */
  readonly mistaken: readonly string[]
  /** Not taken by the database: no mutants. */
  readonly stillborn: number
  /** Cases that are red without a mutant. */
  readonly red: readonly string[]
  readonly byKiller: Readonly<Record<string, number>>
  readonly seconds: number
}

/** The same ones for the same seed, from every part of the list. */
const sample = (mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] =>
  mutants
    .map((mutant) => ({ mutant, place: spread(`${seed} ${mutant.name}`) }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, size)
    .map(({ mutant }) => mutant)

/** Harnesses, not their single cases: those are told as the mutants go by. */
const harnessOf = (killer: string): string => killer.split(':')[0]!

const summarise = (
  verdicts: readonly Verdict[],
  red: readonly string[],
  startedAt: number,
): SqlMutantSummary => {
  const named = (isWanted: (verdict: Verdict) => boolean): readonly string[] =>
    verdicts.filter(isWanted).map(({ mutant }) => mutant.name)
  const isKnown = ({ mutant }: Verdict): boolean => EQUIVALENT.has(mutant.name)
  const byKiller: Record<string, number> = {}
  for (const { answer } of verdicts) {
    if (answer.kind !== 'killed') continue
    const harness = harnessOf(answer.killer)
    byKiller[harness] = (byKiller[harness] ?? 0) + 1
  }
  return {
    mutants: verdicts.length,
    killed: named(({ answer }) => answer.kind === 'killed').length,
    survived: named((verdict) => verdict.answer.kind === 'survived' && !isKnown(verdict)),
    equivalent: named((verdict) => verdict.answer.kind === 'survived' && isKnown(verdict)).length,
    mistaken: named((verdict) => verdict.answer.kind === 'killed' && isKnown(verdict)),
    stillborn: named(({ answer }) => answer.kind === 'stillborn').length,
    red,
    byKiller,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  }
}

const report = ({ mutant, answer, ms }: Verdict): void => {
  const by = answer.kind === 'killed' ? ` by ${answer.killer}` : ''
  process.stderr.write(`${answer.kind}${by} in ${Math.round(ms)} ms: ${mutant.name}\n`)
}

const campaignOn = async (
  store: StoreName,
  mutants: readonly Mutant[],
  heard: Omit<CampaignOptions, 'postgresUrl'>,
): Promise<void> => {
  if (store === 'sqlite') return tryMutants(store, mutants, heard)
  const server = await startServer()
  try {
    await tryMutants(store, mutants, { ...heard, postgresUrl: server.url })
  } finally {
    await server.stop()
  }
}

export const sqlMutants = async (options: SqlMutantOptions) => {
  const {
    isQuick,
    seed = 1,
    stores = ['sqlite', 'postgres'],
    size,
    isBlind = false,
    isQuiet = false,
  } = options
  const startedAt = performance.now()
  const verdicts: Verdict[] = []
  const red: string[] = []
  const heard = {
    onVerdict: (verdict: Verdict) => {
      verdicts.push(verdict)
      if (!isQuiet) report(verdict)
    },
    onRed: (why: string) => red.push(why),
    isBlind,
  }
  const chosen = (store: StoreName): readonly Mutant[] => {
    // Only a run of all asks whether those that change nothing still do.
    const all = mutantsOf(store).filter(({ name }) => !isQuick || !EQUIVALENT.has(name))
    return sample(all, size ?? (isQuick ? QUICK[store] : all.length), seed)
  }
  await Promise.all(stores.map((store) => campaignOn(store, chosen(store), heard)))
  const summary = summarise(verdicts, red, startedAt)
  const isHeld = [summary.survived, summary.mistaken, summary.red].every((list) => list.length === 0)
  return { isHeld, summary }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      size: { type: 'string' },
      store: { type: 'string' },
    },
  })
  const { isHeld, summary } = await sqlMutants({
    isQuick: values.quick,
    seed: Number(values.seed),
    ...(values.size !== undefined && { size: Number(values.size) }),
    ...(values.store !== undefined && { stores: [values.store as StoreName] }),
  })
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  process.exitCode = isHeld ? 0 : 1
}
