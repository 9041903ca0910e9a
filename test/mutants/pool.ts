// Owns the processes that try mutants: as many as there are cores unless told, each given the next mutant when it has
// answered. One that dies or does not answer in time is replaced, and its mutant counts as killed.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Job } from './jobs.ts'
import type { Verdict } from './trial.ts'
import type { Answer, Question } from './worker.ts'

/** Loops are counted, so this is for what cannot be: a regular expression, memory, a promise that never settles. */
const PATIENCE_MS = 60_000
const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

interface Desk {
  /** Undefined: it is gone. */
  readonly ask: (question: Question) => Promise<Answer | undefined>
  readonly close: () => void
}

const openDesk = (): Desk => {
  const child: ChildProcess = fork(WORKER, {
    execArgv: ['--max-old-space-size=1024', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const close = (): void => {
    child.kill('SIGKILL')
  }
  const ask = async (question: Question): Promise<Answer | undefined> => {
    const answered = new AbortController()
    const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(PATIENCE_MS)])
    child.send(question)
    try {
      const gone = once(child, 'exit', { signal }).then(() => [])
      const [answer] = await Promise.race([once(child, 'message', { signal }), gone])
      return answer
    } catch {
      return undefined
    } finally {
      answered.abort()
    }
  }
  return { ask, close }
}

const prepare = async (desk: Desk, tests: readonly string[]): Promise<void> => {
  const answer = await desk.ask({ kind: 'prepare', tests })
  if (answer?.kind === 'ready') return
  const why = answer?.kind === 'broken' ? answer.by : 'the process ended'
  throw new Error(`without any mutant ${tests.join(', ')} fail: ${why}`)
}

/** Answers come in any order. Throws when tests fail without any mutant. */
export const judgeAll = async (
  jobs: readonly Job[],
  onVerdict: (job: Job, verdict: Verdict) => void,
  desks = availableParallelism(),
): Promise<void> => {
  const queue = jobs.values()
  const work = async (): Promise<void> => {
    let desk: Desk | undefined
    let prepared: string | undefined
    try {
      for (const job of queue) {
        desk ??= openDesk()
        const { tests } = job.target
        if (prepared !== tests.join()) await prepare(desk, tests)
        const answer = await desk.ask({ kind: 'judge', text: job.text, mutant: job.mutant })
        prepared = answer && tests.join()
        if (answer === undefined) {
          desk.close()
          desk = undefined
        }
        onVerdict(job, (answer as Verdict | undefined) ?? { kind: 'killed', by: 'the end of its process' })
      }
    } finally {
      desk?.close()
    }
  }
  await Promise.all(Array.from({ length: desks }, work))
}
