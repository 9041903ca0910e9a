// Owns one process that mutants are tried in: it is told a mutant and the cases to try first, and answers who killed it.
// Whoever asks ends it when no answer comes: a mutant may loop inside the database's own code.

import type { StoreName } from '../../scripts/build-sql.ts'
import { CONFORMANCE } from '../../src/testing/store-conformance/suite.ts'
import { closePostgres, reopenPostgres } from '../stores/open-postgres.ts'
import { caseName, type Killer, killersOf, OPEN, runOn } from './killers.ts'
import type { Mutant } from './mutants.ts'
import { heard, patch } from './patched.ts'
import { refusal } from './stillborn.ts'

/** Which statements a case calls, and how long it takes without a mutant. */
export interface Traced {
  readonly case: number
  /** As a killer. */
  readonly name: string
  readonly ms: number
  readonly statements: readonly string[]
  /** Why it is red without a mutant: it cannot judge one. */
  readonly red?: string
}

export type Question =
  | { readonly kind: 'trace'; readonly store: StoreName }
  | {
      readonly kind: 'judge'
      readonly mutant: Mutant
      readonly cases: readonly number[]
      /** Nobody judges: every mutant must be seen to live. */
      readonly isBlind: boolean
    }

export type Answer =
  /** No answer yet: the next killer is at work, and should not take longer. */
  | { readonly kind: 'trying'; readonly killer: string; readonly patienceMs: number }
  | { readonly kind: 'traced'; readonly cases: readonly Traced[] }
  | { readonly kind: 'killed'; readonly killer: string; readonly why: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'stillborn'; readonly why: string }
  | { readonly kind: 'broken'; readonly why: string }

/** Without a mutant: only against a machine that stands still. */
const PATIENCE_MS = 120_000

const say = (answer: Answer): void => {
  process.send?.(answer)
}

const traceCase = async (store: StoreName, index: number): Promise<Traced> => {
  const name = caseName(index)
  const before = performance.now()
  try {
    const statements = [...(await heard(store, () => runOn(OPEN[store], index)))]
    return { case: index, name, ms: performance.now() - before, statements }
  } catch (error) {
    return { case: index, name, ms: 0, statements: [], red: `${name}: ${String(error)}` }
  }
}

const trace = async (store: StoreName): Promise<Answer> => {
  const cases: Traced[] = []
  for (const [index, { name }] of CONFORMANCE.entries()) {
    say({ kind: 'trying', killer: name, patienceMs: PATIENCE_MS })
    cases.push(await traceCase(store, index))
  }
  return { kind: 'traced', cases }
}

/** What a mutant leaves behind here outlives the emptying between two cases. */
const isLasting = ({ kind, file }: Mutant): boolean => kind !== 'statement' || /^(?:store|lanes)/.test(file)

const renew = async (mutant: Mutant): Promise<void> => {
  if (mutant.store === 'postgres') await (isLasting(mutant) ? closePostgres() : reopenPostgres())
}

const tryKillers = async (mutant: Mutant, killers: readonly Killer[]): Promise<Answer> => {
  await renew(mutant)
  for (const { name, run, patienceMs } of killers)
    try {
      say({ kind: 'trying', killer: name, patienceMs })
      await run()
    } catch (error) {
      return { kind: 'killed', killer: name, why: String(error) }
    }
  return { kind: 'survived' }
}

const judge = async (mutant: Mutant, killers: readonly Killer[]): Promise<Answer> => {
  const why = await refusal(mutant)
  if (why !== undefined) return { kind: 'stillborn', why }
  const takeOut = patch(mutant)
  try {
    return await tryKillers(mutant, killers)
  } finally {
    takeOut()
    await renew(mutant)
  }
}

const answer = (question: Question): Promise<Answer> => {
  if (question.kind === 'trace') return trace(question.store)
  const { mutant, cases, isBlind } = question
  return judge(mutant, isBlind ? [] : killersOf(mutant, cases))
}

process.on('message', async (question: Question) => {
  say(await answer(question).catch((error: unknown): Answer => ({ kind: 'broken', why: String(error) })))
})
// A mutant may fail beside the answer, in a timer or a listener: that is no reason to end.
process.on('unhandledRejection', () => undefined)
process.on('uncaughtException', () => undefined)
process.on('disconnect', () => process.exit())
