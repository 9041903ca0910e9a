import { expect, it } from 'vitest'
import { ulid, ulidSeries } from './ulid.ts'

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

it('a series begins where chance has it, sorts in the order it is asked for and carries into every letter', () => {
  const next = ulidSeries(1469918176385, bytes(3))
  expect([next(), next()]).toEqual([`01ARYZ6S41${'3'.repeat(16)}`, `01ARYZ6S41${'3'.repeat(15)}4`])
  const many = ulidSeries(0, bytes(15))
  const ids = Array.from({ length: 40_000 }, many)
  expect(ids[0]).toBe(`${'0'.repeat(10)}${'F'.repeat(16)}`)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(40_000)
  expect(ids.at(-1)).toBe(`${'0'.repeat(10)}${'F'.repeat(12)}GPHE`)
})

it('a series leaves room behind its beginning: half of what four letters count', () => {
  expect(ulidSeries(0, bytes(31))()).toBe(`${'0'.repeat(10)}${'Z'.repeat(12)}FZZZ`)
  expect(ulidSeries(0, new Uint8Array(16).fill(16, 12, 13))()).toBe('0'.repeat(26))
})
