import { expect, it } from 'vitest'
import type { StoredExecution } from '../store/store.ts'
import { createExecutionCache, keyOf } from './cache.ts'

const ref = (id: string) => ({ namespace: 'n', tenant: 't', id })
const loaded = (id: string, revision = 1): StoredExecution =>
  ({ execution: ref(id), revision }) as unknown as StoredExecution

it('the newest memory is the one that is told', () => {
  const cache = createExecutionCache()
  cache.set(loaded('a', 1))
  cache.set(loaded('a', 2))
  expect(cache.get(ref('a'))?.revision).toBe(2)
  cache.drop(ref('a'))
  expect(cache.get(ref('a'))).toBeUndefined()
})

it('bounded: who was set longest ago is forgotten first', () => {
  const cache = createExecutionCache(2)
  cache.set(loaded('a'))
  cache.set(loaded('b'))
  cache.set(loaded('a', 2))
  cache.set(loaded('c'))
  expect(['a', 'b', 'c'].map((id) => cache.get(ref(id)) !== undefined)).toEqual([true, false, true])
})

it('what has ended is forgotten, and what was remembered of it before', () => {
  const cache = createExecutionCache()
  cache.set(loaded('a'))
  const { execution } = loaded('a')
  cache.set({ ...loaded('a', 2), execution: { ...execution, status: 'completed' } })
  expect(cache.get(ref('a'))).toBeUndefined()
})

it.each([
  [
    { tenant: 't', id: 'a' },
    { tenant: 't","a', id: '' },
  ],
  [
    { tenant: 'a', id: 'b' },
    { tenant: 'b', id: 'a' },
  ],
])('%j and %j are two', (one, two) => {
  expect(keyOf({ namespace: 'n', ...one })).not.toBe(keyOf({ namespace: 'n', ...two }))
})
