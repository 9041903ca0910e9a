import { expect, it } from 'vitest'
import { nextMost } from './worker.ts'

it.each([
  ['all of it came', { slots: 200, most: 50, asked: 50, came: 50 }, 100],
  ['all of it came, and more is not asked for', { slots: 500, most: 200, asked: 200, came: 200 }, 200],
  ['G15: no more batches than there are slots for', { slots: 64, most: 50, asked: 50, came: 50 }, 50],
  ['G15: nor part of one', { slots: 199, most: 100, asked: 100, came: 100 }, 150],
  ['fewer slots than a batch', { slots: 20, most: 50, asked: 20, came: 20 }, 50],
  ['F42: somebody holds a tenth of the slots', { slots: 200, most: 200, asked: 180, came: 180 }, 200],
  ['few slots are free: they are what is short', { slots: 200, most: 200, asked: 49, came: 49 }, 50],
  ['less came than was asked for', { slots: 200, most: 100, asked: 100, came: 99 }, 50],
  ['nothing came', { slots: 200, most: 200, asked: 200, came: 0 }, 50],
])('a claim grows while the queue gives all that is asked for: %s', (_, { slots, ...claimed }, most) => {
  expect(nextMost(claimed, { slots, batch: 50 })).toBe(most)
})
