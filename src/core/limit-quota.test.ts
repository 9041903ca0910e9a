import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuota, periodEnd, takeQuota } from './limit-quota.ts'

const at = (text: string): number => Date.parse(text)

describe('parseQuota', () => {
  it.each([
    ['1000/day', undefined, { count: 1000, period: 'day', zone: 'UTC' }],
    ['1000/d', 'Europe/Berlin', { count: 1000, period: 'day', zone: 'Europe/Berlin' }],
    ['50000/month', undefined, { count: 50_000, period: 'month', zone: 'UTC' }],
  ])('reads %s in %s', (text, zone, quota) => {
    expect(parseQuota(text, zone)).toEqual(quota)
  })

  it.each(['', '10', '0/day', '10/week', '10/s', '1.5/month'])('refuses “%s”', (text) => {
    expect(() => parseQuota(text, 'UTC', 'limits.sms.quota')).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        details: expect.objectContaining({ path: 'limits.sms.quota' }),
      }),
    )
  })

  it('refuses a zone that does not exist', () => {
    expect(() => parseQuota('1/day', 'Europe/Atlantis')).toThrow(
      expect.objectContaining({ code: 'invalid_zone' }),
    )
  })
})

describe('periodEnd', () => {
  it.each([
    ['1/day', 'UTC', '2026-11-16T10:00:00Z', '2026-11-17T00:00:00Z'],
    ['1/day', 'UTC', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z'],
    ['1/day', 'America/New_York', '2026-11-16T03:00:00Z', '2026-11-16T05:00:00Z'],
    ['1/day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29T22:00:00Z'],
    ['1/month', 'UTC', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['1/month', 'UTC', '2026-01-31T12:00:00Z', '2026-02-01T00:00:00Z'],
    ['1/month', 'UTC', '2026-12-05T12:00:00Z', '2027-01-01T00:00:00Z'],
    ['1/month', 'Asia/Tokyo', '2026-01-31T16:00:00Z', '2026-02-28T15:00:00Z'],
  ])('%s in %s at %s is over at %s', (text, zone, now, end) => {
    expect(periodEnd(parseQuota(text, zone), at(now))).toBe(at(end))
  })

  it('is always ahead, at most a month and a bit, and the same until it is over', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Beirut')
    const instants = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') })
    fc.assert(
      fc.property(zones, fc.constantFrom('1/day', '1/month'), instants, (zone, text, now) => {
        const quota = parseQuota(text, zone)
        const end = periodEnd(quota, now)
        expect(end).toBeGreaterThan(now)
        expect(end - now).toBeLessThanOrEqual((text === '1/day' ? 25 : 31 * 24 + 1) * 3_600_000)
        expect(periodEnd(quota, end - 1)).toBe(end)
      }),
    )
  })
})

describe('takeQuota', () => {
  const quota = parseQuota('5/day')
  const now = at('2026-11-16T10:00:00Z')
  const until = at('2026-11-17T00:00:00Z')

  it('counts from the first, gives what is left, and nothing beyond', () => {
    const first = takeQuota(undefined, quota, 3, now)
    expect(first).toEqual({ state: { until, used: 3 }, granted: 3 })
    const second = takeQuota(first.state, quota, 3, now + 1)
    expect(second).toEqual({ state: { until, used: 5 }, granted: 2 })
    expect(takeQuota(second.state, quota, 1, until - 1).granted).toBe(0)
  })

  it('begins anew with the next period', () => {
    expect(takeQuota({ until, used: 5 }, quota, 2, until)).toEqual({
      state: { until: until + 86_400_000, used: 2 },
      granted: 2,
    })
  })

  it('a quota that was lowered gives nothing, and takes nothing back', () => {
    expect(takeQuota({ until, used: 9 }, quota, 2, now)).toEqual({ state: { until, used: 9 }, granted: 0 })
  })
})
