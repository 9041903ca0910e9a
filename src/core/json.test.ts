import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PawlError } from './errors.ts'
import {
  assertStorable,
  canonical,
  isEmpty,
  isObject,
  type Json,
  MAX_JSON_DEPTH,
  MAX_JSON_LENGTH,
  own,
} from './json.ts'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

/** The same value with the keys of every object in another order. */
const shuffled = (value: Json, seed: number): Json => {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, shuffled(item, seed)] as const)
  const turn = entries.length === 0 ? 0 : seed % entries.length
  return Object.fromEntries([...entries.slice(turn), ...entries.slice(0, turn)].reverse())
}

const nested = (levels: number): Json => {
  let value: Json = []
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

const refusal = (value: unknown): PawlError | undefined => {
  try {
    assertStorable(value as Json, 'the payload')
    return undefined
  } catch (error) {
    return error as PawlError
  }
}

describe('isObject', () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    [undefined, false],
    ['{}', false],
    [0, false],
  ])('%j: %s', (value, expected) => {
    expect(isObject(value)).toBe(expected)
  })
})

it.each([
  [{}, true],
  [[], true],
  [{ a: undefined }, false],
  [[null], false],
])('isEmpty %j: %s', (value, expected) => {
  expect(isEmpty(value)).toBe(expected)
})

describe('own', () => {
  it('finds a member, a member of a list, and what is stored under an odd name', () => {
    expect(own({ a: 1 }, 'a')).toBe(1)
    expect(own({ a: null }, 'a')).toBe(null)
    expect(own(['x', 'y'], '1')).toBe('y')
    expect(own(JSON.parse('{"__proto__":7,"constructor":8}'), '__proto__')).toBe(7)
    expect(own(JSON.parse('{"__proto__":7,"constructor":8}'), 'constructor')).toBe(8)
  })

  it('never reaches a prototype, whatever the value and the name (S24)', () => {
    const inherited = [
      Object.prototype,
      Array.prototype,
      String.prototype,
      Number.prototype,
      Function.prototype,
    ]
    const names = [...new Set(inherited.flatMap((prototype) => Object.getOwnPropertyNames(prototype)))]
    fc.assert(
      fc.property(json, fc.constantFrom(...names), (value, name) => {
        const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        if (!isOwn) expect(own(value, name)).toBe(undefined)
      }),
    )
    expect(own(Object.create({ secret: 1 }), 'secret')).toBe(undefined)
    expect(own(undefined, 'length')).toBe(undefined)
    expect(own('text', 'length')).toBe(undefined)
    expect(own(() => 1, 'name')).toBe(undefined)
  })
})

describe('canonical', () => {
  it.each([
    ['sorted keys, no spaces', { b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    ['keys as text, not as numbers', { 9: 'b', 10: 'a', A: 1, a: 2 }, '{"10":"a","9":"b","A":1,"a":2}'],
    ['escapes', { 'a"\n': '\u2028\ud800' }, '{"a\\"\\n":"\u2028\\ud800"}'],
    ['undefined members left out', { a: undefined, b: { c: undefined } }, '{"b":{}}'],
    ['undefined members left out, whatever their order', { b: undefined, a: 1 }, '{"a":1}'],
    ['functions and symbols left out', { a: () => 1, b: Symbol('x'), c: 1 }, '{"c":1}'],
    ['what is absent in a list is null', [undefined, () => 1, Symbol('x'), 1], '[null,null,null,1]'],
    ['nothing at all', undefined, 'null'],
    ['a function', () => 1, 'null'],
    ['no number by itself', Number.NaN, 'null'],
    ['a number by itself', -1.5e-7, '-1.5e-7'],
    ['no number', [Number.NaN, Number.POSITIVE_INFINITY, -0], '[null,null,0]'],
    ['a key called __proto__', JSON.parse('{"b":1,"__proto__":{"x":1}}'), '{"__proto__":{"x":1},"b":1}'],
  ])('%s', (_, value, text) => {
    expect(canonical(value)).toBe(text)
  })

  it('writes the holes of a list as null', () => {
    const list: number[] = []
    list[2] = 1
    expect(canonical(list)).toBe('[null,null,1]')
  })

  it('does not ask a value what it is, in order or not', () => {
    expect(canonical({ a: new Date(0), b: 1 })).toBe('{"a":{},"b":1}')
    expect(canonical({ b: 1, a: new Date(0) })).toBe('{"a":{},"b":1}')
  })

  it('equal values have equal text, whatever the order of their keys', () => {
    fc.assert(
      fc.property(json, fc.nat(), (value, seed) => {
        expect(canonical(shuffled(value, seed))).toBe(canonical(value))
      }),
    )
  })

  it('sorts by code units, few names as many, and writes each text as JSON.stringify does', () => {
    const name = fc.string({ unit: 'binary', maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 40, size: 'max' }), (entries) => {
        const value = new Map(entries)
        const texts = [...value.keys()]
          .sort()
          .map((key) => `${JSON.stringify(key)}:${JSON.stringify(value.get(key))}`)
        expect(canonical(Object.fromEntries(value))).toBe(`{${texts.join(',')}}`)
      }),
    )
  })

  it('is JSON, and says the same: values differ exactly when their texts do', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        const meant = (value: Json): unknown => JSON.parse(JSON.stringify(value))
        expect(JSON.parse(canonical(one))).toEqual(meant(one))
        expect(canonical(one) === canonical(other)).toBe(isDeepStrictEqual(meant(one), meant(other)))
      }),
    )
  })

  it('changes nothing in what it is given', () => {
    const value = Object.freeze({ b: Object.freeze([2, 1]), a: 1 })
    canonical(value)
    expect(Object.keys(value)).toEqual(['b', 'a'])
  })
})

describe('assertStorable', () => {
  it.each([0, '', null, [], {}, { a: [1, { b: 'x' }] }])('takes %j', (value) => {
    expect(refusal(value)).toBe(undefined)
  })

  it('takes 64 levels and refuses 65', () => {
    expect(refusal(nested(MAX_JSON_DEPTH))).toBe(undefined)
    expect(refusal({ in: nested(MAX_JSON_DEPTH - 1) })).toBe(undefined)
    const error = refusal(nested(MAX_JSON_DEPTH + 1))
    expect(error).toMatchObject({
      code: 'payload_too_large',
      message: 'the payload nests deeper than 64 levels',
      details: { expected: 'at most 64 levels' },
    })
  })

  it('takes 256 KiB of text and refuses one character more', () => {
    expect(refusal('x'.repeat(MAX_JSON_LENGTH - 2))).toBe(undefined)
    expect(refusal('x'.repeat(MAX_JSON_LENGTH - 1))).toMatchObject({
      code: 'payload_too_large',
      message: 'the payload is 262145 characters of JSON',
      details: { expected: 'at most 262144 characters of JSON' },
    })
  })

  it('counts no character that is not written: long lists and escapes at the limit', () => {
    expect(refusal(Array.from({ length: 131_071 }, () => 1))).toBe(undefined)
    expect(refusal(Array.from({ length: 131_072 }, () => 1))?.message).toBe(
      'the payload is 262145 characters of JSON',
    )
    expect(refusal({ ['k'.repeat(MAX_JSON_LENGTH - 6)]: 1 })).toBe(undefined)
  })

  it.each<[string, () => unknown]>([
    ['lists of lists of lists', () => Array.from({ length: 60 }).reduce((inner) => [inner, inner], 1)],
    ['one long text named often', () => new Array(100_000).fill('x'.repeat(1_000_000))],
    ['one long key named often', () => Array.from({ length: 9 }, () => ({ ['k'.repeat(100_000)]: 1 }))],
  ])('refuses %s by counting, before any text is written', (_, make) => {
    expect(refusal(make())).toMatchObject({
      code: 'payload_too_large',
      message: 'the payload is more than 262144 characters of JSON',
      details: { expected: 'at most 262144 characters of JSON' },
    })
  })

  it('refuses a ring', () => {
    const ring: Record<string, unknown> = {}
    ring['again'] = ring
    ring['and'] = ring
    expect(refusal(ring)?.message).toBe('the payload nests deeper than 64 levels')
  })

  it('agrees with the text itself for any value', () => {
    fc.assert(
      fc.property(json, fc.nat({ max: 30 }), (value, more) => {
        const padded = [value, 'x'.repeat(MAX_JSON_LENGTH - 20 + more)]
        expect(refusal(padded) === undefined).toBe(JSON.stringify(padded).length <= MAX_JSON_LENGTH)
      }),
      { numRuns: 50 },
    )
  })
})

describe('assertStorable, of what JSON writes in its own way', () => {
  it('is asked for its text: absent members, a toJSON of its own', () => {
    expect(refusal({ a: undefined, b: 1 })).toBe(undefined)
    expect(refusal(new Date(0))).toBe(undefined)
    expect(refusal({ toJSON: () => 'x'.repeat(MAX_JSON_LENGTH) })?.code).toBe('payload_too_large')
  })

  it('takes booleans, and refuses more values than there may be characters', () => {
    expect(refusal([true, false, null, 1.5])).toBe(undefined)
    const wide = (of: unknown) => Array.from({ length: MAX_JSON_LENGTH + 1 }, () => of)
    for (const each of [[], {}, 1]) expect(refusal(wide(each))?.code).toBe('payload_too_large')
  })
})
