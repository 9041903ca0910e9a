import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCron } from '../time/cron/parse.ts'
import { cronSchedule } from '../time/cron/schedule.ts'
import { fatesOf, MAX_TOLD, type Misfire, type Occurrence, skipped } from './occurrences.ts'

const at = (text: string): number => Date.parse(text)
const five = cronSchedule(parseCron('*/5 * * * *'), { zone: 'UTC' })
const second = cronSchedule(parseCron('* * * * * *'), { zone: 'UTC' })
const NINE = at('2026-03-02T09:00:00Z')
const minutes = (n: number): number => NINE + n * 60_000

const due = (misfire: Misfire, from: number, now: number) =>
  fatesOf({ schedule: five, through: from, now, misfire, graceMs: 60_000 })

describe('what becomes of what is due', () => {
  it('on time, and late within the grace: fired', () => {
    expect(due('skip', minutes(0), minutes(5))).toEqual([{ at: minutes(5), fate: 'fired' }])
    expect(due('skip', minutes(0), minutes(6))).toEqual([{ at: minutes(5), fate: 'fired' }])
    expect(due('skip', minutes(0), minutes(4))).toEqual([])
  })

  const down = minutes(22)
  it.each<[Misfire, readonly Occurrence[]]>([
    ['skip', [5, 10, 15, 20].map((n) => ({ at: minutes(n), fate: 'skipped', reason: 'missed' }))],
    [
      'latest',
      [
        ...[5, 10, 15].map(
          (n): Occurrence => ({ at: minutes(n), fate: 'coalesced', reason: 'missed', into: minutes(20) }),
        ),
        { at: minutes(20), fate: 'fired', reason: 'missed' },
      ],
    ],
    ['all', [5, 10, 15, 20].map((n) => ({ at: minutes(n), fate: 'fired', reason: 'missed' }))],
  ])('F12: down for a while, %s: the exact list', (misfire, expected) => {
    expect(due(misfire, minutes(0), down)).toEqual(expected)
  })

  it('latest: what is on time stands for all that was missed', () => {
    expect(due('latest', minutes(0), minutes(10))).toEqual([
      { at: minutes(5), fate: 'coalesced', reason: 'missed', into: minutes(10) },
      { at: minutes(10), fate: 'fired' },
    ])
  })

  it('a long silence: the oldest share one entry that says how many', () => {
    const fates = due('all', NINE, minutes(5 * 300 + 2))
    expect(fates[0]).toEqual({
      at: minutes(5),
      fate: 'skipped',
      reason: 'too_many',
      until: minutes(5 * (300 - MAX_TOLD)),
      count: 300 - MAX_TOLD,
    })
    expect(fates).toHaveLength(1 + MAX_TOLD)
    expect(due('skip', NINE, minutes(5 * (MAX_TOLD + 1) + 2))[0]).toEqual({
      at: minutes(5),
      fate: 'skipped',
      reason: 'missed',
    })
  })

  it('more on time than can be told: the oldest of them are told as too many', () => {
    const fates = fatesOf({
      schedule: second,
      through: NINE,
      now: minutes(10),
      misfire: 'all',
      graceMs: 300_000,
    })
    const inGrace = fates.filter(({ reason }) => reason === undefined)
    expect(inGrace).toHaveLength(MAX_TOLD)
    expect(fates.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(600)
  })

  it('a pause: all of it skipped, with its reason', () => {
    expect(skipped(five, minutes(0), minutes(11), 'paused')).toEqual([
      { at: minutes(5), fate: 'skipped', reason: 'paused' },
      { at: minutes(10), fate: 'skipped', reason: 'paused' },
    ])
    expect(skipped(five, minutes(0), minutes(5 * 200), 'paused')[0]).toMatchObject({ count: 100 })
  })
})

describe('I8: each occurrence has exactly one fate', () => {
  const schedules = ['* * * * * *', '*/7 * * * *', '30 2 * * *', '0 9 * * MON-FRI'].flatMap((text) =>
    ['UTC', 'America/New_York', 'Europe/London'].map((zone) => cronSchedule(parseCron(text), { zone })),
  )
  it('whatever the schedule, the silence, the policy and the grace', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...schedules),
        fc.integer({ min: 0, max: 40 * 86_400 }),
        fc.integer({ min: 0, max: 40 * 86_400 }),
        fc.constantFrom<Misfire>('skip', 'latest', 'all'),
        fc.integer({ min: 0, max: 86_400_000 }),
        (schedule, offset, silence, misfire, graceMs) => {
          const through = NINE + offset * 1000
          const now = through + silence * 1000
          const fates = fatesOf({ schedule, through, now, misfire, graceMs })
          expect(fates.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(
            schedule.count(through + 1, now + 1),
          )
          const instants = fates.map(({ at: instant }) => instant)
          expect(instants).toEqual([...new Set(instants)].toSorted((a, b) => a - b))
          for (const { into } of fates)
            if (into !== undefined)
              expect(fates).toContainEqual(expect.objectContaining({ at: into, fate: 'fired' }))
        },
      ),
      { numRuns: 100 },
    )
  })
})
