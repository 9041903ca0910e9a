import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from '../errors.ts'
import { parseInstant } from './instant.ts'

describe('parseInstant', () => {
  it.each<[string | number, number]>([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00Z', 0],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1969-12-31T18:30:00-05:30', 0],
    ['2026-03-28T09:00:00.5Z', 1_774_688_400_500],
    ['2026-03-28T09:00:00.123456789Z', 1_774_688_400_123],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
    ['2026-03-28T09:00:00-00:00', 1_774_688_400_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [0, 0],
    [-1, -1],
    [1_774_688_400_000, 1_774_688_400_000],
    [8.64e15, 8.64e15],
    [-8.64e15, -8.64e15],
  ])('%j', (value, instant) => {
    expect(parseInstant(value)).toBe(instant)
  })

  it.each<[string, string | number]>([
    ['no offset', '2026-03-28T09:00:00'],
    ['a date', '2026-03-28'],
    ['a space', '2026-03-28 09:00:00Z'],
    ['a zone by name', '2026-03-28T09:00:00[Europe/London]'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February in a common year', '2026-02-29T12:00:00+02:00'],
    ['29 February 1900', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['day 0', '2026-04-00T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['24 o’clock', '2026-01-01T24:00:00Z'],
    ['25 o’clock', '2026-01-01T25:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an offset of a day', '2026-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+01:60'],
    ['ten digits of a second', '2026-01-01T00:00:00.1234567890Z'],
    ['something after it', '2026-01-01T00:00:00Z\n'],
    ['something before it', 'at 2026-01-01T00:00:00Z'],
    ['milliseconds as text', '1774688400000'],
    ['nothing', ''],
    ['half a millisecond', 0.5],
    ['no number', Number.NaN],
    ['for ever', Number.POSITIVE_INFINITY],
    ['after the last instant', 8.64e15 + 2],
    ['before the first', -8.64e15 - 2],
  ])('refuses %s', (_, value) => {
    expect(() => parseInstant(value)).toThrow(
      expect.objectContaining({
        code: 'invalid_date',
        message: `"${value}" is not an instant`,
        details: {
          expected: 'RFC 3339 with an offset, such as 2026-03-28T09:00:00Z, or milliseconds since 1970',
        },
      }),
    )
  })

  it('quotes no more than 80 characters', () => {
    const refused = (): number => parseInstant('9'.repeat(10_000))
    expect(refused).toThrow(PawlError)
    expect(refused).toThrow(`"${'9'.repeat(80)}" is not an instant`)
  })

  it('reads back every instant the platform writes, at any offset', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9998-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, fc.integer({ min: -1439, max: 1439 }), (at, offset) => {
        const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const two = (value: number): string => String(value).padStart(2, '0')
        const size = Math.abs(offset)
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
        fc.pre(/^\d{4}-/.test(local))
        expect(parseInstant(`${local}${zone}`)).toBe(at.getTime())
      }),
    )
  })

  it('takes a day exactly when the calendar has it', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (y, m, d) => {
          const day = `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
          const exists = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
          const read = (): number => parseInstant(`${day}T00:00:00Z`)
          if (exists) expect(new Date(read()).toISOString().slice(0, 10)).toBe(day)
          else expect(read).toThrow(PawlError)
        },
      ),
    )
  })
})
