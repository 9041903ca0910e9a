import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonical, type Json } from '../core/json.ts'
import { sortedText } from './sorted-text.ts'

it('is the canonical text of core, for whatever JSON can say', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as Json
      expect(sortedText(read)).toBe(canonical(read))
    }),
  )
})

it.each([
  ['keys out of order, by code unit', '{"b":1,"a":{"d":[],"c":{}},"B":"\\u2028"}'],
  ['names that are numbers', '{"10":1,"9":2,"-1":3}'],
  ['odd names', '{"__proto__":{"x":1},"constructor":1,"":null}'],
  ['what is nothing', '[null,[],{},"",0,-0,1e21,5e-324]'],
])('%s', (_, text) => {
  const read = JSON.parse(text) as Json
  expect(sortedText(read)).toBe(canonical(read))
})
