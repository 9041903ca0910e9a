// Owns how it is known what became of a commit that was sent in one piece and whose answer was lost. It has no number to be asked
// by; instead it signs: each connection has a receipt (pawl.receipts) with the number of its last commit, written by the commit itself.
// R1  A commit signs one more than the last, or is undone. So it has happened when its number, or a later one, is on the receipt.
// R2  Whoever asks makes the receipt void. What a server still has to read of a connection that is gone, signs no more.
// R3  A receipt that is not there says nothing: then nobody knows.
// R4  What was counted by those who signed stands on the receipt as sums, and goes to the counters when the receipt goes.

import type { Count } from './draft.ts'
import type { Caller, Statements } from './statements.ts'

/** What a commit signs. */
export interface Signature {
  readonly writer: string
  readonly number: number
  /** What all who signed have counted, as it is written. */
  readonly counts: string | null
}

/** One more than the last. */
export interface Signing {
  readonly number: number
  /** With what it counts. Undefined: that is more than a receipt has room for, and has to be written elsewhere. */
  readonly sign: (counted: readonly Count[]) => Signature | undefined
  /** What was signed is under way. */
  readonly sent: () => void
}

export interface Receipt {
  readonly next: () => Signing
  /** One was refused: whatever is wrong with it, the connection opens another. */
  readonly refused: () => void
  /** What became of that number: true, it was signed; undefined: that cannot be known. Fails while it is under way. */
  readonly ask: (number: number) => Promise<boolean | undefined>
  /** The process of its connection. */
  readonly pid: number
}

export interface Receipts {
  /** Of a connection that has one. */
  readonly of: (caller: Caller) => Receipt | undefined
  /** Asks for one within a transaction. What is returned is called when that was committed. */
  readonly open: (caller: Caller) => () => Promise<void>
}

/** Counts of a few tenants, or of all names of one: more would make a page of the row that every commit writes. */
export const ROOM = 8

const isSame = (a: Count, b: Count): boolean =>
  a.name === b.name && a.bucket === b.bucket && a.tenant === b.tenant && a.namespace === b.namespace

/** The sums, with what was counted. Undefined: there is no room for them. */
const added = (sums: readonly Count[], counted: readonly Count[]): readonly Count[] | undefined => {
  if (counted.length === 0) return sums
  // No two of them are the same: to look for hundreds among each other would take longer than to write them.
  if (counted.length > ROOM) return undefined
  const all = sums.map((sum) => ({ ...sum }))
  for (const count of counted) {
    const sum = all.find((one) => isSame(one, count))
    if (sum === undefined) all.push({ ...count })
    else sum.value += count.value
  }
  return all.length > ROOM ? undefined : all
}

/** Names as they come out of a column of text, which has no half characters. */
const textOf = (sums: readonly Count[]): string | null =>
  sums.length === 0
    ? null
    : JSON.stringify(
        sums.map(({ namespace, tenant, name, bucket, value }) => [
          namespace.toWellFormed(),
          tenant.toWellFormed(),
          name,
          bucket,
          value,
        ]),
      )

/** Then another: versions of one row lie in each other's way while an old snapshot keeps them. */
const MOST = 1000

export const createReceipts = (sql: Statements, draw: () => string): Receipts => {
  const receipts = new WeakMap<Caller, Receipt>()
  const writers = new WeakMap<Caller, string>()

  const receiptOf = (caller: Caller, writer: string, pid: number): Receipt => {
    let last = 0
    let sums: readonly Count[] = []
    const next = (): Signing => {
      const number = last + 1
      let signed = sums
      return {
        number,
        sign: (counted) => {
          const all = added(sums, counted)
          if (all === undefined) return undefined
          signed = all
          return { writer, number, counts: textOf(all) }
        },
        sent: () => {
          last = number
          sums = signed
          if (last === MOST) receipts.delete(caller)
        },
      }
    }
    return {
      pid,
      next,
      refused: () => void receipts.delete(caller),
      ask: async (number) => {
        const { rows } = await sql.voidReceipt<{ readonly number: number }>({ writer })
        return rows[0] === undefined ? undefined : rows[0].number >= number
      },
    }
  }
  const open: Receipts['open'] = (caller) => {
    const writer = draw()
    const opened = caller.sql.openReceipt<{ readonly pid: number }>({
      writer,
      old: writers.get(caller) ?? null,
    })
    opened.catch(() => undefined)
    return async () => {
      receipts.set(caller, receiptOf(caller, writer, (await opened).rows[0]!.pid))
      writers.set(caller, writer)
    }
  }
  return { of: (caller) => receipts.get(caller), open }
}
