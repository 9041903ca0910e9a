import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from './json.ts'
import { mergePatch } from './merge-patch.ts'

/** The table of RFC 7396, appendix A, and what it leaves open. */
it.each<[Json, Json, Json]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with %j is %j', (target, patch, merged) => expect(mergePatch(target, patch)).toEqual(merged))

it('a name of the prototype is a member like any other', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Json
  const merged = mergePatch({}, patch) as object
  expect(Object.keys(merged)).toEqual(['__proto__', 'constructor'])
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it('an empty patch changes nothing, and nothing is mutated', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (target) => {
      const before = JSON.stringify(target)
      expect(mergePatch(target as Json, {})).toEqual(JSON.parse(before))
      expect(JSON.stringify(target)).toBe(before)
    }),
  )
})
