import { expect, it } from 'vitest'
import type { ExecutionRef, Store } from '../store/store.ts'
import { loadTogether } from './load.ts'

type Loaded = Awaited<ReturnType<Store['load']>>[number]

const ref = (id: string): ExecutionRef => ({ namespace: 'n', tenant: 't', id })
const idOf = (loaded: Loaded): string => ('ref' in loaded ? loaded.ref.id : loaded.execution.id)

/** A store in which everything is but `gone`, and that `bad` breaks; turns are given by hand. */
const bed = () => {
  const reads: string[][] = []
  const turns: (() => void)[] = []
  const load: Store['load'] = async (refs) => {
    reads.push(refs.map(({ id }) => id))
    if (refs.some(({ id }) => id === 'bad')) throw new Error('bad')
    return refs.filter(({ id }) => id !== 'gone').map((one) => ({ execution: one }) as unknown as Loaded)
  }
  const loading = loadTogether(load, () => new Promise((resolve) => turns.push(resolve)))
  const ask = async (...ids: readonly string[]) => (await loading(ids.map(ref))).map(idOf)
  const turn = (): void => turns.shift()!()
  return { reads, turns, ask, turn }
}

it('what is asked for in one turn is one read, and each is given its own', async () => {
  const { reads, turns, ask, turn } = bed()
  const asked = [ask('a'), ask('b', 'gone'), ask('a'), ask('gone')]
  expect([reads, turns.length]).toEqual([[], 1])
  turn()
  expect(await Promise.all(asked)).toEqual([['a'], ['b'], ['a'], []])
  expect(reads).toEqual([['a', 'b', 'gone']])
})

it('nobody joins a read that has begun', async () => {
  const { reads, ask, turn } = bed()
  const before = ask('a')
  turn()
  await Promise.resolve()
  const after = ask('a')
  turn()
  expect([await before, await after, reads]).toEqual([['a'], ['a'], [['a'], ['a']]])
})

it('one that cannot be read keeps nobody else from being read', async () => {
  const { ask, turn } = bed()
  const asked = [ask('a'), ask('bad'), ask('b')]
  turn()
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    ['a'],
    'bad',
    ['b'],
  ])
})

it('a read is bounded; who asks for more than that is asked for alone', async () => {
  const { reads, ask, turn } = bed()
  const many = Array.from({ length: 300 }, (_, index) => `m${index}`)
  const few = Array.from({ length: 150 }, (_, index) => `f${index}`)
  const asked = [ask('a'), ask(...many), ask(...few), ask('b')]
  turn()
  expect((await Promise.all(asked)).map(({ length }) => length)).toEqual([1, 300, 150, 1])
  expect(reads.map(({ length }) => length)).toEqual([1, 300, 151])
})
