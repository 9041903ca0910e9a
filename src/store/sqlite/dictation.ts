// Owns writing a transaction down instead of running it, so that another thread can (scribe.ts): every statement with its values and
// with how many rows it must change. Whoever asks for what cannot be foreseen is told so, and the transaction is run here.
// F1  What was taken for granted is asked for by the writes themselves: a row that is not as it was thought to be is not changed,
//     one that is there already is refused. Then all of it is undone.
// F2  What is only inserted is listed: it comes first, statement by statement, each in the order it was given, so that many rows
//     are one statement (many.ts).

import type { SQLInputValue } from 'node:sqlite'
import { sql as texts } from './generated/sql.ts'
import type { Statement, Statements } from './statements.ts'

/** For each statement its number, the rows it must change, and its values: of one that is listed, those of every row. */
export type Passage = readonly SQLInputValue[]

/** Each of what is listed by itself, then everything else in its order. */
export type Script = readonly Passage[]

type Name = keyof typeof texts
const NAMES = Object.keys(texts) as readonly Name[]

/**
 * Rows that nothing else which is dictated reads, but for executions, which are there before they move; and those that are copied
 * before they are taken away (F2).
 */
const LISTED: ReadonlySet<Name> = new Set<Name>([
  'insertExecution',
  'insertEvent',
  'insertSettled',
  'settleActions',
])

export interface Dictated {
  readonly text: string
  /** Values of a row. */
  readonly count: number
  readonly isListed: boolean
}

/** What is called so, when a script is read. */
export const statementAt = (index: number): Dictated => {
  const name = NAMES[index]!
  const { text, params } = texts[name]
  return { text, count: params.length, isListed: LISTED.has(name) }
}

/** Something must be read that only the transaction itself can know. */
export class Unforeseen extends Error {}

const unforeseen = (name: Name) => (): never => {
  throw new Unforeseen(name)
}

/** Statements of which it is known how many rows they change, and that nothing but those rows tells whether they were right. */
const WRITTEN: ReadonlySet<Name> = new Set<Name>([
  'insertEvent',
  'insertExecution',
  'moveExecution',
  'updateExecution',
  'insertAction',
  'settleActions',
  'deleteSettled',
  'insertSettled',
  'insertBegun',
  'rewriteBegun',
  'dropBegun',
  'unfoldBegun',
  'insertInbox',
  'applyInbox',
  'upsertTimer',
  'deleteTimer',
  'bumpCounter',
  'insertTally',
])

/** Read from what is committed: their answers do not change, or are looked at by `isFit`. */
const READ: Partial<Record<Name, (row: unknown) => boolean>> = {
  clock: () => true,
  // Lanes are never removed.
  findLane: () => true,
  // If it begins meanwhile, its insertion is refused.
  findExecution: (row) => row === undefined,
  findInbox: (row) => row === undefined,
  // If it has fired meanwhile, there is none to take away.
  findTimer: (row) => row !== undefined,
  // About so many: when they are to be added up, all of them are read.
  lastTally: () => true,
}

/** The scribe is told that nothing may be paused (`scribeGuard`). */
const ABSENT: ReadonlySet<Name> = new Set<Name>(['findClosing', 'findPause'])

export interface Dictation {
  /** As if it were the store's. */
  readonly sql: Statements
  /** What was written down since it was last taken. */
  readonly take: () => Script
}

/** What is written down, and not yet taken. */
const createNotes = () => {
  let lists: SQLInputValue[][] = []
  let listed: SQLInputValue[][] = []
  let others: SQLInputValue[] = []
  return {
    /** Where the values of a statement go. */
    under: (index: number, rows: number, isListed: boolean): SQLInputValue[] => {
      if (!isListed) {
        others.push(index, rows)
        return others
      }
      const list = lists[index]
      if (list !== undefined) {
        list[1] = (list[1] as number) + rows
        return list
      }
      const begun: SQLInputValue[] = [index, rows]
      lists[index] = begun
      listed.push(begun)
      return begun
    },
    take: (): Script => {
      const taken = others.length === 0 ? listed : [...listed, others]
      lists = []
      listed = []
      others = []
      return taken
    },
  }
}

export const createDictation = (real: Statements): Dictation => {
  const { under, take } = createNotes()
  const write = (name: Name, index: number): Statement<Name>['run'] => {
    const params: readonly string[] = texts[name].params
    const isListed = LISTED.has(name)
    return (args?: Readonly<Record<string, SQLInputValue>>, rows = 1) => {
      const values = under(index, rows, isListed)
      params.forEach((param) => {
        values.push(args![param]!)
      })
      return rows
    }
  }
  const read = (name: Name): Statement<Name>['get'] => {
    if (ABSENT.has(name)) return () => undefined
    const isFit = READ[name]
    if (isFit === undefined) return unforeseen(name)
    const get = real[name].get as (...args: readonly unknown[]) => never
    return (...args: readonly unknown[]) => {
      const row = get(...args)
      return isFit(row) ? row : unforeseen(name)()
    }
  }
  const writeAll = (name: Name, index: number): Statement<Name>['list'] => {
    const run = write(name, index)
    return (rows) => rows.reduce((sum, row) => sum + run(row), 0)
  }
  const dictated = (name: Name, index: number): Statement<Name> => ({
    run: WRITTEN.has(name) ? write(name, index) : unforeseen(name),
    list: LISTED.has(name) ? writeAll(name, index) : unforeseen(name),
    get: read(name),
    all: unforeseen(name),
    each: unforeseen(name),
  })
  return {
    sql: Object.fromEntries(
      NAMES.map((name, index) => [name, dictated(name, index)]),
    ) as unknown as Statements,
    take,
  }
}
