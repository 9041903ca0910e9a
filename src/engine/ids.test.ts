import { expect, it } from 'vitest'
import { assertId } from './ids.ts'

it.each(['a', 'l_882', 'Zürich/1 ~ %', '👋', 'x'.repeat(200)])('%j can be an id', (id) => {
  expect(() => assertId(id, 'id')).not.toThrow()
})

it.each([
  '',
  ' ',
  ' a',
  'a\t',
  'a\nb',
  '\u0000',
  '\u0085',
  'a\ud800',
  'x'.repeat(201),
  7,
  null,
  undefined,
  {},
  [],
])('B17: %j cannot be an id, and what could be is said', (id) => {
  expect(() => assertId(id, 'id')).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      details: expect.objectContaining({ path: 'id', expected: expect.stringContaining('200') }),
    }),
  )
})

it('a long one is quoted in part', () => {
  const thrown = (() => {
    try {
      assertId('x'.repeat(10_000), 'id')
    } catch (error) {
      return (error as Error).message
    }
    return ''
  })()
  expect(thrown.length).toBeLessThan(200)
})
