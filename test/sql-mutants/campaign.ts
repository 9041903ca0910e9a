// Owns trying mutants: two processes, one per store, each asked for one mutant after the other and replaced when it does
// not answer. A case that is red without a mutant judges none.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoreName } from '../../scripts/build-sql.ts'
import type { CodeMutant } from './code-mutants.ts'
import type { Mutant } from './mutants.ts'
import type { Answer, Question, Traced } from './subject.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
/** Until the first killer is at work: the store is opened, or every case is tried without a mutant. */
const PATIENCE_MS = 180_000
/** On the server nothing takes this long by right. */
const SERVER_LIMITS = '-c statement_timeout=15000 -c idle_in_transaction_session_timeout=20000'

export interface Verdict {
  readonly mutant: Mutant
  readonly answer: Exclude<Answer, { readonly kind: 'trying' | 'traced' | 'broken' }>
  readonly ms: number
}

interface Subject {
  readonly ask: (question: Question) => Promise<Answer>
  readonly end: () => void
}

/** One question to one process: its last word, or that there was none. */
const converse = (child: ChildProcess, question: Question): Promise<Answer> =>
  new Promise((resolve) => {
    let killer = 'opening the store'
    let turn = 0
    const finish = (answer: Answer): void => {
      turn += 1
      child.removeAllListeners()
      resolve(answer)
    }
    const wait = (patienceMs: number): void => {
      turn += 1
      const own = turn
      const why = `no answer within ${patienceMs} ms`
      AbortSignal.timeout(patienceMs).addEventListener('abort', () => {
        if (turn === own) finish({ kind: 'killed', killer: `${killer}, hanging`, why })
      })
    }
    child.on('message', (said: Answer) => {
      if (said.kind !== 'trying') return finish(said)
      killer = said.killer
      wait(said.patienceMs)
    })
    child.once('exit', (code) => finish({ kind: 'killed', killer, why: `the process ended with ${code}` }))
    wait(PATIENCE_MS)
    child.send(question)
  })

const startChild = (
  postgresUrl: string | undefined,
  entry = 'subject.ts',
  args: readonly string[] = [],
): ChildProcess =>
  fork(fileOf(entry), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PGOPTIONS: SERVER_LIMITS,
      ...(postgresUrl !== undefined && { PAWL_TEST_POSTGRES: postgresUrl }),
    },
  })

const startSubject = (postgresUrl: string | undefined): Subject => {
  let child = startChild(postgresUrl)
  return {
    ask: async (question) => {
      const answer = await converse(child, question)
      // One that was left hanging, or is gone, answers no more.
      if (answer.kind === 'killed' && /^(?:no answer|the process)/.test(answer.why)) {
        child.kill('SIGKILL')
        child = startChild(postgresUrl)
      }
      return answer
    },
    end: () => child.kill('SIGKILL'),
  }
}

/** A process of its own, in which the module is the mutant's. */
const judgeCode = async (
  mutant: CodeMutant,
  question: Question,
  postgresUrl: string | undefined,
): Promise<Answer> => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-mutant-'))
  const file = join(folder, 'replaced.json')
  const url = new URL(`../../${mutant.file}`, import.meta.url).href
  writeFileSync(file, JSON.stringify({ url, source: mutant.source }))
  const child = startChild(postgresUrl, 'planted.ts', [file])
  try {
    return await converse(child, question)
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Those that call the statement, for other changes all: first what has killed most, then what is quickest. */
const casesFor = (mutant: Mutant, traced: readonly Traced[], kills: Kills): readonly number[] =>
  traced
    .filter(({ red }) => red === undefined)
    .filter(({ statements }) => mutant.kind !== 'statement' || statements.includes(mutant.statement))
    .toSorted((a, b) => (kills.get(b.name) ?? 0) - (kills.get(a.name) ?? 0) || a.ms - b.ms)
    .map(({ case: index }) => index)

/** How many mutants each killer has killed so far, by its name. */
type Kills = ReadonlyMap<string, number>

export interface CampaignOptions {
  readonly postgresUrl?: string
  readonly onVerdict: (verdict: Verdict) => void
  readonly isBlind?: boolean
  /** A case that is red without a mutant, and why. */
  readonly onRed: (why: string) => void
}

/** All mutants of one store in one process. */
export const tryMutants = async (
  store: StoreName,
  mutants: readonly Mutant[],
  { postgresUrl, onVerdict, onRed, isBlind = false }: CampaignOptions,
): Promise<void> => {
  const subject = startSubject(postgresUrl)
  try {
    const traced = await subject.ask({ kind: 'trace', store })
    if (traced.kind !== 'traced') throw new Error(JSON.stringify(traced))
    for (const { red } of traced.cases) if (red !== undefined) onRed(`${store}: ${red}`)
    const kills = new Map<string, number>()
    for (const mutant of mutants) {
      const before = performance.now()
      const cases = casesFor(mutant, traced.cases, kills)
      const question: Question = { kind: 'judge', mutant, cases, isBlind }
      const answer =
        mutant.kind === 'code' ? await judgeCode(mutant, question, postgresUrl) : await subject.ask(question)
      if (answer.kind === 'broken' || answer.kind === 'traced' || answer.kind === 'trying')
        throw new Error(JSON.stringify(answer))
      if (answer.kind === 'killed') kills.set(answer.killer, (kills.get(answer.killer) ?? 0) + 1)
      onVerdict({ mutant, answer, ms: performance.now() - before })
    }
  } finally {
    subject.end()
  }
}
