// Owns commits in one piece: over which connection each goes, and what became of one whose answer was lost (receipts.ts).
// P1  Only what is in one piece has others behind it: a transaction that was begun would take them in.
// P2  Who follows signs one more than the one before. When that is undone, so is all that is behind it.
// P3  A connection is given back when all that was sent over it is answered; after a failure nobody else follows there.
// P4  Who is behind waits with the one before. Whoever works in a transaction of their own may hold what that one waits for, and wait
//     for the one behind before they end it: once somebody has, none follows another.

import type { Ways } from '../ways.ts'
import { faultOf } from './faults.ts'
import type { Receipt, Receipts, Signing } from './receipts.ts'
import type { Caller } from './statements.ts'

export interface Post<Value> {
  readonly members: number
  /** Asks all of it in one breath, the signature before what it writes. Undefined: it is not for that, and nothing was sent. */
  readonly send: (
    caller: Caller,
    signing: Signing,
  ) => { readonly value: Value; readonly written: Promise<unknown> } | undefined
  /** What is done instead, where it cannot be sent or nothing can be signed. `opens`: the connection has a receipt from then on. */
  readonly fly: (caller: Caller, opens: Receipts | undefined) => Promise<Value>
}

export interface PostingParts {
  readonly alone: <Value>(work: (caller: Caller) => Promise<Value>) => Promise<Value>
  /** True: the lost one was committed. */
  readonly inquire: (ask: () => Promise<boolean | undefined>, pid: number, lost: unknown) => Promise<boolean>
  /** Undefined: nothing can be signed. */
  readonly receipts: Receipts | undefined
  /** Undefined: each goes over a connection of its own. */
  readonly ways: Ways | undefined
  readonly isClosed: () => boolean
}

/** A connection over which posts are under way. */
interface Line {
  readonly caller: Caller
  readonly receipt: Receipt
  readonly over: PromiseWithResolvers<void>
  users: number
  failure: unknown
}

const lineOver = (caller: Caller, receipt: Receipt): Line => ({
  caller,
  receipt,
  over: Promise.withResolvers<void>(),
  users: 0,
  failure: undefined,
})

const leave = (line: Line): void => {
  line.users -= 1
  if (line.users > 0) return
  if (line.failure === undefined) line.over.resolve()
  else line.over.reject(line.failure)
}

type SendOver = <Value>(line: Line, post: Post<Value>) => Promise<Value> | undefined

/** Signs and sends. Undefined: it is not for that. */
const sending = ({ inquire, ways }: PostingParts): SendOver => {
  const conclude = async ({ receipt }: Line, { number }: Signing, error: unknown): Promise<void> => {
    receipt.refused()
    if (faultOf(error) !== 'lost') throw error
    if (!(await inquire(() => receipt.ask(number), receipt.pid, error))) throw error
  }
  return (line, { members, send }) => {
    const signing = line.receipt.next()
    const sent = send(line.caller, signing)
    if (sent === undefined) return undefined
    signing.sent()
    line.users += 1
    const arrived = ways?.depart(members)
    return sent.written
      .catch((error: unknown) => {
        line.failure ??= error
        return conclude(line, signing, error)
      })
      .finally(() => {
        arrived?.()
        leave(line)
      })
      .then(() => sent.value)
  }
}

export interface Posting {
  readonly post: <Value>(post: Post<Value>) => Promise<Value>
  /** From now on none follows another. */
  readonly keepApart: () => void
}

export const createPosting = (parts: PostingParts): Posting => {
  const { alone, receipts, ways, isClosed } = parts
  const sendOver = sending(parts)
  /** The one over which others may follow. */
  let open: Line | undefined
  let isApart = false

  const isOpen = ({ caller, receipt, users }: Line): boolean =>
    users > 0 && receipts?.of(caller) === receipt && !isClosed()
  const sendApart = <Value>(post: Post<Value>): Promise<Value> => {
    const answer = Promise.withResolvers<Value>()
    alone(async (caller) => {
      const receipt = receipts?.of(caller)
      const line = receipt && lineOver(caller, receipt)
      const sent = line && sendOver(line, post)
      if (sent === undefined) {
        answer.resolve(await post.fly(caller, receipt === undefined ? receipts : undefined))
        return
      }
      open = line
      // It is as it was answered, whatever becomes of the connection behind that.
      answer.resolve(sent)
      await line!.over.promise
    }).catch(answer.reject)
    return answer.promise
  }
  return {
    post: (post) => {
      const isBehind = !isApart && open !== undefined && isOpen(open) && ways?.now() === 'behind'
      return (isBehind ? sendOver(open!, post) : undefined) ?? sendApart(post)
    },
    keepApart: () => {
      isApart = true
    },
  }
}
