import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_DST } from './dst.ts'
import { type FiringSource, firingsOf, type Occurrence, ruleSource } from './firings.ts'
import type { RuleContext } from './rule-instant.ts'
import { parseRule } from './rule-words.ts'

const DAY = 86_400_000
const utc = (text: string): number => Date.parse(`${text}Z`)
const iso = (at: number): string => new Date(at).toISOString().slice(0, 16)
const context: RuleContext = {
  anchors: { weddingDate: '2026-05-09' },
  anchor: 'weddingDate',
  steps: {},
  zone: 'Europe/London',
  dst: DEFAULT_DST,
}
const wedding = [
  ['askForReview', '2 weeks after at 10:00'],
  ['timelineRequest', '42 days before at 09:00'],
  ['congratulations', 'on the day at 20:00'],
  ['timelineReminder', '4 weeks before at 09:00'],
  ['chase', '3 hours after timelineReminder'],
].map(([id, words]) => ruleSource(id!, parseRule(words!), context))

const yearOf2026 = { from: utc('2026-01-01T00:00'), to: utc('2027-01-01T00:00'), limit: 100 }

/** Endless, like a cron: every so many milliseconds. */
const every = (id: string, ms: number, zone = 'UTC'): FiringSource => ({
  id,
  zone,
  dst: DEFAULT_DST,
  *occurrences(from): Generator<Occurrence> {
    for (let at = Math.ceil(from / ms) * ms; ; at += ms) yield { at }
  },
})

describe('what will fire', () => {
  it('J-001: lists the steps of a journey in order, with the clock change on the way', () => {
    expect(firingsOf(wedding, yearOf2026)).toEqual({
      firings: [
        { source: 'timelineRequest', at: utc('2026-03-28T09:00'), zone: 'Europe/London' },
        {
          source: 'timelineReminder',
          at: utc('2026-04-11T08:00'),
          zone: 'Europe/London',
          mark: { kind: 'change', text: 'clocks go forward 1h on Sun 2026-03-29 at 01:00' },
        },
        expect.objectContaining({ source: 'congratulations', at: utc('2026-05-09T19:00') }),
        expect.objectContaining({ source: 'askForReview', at: utc('2026-05-23T09:00') }),
      ],
      more: false,
    })
  })

  it('holds the horizon: from is in, to is out', () => {
    const at = utc('2026-03-28T09:00')
    const within = (from: number, to: number): number =>
      firingsOf(wedding, { from, to, limit: 9 }).firings.length
    expect([within(at, at + 1), within(at - DAY, at), within(at + 1, at + DAY)]).toEqual([1, 0, 0])
  })

  it('merges endless sources, ties in the order given, and says when it cut', () => {
    const { firings, more } = firingsOf([every('a', 3000), every('b', 2000)], { from: 0, to: 1e15, limit: 6 })
    expect(firings.map(({ source, at }) => `${source}${at}`)).toEqual([
      'a0',
      'b0',
      'b2000',
      'a3000',
      'b4000',
      'a6000',
    ])
    expect(more).toBe(true)
  })

  it('is bounded whatever is asked for', () => {
    const { firings, more } = firingsOf([every('a', 1)], { from: 0, to: 1e15, limit: 1e9 })
    expect(firings).toHaveLength(10_000)
    expect(more).toBe(true)
    expect(firingsOf([every('a', 1)], { from: 0, to: 1e15, limit: 0 })).toEqual({ firings: [], more: true })
    expect(firingsOf([], yearOf2026)).toEqual({ firings: [], more: false })
  })

  it('marks the firing on the day clocks change, and the first after it', () => {
    const { firings } = firingsOf([every('a', 7 * DAY, 'Europe/London')], {
      from: utc('2026-10-01T00:00'),
      to: utc('2026-11-20T00:00'),
      limit: 100,
    })
    const marked = firings.filter((firing) => firing.mark !== undefined)
    expect(marked.map((firing) => [iso(firing.at), firing.mark!.text])).toEqual([
      ['2026-10-29T00:00', 'clocks go back 1h on Sun 2026-10-25 at 02:00'],
    ])
  })

  it('EXPERIENCE §2.4: marks a time that does not exist where it runs', () => {
    const source = ruleSource('early', parseRule('on the day at 01:30'), {
      ...context,
      anchors: { weddingDate: '2026-03-29' },
    })
    expect(firingsOf([source], yearOf2026).firings).toEqual([
      {
        source: 'early',
        at: utc('2026-03-29T01:30'),
        zone: 'Europe/London',
        mark: { kind: 'gap', text: '01:30 does not exist; runs at 02:30' },
      },
    ])
  })

  it('says of a step that it runs once, whatever the policy says of schedules', () => {
    const marks = (['first', 'last', 'both'] as const).map((overlap) => {
      const dst = { gap: 'shift', overlap } as const
      const other = { ...context, anchors: { weddingDate: '2026-10-25' }, dst }
      return firingsOf([ruleSource('early', parseRule('on the day at 01:30'), other)], yearOf2026).firings[0]!
        .mark!.text
    })
    expect(marks.map((text) => text.split('runs ')[1])).toEqual([
      'once, at the first',
      'once, at the last',
      'once, at the first',
    ])
  })

  it('gives every firing of every source once, in order', () => {
    const anySources = fc.array(fc.array(fc.integer({ min: 0, max: 1000 })), { maxLength: 6 })
    fc.assert(
      fc.property(anySources, fc.integer({ min: 0, max: 1000 }), (lists, from) => {
        const sources = lists.map(
          (list, index): FiringSource => ({
            ...every(String(index), 1),
            occurrences: (start) =>
              [...list]
                .sort((a, b) => a - b)
                .filter((at) => at >= start)
                .map((at) => ({ at })),
          }),
        )
        const { firings } = firingsOf(sources, { from, to: 900, limit: 10_000 })
        const expected = lists
          .flat()
          .filter((at) => at >= from && at < 900)
          .sort((a, b) => a - b)
        expect(firings.map((firing) => firing.at)).toEqual(expected)
      }),
    )
  })
})
