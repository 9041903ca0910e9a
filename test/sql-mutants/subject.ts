// Owns one process that mutants are tried in: it is told a mutant and who is to try it, by name and in order, and answers
// who killed it. Whoever asks ends it when no answer comes: a mutant may loop inside the database's own code.

import type { StoreName } from '../../scripts/build-sql.ts'
import { closePostgres } from '../stores/open-postgres.ts'
import { openSqliteMemory } from '../stores/open-sqlite.ts'
import { type Killer, killersOf, TRACED } from './killers.ts'
import type { Mutant } from './mutants.ts'
import { heard, patch } from './patched.ts'
import { refusal } from './stillborn.ts'

/** Which statements a killer calls, and how long it takes without a mutant. */
export interface Traced {
  readonly name: string
  readonly ms: number
  readonly statements: readonly string[]
  /** Why it is red without a mutant: it cannot judge one. */
  readonly red?: string
}

export type Question =
  | { readonly kind: 'trace'; readonly store: StoreName }
  /** Is it green without a mutant? */
  | { readonly kind: 'clean'; readonly store: StoreName; readonly killer: string }
  | {
      readonly kind: 'judge'
      readonly mutant: Mutant
      readonly killers: readonly string[]
      /** Someone has killed it before: the database takes it. */
      readonly isKnown: boolean
      /** It was killed by never answering: there is no need to wait long for it. */
      readonly patienceMs?: number
    }

type Judged = Extract<Question, { readonly kind: 'judge' }>

export type Answer =
  /** No answer yet: the next killer is at work, and should not take longer. */
  | { readonly kind: 'trying'; readonly killer: string; readonly patienceMs: number }
  | { readonly kind: 'traced'; readonly killers: readonly Traced[] }
  | { readonly kind: 'killed'; readonly killer: string; readonly why: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'stillborn'; readonly why: string }
  | { readonly kind: 'broken'; readonly why: string }

const say = (answer: Answer): void => {
  process.send?.(answer)
}

const traceOne = async (store: StoreName, { name, run }: Killer): Promise<Traced> => {
  const before = performance.now()
  try {
    const statements = [...(await heard(store, run))]
    return { name, ms: performance.now() - before, statements }
  } catch (error) {
    return { name, ms: 0, statements: [], red: `${name}: ${String(error)}` }
  }
}

const trace = async (store: StoreName): Promise<Answer> => {
  const killers: Traced[] = []
  for (const killer of TRACED[store]) {
    say({ kind: 'trying', killer: killer.name, patienceMs: killer.patienceMs })
    killers.push(await traceOne(store, killer))
  }
  return { kind: 'traced', killers }
}

/** What a mutant leaves behind here outlives the emptying between two cases, and it may be read when a store is opened. */
const isLasting = ({ kind, file }: Mutant): boolean => kind !== 'statement' || /^(?:store|lanes)/.test(file)

const renew = async (mutant: Mutant): Promise<void> => {
  if (mutant.store === 'postgres' && isLasting(mutant)) await closePostgres()
}

const NAMED: Readonly<Record<StoreName, ReadonlyMap<string, Killer>>> = {
  sqlite: new Map(killersOf('sqlite').map((killer) => [killer.name, killer])),
  postgres: new Map(killersOf('postgres').map((killer) => [killer.name, killer])),
}

const tryKillers = async (
  store: StoreName,
  names: readonly string[],
  patienceMs?: number,
): Promise<Answer> => {
  for (const name of names)
    try {
      // A name that nobody has any more kills nothing.
      const killer = NAMED[store].get(name)
      if (killer === undefined) continue
      say({ kind: 'trying', killer: name, patienceMs: patienceMs ?? killer.patienceMs })
      await killer.run()
    } catch (error) {
      return { kind: 'killed', killer: name, why: String(error) }
    }
  return { kind: 'survived' }
}

let made: Promise<void> | undefined

/** SQLite looks once in a process at what the migrations make: that must not be while one of them is a mutant's. */
const lookBefore = async ({ kind, store }: Mutant): Promise<void> => {
  if (kind !== 'schema' || store !== 'sqlite') return
  made ??= openSqliteMemory().then(({ close }) => close())
  await made
}

const judge = async ({ mutant, killers, isKnown, patienceMs }: Judged): Promise<Answer> => {
  const why = isKnown ? undefined : await refusal(mutant)
  if (why !== undefined) return { kind: 'stillborn', why }
  await lookBefore(mutant)
  const takeOut = patch(mutant)
  try {
    await renew(mutant)
    return await tryKillers(mutant.store, killers, patienceMs)
  } finally {
    takeOut()
    await renew(mutant)
  }
}

const answer = (question: Question): Promise<Answer> => {
  if (question.kind === 'trace') return trace(question.store)
  if (question.kind === 'clean') return tryKillers(question.store, [question.killer])
  return judge(question)
}

process.on('message', async (question: Question) => {
  say(await answer(question).catch((error: unknown): Answer => ({ kind: 'broken', why: String(error) })))
})
// A mutant may fail beside the answer, in a timer or a listener: that is no reason to end.
process.on('unhandledRejection', () => undefined)
process.on('uncaughtException', () => undefined)
process.on('disconnect', () => process.exit())
