import fc from 'fast-check'
import { expect, it } from 'vitest'
import { weigh } from './weigh.ts'

it('is about as much as the JSON of it, and never far below', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      // A text that is all quotes is written in twice its length.
      const plain = JSON.parse(JSON.stringify(value).replace(/\\./g, 'x')) as unknown
      const written = JSON.stringify(plain).length
      expect(weigh(plain) * 3 + 16).toBeGreaterThanOrEqual(written)
      expect(weigh(plain)).toBeLessThanOrEqual(written * 10 + 16)
    }),
  )
})

it.each([
  ['a text', 'x'.repeat(5000)],
  ['a text in a list', ['x'.repeat(5000)]],
  ['a text deep in an object', { a: { b: ['x'.repeat(5000)] } }],
  ['a key', { ['x'.repeat(5000)]: 1 }],
])('counts %s', (_, value) => {
  expect(weigh(value)).toBeGreaterThanOrEqual(5000)
  expect(weigh(value)).toBeLessThan(5100)
})
