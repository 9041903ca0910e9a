// The checker itself, on models small enough to see through.

import { describe, expect, it } from 'vitest'
import { check as checkUpTo, type Model, type Step, type Verdict } from './checker.ts'

const check = (model: Model<number>): Verdict => checkUpTo(model, 100)

/** A walk over numbers: where each leads, and what must hold there. */
const walk = (
  roads: Readonly<Record<number, readonly number[]>>,
  over: Partial<Model<number>> = {},
): Model<number> => ({
  initial: 0,
  steps: (at) => (roads[at] ?? []).map((to): Step<number> => ({ says: `to ${to}`, to })),
  invariants: {},
  isEnd: (at) => roads[at] === undefined,
  key: String,
  ...over,
})

describe('C1–C4: the search', () => {
  it('visits every state once and takes every step', () => {
    const verdict = check(walk({ 0: [1, 2], 1: [3], 2: [3, 0] }))
    expect(verdict).toEqual({ states: 4, steps: 5, depth: 2, stuck: 0 })
  })

  it('tells the shortest story of a violation, whatever comes first in the list', () => {
    const roads = { 0: [1, 4], 1: [2], 2: [3], 3: [9], 4: [9] }
    const verdict = check(walk(roads, { invariants: { I1: (at) => at !== 9 } }))
    expect(verdict.broken).toEqual({ invariant: 'I1', story: ['to 4', 'to 9'] })
  })

  it('names the invariant that broke, and a broken beginning has no story', () => {
    const invariants = { I1: () => true, I2: (at: number) => at !== 0 }
    expect(check(walk({}, { invariants })).broken).toEqual({ invariant: 'I2', story: [] })
  })

  it('C3: asks an invariant of a step also where it leads back to a known state', () => {
    const neverBack = { I2: (at: number, before: number) => at >= before }
    const verdict = check(walk({ 0: [1], 1: [2, 0], 2: [] }, { invariants: neverBack }))
    expect(verdict.broken).toEqual({ invariant: 'I2', story: ['to 1', 'to 0'] })
  })

  it('C4: finds the states from which no end is in reach, circles too, and how the first is reached', () => {
    const verdict = check(walk({ 0: [1, 2], 2: [3], 3: [4], 4: [3] }))
    expect(verdict).toMatchObject({ states: 5, stuck: 3, broken: { invariant: 'I7', story: ['to 2'] } })
  })

  it('C4: a fault is followed, but is nobody’s way out', () => {
    const roads: Readonly<Record<number, readonly number[]>> = { 0: [1], 1: [2] }
    const steps = (at: number) => (roads[at] ?? []).map((to) => ({ says: `to ${to}`, to, isFault: to === 2 }))
    const verdict = check(walk(roads, { steps }))
    expect(verdict).toMatchObject({ states: 3, stuck: 2, broken: { invariant: 'I7', story: [] } })
  })

  it('C2: states with the same key are one, and the story keeps the names of the first', () => {
    const steps = (at: number) => [1, -1].map((by) => ({ says: `${by}`, to: at + by }))
    const model = walk({}, { steps, key: (at) => String(Math.abs(at)), isEnd: () => true })
    const verdict = check({ ...model, invariants: { I1: (at) => Math.abs(at) < 4 } })
    expect(verdict).toMatchObject({ states: 4, broken: { story: ['1', '1', '1', '1'] } })
  })

  it('gives up on a model without bound, and says how far it had come', () => {
    const steps = (at: number) => [{ says: `to ${at + 1}`, to: at + 1 }]
    const verdict = check(walk({}, { steps }))
    expect(verdict).toMatchObject({ states: 101, broken: { invariant: 'endless' } })
    expect(verdict.broken!.story.at(-1)).toBe('to 100')
  })
})
