import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SPELLINGS } from '../../test/secrets/spellings.ts'
import { createMatcher, type Found, SHORTEST_CUT } from './matcher.ts'
import { MIN_LENGTH, needlesOf } from './needles.ts'
import { locator, seenThrough, VIEWS } from './views.ts'

const matcherOf = (...values: readonly string[]) => {
  const matcher = createMatcher<string>()
  for (const value of values) matcher.add(value, value)
  return matcher
}

/** Every position of every needle in every view, one after the other: slow, and plainly right. */
const naive = (text: string, values: readonly string[]): ReadonlySet<number> => {
  const covered = new Set<number>()
  for (const view of VIEWS) {
    const seen = seenThrough(view, text)
    const locate = locator(view, text)
    for (const needle of values.flatMap(needlesOf))
      for (let at = seen.indexOf(needle); at !== -1; at = seen.indexOf(needle, at + 1)) {
        const [start, end] = locate(at, at + needle.length)
        for (let place = start; place < end; place++) covered.add(place)
      }
    for (const needle of seen.length < SHORTEST_CUT ? [] : values.flatMap(needlesOf))
      for (let length = MIN_LENGTH; length < needle.length; length++) {
        if (!seen.endsWith(needle.slice(0, length))) continue
        const [start, end] = locate(seen.length - length, seen.length)
        for (let place = start; place < end; place++) covered.add(place)
      }
  }
  return covered
}
const coveredBy = (found: readonly Found<string>[]): ReadonlySet<number> =>
  new Set(found.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)))

const VALUES = [
  'hunter22',
  'sk_live_51H/8+aZ==',
  'p&ss"w\\rd<>\'%41',
  'ключ-пароль',
  'pass🔑phrase',
  'correct horse battery staple',
  '-----BEGIN KEY-----\nMIIEvQ+/IBADANB\ngkqhkiG9w0\n-----END KEY-----\n',
  'a\tb\u0001c\u2028d/e\\nf',
  '{{secrets.x}}',
  '123456',
]

describe('S45: a value is found however it is written', () => {
  const cases = Object.keys(SPELLINGS).flatMap((spelling) =>
    VALUES.map((value) => [spelling, value] as const),
  )
  it.each(cases)('%s: %j', (spelling, value) => {
    for (const [before, after] of [
      ['', ''],
      ['x', 'y'],
      ['user:', '@host'],
      ['ab{"', '"}…'],
    ] as const) {
      const text = SPELLINGS[spelling]!(value, before, after)
      expect(matcherOf('another-value', value).find(text), text).toMatchObject([{ owner: value }])
    }
  })

  it('wherever it begins, in any text', () => {
    const part = fc.string({ unit: 'binary', maxLength: 9 }).filter((each) => each.isWellFormed())
    const value = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 })
    const spelling = fc.constantFrom(...Object.keys(SPELLINGS).filter((name) => name !== 'html'))
    fc.assert(
      fc.property(spelling, value, part, part, (name, secret, before, after) => {
        fc.pre(needlesOf(secret).length > 0 && !/[\\%&+]/.test(before + after))
        expect(matcherOf(secret).find(SPELLINGS[name]!(secret, before, after))).not.toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what is found is exactly what is there', () => {
  it('the same as a naive search, of many values at once', () => {
    // Few characters, so that values overlap, hold each other and share beginnings.
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '%', '6', '1', ' '), maxLength: 99 })
    const value = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 9 })
    fc.assert(
      fc.property(letters, fc.array(value, { maxLength: 4 }), (text, values) => {
        const found = matcherOf(...values).find(text)
        expect(coveredBy(found)).toEqual(naive(text, values))
      }),
      { numRuns: 3000 },
    )
  })

  it('the same in texts that hold them encoded', () => {
    const text = fc.array(fc.constantFrom(...Object.keys(SPELLINGS)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(text, fc.constantFrom(...VALUES), fc.constantFrom(...VALUES), (names, one, two) => {
        const joined = names.map((name, at) => SPELLINGS[name]!(at % 2 ? one : two, 'x', 'y')).join('\n;')
        expect(coveredBy(matcherOf(one, two).find(joined))).toEqual(naive(joined, [one, two]))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['x hunter22 y', 2, 10],
    ['hunter22', 0, 8],
    ['x hunt\n  er22 y', 2, 13],
    ['x hun%74er22%20y', 2, 12],
    ['x hun\\u0074er22\\n y', 2, 15],
    ['x hun&#116;er22&amp;', 2, 15],
    ['x hun&#x74;er22&lt;', 2, 15],
  ])('in %j from %i to %i', (text, start, end) => {
    expect(matcherOf('hunter22').find(text)).toEqual([{ start, end, owner: 'hunter22' }])
  })

  it.each(['', 'hunte', 'hunter2', 'hunter2 1', 'HUNTER22', 'hunter%', '\\', '%', '&;', 'aHVudGVy'])(
    'nothing in %j',
    (text) => {
      expect(matcherOf('hunter22').find(text)).toEqual([])
    },
  )

  it('those that touch or overlap are one', () => {
    const find = (text: string) => matcherOf('abcdef', 'defghi', 'xyzxyz').find(text)
    expect(find('-abcdefghi-')).toEqual([{ start: 1, end: 10, owner: 'abcdef' }])
    expect(find('-abcdefxyzxyz-')).toEqual([{ start: 1, end: 13, owner: 'abcdef' }])
    expect(find('-abcdef-xyzxyz-')).toHaveLength(2)
    expect(matcherOf('abcdef', 'abcdefgh').find('abcdefgh')).toEqual([
      { start: 0, end: 8, owner: 'abcdefgh' },
    ])
  })
})

describe('a text that was cut inside a value', () => {
  const value = 'sk_live_51H8aZ-0123456789abcdef'
  const cutAt = (length: number, kept: string): string => `${'x'.repeat(length - kept.length)}${kept}`

  it.each([MIN_LENGTH, 12, value.length - 1])('its first %i characters at the end are found', (kept) => {
    const text = cutAt(500, value.slice(0, kept))
    expect(matcherOf('another-value', value).find(text)).toEqual([
      { start: 500 - kept, end: 500, owner: value },
    ])
  })

  it('also encoded', () => {
    const hex = Buffer.from(value).toString('hex').slice(0, 21)
    expect(matcherOf(value).find(cutAt(200, hex))).toMatchObject([{ start: 179, end: 200 }])
    const quoted = 'p"ss"word-123456'
    expect(matcherOf(quoted).find(cutAt(200, JSON.stringify(quoted).slice(1, 14)))).toHaveLength(1)
  })

  it.each([
    ['shorter than what is searched', cutAt(500, value.slice(0, MIN_LENGTH - 1))],
    ['a short text', cutAt(SHORTEST_CUT - 1, value.slice(0, 12))],
    ['not at the end', `${cutAt(500, value.slice(0, 12))}.`],
  ])('%s is left alone', (_, text) => {
    expect(matcherOf(value).find(text)).toEqual([])
  })
})

describe('what is too short', () => {
  it.each(['', 'hello', 'a b c d e', '12345'])('%j is not searched', (value) => {
    expect(needlesOf(value)).toEqual([])
    expect(matcherOf(value).find(`x ${value} y`)).toEqual([])
  })

  it('every needle is long enough to be searched', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (value) => {
        for (const needle of needlesOf(value)) {
          expect(needle.length).toBeGreaterThanOrEqual(MIN_LENGTH)
          expect(needle).not.toMatch(/\s/)
        }
      }),
    )
  })
})

describe('taking a value out', () => {
  it('leaves the others, also those that begin the same', () => {
    const matcher = createMatcher<string>()
    const drop = matcher.add('abcdef-1', 'one')
    const dropAgain = matcher.add('abcdef-1', 'again')
    matcher.add('abcdef-2', 'two')
    drop()
    drop()
    expect(matcher.find('abcdef-1 abcdef-2').map(({ owner }) => owner)).toEqual(['again', 'two'])
    dropAgain()
    expect(matcher.find('abcdef-1 abcdef-2').map(({ owner }) => owner)).toEqual(['two'])
  })
})

describe('hostile texts', () => {
  it.each([
    ['%'.repeat(200_000)],
    ['%25'.repeat(70_000)],
    ['\\'.repeat(200_001)],
    [' \n'.repeat(100_000)],
    ['&#'.repeat(100_000)],
    ['%c3'.repeat(60_000)],
    ['hunter2'.repeat(30_000)],
    ['a'.repeat(200_000)],
    ['-----BEGIN-'.repeat(20_000)],
  ])('%# end', (text) => {
    const key = `-----BEGIN RSA KEY-----${'a'.repeat(60_000)}`
    expect(matcherOf('hunter22', key, `${'a'.repeat(60_000)}b`).find(`${text}!`)).toEqual([])
  })

  it('a value that begins anew at every place is found as one', () => {
    const [value, text] = ['a'.repeat(60_000), 'a'.repeat(200_000)]
    expect(matcherOf(value).find(`x${text}y`)).toEqual([{ start: 1, end: 200_001, owner: value }])
    expect(matcherOf('ab'.repeat(30_000)).find('ab'.repeat(100_000))).toHaveLength(1)
  })
})
