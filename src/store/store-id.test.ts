import { expect, it } from 'vitest'
import { newStoreId } from './store-id.ts'

it('is a ULID: its time first, so that it sorts', () => {
  const id = newStoreId(1_469_918_176_385, 'entropy')
  expect(id).toMatch(/^str_01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/)
  expect(newStoreId(1_469_918_176_386, 'entropy') > id).toBe(true)
})

it('is another one for other entropy, and the same for the same', () => {
  expect(newStoreId(1, 'a')).not.toBe(newStoreId(1, 'b'))
  expect(newStoreId(1, 'a')).toBe(newStoreId(1, 'a'))
})
