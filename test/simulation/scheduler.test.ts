import { describe, expect, it } from 'vitest'
import { createScheduler, type Owner } from './scheduler.ts'
import { seeded } from './seeded.ts'

const owner = (name: string): Owner => ({ name, isDead: false, frozenUntil: 0 })

describe('the scheduler', () => {
  it('lets time pass only when nobody can go on', async () => {
    const scheduler = createScheduler(seeded(1))
    const [a, rung] = [owner('a'), [] as number[]]
    scheduler.after(a, 500, () => rung.push(scheduler.monotonic()))
    void scheduler.point(a, 'here')
    expect(scheduler.step(0)).toBe('a here')
    expect(scheduler.monotonic()).toBe(0)
    expect(scheduler.step(0)).toBe('a timer')
    expect(rung).toEqual([500])
    expect(scheduler.step(0)).toBe('nothing')
  })

  it('never hears of the dead again', async () => {
    const scheduler = createScheduler(seeded(1))
    const [a, b] = [owner('a'), owner('b')]
    void scheduler.point(a, 'here')
    scheduler.after(a, 1, () => undefined)
    scheduler.bury(a)
    void scheduler.point(a, 'after its death')
    scheduler.after(b, 2, () => undefined)
    expect(scheduler.step(0)).toBe('b timer')
    expect(scheduler.step(0)).toBe('nothing')
  })

  it('makes the frozen wait, and their timers ring late', async () => {
    const scheduler = createScheduler(seeded(1))
    const [a, b] = [owner('a'), owner('b')]
    a.frozenUntil = 1000
    void scheduler.point(a, 'here')
    scheduler.after(a, 10, () => undefined)
    scheduler.after(b, 999, () => undefined)
    expect(Array.from({ length: 4 }, () => scheduler.step(0))).toEqual([
      'b timer',
      'a timer',
      'a here',
      'nothing',
    ])
    expect(scheduler.monotonic()).toBe(1000)
  })

  it('chooses by the seed, and otherwise fairly', () => {
    const chosen = (seed: number): string => {
      const scheduler = createScheduler(seeded(seed))
      for (const name of 'abcdefgh') void scheduler.point(owner(name), '')
      return Array.from({ length: 8 }, () => scheduler.step(0).trim()).join('')
    }
    expect(chosen(1)).toBe(chosen(1))
    expect(new Set(Array.from({ length: 40 }, (_, seed) => chosen(seed)[0])).size).toBe(8)
  })

  it('rings again and again until it is stopped', () => {
    const scheduler = createScheduler(seeded(1))
    let rung = 0
    const stop = scheduler.timersOf(owner('a')).every(100, () => {
      rung += 1
    })
    for (let step = 0; step < 3; step++) scheduler.step(0)
    stop()
    expect([rung, scheduler.step(0)]).toEqual([3, 'nothing'])
  })
})
