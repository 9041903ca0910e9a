// Owns how fast one actor may ask: a bucket that fills evenly, in this process. The local actor is not held back: a demo
// on one's own machine harms nobody else.

import { PawlError } from '../core/errors.ts'
import type { Actor } from './actor.ts'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export interface Limiter {
  /** The headers of the answer; throws `rate_limited` when the bucket is empty. */
  readonly spend: (actor: Actor) => Readonly<Record<string, string>>
}

interface Bucket {
  readonly left: number
  readonly at: number
}

/** As many keys as ask within the time a bucket takes to fill; a forgotten bucket is a full one. */
const MAX_BUCKETS = 10_000

export const createLimiter = ({ perSecond, burst }: Rate, monotonic: () => number): Limiter => {
  const buckets = new Map<string, Bucket>()
  const windowSeconds = Math.max(1, Math.ceil(burst / perSecond))
  const policy = `"default";q=${burst};w=${windowSeconds}`
  const headersOf = (left: number): Readonly<Record<string, string>> => {
    const seconds = Math.ceil((burst - left) / perSecond)
    return { 'ratelimit-policy': policy, ratelimit: `"default";r=${Math.floor(left)};t=${seconds}` }
  }
  return {
    spend: ({ id, isLocal }) => {
      if (isLocal) return {}
      const now = monotonic()
      const { left, at } = buckets.get(id) ?? { left: burst, at: now }
      const filled = Math.min(burst, left + ((now - at) / 1000) * perSecond)
      buckets.delete(id)
      if (buckets.size >= MAX_BUCKETS) buckets.delete(buckets.keys().next().value!)
      const isEmpty = filled < 1
      buckets.set(id, { left: isEmpty ? filled : filled - 1, at: now })
      if (!isEmpty) return headersOf(filled - 1)
      const wait = Math.max(1, Math.ceil((1 - filled) / perSecond))
      throw new PawlError('rate_limited', 'this key asks too often', {
        expected: `at most ${perSecond} requests a second, ${burst} at once`,
        headers: { ...headersOf(0), 'retry-after': String(wait) },
      })
    },
  }
}
