import { expect, it } from 'vitest'
import { ulid } from './ulid.ts'

const bytes = (fill: number): Uint8Array => new Uint8Array(16).fill(fill)

it('is 26 letters: the time first, so that ids sort by it', () => {
  expect(ulid(0, bytes(0))).toBe('0'.repeat(26))
  expect(ulid(1469918176385, bytes(31))).toBe(`01ARYZ6S41${'Z'.repeat(16)}`)
  expect(ulid(1000, bytes(31)) < ulid(1001, bytes(0))).toBe(true)
})

it('uses five bits of each of sixteen bytes, and no more bytes than that', () => {
  expect(ulid(0, bytes(32))).toBe(ulid(0, bytes(0)))
  expect(ulid(0, new Uint8Array(40).fill(1))).toHaveLength(26)
})
