import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences } from './subset.ts'

describe('expected beside actual', () => {
  it('a value differs from itself in nothing, and with more members neither', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, key, more) => {
        expect(differences(value, structuredClone(value), '')).toEqual([])
        fc.pre(
          typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, key),
        )
        expect(differences(value, { ...value, [key]: more }, '')).toEqual([])
      }),
    )
  })

  it.each([
    [{ a: 1 }, {}, [{ path: 'a', expected: 1, actual: undefined }]],
    [{ a: { b: 1 } }, { a: { b: 2, c: 3 } }, [{ path: 'a.b', expected: 1, actual: 2 }]],
    [[1, 2], [1], [{ path: '', expected: [1, 2], actual: [1] }]],
    [{ a: [1, 2] }, { a: [1, 3] }, [{ path: 'a.1', expected: 2, actual: 3 }]],
    [{ a: {} }, { a: null }, [{ path: 'a', expected: {}, actual: null }]],
    [{ constructor: 1 }, {}, [{ path: 'constructor', expected: 1, actual: undefined }]],
    [{ a: undefined }, { a: null }, [{ path: 'a', expected: undefined, actual: null }]],
  ])('%j beside %j', (expected, actual, found) => {
    expect(differences(expected, actual, '')).toEqual(found)
  })
})
