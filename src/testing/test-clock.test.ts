import { describe, expect, it } from 'vitest'
import { countedChance, createTestClock } from './test-clock.ts'

describe('the clock of a test', () => {
  it('stands until it is set, for due times and leases alike', () => {
    const clock = createTestClock(1000)
    expect(clock.clocks()).toEqual({ now: 1000, lease: 1000 })
    clock.set(5000)
    expect([clock.now(), clock.clocks()]).toEqual([5000, { now: 5000, lease: 5000 }])
    clock.set(2000)
    expect(clock.now()).toBe(5000)
  })

  it('lets leases run out without moving anything else', () => {
    const clock = createTestClock(1000)
    clock.outlive(30_000)
    clock.outlive(30_000)
    expect(clock.clocks()).toEqual({ now: 1000, lease: 61_000 })
  })
})

describe('counted chance', () => {
  it('gives ids that sort in the order they were drawn, and the same ones again', () => {
    const draw = () => {
      const chance = countedChance()
      return Array.from({ length: 2000 }, () => chance.id('act', 0))
    }
    const ids = draw()
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(draw()).toEqual(ids)
  })

  it('never gives a nonce twice', () => {
    const chance = countedChance()
    expect(new Set(Array.from({ length: 2000 }, chance.nonce)).size).toBe(2000)
    expect(chance.fraction()).toBeLessThan(1)
  })
})
