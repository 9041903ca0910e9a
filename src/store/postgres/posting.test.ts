import { expect, it } from 'vitest'
import type { Way } from '../ways.ts'
import { createPosting, type Post } from './posting.ts'
import type { Receipt, Receipts, Signing } from './receipts.ts'
import type { Caller } from './statements.ts'

const lost = (): Error => new Error('Connection terminated unexpectedly')
const undone = (): Error => Object.assign(new Error('division by zero'), { code: '22012', severity: 'ERROR' })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Connections that are called by their numbers, and posts that are answered when the test says so. */
const make = (way: Way = 'behind', hasReceipts = true) => {
  let made = 0
  const [idle, given]: [Caller[], string[]] = [[], []]
  const signed: string[] = []
  const used = new Set<Caller>()
  const names = new Map<Caller, string>()
  const asked: number[] = []
  const answers = new Map<string, PromiseWithResolvers<void>>()
  const receiptOf = new Map<Caller, Receipt>()
  const open = (caller: Caller): void => {
    let last = 0
    receiptOf.set(caller, {
      pid: 7,
      next: () => {
        const number = last + 1
        return {
          number,
          sign: () => ({ writer: names.get(caller)!, number, counts: null }),
          sent: () => {
            last = number
            if (last === 9) receiptOf.delete(caller)
          },
        }
      },
      refused: () => void receiptOf.delete(caller),
      ask: async (number) => {
        asked.push(number)
        return number === 1
      },
    })
  }
  const connect = (): Caller => {
    made += 1
    const caller = {} as Caller
    names.set(caller, `c${made}`)
    if (hasReceipts) open(caller)
    return caller
  }
  let isClosed = false
  const { post, keepApart } = createPosting({
    alone: async (work) => {
      await undefined
      const caller = idle.pop() ?? connect()
      used.add(caller)
      try {
        const value = await work(caller)
        idle.push(caller)
        return value
      } catch (error) {
        given.push(`${names.get(caller)}: ${(error as Error).message}`)
        throw error
      } finally {
        used.delete(caller)
      }
    },
    inquire: async (ask, _, error) => {
      const answer = await ask()
      if (answer === undefined) throw error
      return answer
    },
    receipts: { of: (caller: Caller) => receiptOf.get(caller) } as Receipts,
    ways: { now: () => way, depart: () => () => undefined },
    isClosed: () => isClosed,
  })
  const postOf = (name: string, isSent = true): Post<string> => ({
    members: 1,
    send: (_, signing: Signing) => {
      if (!isSent) return undefined
      const { writer, number } = signing.sign([])!
      signed.push(`${name} ${writer}/${number}`)
      const answer = Promise.withResolvers<void>()
      answers.set(name, answer)
      return { value: name, written: answer.promise }
    },
    fly: async (caller) => `${name} flew over ${names.get(caller)}`,
  })
  return {
    post: async (name: string, isSent = true): Promise<string> => post(postOf(name, isSent)),
    answer: (name: string): void => answers.get(name)!.resolve(),
    fail: (name: string, error: Error): void => answers.get(name)!.reject(error),
    keepApart,
    close: () => {
      isClosed = true
    },
    signed,
    given,
    asked,
    used,
    made: () => made,
  }
}

it('one that follows signs one more over the same connection, which is given back with the last answer', async () => {
  const { post, answer, signed, used, made } = make()
  const first = post('a')
  await turn()
  const second = post('b')
  expect(signed).toEqual(['a c1/1', 'b c1/2'])
  answer('a')
  expect(await first).toBe('a')
  await turn()
  expect(used.size).toBe(1)
  answer('b')
  expect(await second).toBe('b')
  await turn()
  expect([used.size, made()]).toEqual([0, 1])
  const third = post('c')
  await turn()
  answer('c')
  await third
  expect(signed.at(-1)).toBe('c c1/3')
})

it.each([
  ['beside', make('beside')],
  ['apart, since somebody holds locks of their own', make()],
] as const)('each over a connection of its own: %s', async (name, { post, answer, signed, keepApart }) => {
  if (name !== 'beside') keepApart()
  const first = post('a')
  await turn()
  const second = post('b')
  await turn()
  expect(signed).toEqual(['a c1/1', 'b c2/1'])
  answer('b')
  answer('a')
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
})

it('when one is undone so is all behind it, and nobody else follows there', async () => {
  const { post, answer, fail, signed, given } = make()
  const first = post('a')
  await turn()
  const second = post('b')
  fail('a', undone())
  await expect(first).rejects.toThrow('division')
  const third = post('c')
  await turn()
  expect(signed.at(-1)).toBe('c c2/1')
  fail('b', undone())
  await expect(second).rejects.toThrow('division')
  answer('c')
  expect(await third).toBe('c')
  await turn()
  expect(given).toEqual(['c1: division by zero'])
})

it('each whose answer was lost is asked about by its own number', async () => {
  const { post, fail, asked, given } = make()
  const first = post('a')
  await turn()
  const second = post('b')
  fail('a', lost())
  fail('b', lost())
  expect(await first).toBe('a')
  await expect(second).rejects.toThrow('terminated')
  expect(asked).toEqual([1, 2])
  await turn()
  // Though one of them has happened: the connection is gone.
  expect(given).toEqual(['c1: Connection terminated unexpectedly'])
})

it('what is not for that flies over a connection of its own, and nobody follows it', async () => {
  const { post, answer } = make()
  const first = post('a')
  await turn()
  expect(await post('b', false)).toBe('b flew over c2')
  answer('a')
  await first
})

it('what can sign nothing flies', async () => {
  const { post, signed } = make('behind', false)
  expect(await post('a')).toBe('a flew over c1')
  expect(signed).toEqual([])
})

it('nobody follows over a receipt that is used up, or when all is closed', async () => {
  const used = make()
  const sent: Promise<string>[] = []
  for (let n = 1; n <= 10; n++) {
    sent.push(used.post(`${n}`))
    await turn()
  }
  expect(used.signed.slice(-2)).toEqual(['9 c1/9', '10 c2/1'])
  for (let n = 1; n <= 10; n++) used.answer(`${n}`)
  await Promise.all(sent)
  const closed = make()
  const first = closed.post('a')
  await turn()
  closed.close()
  const second = closed.post('b')
  await turn()
  expect(closed.signed).toEqual(['a c1/1', 'b c2/1'])
  closed.answer('a')
  closed.answer('b')
  await Promise.all([first, second])
})
