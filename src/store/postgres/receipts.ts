// Owns how it is known what became of a commit that was sent in one piece and whose answer was lost. It has no number to be asked
// by; instead it signs: each connection has a receipt (pawl.receipts) with the number of its last commit, written by the commit itself.
// R1  A commit signs one more than the last, or is undone. So it has happened when its number, or a later one, is on the receipt.
// R2  Whoever asks makes the receipt void. What a server still has to read of a connection that is gone, signs no more.
// R3  A receipt that is not there says nothing: then nobody knows.

import type { Caller, Statements } from './statements.ts'

/** What a commit signs. */
export interface Signature {
  readonly writer: string
  readonly number: number
}

export interface Receipt {
  readonly next: () => Signature
  /** The next one is under way. */
  readonly sent: () => void
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

/** Then another: versions of one row lie in each other's way while an old snapshot keeps them. */
const MOST = 1000

export const createReceipts = (sql: Statements, draw: () => string): Receipts => {
  const receipts = new WeakMap<Caller, Receipt>()
  const writers = new WeakMap<Caller, string>()

  const receiptOf = (caller: Caller, writer: string, pid: number): Receipt => {
    let last = 0
    return {
      pid,
      next: () => ({ writer, number: last + 1 }),
      sent: () => {
        last += 1
        if (last === MOST) receipts.delete(caller)
      },
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
