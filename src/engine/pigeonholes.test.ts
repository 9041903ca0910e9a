import { expect, test } from 'vitest'
import { createPigeonholes } from './pigeonholes.ts'

test('what is put in is found, until it is taken away', () => {
  const holes = createPigeonholes<string>()
  holes.set('a', 'one')
  holes.set('b', 'two')
  expect([holes.get('a'), holes.get('b'), holes.get('c'), holes.size()]).toEqual(['one', 'two', undefined, 2])
  holes.delete('a')
  holes.delete('c')
  expect([holes.get('a'), holes.get('b'), holes.size()]).toEqual([undefined, 'two', 1])
})

test('a place that was given back is given out again, and shows nothing of who had it', () => {
  const holes = createPigeonholes<string>()
  holes.set('a', 'one')
  holes.set('b', 'two')
  holes.delete('a')
  holes.set('c', 'three')
  holes.set('d', 'four')
  expect(['a', 'b', 'c', 'd'].map(holes.get)).toEqual([undefined, 'two', 'three', 'four'])
})

test('the oldest is the one that came first, however often it was changed since', () => {
  const holes = createPigeonholes<number>()
  expect(holes.oldest()).toBeUndefined()
  holes.set('a', 1)
  holes.set('b', 2)
  holes.set('a', 3)
  expect([holes.oldest(), holes.get('a')]).toEqual(['a', 3])
  holes.delete('a')
  expect(holes.oldest()).toBe('b')
})
