import { expect, it } from 'vitest'
import { createChance, realChance } from './random.ts'

it('the same bytes, the same draw', () => {
  const chance = createChance((count) => new Uint8Array(count).fill(255))
  expect(chance.nonce()).toBe('f'.repeat(32))
  expect(chance.fraction()).toBeLessThan(1)
  expect(chance.fraction()).toBeGreaterThan(0.999)
  expect(chance.id('act', 0)).toBe(chance.id('act', 0))
})

it('nothing is zero, and a fraction never reaches one', () => {
  expect(createChance((count) => new Uint8Array(count)).fraction()).toBe(0)
})

it('real chance does not repeat, and its ids sort by time', () => {
  expect(new Set(Array.from({ length: 10_000 }, realChance.nonce)).size).toBe(10_000)
  expect(Array.from({ length: 1000 }, realChance.nonce)).not.toContain('0'.repeat(32))
  const ids = [1, 1000, 1_700_000_000_000].map((now) => realChance.id('act', now))
  expect(ids.toSorted()).toEqual(ids)
})

it('a series is of one instant and in order, and two of them do not meet', () => {
  const [one, two] = [realChance.series('act', 1), realChance.series('act', 1)]
  const ids = Array.from({ length: 1000 }, one)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids[0]).toMatch(/^act_0000000001[0-9A-Z]{16}$/)
  expect(new Set([...ids, ...Array.from({ length: 1000 }, two)]).size).toBe(2000)
})
