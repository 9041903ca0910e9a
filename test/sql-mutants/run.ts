// Owns the attack: every mutant of the SQL of both stores and every bug that peers had, each against the harnesses, and the
// account of it: who killed which, what lives, what is known to change nothing. Progress goes to stderr. Quick: of the
// claim protocol one of each kind, against whom it is recorded to be killed by. README.md says what to do with one that lives.

import { parseArgs } from 'node:util'
import type { StoreName } from '../../scripts/build-sql.ts'
import { spread } from '../../src/core/hash.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import { startServer } from '../stores/postgres-server.ts'
import { type CampaignOptions, isLong, tryMutants, type Verdict } from './campaign.ts'
import { EQUIVALENT } from './equivalent.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { readRecorded, STILLBORN, writeRecorded } from './recorded.ts'
import { type SqlMutantSummary, summarise } from './summary.ts'

/** One of PostgreSQL waits for its server half of the time. A quick run would start it for a dozen of mutants. */
const SUBJECTS: Readonly<Record<StoreName, number>> = { sqlite: 1, postgres: 2 }

type Argued = 'only' | 'none'

export interface SqlMutantOptions {
  readonly isQuick: boolean
  readonly seed?: number
  readonly stores?: readonly StoreName[]
  /** How many mutants of each store; unless told all of them, or in a quick run one of each kind. */
  readonly size?: number
  /** Only those whose names contain this. */
  readonly only?: string
  /** Those that are said to change nothing: only them, or all but them. */
  readonly argued?: Argued
  /** Only those that nobody is known to kill; who does is written down. */
  readonly isRecording?: boolean
  /** Only the cases of the conformance suite are asked. */
  readonly isCasesOnly?: boolean
  /** Nobody judges, to see that it is noticed. */
  readonly isBlind?: boolean
  /** Tells nothing on the way. */
  readonly isQuiet?: boolean
}

/** The same ones for the same seed, from every part of the list. */
const sample = (mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[] =>
  mutants
    .map((mutant) => ({ mutant, place: spread(`${seed} ${mutant.name}`) }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, size)
    .map(({ mutant }) => mutant)

const report = ({ mutant, answer, strayed, ms }: Verdict): void => {
  const by = answer.kind === 'killed' ? ` by ${answer.killer}` : ''
  const before = strayed === undefined ? '' : `, no longer by ${strayed}`
  process.stderr.write(`${answer.kind}${by}${before} in ${Math.round(ms)} ms: ${mutant.name}\n`)
}

const campaignOn = async (
  store: StoreName,
  mutants: readonly Mutant[],
  heard: Omit<CampaignOptions, 'postgresUrl' | 'subjects'>,
): Promise<void> => {
  const subjects = heard.isQuick ? 1 : SUBJECTS[store]
  if (store === 'sqlite') return tryMutants(store, mutants, { ...heard, subjects })
  const server = await startServer(memoryFolder())
  try {
    await tryMutants(store, mutants, { ...heard, subjects, postgresUrl: server.url })
  } finally {
    await server.stop()
  }
}

/** The claim protocol: who takes, ends, extends, reaps and cancels, and what may be there once. */
const PROTOCOL =
  /: unique|(?:claim|probe|lock|finish|move|update|settle|end|extend|expired|cancel|delete)\w*Action|extendLease|expiredLeases|fence\.ts|[sS]ettle/

/** What a mutant is of: its statement, or the schema or the code of its store, and what was done to it. */
const kindOf = (mutant: Mutant): string => {
  const deed = /\b(?:for update|reversed|unordered|never)\b/.exec(mutant.name)?.[0] ?? 'dropped'
  return mutant.kind === 'statement' ? `${mutant.statement} ${deed}` : mutant.kind
}

/** Of the protocol the first of each kind, where it is known who kills it and that this takes no time. */
const represent = (mutants: readonly Mutant[], recorded: ReadonlyMap<string, string>): readonly Mutant[] => {
  const isCheap = ({ name }: Mutant): boolean => recorded.has(name) && !isLong(recorded.get(name)!)
  const byKind = Map.groupBy(
    mutants.filter((mutant) => PROTOCOL.test(mutant.name) && isCheap(mutant)),
    kindOf,
  )
  return [...byKind.values()].map(([first]) => first!)
}

/** Written as it goes: a run that is ended keeps what it found. */
const record = ({ mutant, answer }: Verdict): void => {
  const killers = new Map(readRecorded())
  killers.delete(mutant.name)
  if (answer.kind === 'stillborn') killers.set(mutant.name, STILLBORN)
  if (answer.kind === 'killed') killers.set(mutant.name, answer.killer)
  writeRecorded(killers)
}

export const sqlMutants = async (
  options: SqlMutantOptions,
): Promise<{ readonly isHeld: boolean; readonly summary: SqlMutantSummary }> => {
  const { isQuick, seed = 1, stores = ['sqlite', 'postgres'], size, only = '', argued } = options
  const { isRecording = false, isCasesOnly = false, isBlind = false, isQuiet = false } = options
  const startedAt = performance.now()
  const verdicts: Verdict[] = []
  const red: string[] = []
  const known = readRecorded()
  const recorded = new Map([...known].filter(([, killer]) => killer !== STILLBORN))
  const heard = {
    onVerdict: (verdict: Verdict) => {
      verdicts.push(verdict)
      if (!isQuiet) report(verdict)
      if (isRecording) record(verdict)
    },
    onRed: (why: string) => red.push(why),
    recorded,
    isCasesOnly,
    isBlind,
    isQuick,
  }
  // Only a run of all asks whether those that change nothing still do, and whether the others are SQL at all.
  const isSettled = (name: string): boolean =>
    EQUIVALENT.has(name) || (isRecording ? known.has(name) : known.get(name) === STILLBORN)
  const isAsked = (name: string): boolean =>
    argued === undefined || EQUIVALENT.has(name) === (argued === 'only')
  const isDue = ({ name }: Mutant): boolean =>
    name.includes(only) && isAsked(name) && !((isQuick || isRecording) && isSettled(name))
  const due = stores.map((store) => mutantsOf(store).filter(isDue))
  const isSmall = size !== undefined || only !== ''
  const chosen = due.map((all) => {
    const drawn = sample(all, size ?? all.length, seed)
    return isQuick && !isSmall ? represent(drawn, recorded) : drawn
  })
  await Promise.all(stores.map((store, index) => campaignOn(store, chosen[index]!, heard)))
  return summarise(verdicts, red, due.flat().length, Math.round((performance.now() - startedAt) / 1000))
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      cases: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      size: { type: 'string' },
      store: { type: 'string' },
      only: { type: 'string' },
      argued: { type: 'string' },
    },
  })
  const { isHeld, summary } = await sqlMutants({
    isQuick: values.quick,
    isRecording: values.record,
    isCasesOnly: values.cases,
    seed: Number(values.seed),
    ...(values.size !== undefined && { size: Number(values.size) }),
    ...(values.only !== undefined && { only: values.only }),
    ...(values.argued !== undefined && { argued: values.argued as Argued }),
    ...(values.store !== undefined && { stores: [values.store as StoreName] }),
  })
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  process.exitCode = isHeld ? 0 : 1
}
