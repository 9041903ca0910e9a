// The receipt adds up what attacks say of themselves, and does not hold when one of them does not.

import { describe, expect, it } from 'vitest'
import type { Ended } from './lanes.ts'
import { receiptOf } from './receipt.ts'

const FOUND = { lost: 1, doubled: 2, stuck: 3, duplicatesSameKey: 40 }
const CLEAN = { lost: 0, doubled: 0, stuck: 0, duplicatesSameKey: 7 }

const ended = (name: string, summary: object, isHeld = true): Ended => ({
  name,
  isHeld,
  seconds: 5,
  summary,
})

const ALL = [
  ended('kills', { sqlite: { kills: 1000, figures: CLEAN }, postgres: { kills: 200, figures: CLEAN } }),
  ended('points', { sqlite: { points: 282, ...CLEAN }, postgres: { points: 100, ...CLEAN } }),
  ended('simulation', { seeds: 3000, steps: 9, fewestSteps: 300, faults: { 'wake: lost': 101 }, ...CLEAN }),
  ended('model', { states: 12, stuck: 0, scenarios: [{ stuck: 0 }] }),
  ended('mutants', { total: 149, killed: 149, equivalent: 1 }),
  ended('sql-mutants', { mutants: 51, killed: 50, equivalent: 1 }),
  ended('load', {
    stores: [
      { poison: { dead: 100, neighbours: 9900, lost: 0 } },
      { poison: { dead: 4, neighbours: 396, lost: 0 } },
    ],
  }),
  ended('database', { busyStorm: { processes: 8, figures: CLEAN }, lostCommits: { strikes: 40 } }),
]

describe('the receipt', () => {
  it('names what was done, flat', () => {
    expect(receiptOf(ALL, 300)).toMatchObject({
      held: true,
      seconds: 300,
      killsSqlite: 1000,
      killsPostgres: 200,
      crashPointsSqlite: 282,
      crashPointsPostgres: 100,
      seeds: 3000,
      faults: { 'wake: lost': 101 },
      states: 12,
      lostCommits: 40,
      busyProcesses: 8,
      poisonMessages: 104,
      poisonNeighbours: 10_296,
    })
  })

  it('adds up what was found over all attacks, and repeated calls with one key', () => {
    const more = ended('zombies', { sqlite: { figures: FOUND }, postgres: { figures: FOUND } }, false)
    expect(receiptOf([...ALL, more], 1)).toMatchObject({
      held: false,
      lost: 2,
      doubled: 4,
      stuck: 6,
      sameKeyDuplicates: 6 * 7 + 80,
    })
  })

  it('counts repeated calls under either of their names', () => {
    const bulk = ended('bulk', { stores: [{ sameKeyDuplicates: 2 }, { sameKeyDuplicates: 3 }] })
    expect(receiptOf([...ALL, bulk], 1).sameKeyDuplicates).toBe(6 * 7 + 5)
  })

  it('takes the word of whoever sums up itself, and does not count beneath it', () => {
    const summary = { stuck: 1, scenarios: [{ stuck: 1 }] }
    expect(receiptOf([ended('model', summary, false)], 1).stuck).toBe(1)
  })

  it('scores the mutants that change something, of code and of SQL', () => {
    expect(receiptOf(ALL, 1)).toMatchObject({ mutants: 199, mutantsKilled: 199, mutationScore: '100.00 %' })
    expect(receiptOf([], 1).mutationScore).toBe('none tried')
  })

  it('does not hold when an attack fell over', () => {
    const fallen = ended('race', { failure: 'it ended without a summary: ' }, false)
    const { held, attacks } = receiptOf([...ALL, fallen], 1)
    expect([held, attacks['race']]).toEqual([
      false,
      { held: false, seconds: 5, failure: 'it ended without a summary: ' },
    ])
  })
})
