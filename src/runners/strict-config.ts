// Owns the outer shape of a built-in runner's config: known keys only, and an unknown one is told with the nearest that
// exists. What each key may hold is its runner's.

import { z } from 'zod'
import { nearest } from '../core/suggest.ts'

/** `hints`: what to say of words that people write who mean something else. */
export const strictConfig = <Shape extends z.ZodRawShape>(
  shape: Shape,
  hints: Readonly<Record<string, string>> = {},
) => {
  const known = Object.keys(shape)
  const unknown = (key: string): string => {
    const quoted = `“${key.slice(0, 80)}” is not a known key`
    if (Object.hasOwn(hints, key)) return `${quoted}: ${hints[key]}`
    const suggestion = nearest(key, known)
    return `${quoted}; ${suggestion === undefined ? `expected ${known.join(', ')}` : `did you mean ${suggestion}?`}`
  }
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map(unknown).join('; ') : undefined),
  })
}
