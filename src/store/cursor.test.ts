import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../core/json.ts'
import { createCursors } from './cursor.ts'

const cursors = createCursors('key')
const query = ['actions', 'default', 'acme', { status: 'dead' }]

it('S52: says where a page ended, to the query it was made for', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (asked, position) => {
      const cursor = cursors.sign(asked as Json, position as Json)
      expect(cursor).toMatch(/^[\w.-]+$/)
      expect(cursors.read(asked as Json, cursor)).toEqual(JSON.parse(JSON.stringify(position)))
    }),
  )
})

it('S52: the order of a filter’s members does not matter', () => {
  const cursor = cursors.sign([{ a: 1, b: 2 }], 7)
  expect(cursors.read([{ b: 2, a: 1 }], cursor)).toBe(7)
})

it.each([
  [
    'another tenant',
    (cursor: string) => [['actions', 'default', 'globex', { status: 'dead' }], cursor] as const,
  ],
  ['another filter', (cursor: string) => [['actions', 'default', 'acme', {}], cursor] as const],
  ['another position', (cursor: string) => [query, `${btoa('8')}.${cursor.split('.')[1]}`] as const],
  ['no signature', (cursor: string) => [query, cursor.split('.')[0]!] as const],
  ['nothing', () => [query, ''] as const],
  ['a cut end', (cursor: string) => [query, cursor.slice(0, -1)] as const],
  ['any text', () => [query, "'; drop table actions; --"] as const],
  ['a long text', () => [query, 'x'.repeat(100_000)] as const],
])('S52: %s is refused', (_, change) => {
  const [asked, cursor] = change(cursors.sign(query, 7))
  expect(() => cursors.read(asked, cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }))
})

it('S52: any one changed character is refused, and so is another store’s', () => {
  const cursor = cursors.sign(query, { id: 'act_1' })
  for (let index = 0; index < cursor.length; index++)
    for (const other of ['A', 'B', '.', '/'].filter((char) => char !== cursor[index])) {
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1)
      expect(() => cursors.read(query, changed), changed).toThrow(
        expect.objectContaining({ code: 'invalid_cursor' }),
      )
    }
  expect(() => cursors.read(query, `${cursor}.x`)).toThrow(/no cursor of this query/)
  expect(() => createCursors('another key').read(query, cursor)).toThrow(/no cursor of this query/)
})
