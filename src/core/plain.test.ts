import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plain } from './plain.ts'

const refusal = (value: unknown) => {
  const checked = plain(value)
  if (checked.fits) throw new Error('it fits')
  return checked.misfits[0]
}

describe('plain', () => {
  it('keeps every JSON value as it is, in a copy', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const checked = plain(value)
        expect(checked).toEqual({ fits: true, value })
        if (typeof value === 'object' && value !== null && checked.fits) expect(checked.value).not.toBe(value)
      }),
    )
  })

  it('is what JSON would store: fits means that writing and reading changes nothing', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withMap: true, withBigInt: true, maxDepth: 3 }), (value) => {
        const checked = plain(value)
        if (checked.fits)
          expect(JSON.parse(JSON.stringify(checked.value))).toEqual(dropNegativeZero(checked.value))
      }),
    )
  })

  it('leaves out undefined members, and reads undefined elsewhere as null', () => {
    expect(plain({ a: undefined, b: [undefined, 1] })).toEqual({ fits: true, value: { b: [null, 1] } })
    expect(plain(undefined)).toEqual({ fits: true, value: null })
  })

  it.each([
    [{ at: { due: new Date(0) } }, 'at.due', 'a Date is not JSON'],
    [[new Map()], '0', 'a Map is not JSON'],
    [{ error: new RangeError('x') }, 'error', 'an Error is not JSON'],
    [new (class Money {})(), '', 'an object of a class is not JSON'],
    [{ n: Number.NaN }, 'n', 'number NaN is not JSON'],
    [{ n: -Infinity }, 'n', 'number -Infinity is not JSON'],
    [{ n: 10n }, 'n', 'bigint 10 is not JSON'],
    [{ f: Math.max }, 'f', expect.stringMatching(/^function .* is not JSON$/)],
    [Symbol('s'), '', 'symbol Symbol(s) is not JSON'],
  ])('refuses what JSON would change in silence %#', (value, path, message) => {
    expect(refusal(value)).toEqual({ path, message })
  })

  it('takes objects of another realm and without a prototype', () => {
    const foreign: unknown = runInNewContext('({ a: [1] })')
    expect(plain(foreign)).toEqual({ fits: true, value: { a: [1] } })
    expect(plain(Object.assign(Object.create(null), { a: 1 }))).toEqual({ fits: true, value: { a: 1 } })
  })

  it('copies a key called __proto__ as a key', () => {
    const checked = plain(JSON.parse('{"__proto__": {"a": 1}}'))
    expect(checked.fits && Object.keys(checked.value as object)).toEqual(['__proto__'])
  })

  it('stops at the depth limit, also where an object holds itself twice', () => {
    const ring: Record<string, unknown> = {}
    ring['left'] = ring
    ring['right'] = ring
    expect(refusal(ring)).toEqual({ path: 'left.left.left', message: 'nests deeper than 64 levels' })
  })
})

it('stops where shared parts would be copied without end', () => {
  let shared: unknown = 'x'
  for (let level = 0; level < 60; level++) shared = [shared, shared]
  expect(refusal(shared)).toEqual({ path: '0.0.0', message: 'holds more than 262144 values' })
})

const dropNegativeZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
