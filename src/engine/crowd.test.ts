import { expect, it } from 'vitest'
import { PawlError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import type { Execution } from '../core/execution.ts'
import type { Step } from '../core/fold.ts'
import type { Settle } from '../store/store.ts'
import { inCrowds } from './crowd.ts'
import type { Intake, Moved } from './move.ts'
import { createSerial } from './serial.ts'

const REF = { namespace: 'n', tenant: 't', id: 'e' }

const result = (id: string, more: Partial<Intake> = {}): Intake => ({
  consumed: [{ event: { id } as Event, from: 'result' }],
  settle: [{ worker: id } as Settle],
  settled: [{ event: id, told: { action: id } }],
  ...more,
})

const idsOf = ({ consumed }: Intake): string => consumed.map(({ event }) => event.id).join(' ')
const movedBy = ({ consumed }: Intake): Moved => ({
  kind: 'moved',
  execution: {} as Execution,
  steps: consumed.map(({ event }) => ({ event }) as Step),
})

/** The first move is under way until it is let go; what comes meanwhile waits for its turn. */
const bed = (answer: (intake: Intake) => Moved = movedBy) => {
  const moves: Intake[] = []
  const first = Promise.withResolvers<void>()
  const move = inCrowds(createSerial(), async (_, intake) => {
    moves.push(intake)
    if (moves.length === 1) await first.promise
    return answer(intake)
  })
  return {
    move: (intake: Intake) => move(REF, intake),
    letGo: first.resolve,
    moves: () => moves.map(idsOf),
    last: () => moves.at(-1)!,
  }
}

it('one alone is moved alone', async () => {
  const { move, letGo, moves } = bed()
  const moved = move(result('a'))
  letGo()
  expect(await moved).toMatchObject({ kind: 'moved', steps: [{ event: { id: 'a' } }] })
  expect(moves()).toEqual(['a'])
})

it('those that wait for their turn are one move, and each hears of its own', async () => {
  const { move, letGo, moves, last } = bed()
  const first = move(result('a'))
  await Promise.resolve()
  const others = ['b', 'c', 'd'].map((id) => move(result(id)))
  letGo()
  const told = await Promise.all([first, ...others])
  expect(moves()).toEqual(['a', 'b c d'])
  expect(last().settle).toHaveLength(3)
  expect(last().settled!.map(({ event }) => event)).toEqual(['b', 'c', 'd'])
  expect(told.map((moved) => moved.kind === 'moved' && moved.steps.map(({ event }) => event.id))).toEqual([
    ['a'],
    ['b'],
    ['c'],
    ['d'],
  ])
})

it.each<[string, Partial<Intake>]>([
  ['was asked for together with something', { control: [] }],
  ['comes from outside', { consumed: [{ event: { id: 'x' } as Event, from: 'outside' }] }],
])('what %s is moved by itself', async (_, more) => {
  const { move, letGo, moves } = bed()
  const all = [move(result('a')), move(result('b')), move(result('x', more))]
  letGo()
  await Promise.all(all)
  expect(moves().at(-1)).toBe('x')
})

it('C1: when they lose, each is tried alone', async () => {
  const { move, letGo, moves } = bed((intake) =>
    idsOf(intake).includes('c') ? { kind: 'fenced' } : movedBy(intake),
  )
  const all = ['a', 'b', 'c', 'd'].map((id) => move(result(id)))
  letGo()
  expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['moved', 'moved', 'fenced', 'moved'])
  expect(moves().slice(-3)).toEqual(['b', 'c', 'd'])
})

it('C1: when one of them cannot be written, the others are', async () => {
  const { move, letGo } = bed((intake) => {
    if (idsOf(intake).includes('c')) throw new PawlError('commit_refused', 'no')
    return movedBy(intake)
  })
  const all = ['a', 'b', 'c', 'd'].map((id) => move(result(id)))
  letGo()
  const told = await Promise.allSettled(all)
  expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

it('C2: when nobody knows what became of the commit, each is told so, and nothing is tried again here', async () => {
  const { move, letGo, moves } = bed((intake) => {
    if (idsOf(intake) !== 'a') throw new PawlError('store_unavailable', 'away')
    return movedBy(intake)
  })
  const first = move(result('a'))
  await Promise.resolve()
  const all = ['b', 'c'].map((id) => move(result(id)))
  letGo()
  await first
  const told = await Promise.allSettled(all)
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(moves()).toEqual(['a', 'b c'])
})

it('a crowd is bounded', async () => {
  const { move, letGo, moves } = bed()
  const first = move(result('first'))
  await Promise.resolve()
  const all = Array.from({ length: 120 }, (_, n) => move(result(String(n))))
  letGo()
  await Promise.all([first, ...all])
  expect(moves().map((ids) => ids.split(' ').length)).toEqual([1, 50, 50, 20])
})
