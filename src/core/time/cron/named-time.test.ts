import { expect, it } from 'vitest'
import { firingsOf } from '../firings.ts'
import { occurrencesOf } from './named-time.ts'
import { parseCron } from './parse.ts'
import { cronSchedule, type Schedule } from './schedule.ts'

const from = Date.UTC(2026, 2, 28)
const times = (schedule: Schedule, count: number, start = from): readonly string[] => {
  const found: string[] = []
  for (const { at, nominal } of occurrencesOf(schedule, start)) {
    if (found.length === count) break
    const shown = nominal === undefined ? '' : ` ${nominal.day} ${nominal.hour}:${nominal.minute}`
    found.push(`${new Date(at).toISOString().slice(8, 16)}${shown}`)
  }
  return found
}

it('a firing stands for the local time that was named, also where that did not exist', () => {
  expect(times(cronSchedule(parseCron('30 23 * * *'), { zone: 'America/Nuuk' }), 3)).toEqual([
    '28T01:30 27 23:30',
    '29T01:30 28 23:30',
    '30T00:30 29 23:30',
  ])
  expect(
    times(cronSchedule(parseCron('0 */8 * * *'), { zone: 'Europe/London', dst: { gap: 'skip' } }), 2),
  ).toEqual(['28T00:00 28 0:0', '28T08:00 28 8:0'])
})

it('what fires every hour stands for what the clock shows, unless only the missing time was named', () => {
  const around = (text: string, zone: string, start: number): readonly string[] =>
    times(cronSchedule(parseCron(text), { zone }), 3, start)
  expect(around('30 * * * *', 'Europe/London', Date.UTC(2026, 2, 29))).toEqual([
    '29T00:30 29 0:30',
    '29T01:30 29 2:30',
    '29T02:30 29 3:30',
  ])
  expect(around('15 * * * *', 'Australia/Lord_Howe', Date.UTC(2026, 9, 3, 14))).toEqual([
    '03T14:45 4 1:15',
    '03T15:45 4 2:15',
    '03T16:15 4 3:15',
  ])
})

it('an interval names no local time', () => {
  expect(times(cronSchedule(parseCron('every 36h'), { zone: 'UTC' }), 2)).toEqual(['29T00:00', '30T12:00'])
})

it('a schedule is a source of the forecast, with its clock marks', () => {
  const schedule = cronSchedule(parseCron('30 1 * * *'), { zone: 'Europe/London' })
  const { zone, dst } = schedule
  const source = { id: 'digest', zone, dst, occurrences: (after: number) => occurrencesOf(schedule, after) }
  const { firings } = firingsOf([source], { from, to: from + 3 * 86_400_000, limit: 10 })
  expect(firings.map(({ at, mark }) => [new Date(at).toISOString().slice(8, 16), mark?.kind])).toEqual([
    ['28T01:30', undefined],
    ['29T01:30', 'gap'],
    ['30T00:30', undefined],
  ])
})
