import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts'

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0)
const DAY = 86_400_000

describe('X-06: Retry-After', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7000],
    ['0', 0],
    ['86400', DAY],
    ['86401', DAY],
    ['9'.repeat(400), DAY],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Wednesday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['Sun Nov  6 08:49:37 1994', 37_000],
    ['Sun Nov 06 08:50:00 1994', 60_000],
    ['Sun, 06 Nov 1994 08:48:59 GMT', 0],
    ['Sun, 06 Nov 0100 08:49:37 GMT', 0],
    ['Fri, 01 Jan 1970 00:00:00 GMT', 0],
    ['Tue, 01 Nov 2044 00:00:00 GMT', DAY],
    ['Friday, 01-Jan-44 00:00:00 GMT', DAY],
    ['Friday, 01-Jan-45 00:00:00 GMT', 0],
  ])('%j is %d ms', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected)
  })

  it('reads a two-digit year as the last one at most 50 years ahead', () => {
    const eve = Date.UTC(1999, 11, 31, 23, 59, 50)
    expect(parseRetryAfter('Saturday, 01-Jan-00 00:00:00 GMT', eve)).toBe(10_000)
    expect(parseRetryAfter('Sat, 01 Jan 2000 00:00:00 GMT', eve)).toBe(10_000)
    const later = Date.UTC(2049, 11, 31, 23, 59, 50)
    expect(parseRetryAfter('Saturday, 01-Jan-50 00:00:00 GMT', later)).toBe(10_000)
    expect(parseRetryAfter('Friday, 01-Jan-99 00:00:00 GMT', later)).toBe(DAY)
  })

  it.each(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])(
    'knows %s',
    (month) => {
      const at = Date.parse(`02 ${month} 2026 03:04:05 GMT`)
      expect(parseRetryAfter(`Mon, 02 ${month} 2026 03:04:05 GMT`, at - 1234)).toBe(1234)
    },
  )

  it.each([
    '',
    ' ',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '12 s',
    'soon',
    'NaN',
    '2026-01-01',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 PST',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'undefined',
    'x Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT x',
    'x Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT x',
    'x Sun Nov  6 08:49:37 1994',
    'Sun Nov  6 08:49:37 1994 x',
    '1 2',
    'a1',
    '1a',
  ])('%j says nothing', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeUndefined()
  })

  it('F43: any text gives nothing or a whole number up to a day', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String)), fc.integer(), (header, now) => {
        const wait = parseRetryAfter(header, now)
        expect(wait === undefined || (wait >= 0 && wait <= MAX_RETRY_AFTER_MS)).toBe(true)
      }),
    )
  })
})
