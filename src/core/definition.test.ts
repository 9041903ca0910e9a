import { expect, it } from 'vitest'
import { definitionHash } from './definition.ts'

it('equal content has an equal hash, whatever the order of its keys; other content another', () => {
  const lease = { kind: 'machine', id: 'lease', states: { a: {}, b: { final: true } } }
  const shuffled = { states: { b: { final: true }, a: {} }, id: 'lease', kind: 'machine' }
  expect(definitionHash(lease)).toBe(definitionHash(shuffled))
  expect(definitionHash(lease)).toMatch(/^[0-9a-f]{64}$/)
  expect(definitionHash({ ...lease, id: 'leases' })).not.toBe(definitionHash(lease))
})
