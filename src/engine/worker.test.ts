import { expect, it } from 'vitest'
import { mostOf } from './worker.ts'

it.each([
  ['all of it came', { most: 50, asked: 50, came: 50 }, 100],
  ['all of it came, and more is not asked for', { most: 200, asked: 200, came: 200 }, 200],
  ['few slots were free, and all of it came', { most: 100, asked: 7, came: 7 }, 100],
  ['less came than was asked for', { most: 100, asked: 100, came: 99 }, 50],
  ['few slots were free, and less came', { most: 100, asked: 7, came: 6 }, 50],
  ['nothing came', { most: 200, asked: 200, came: 0 }, 50],
])('a claim grows while the queue gives all that is asked for: %s', (_, claimed, most) => {
  expect(mostOf({ batch: 50, ...claimed })).toBe(most)
})
