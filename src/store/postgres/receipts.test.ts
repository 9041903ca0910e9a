import { expect, it } from 'vitest'
import { createReceipts } from './receipts.ts'
import type { Caller, Statements } from './statements.ts'

const make = (answer: readonly { readonly number: number }[] = []) => {
  const opened: unknown[] = []
  const sql = {
    openReceipt: async (args: unknown) => {
      opened.push(args)
      return { rows: [{ pid: 7 }], count: 1 }
    },
    voidReceipt: async () => ({ rows: answer, count: answer.length }),
  } as unknown as Statements
  let drawn = 0
  const receipts = createReceipts(sql, () => {
    drawn += 1
    return `writer ${drawn}`
  })
  return { receipts, caller: { sql } as unknown as Caller, opened }
}

it('a receipt is there when its transaction was committed, and not before', async () => {
  const { receipts, caller, opened } = make()
  const open = receipts.open(caller)
  expect(receipts.of(caller)).toBeUndefined()
  await open()
  expect(receipts.of(caller)).toMatchObject({ pid: 7 })
  expect(opened).toEqual([{ writer: 'writer 1', old: null }])
})

it('after a thousand, and after one that was refused, another is opened in the place of the first', async () => {
  const { receipts, caller, opened } = make()
  await receipts.open(caller)()
  for (let n = 1; n <= 1000; n++) {
    expect(receipts.of(caller)!.next()).toEqual({ writer: 'writer 1', number: n })
    receipts.of(caller)!.sent()
  }
  expect(receipts.of(caller)).toBeUndefined()
  await receipts.open(caller)()
  expect(receipts.of(caller)!.next()).toEqual({ writer: 'writer 2', number: 1 })
  receipts.of(caller)!.refused()
  expect(receipts.of(caller)).toBeUndefined()
  await receipts.open(caller)()
  expect(opened.at(-1)).toEqual({ writer: 'writer 3', old: 'writer 2' })
})

it.each([
  ['signed', [{ number: 1 }], true],
  ['signed, and one behind it', [{ number: 2 }], true],
  ['not signed', [{ number: 0 }], false],
  ['gone, so that nobody knows', [], undefined],
] as const)('who asks is told: %s', async (_, answer, expected) => {
  const { receipts, caller } = make(answer)
  await receipts.open(caller)()
  expect(await receipts.of(caller)!.ask(1)).toBe(expected)
})
