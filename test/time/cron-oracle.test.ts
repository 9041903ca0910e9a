// F26, B7, G11: a sample of the oracle's questions in every run, and proof that the oracle catches what it should.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Engine, type EngineOf, ours } from './cron-compare.ts'
import { changesOf, readPattern, readWall } from './cron-oracle.ts'
import { PATTERNS } from './cron-patterns.ts'
import { sample } from './cron-sample.ts'

const SIZE = { seed: 20_240_331, zones: 40, patterns: 40 }
const SMALL = { seed: 7, zones: 10, patterns: 20 }

const listed = (firings: (from: number, to: number) => readonly number[], like: Engine): Engine => ({
  between: firings,
  count: (from, to) => firings(from, to).length,
  previous: like.previous,
})

describe('the schedule and an oracle without a date library', () => {
  it('F26: agree on a seeded sample of zones, clock changes, patterns and policies', () => {
    const { comparisons, firings, differences } = sample(SIZE)
    expect(differences).toEqual([])
    expect(comparisons).toBeGreaterThan(5000)
    expect(firings).toBeGreaterThan(100_000)
  })

  it('G11: agreed on everything when the full run was last recorded', () => {
    const result = JSON.parse(readFileSync(new URL('cron-oracle-result.json', import.meta.url), 'utf8'))
    expect(result).toMatchObject({ differences: 0, patterns: PATTERNS.length, policies: 6 })
    expect(result.zones).toBeGreaterThanOrEqual(418)
    expect(result.patterns).toBeGreaterThanOrEqual(200)
    expect(result.transitions).toBeGreaterThan(3000)
  })
})

/** Each is a mistake someone has made; none may pass for the real thing. */
const WRONG: Readonly<Record<string, EngineOf>> = {
  'runs twice when a time happens twice': (pattern, zone, dst) =>
    ours(pattern, zone, { ...dst, overlap: 'both' }),
  'takes the last of two times for the first': (pattern, zone, dst) =>
    ours(pattern, zone, { ...dst, overlap: dst.overlap === 'first' ? 'last' : dst.overlap }),
  'loses a time that does not exist': (pattern, zone, dst) => ours(pattern, zone, { ...dst, gap: 'skip' }),
  'moves a time that does not exist to the first instant after the gap': (pattern, zone, dst) => {
    const shifting = ours(pattern, zone, dst)
    const skipping = ours(pattern, zone, { ...dst, gap: 'skip' })
    const firings = (from: number, to: number): readonly number[] => {
      const kept = new Set(skipping.between(from, to))
      const moved = [...shifting.between(from, to)].map((at) =>
        kept.has(at) ? at : (changesOf(zone, { from: at - 6 * 3_600_000, to: at }).at(-1) ?? at),
      )
      return [...new Set(moved)].sort((a, b) => a - b)
    }
    return listed(firings, shifting)
  },
  'keeps the offset it started with': (pattern, zone, dst) => {
    const inUtc = ours(pattern, 'UTC', dst)
    const firings = (from: number, to: number): readonly number[] => {
      const offset = readWall(zone, from) * 60_000 - from
      return [...inUtc.between(from + offset, to + offset)].map((at) => at - offset)
    }
    return listed(firings, inUtc)
  },
  'wants both days when either would do': (pattern, zone, dst) => {
    const right = ours(pattern, zone, dst)
    const [monthDay, weekday] = pattern.split(' ').length === 5 ? [2, 4] : [3, 5]
    const alone =
      (field: number): EngineOf =>
      (text, ...rest) =>
        ours(text.split(' ').with(field, '*').join(' '), ...rest)
    const byMonthDay = alone(weekday)(pattern, zone, dst)
    const byWeekday = alone(monthDay)(pattern, zone, dst)
    return listed((from, to) => {
      const both = new Set(byMonthDay.between(from, to))
      return [...byWeekday.between(from, to)].filter((at) => both.has(at))
    }, right)
  },
}

describe('planted mistakes are caught: a schedule that', () => {
  it.each(Object.entries(WRONG))('%s', (_, engineOf) => {
    const differing = sample(SMALL, engineOf).differences.filter(({ what }) => what === 'between')
    expect(differing.length).toBeGreaterThan(0)
  })
})

describe('the oracle itself', () => {
  it('reads fields as people do', () => {
    const monday = Date.UTC(2026, 0, 5) / 86_400_000
    expect(readPattern('0 0 * * MON-FRI').names(monday)).toBe(true)
    expect(readPattern('0 0 * * 5-7').names(monday)).toBe(false)
    expect(readPattern('0 0 * * 5-7').names(monday - 1)).toBe(true)
    expect(readPattern('*/20 22-1 * * *').minutes.slice(0, 7)).toEqual([0, 20, 40, 60, 80, 100, 1320])
  })

  it('finds the clock changes of a year', () => {
    const found = changesOf('Europe/London', { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) })
    expect(found.map((at) => new Date(at).toISOString())).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ])
  })
})
