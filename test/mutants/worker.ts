// Owns one process that tries mutants: it is told which tests to judge by, then mutants, and answers each. Nothing a mutant does
// here, not even ending the process, reaches the one that asks.

import type { Mutant } from './operators.ts'
import { createTrial, type Trial, type Verdict } from './trial.ts'

export type Question =
  | { readonly kind: 'prepare'; readonly tests: readonly string[] }
  | { readonly kind: 'judge'; readonly text: string; readonly mutant: Mutant }

export type Answer = Verdict | { readonly kind: 'ready' } | { readonly kind: 'broken'; readonly by: string }

let trial: Trial | undefined

const answer = async (question: Question): Promise<Answer> => {
  if (question.kind === 'judge')
    return (
      (await trial?.judge(question.text, question.mutant)) ?? { kind: 'broken', by: 'nothing was prepared' }
    )
  try {
    trial = await createTrial(question.tests)
    return { kind: 'ready' }
  } catch (error) {
    return { kind: 'broken', by: String(error) }
  }
}

process.on('message', async (question: Question) => {
  process.send?.(await answer(question))
})
process.on('disconnect', () => {
  process.exit()
})
