// Owns the one door through which this process writes: a queue, first come first served, whose waiting jobs share a transaction and
// its fsync. Between BEGIN IMMEDIATE and COMMIT nothing is awaited; nobody is answered before the disk has it (flush.ts), unless it
// says so. A busy file is waited for by patience.ts, what can be foreseen is written by the scribe; everything else waits for that.
// W1  A job that throws is undone alone. What is wrong with the store itself rejects every job of the transaction.
// W2  A job may be run again: when the file was busy, and carefully when one of its transaction failed by its own making.
// W3  Where that is quicker (ways.ts), the next transaction is written while the disk is waited for, and told after the one before it.

import type { DatabaseSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'
import type { Backfill } from './backfill.ts'
import type { Begun } from './begun.ts'
import { type Connection, inSavepoint } from './connection.ts'
import { busyError, faultOf, storeError } from './faults.ts'
import type { Flush } from './flush.ts'
import type { Patience } from './patience.ts'
import type { Asked, Scribe } from './scribe.ts'
import { inSnapshot } from './snapshot.ts'

/** `isCareful`: some job of the transaction failed by its own making; whatever this one holds is to fail apart. */
type Work<Value> = (isCareful: boolean) => Value

/** What a job would write, and what would come of it. */
export interface Draft<Value> {
  readonly asked: Asked
  readonly value: Value
}

/** Undefined: it cannot be foreseen. */
export type Drafting<Value> = () => Draft<Value> | undefined

export interface Writer {
  /** `weight` is about how many rows it touches: it bounds how long the event loop is held. */
  readonly run: <Value>(weight: number, job: Work<Value>, draft?: Drafting<Value>) => Promise<Value>
  /** The same, answered before the disk has it: for what a power cut may forget. */
  readonly runSoon: <Value>(weight: number, job: () => Value) => Promise<Value>
  /**
   * The same where its outcome says so, and in no hurry: what is asked within the next turns of the event loop shares its
   * transaction. For claims, which come when settlements do.
   */
  readonly runAlong: <Value>(
    weight: number,
    job: () => Value,
    isSoon: (value: Value) => boolean,
  ) => Promise<Value>
  /** Reading needs no turn, unless something has begun that has no row of its own (begun.ts). */
  readonly read: <Value>(job: () => Value) => Promise<Value>
  /**
   * Reading that looks at no action that runs: it never needs one. Only right after a crash, or while the file is closed elsewhere,
   * must it wait.
   */
  readonly glance: <Value>(job: () => Value) => Promise<Value>
  /** Is what can be foreseen written beside the event loop now? */
  readonly isDictating: () => boolean
  /** What was asked before is done; what is asked after is refused. */
  readonly close: () => Promise<void>
}

/** About 10 ms of writing here. */
const MAX_WEIGHT = 1000
/** A turn that touches no more rows, with nobody behind it: more than one step of an execution, less than many at once. */
const CALM_WEIGHT = 24
/** Turns of the event loop that a job in no hurry waits for others: a group commit departs one turn after it is asked for. */
const LEISURE = 2

interface Job {
  readonly weight: number
  readonly run: Work<unknown>
  readonly draft: Drafting<unknown> | undefined
  /** May it be answered before the disk has it, with what came of it? */
  readonly isSoon: (value: never) => boolean
  readonly isInNoHurry: boolean
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

const closed = (file: string): PawlError => new PawlError('store_closed', `${file} was closed`)

const begin = (db: DatabaseSync): void => {
  // Only a memory store shares its connection, with a caller whose own transaction is open: to us, it is busy.
  if (db.isTransaction) throw busyError()
  db.exec('begin immediate')
}

const runCarefully = (db: DatabaseSync, { run }: Job): Outcome => {
  try {
    return { value: inSavepoint(db, () => run(true)) }
  } catch (error) {
    if (faultOf(error) !== 'member') throw error
    return { error }
  }
}

/** What every transaction begins with. */
type Opening = () => void

const inTransaction = (
  db: DatabaseSync,
  open: Opening,
  work: () => readonly Outcome[],
): readonly Outcome[] => {
  begin(db)
  try {
    open()
    const outcomes = work()
    db.exec('commit')
    return outcomes
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

/**
 * One transaction over some jobs; throws when nothing of it was written. Under a savepoint SQLite copies each page that each
 * statement writes, which was a third of the time of a settlement: only when a job has failed are they made one by one.
 */
const transact = (db: DatabaseSync, open: Opening, jobs: readonly Job[]): readonly Outcome[] => {
  try {
    return inTransaction(db, open, () => jobs.map(({ run }) => ({ value: run(false) })))
  } catch (error) {
    if (faultOf(error) !== 'member') throw error
    return inTransaction(db, open, () => jobs.map((job) => runCarefully(db, job)))
  }
}

/** The next jobs that fit into one transaction. `isBeside`: a commit goes past the one before it, not with it. */
const takeTurn = (queue: Job[], isBeside: boolean): readonly Job[] => {
  let weight = 0
  const end = queue.findIndex(({ weight: its, draft }, index) => {
    weight += its
    return index > 0 && (weight > MAX_WEIGHT || (isBeside && draft !== undefined))
  })
  return queue.splice(0, end === -1 ? queue.length : end)
}

const weightOf = (jobs: readonly Job[]): number => jobs.reduce((sum, { weight }) => sum + weight, 0)

const ALWAYS = (): boolean => true
const NEVER = (): boolean => false

const isToldSoon = ({ isSoon }: Job, outcome: Outcome): boolean =>
  'error' in outcome ? isSoon === ALWAYS : isSoon(outcome.value as never)

const answer = (job: Job, outcome: Outcome): void => {
  if ('error' in outcome) job.reject(outcome.error)
  else job.resolve(outcome.value as never)
}

type Answer = readonly [job: Job, outcome: Outcome]

/** Answers those that do not wait for the disk; the others are left. */
const answerSoon = (jobs: readonly Job[], outcomes: readonly Outcome[]): readonly Answer[] => {
  const left: Answer[] = []
  jobs.forEach((job, index) => {
    const outcome = outcomes[index]!
    if (isToldSoon(job, outcome)) answer(job, outcome)
    else left.push([job, outcome])
  })
  return left
}

const rethrow =
  (told: (error: unknown) => unknown) =>
  (error: unknown): never => {
    throw told(error)
  }

const toldBy =
  (file: string) =>
  (error: unknown): unknown =>
    faultOf(error) === 'member' ? error : storeError(error, file)

interface Turns {
  /** Some jobs in one transaction. Answers of the last turn may still be under way. */
  readonly run: (jobs: readonly Job[]) => Promise<void>
  /** Everybody is answered. */
  readonly rest: () => Promise<void>
}

const createTurns = (
  { connection: { db, file }, patience: { patiently }, disk: { flush, assertSound }, isBeside }: WriterParts,
  open: Opening,
  isCalm: (jobs: readonly Job[]) => boolean,
): Turns => {
  const errorOf = toldBy(file)
  let answering: Promise<void> | undefined
  const answerKept = async (left: readonly Answer[], isCalmNow: boolean): Promise<void> => {
    try {
      await flush(isCalmNow)
      for (const [job, outcome] of left) answer(job, outcome)
    } catch (error) {
      for (const [job] of left) job.reject(errorOf(error))
    }
  }
  const runTurn = async (jobs: readonly Job[]): Promise<void> => {
    try {
      // What the disk is known to have lost is not gone on from, nor written over.
      assertSound()
      const outcomes = await patiently(() => transact(db, open, jobs))
      // What is told before the disk has it, like a claim, may be of what the turn before has written.
      await answering
      assertSound()
      const left = answerSoon(jobs, outcomes)
      if (left.length === 0) return
      answering = answerKept(left, isCalm(jobs))
      if (!isBeside()) await answering
    } catch (error) {
      // One of several may be too much for a full disk: the others are not to suffer for it.
      if (jobs.length > 1 && faultOf(error) === 'full') for (const job of jobs) await runTurn([job])
      else for (const job of jobs) job.reject(errorOf(error))
    }
  }
  return { run: runTurn, rest: async () => answering }
}

/** Gives the scribe what can be foreseen, one job at a time; `redo` is for what it undid. */
const createDictating = (
  { file }: Connection,
  { areOthersAround }: Patience,
  { assertSound }: Flush,
  scribe: Scribe,
  redo: (job: Job) => void,
) => {
  let isDictating = false
  const underWay = new Set<Promise<void>>()
  const dictate = async (job: Job, { asked, value }: Draft<unknown>): Promise<void> => {
    try {
      // What the disk is known to have lost is not gone on from, nor written over.
      assertSound()
      isDictating = await scribe.write(asked)
      assertSound()
      if (isDictating) job.resolve(value as never)
      else redo({ ...job, draft: undefined })
    } catch (error) {
      job.reject(storeError(error, file))
    }
  }
  const mayBe = ({ draft, weight }: Job): boolean =>
    draft !== undefined && scribe.isReady(weight) && !areOthersAround()
  return {
    isDictating: () => isDictating,
    /** Whether it is the scribe's now. */
    give: async (job: Job): Promise<boolean> => {
      if (!mayBe(job)) return false
      await scribe.room()
      const draft = job.draft!()
      if (draft === undefined) return false
      const one = dictate(job, draft)
      underWay.add(one)
      void one.then(() => underWay.delete(one))
      return true
    },
    /** Everybody is answered: whoever is told something next knows what came before it. */
    rest: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    /** The event loop writes these. */
    pass: (jobs: readonly Job[]): void => {
      if (jobs.some(({ draft }) => draft !== undefined)) isDictating = false
      scribe.heardOfUs()
    },
  }
}

export interface WriterParts {
  readonly connection: Connection
  readonly patience: Patience
  readonly disk: Flush
  readonly backfill: Backfill
  readonly scribe: Scribe
  readonly begun: Pick<Begun, 'isAny' | 'unfold'>
  /** Is the next transaction to be written while the disk is waited for? */
  readonly isBeside: () => boolean
}

/** What is in no hurry waits for others to come. */
const linger = async (queue: readonly Job[], { turn }: Patience): Promise<void> => {
  for (let turns = 0; turns < LEISURE && queue.every(({ isInNoHurry }) => isInNoHurry); turns++) await turn()
}

/** Everything that waits, and whoever works it off. */
const createLine = (parts: WriterParts) => {
  const { connection, patience, disk, backfill, scribe, begun, isBeside } = parts
  const queue: Job[] = []
  const isCalm = (jobs: readonly Job[]): boolean =>
    queue.length === 0 && weightOf(jobs) <= CALM_WEIGHT && !backfill.isCopying()
  const turns = createTurns(parts, () => begun.unfold(connection.sql), isCalm)
  let working: Promise<void> | undefined

  const put = (job: Job, isFirst = false): void => {
    if (isFirst) queue.unshift(job)
    else queue.push(job)
    working ??= Promise.resolve().then(work)
  }
  const again = (job: Job): void => put(job, true)
  const dictating = createDictating(connection, patience, disk, scribe, again)
  const rest = async (): Promise<void> => {
    await dictating.rest()
    await turns.rest()
  }
  /** By the event loop, with all that waits behind it. */
  const writeHere = async (first: Job): Promise<void> => {
    queue.unshift(first)
    const jobs = takeTurn(queue, isBeside())
    await dictating.rest()
    dictating.pass(jobs)
    await turns.run(jobs)
    await patience.giveWay()
    if (isCalm(jobs)) disk.makeRoom()
  }
  const work = async (): Promise<void> => {
    while (queue.length > 0) {
      await linger(queue, patience)
      const job = queue.shift()!
      if (!(await dictating.give(job))) await writeHere(job)
      if (backfill.isWaiting()) await rest()
      await backfill.look()
    }
    working = undefined
  }
  /** When everything is done that was asked before, also what the scribe undid. */
  const end = async (): Promise<void> => {
    await working
    await rest()
    if (working !== undefined) await end()
  }
  return { isDictating: dictating.isDictating, put, end }
}

/** Reading, and what it needs a turn for: what has begun without a row of its own gets one. */
const createReading = ({ connection, patience, begun }: WriterParts, asTurn: Writer['runSoon']) => {
  const { db, file } = connection
  const glance: Writer['glance'] = (job) => patience.patiently(job).catch(rethrow(toldBy(file)))
  const read: Writer['read'] = async (job) => {
    // As of one moment: the scribe may write meanwhile.
    const seen = await glance(() => inSnapshot(db, () => (begun.isAny() ? undefined : { value: job() })))
    return seen === undefined ? asTurn(1, job) : seen.value
  }
  return { glance, read }
}

export const createWriter = (parts: WriterParts): Writer => {
  const { file } = parts.connection
  const line = createLine(parts)
  let isClosed = false
  const enqueue = <Value>(
    weight: number,
    run: Work<Value>,
    isSoon: (value: Value) => boolean,
    { isInNoHurry = false, draft }: { readonly isInNoHurry?: boolean; readonly draft?: Drafting<Value> } = {},
  ): Promise<Value> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closed(file))
      line.put({ weight, run, draft, isSoon, isInNoHurry, resolve, reject })
    })
  const runSoon: Writer['runSoon'] = (weight, job) => enqueue(weight, job, ALWAYS)
  const { glance, read } = createReading(parts, runSoon)
  return {
    run: (weight, job, draft) => enqueue(weight, job, NEVER, draft && { draft }),
    runSoon,
    runAlong: (weight, job, isSoon) => enqueue(weight, job, isSoon, { isInNoHurry: true }),
    read: (job) => (isClosed ? Promise.reject(closed(file)) : read(job)),
    glance: (job) => (isClosed ? Promise.reject(closed(file)) : glance(job)),
    isDictating: line.isDictating,
    close: async () => {
      isClosed = true
      await line.end()
    },
  }
}
