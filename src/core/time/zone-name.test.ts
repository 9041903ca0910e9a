import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_ZONES } from '../../../test/time/intl-oracle.ts'
import { PawlError } from '../errors.ts'
import { assertZone, offsetAt } from './zone.ts'

const refusal = (name: string, path?: string): PawlError => {
  try {
    assertZone(name, path)
  } catch (error) {
    if (error instanceof PawlError) return error
  }
  throw new Error(`${name} was taken`)
}

describe('zone names', () => {
  it('KERNEL §9: takes every zone of the platform, as it is', () => {
    for (const zone of ALL_ZONES) expect(assertZone(zone)).toBe(zone)
  })

  it.each([
    'US/Eastern',
    'Asia/Calcutta',
    'Asia/Kolkata',
    'EST',
    'EST5EDT',
    'GB',
    'Etc/GMT-2',
    'GMT',
    'UTC',
    'NZ-CHAT',
  ])('takes the alias %s and keeps it', (name) => {
    expect(assertZone(name)).toBe(name)
    expect(() => offsetAt(0, name)).not.toThrow()
  })

  it.each([
    ['europe/london', 'Europe/London'],
    ['utc', 'UTC'],
    ['AMERICA/NEW_YORK', 'America/New_York'],
  ])('spells %s as %s', (name, spelled) => {
    expect(assertZone(name)).toBe(spelled)
  })

  it.each([
    ['BST', 'abbreviation', 'Europe/London'],
    ['IST', 'abbreviation', 'Asia/Kolkata'],
    ['CST', 'abbreviation', 'America/Chicago'],
    ['est5', 'not a time zone', 'EST'],
    ['+02:00', 'offset', 'Etc/GMT-2'],
    ['-0330', 'offset', undefined],
    ['UTC+5:30', 'offset', undefined],
    ['GMT+2', 'offset', 'Etc/GMT-2'],
    ['utc-8', 'offset', 'Etc/GMT+8'],
    ['+0', 'offset', 'UTC'],
    ['+99', 'offset', undefined],
    ['Europe/Londn', 'not a time zone', 'Europe/London'],
    ['London', 'not a time zone', 'Europe/London'],
    ['new york', 'not a time zone', 'America/New_York'],
    ['Los  Angeles', 'not a time zone', 'America/Los_Angeles'],
    ['SystemV/EST5', 'not a time zone', undefined],
    ['Mars/Olympus_Mons', 'not a time zone', undefined],
    ['', 'not a time zone', undefined],
  ])('KERNEL §9: refuses %s (%s)', (name, why, suggestion) => {
    const { code, message, details } = refusal(name, 'schedule.timezone')
    expect(code).toBe('invalid_zone')
    expect(message).toContain(why)
    expect(message).toContain(`“${name}”`)
    expect(details).toEqual({
      path: 'schedule.timezone',
      expected: 'an IANA name such as Europe/London',
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  })

  it('quotes no more than 80 characters and names no place it was not given', () => {
    const { message, details } = refusal('Z'.repeat(100_000))
    expect(message).toBe(`“${'Z'.repeat(80)}” is not a time zone`)
    expect(details).not.toHaveProperty('path')
  })

  it('suggests only names that it takes itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^[A-Z]{2,5}$/)), (name) => {
        try {
          assertZone(name)
        } catch (error) {
          const { suggestion } = (error as PawlError).details
          if (suggestion !== undefined) expect(() => assertZone(suggestion)).not.toThrow()
        }
      }),
    )
  })

  it('refuses an unknown zone wherever a clock is asked for', () => {
    expect(() => offsetAt(0, 'BST')).toThrow(expect.objectContaining({ code: 'invalid_zone' }))
  })
})
