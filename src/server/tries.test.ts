import { expect, it } from 'vitest'
import { createTries } from './tries.ts'

const MINUTE_MS = 60_000

const world = (perMinute: number) => {
  const at = { now: 1000 }
  const tries = createTries(perMinute, () => at.now)
  const codeOf = (hash: string, from: string | undefined): string => {
    try {
      tries.begin(hash, from)
      return 'tried'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  return { at, tries, codeOf }
}

it('S50: after so many keys of a minute that were not valid an address waits, and only that one', () => {
  const { at, codeOf } = world(3)
  expect(['a', 'b', 'c', 'd'].map((hash) => codeOf(hash, '10.0.0.1'))).toEqual([
    'tried',
    'tried',
    'tried',
    'rate_limited',
  ])
  expect(codeOf('e', '10.0.0.2')).toBe('tried')
  at.now += MINUTE_MS - 1
  expect(codeOf('f', '10.0.0.1')).toBe('rate_limited')
  at.now += 1
  expect(codeOf('f', '10.0.0.1')).toBe('tried')
})

it('says how long to wait', () => {
  const { at, tries, codeOf } = world(1)
  codeOf('a', '10.0.0.1')
  at.now += 20_500
  expect(() => tries.begin('b', '10.0.0.1')).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ headers: { 'retry-after': '40' } }),
    }),
  )
})

it('a key that was taken from there counts for nothing, and is taken also while the address waits', () => {
  const { tries, codeOf } = world(2)
  for (let times = 0; times < 5; times += 1) {
    expect(codeOf('good', '10.0.0.1')).toBe('tried')
    tries.taken('good', '10.0.0.1')
  }
  expect(['x', 'y', 'z'].map((hash) => codeOf(hash, '10.0.0.1'))).toEqual(['tried', 'tried', 'rate_limited'])
  expect(codeOf('good', '10.0.0.1')).toBe('tried')
  expect(codeOf('other', '10.0.0.1')).toBe('rate_limited')
})

it('without an address nobody is held back', () => {
  const { codeOf } = world(0)
  expect(codeOf('a', undefined)).toBe('tried')
})
