import { expect, it } from 'vitest'
import type { PawlError } from '../core/errors.ts'
import { type Actor, LOCAL } from './actor.ts'
import { createLimiter } from './rate.ts'

const ADA: Actor = { ...LOCAL, id: 'key_ada', isLocal: false }
const BOB: Actor = { ...ADA, id: 'key_bob' }

const limiter = () => {
  const clock = { now: 0 }
  const { spend } = createLimiter({ perSecond: 2, burst: 3 }, () => clock.now)
  const refusal = (actor: Actor): PawlError | undefined => {
    try {
      spend(actor)
      return undefined
    } catch (error) {
      return error as PawlError
    }
  }
  return { clock, spend, refusal }
}

it('lets a burst through, then refuses with when to come again, each actor apart', () => {
  const { spend, refusal } = limiter()
  expect(spend(ADA)).toEqual({ 'ratelimit-policy': '"default";q=3;w=2', ratelimit: '"default";r=2;t=1' })
  spend(ADA)
  expect(spend(ADA)).toMatchObject({ ratelimit: '"default";r=0;t=2' })
  expect(refusal(ADA)).toMatchObject({
    code: 'rate_limited',
    details: { headers: { 'retry-after': '1', ratelimit: '"default";r=0;t=2' } },
  })
  expect(refusal(BOB)).toBeUndefined()
})

it('fills evenly, and never above the burst', () => {
  const { clock, spend, refusal } = limiter()
  for (let n = 0; n < 3; n += 1) spend(ADA)
  clock.now = 499
  expect(refusal(ADA)?.code).toBe('rate_limited')
  clock.now = 500
  expect(refusal(ADA)).toBeUndefined()
  clock.now = 3_600_000
  for (let n = 0; n < 3; n += 1) expect(refusal(ADA)).toBeUndefined()
  expect(refusal(ADA)?.code).toBe('rate_limited')
})

it('does not hold the local actor back', () => {
  const { spend } = limiter()
  for (let n = 0; n < 100; n += 1) expect(spend(LOCAL)).toEqual({})
})

it('forgets the oldest of very many, and keeps those that ask', () => {
  const { spend, refusal } = limiter()
  for (let n = 0; n < 3; n += 1) spend(ADA)
  for (let n = 0; n < 9999; n += 1) spend({ ...ADA, id: `key_${n}` })
  expect(refusal(ADA)?.code).toBe('rate_limited')
  for (let n = 0; n < 10_000; n += 1) spend({ ...ADA, id: `more_${n}` })
  expect(refusal(ADA)).toBeUndefined()
})
