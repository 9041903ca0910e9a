import { describe, expect, it } from 'vitest'
import { FAULTS } from './faults.ts'
import { HARMLESS, PLANTED } from './plants.ts'
import { HARMLESS_TO_LIMITS, PLANTED_IN_LIMITS } from './plants-limits.ts'
import { REGRESSIONS } from './regressions.ts'
import { COURSE, type Simulated, simulate } from './simulate.ts'

const told = ({ violations }: Simulated): readonly string[] =>
  violations.map(({ seed, step, invariant, what }) => `seed ${seed}, step ${step}: ${invariant}: ${what}`)

describe('the same seed', () => {
  it('tells the same story, whatever was told before it', async () => {
    const { traces } = await simulate({ seeds: 12 })
    const again = await simulate({ seeds: 6, from: 7 })
    expect(again.traces).toEqual(traces.slice(6))
    expect(new Set(traces).size).toBe(12)
  })

  it('tells another story when its world is another', async () => {
    const { traces } = await simulate({ seeds: 3 })
    const longer = await simulate({ seeds: 3, course: { ...COURSE, steps: 301 } })
    expect(longer.traces).not.toEqual(traces)
  })
})

describe('G5: the engine in simulated worlds', () => {
  it('holds I1–I12 after every step, and strikes with every fault', async () => {
    const simulated = await simulate({ seeds: 50 })
    expect(told(simulated)).toEqual([])
    expect(simulated.steps).toBeGreaterThan(50 * 300)
    expect(FAULTS.filter((fault) => simulated.faults[fault] === 0)).toEqual([])
  })

  it.each(REGRESSIONS)('seed $seed, which once showed that $what', async ({ seed, course }) => {
    expect(told(await simulate({ seeds: 1, from: seed, course }))).toEqual([])
  })
})

describe('G8: a bug that is planted', () => {
  it.each([...PLANTED, ...PLANTED_IN_LIMITS])('$name, is found', async ({ plant, finds, from = 1 }) => {
    const { violations } = await simulate({ seeds: 60, from, plant, isEager: true })
    expect(violations).toHaveLength(1)
    expect(finds).toContain(violations[0]!.invariant)
  })

  it.each([...HARMLESS, ...HARMLESS_TO_LIMITS])('$name, harms nobody', async ({ plant }) => {
    expect(told(await simulate({ seeds: 15, plant }))).toEqual([])
  })
})
