import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit } from './admit.ts'
import { isOpen, nextOpen } from './opening-hours.ts'
import { type DeliveryWindow, parseWindow } from './window.ts'

const HOUR = 3_600_000
const utc = (text: string): number => Date.parse(`${text}Z`)
const office = (fields: object = {}): DeliveryWindow =>
  parseWindow({ timezone: 'Europe/London', weekdays: 'mon-fri', from: '09:00', to: '17:00', ...fields })
const friday = utc('2026-05-08T10:00')
const saturday = utc('2026-05-09T10:00')
const monday = utc('2026-05-11T08:00')

describe('may it go out?', () => {
  it('goes out while open', () => {
    expect(admit(office(), friday, friday)).toEqual({ kind: 'open' })
    expect(admit(office({ closed: 'drop' }), saturday, monday)).toEqual({ kind: 'open' })
  })

  it.each(['hold', 'next_open'])('KERNEL §9: %s releases at the next opening', (closed) => {
    expect(admit(office({ closed }), saturday, saturday)).toEqual({ kind: 'hold', until: monday })
  })

  it('KERNEL §9: drop skips with the reason', () => {
    expect(admit(office({ closed: 'drop' }), saturday, saturday)).toEqual({
      kind: 'drop',
      reason: 'closed at Sat 2026-05-09 11:00 Europe/London, opens Mon 2026-05-11 09:00 Europe/London',
    })
  })

  it('asked before it is due, answers for when it is due', () => {
    expect(admit(office(), saturday, friday)).toEqual({ kind: 'hold', until: monday })
    expect(admit(office(), friday, friday - 12 * HOUR)).toEqual({ kind: 'open' })
  })

  it.each([
    ['2h', friday, friday + 2 * HOUR, 'open'],
    ['2h', friday, friday + 2 * HOUR + 1, 'expired'],
    ['46h', saturday, saturday, 'hold'],
    ['45h59m', saturday, saturday, 'expired'],
    ['0s', friday, friday, 'open'],
  ])('expiresAfter %s: case %#', (expiresAfter, dueAt, now, kind) => {
    expect(admit(office({ expiresAfter }), dueAt, now).kind).toBe(kind)
  })

  it('says since when it is not worth doing, and when it would have opened', () => {
    const window = office({ expiresAfter: '90m' })
    expect(admit(window, friday, friday + 2 * HOUR)).toEqual({
      kind: 'expired',
      reason: 'worth doing for 90m after Fri 2026-05-08 11:00 Europe/London',
    })
    expect(admit(window, saturday, saturday)).toEqual({
      kind: 'expired',
      reason:
        'closed at Sat 2026-05-09 11:00 Europe/London, opens Mon 2026-05-11 09:00 Europe/London, worth doing for 90m after Sat 2026-05-09 11:00 Europe/London',
    })
  })

  it('holds until a moment that is open, never before now, and then lets it out', () => {
    const anyInstant = fc.integer({ min: utc('2026-01-01T00:00'), max: utc('2027-01-01T00:00') })
    fc.assert(
      fc.property(anyInstant, anyInstant, (dueAt, now) => {
        const window = office()
        const admission = admit(window, dueAt, now)
        const at = Math.max(dueAt, now)
        if (admission.kind === 'hold') {
          expect(admission.until).toBe(nextOpen(window, at))
          expect(admission.until).toBeGreaterThan(at)
          expect(admit(window, dueAt, admission.until)).toEqual({ kind: 'open' })
        } else expect(isOpen(window, at)).toBe(true)
      }),
    )
  })
})
