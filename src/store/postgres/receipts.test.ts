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
    const signing = receipts.of(caller)!.next()
    expect(signing.sign([])).toEqual({ writer: 'writer 1', number: n, counts: null })
    signing.sent()
  }
  expect(receipts.of(caller)).toBeUndefined()
  await receipts.open(caller)()
  expect(receipts.of(caller)!.next().sign([])).toEqual({ writer: 'writer 2', number: 1, counts: null })
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

const OPEN = { namespace: 'n', tenant: 't', name: 'actions.open', bucket: 0, value: 1 }

const opened = async () => {
  const { receipts, caller } = make()
  await receipts.open(caller)()
  const { next } = receipts.of(caller)!
  /** What stands on the receipt when so much more was counted. */
  const count = (...counted: readonly (typeof OPEN)[]): unknown => {
    const signing = next()
    const signature = signing.sign(counted)
    signing.sent()
    return signature && JSON.parse(signature.counts!)
  }
  return { next, count }
}

it('what is counted adds up, each by its own tenant, name and hour', async () => {
  const { count } = await opened()
  expect(count(OPEN)).toEqual([['n', 't', 'actions.open', 0, 1]])
  expect(count({ ...OPEN, value: -3 })).toEqual([['n', 't', 'actions.open', 0, -2]])
  const others = [
    { ...OPEN, namespace: 'o' },
    { ...OPEN, tenant: 'o' },
    { ...OPEN, name: 'o' },
    { ...OPEN, bucket: 7 },
  ]
  expect(count(...others, OPEN)).toEqual([
    ['n', 't', 'actions.open', 0, -1],
    ['o', 't', 'actions.open', 0, 1],
    ['n', 'o', 'actions.open', 0, 1],
    ['n', 't', 'o', 0, 1],
    ['n', 't', 'actions.open', 7, 1],
  ])
})

it('what was signed and not sent was not counted', async () => {
  const { next, count } = await opened()
  next().sign([OPEN])
  expect(count(OPEN)).toEqual([['n', 't', 'actions.open', 0, 1]])
})

it('more than it has room for is counted elsewhere, and what stands on it stays', async () => {
  const { next, count } = await opened()
  const many = Array.from({ length: 8 }, (_, n) => ({ ...OPEN, tenant: `t${n}` }))
  expect(count(...many)).toHaveLength(8)
  expect(next().sign([OPEN])).toBeUndefined()
  expect(count()).toHaveLength(8)
  expect(count(many[3]!)).toContainEqual(['n', 't3', 'actions.open', 0, 2])
})

it('a half character is counted as the column of its tenant has it', async () => {
  const { count } = await opened()
  expect(count({ ...OPEN, tenant: '\ud800' })).toEqual([['n', '\ufffd', 'actions.open', 0, 1]])
})
