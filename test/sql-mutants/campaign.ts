// Owns trying mutants: a few processes per store, each asked for one mutant after the other and replaced when it does not
// answer. Whoever is remembered to have killed one is asked first, then all who call its statement. A kill counts when
// its killer is green without a mutant.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoreName } from '../../scripts/build-sql.ts'
import { memoryFolder } from '../stores/memory-folder.ts'
import type { CodeMutant } from './code-mutants.ts'
import { LIKELIEST, orderOf, pointedAt } from './killers.ts'
import { type Mutant, textOf } from './mutants.ts'
import type { Answer, Question, Traced } from './subject.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
/** Until the first killer is at work. */
const PATIENCE_MS = 180_000
/** After the name of a killer that never answered. */
const HANGING = ', hanging'
/** As long as that takes when it was so before. */
const HANGING_MS = 10_000

const caseOf = (killer: string): string => killer.replace(HANGING, '')

/** On the server nothing takes this long by right. */
const SERVER_LIMITS = '-c statement_timeout=15000 -c idle_in_transaction_session_timeout=20000'

export interface Verdict {
  readonly mutant: Mutant
  readonly answer: Exclude<Answer, { readonly kind: 'trying' | 'traced' | 'broken' }>
  /** No killer that is traced calls its statement. */
  readonly isUnheard: boolean
  /** Who was remembered to kill it, and no longer does. */
  readonly strayed?: string
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
        if (turn === own) finish({ kind: 'killed', killer: killer + HANGING, why })
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
      TMPDIR: memoryFolder(),
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
  const folder = mkdtempSync(join(memoryFolder(), 'pawl-mutant-'))
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

interface Likeness {
  readonly worth: number
  /** It has killed one of the same statement. */
  readonly isSame: boolean
}

/** How likely a killer is to kill a mutant, by what it has killed, of either store: the same, or of the same statement. */
const likenessOf = (recorded: ReadonlyMap<string, string>, mutant: Mutant): ReadonlyMap<string, Likeness> => {
  const likeness = new Map<string, Likeness>()
  const wordsOf = (name: string): readonly string[] => name.split(/(?:\.sql|\.ts) ?|: /).slice(1)
  const [statement, what] = wordsOf(mutant.name)
  for (const [name, killer] of recorded) {
    const [other, lacks] = wordsOf(name)
    const isSame = other === statement
    const worth = (isSame ? 10 : 0.1) * (lacks === what ? 10 : 1)
    const before = likeness.get(caseOf(killer))
    likeness.set(caseOf(killer), {
      worth: (before?.worth ?? 0) + worth,
      isSame: isSame || before?.isSame === true,
    })
  }
  return likeness
}

const GUESSES = 8
/** Worth as much as so many kills of another statement. */
const NEIGHBOURLY = 20
/** They take as long as fifty others: they are asked when those are not enough. */
export const isLong = (killer: string): boolean =>
  /three tenants live|no user write|^(?:model|race|simulation|duel)|, hanging$/.test(killer)

/** Whom to ask before it is known who calls the statement: those who killed others of it. */
const guessesFor = (mutant: Mutant, recorded: ReadonlyMap<string, string>): readonly string[] =>
  mutant.kind === 'code'
    ? pointedAt(mutant.store)
    : [...likenessOf(recorded, mutant)]
        .filter(
          ([name, { isSame }]) => isSame && /^(?:conformance|standoff|verify): /.test(name) && !isLong(name),
        )
        .toSorted(([, a], [, b]) => b.worth - a.worth)
        .map(([name]) => name)
        .slice(0, GUESSES)

/** Whether any of these statements may notice it. */
const isHeard = (mutant: Mutant, statements: readonly string[]): boolean => {
  if (mutant.kind === 'statement') return statements.includes(mutant.statement)
  if (mutant.kind === 'code' || mutant.table === undefined) return true
  const names = new RegExp(`\\b${mutant.table}\\b`)
  return statements.some((name) => names.test(textOf(mutant.store, name)))
}

/** They have a neighbour for whatever a condition may forget. */
const isNeighbourly = (name: string): boolean =>
  /: (?:P5|apart|fences|pages|rivals|strangers)\b|^standoff/.test(name) && !isLong(name)

/** Those that call the statement, or one of the table, for other changes all: first who has killed most, and takes the least time. */
const casesFor = (
  mutant: Mutant,
  traced: readonly Traced[],
  recorded: ReadonlyMap<string, string>,
): readonly string[] => {
  const likeness = likenessOf(recorded, mutant)
  return traced
    .filter(({ red }) => red === undefined)
    .filter(({ statements }) => isHeard(mutant, statements))
    .map(({ name, ms }) => ({
      name,
      worth: ((isNeighbourly(name) ? NEIGHBOURLY : 1) + (likeness.get(name)?.worth ?? 0)) / ms,
    }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ name }) => name)
}

export interface CampaignOptions {
  readonly postgresUrl?: string
  /** How many processes. */
  readonly subjects: number
  /** Who killed a mutant when all were tried. */
  readonly recorded: ReadonlyMap<string, string>
  readonly onVerdict: (verdict: Verdict) => void
  readonly isBlind?: boolean
  /** A killer that is red without a mutant, and why. */
  readonly onRed: (why: string) => void
  /** Of what is not easy, only those whose recorded killer failed. */
  readonly isQuick: boolean
  /** Nobody but the likeliest cases is asked: a first look at what needs one. */
  readonly isCasesOnly?: boolean
}

/** Asked once, by whoever needs it first. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const createJudge = (store: StoreName, options: CampaignOptions) => {
  const { postgresUrl, onRed, isBlind = false, isCasesOnly = false } = options
  const recorded = new Map(options.recorded)
  const green = new Set<string>()
  const red = new Set<string>()
  const trace = once(async () => {
    const tracer = startSubject(postgresUrl)
    const answer = await tracer.ask({ kind: 'trace', store }).finally(tracer.end)
    if (answer.kind !== 'traced') throw new Error(JSON.stringify(answer))
    for (const killer of answer.killers) if (killer.red !== undefined) onRed(`${store}: ${killer.red}`)
    return answer.killers
  })
  const isGreen = async (subject: Subject, killer: string): Promise<boolean> => {
    if (green.has(killer)) return true
    const answer = await subject.ask({ kind: 'clean', store, killer })
    if (answer.kind === 'survived') green.add(killer)
    else if (!red.has(killer)) onRed(`${store}: ${killer}: ${JSON.stringify(answer)}`)
    if (answer.kind !== 'survived') red.add(killer)
    return answer.kind === 'survived'
  }
  const ask = (subject: Subject, mutant: Mutant, killers: readonly string[], isKnown: boolean) => {
    const hangs = recorded.get(mutant.name)?.endsWith(HANGING) === true
    const question: Question = {
      kind: 'judge',
      mutant,
      killers,
      isKnown,
      ...(hangs && { patienceMs: HANGING_MS }),
    }
    return mutant.kind === 'code' ? judgeCode(mutant, question, postgresUrl) : subject.ask(question)
  }
  /** Until someone kills who is green without it, or nobody is left. */
  const tryAll = async (subject: Subject, mutant: Mutant, names: readonly string[], isKnown: boolean) => {
    for (let left = names; ; ) {
      const answer = await ask(subject, mutant, left, isKnown)
      if (answer.kind === 'broken' || answer.kind === 'traced' || answer.kind === 'trying')
        throw new Error(`${mutant.name}: ${JSON.stringify(answer)}`)
      if (answer.kind !== 'killed') return answer
      const killer = caseOf(answer.killer)
      // A process that ends before anyone is at work has judged nothing.
      if (!names.includes(killer)) throw new Error(`${mutant.name}: ${JSON.stringify(answer)}`)
      if (await isGreen(subject, killer)) return answer
      left = left.slice(left.indexOf(killer) + 1)
    }
  }
  const told = (mutant: Mutant, answer: Verdict['answer'], isUnheard = false): Heard => {
    const first = options.recorded.get(mutant.name)
    if (answer.kind === 'killed') recorded.set(mutant.name, answer.killer)
    const isStrayed =
      first !== undefined && !(answer.kind === 'killed' && caseOf(answer.killer) === caseOf(first))
    return { mutant, answer, isUnheard, ...(isStrayed && { strayed: first }) }
  }
  return {
    /** By whoever is recorded, or by those who killed what is like it; undefined: all have to be asked. */
    guess: async (subject: Subject, mutant: Mutant): Promise<Heard | undefined> => {
      if (isBlind) return told(mutant, await tryAll(subject, mutant, [], false))
      const first = recorded.get(mutant.name)
      if (isCasesOnly && mutant.kind === 'code' && first === undefined) return undefined
      const names = first === undefined ? guessesFor(mutant, recorded) : [caseOf(first)]
      const answer = await tryAll(subject, mutant, names, first !== undefined)
      return answer.kind === 'survived' ? undefined : told(mutant, answer)
    },
    /** By all who call its statement, then by the rest. */
    judge: async (subject: Subject, mutant: Mutant): Promise<Heard> => {
      const traced = casesFor(mutant, await trace(), recorded)
      const all = isCasesOnly ? traced.slice(0, LIKELIEST) : orderOf(store, mutant, traced)
      const names = all.filter((name) => !red.has(name))
      return told(mutant, await tryAll(subject, mutant, names, true), traced.length === 0)
    },
  }
}

type Heard = Omit<Verdict, 'ms'>

/** All mutants of one store, each by the next process that is free: first the easy ones. */
export const tryMutants = async (
  store: StoreName,
  mutants: readonly Mutant[],
  options: CampaignOptions,
): Promise<void> => {
  const { guess, judge } = createJudge(store, options)
  const subjects = Array.from({ length: options.subjects }, () => startSubject(options.postgresUrl))
  const hard: Mutant[] = []
  const goThrough = (
    list: readonly Mutant[],
    ask: (subject: Subject, mutant: Mutant) => Promise<Heard | undefined>,
  ) => {
    const queue = list.values()
    return Promise.all(
      subjects.map(async (subject) => {
        for (const mutant of queue) {
          const before = performance.now()
          const heard = await ask(subject, mutant)
          if (heard === undefined) hard.push(mutant)
          else options.onVerdict({ ...heard, ms: performance.now() - before })
        }
      }),
    )
  }
  try {
    await goThrough(mutants, guess)
    const due = options.isQuick ? hard.filter(({ name }) => options.recorded.has(name)) : hard
    await goThrough(due, judge)
  } finally {
    for (const subject of subjects) subject.end()
  }
}
