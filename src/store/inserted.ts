// Owns what a commit tells of the actions it was to insert: those another one stands for, and those it claimed.

import type { Result } from './store.ts'

export type Inserted = Pick<Result, 'deduplicated' | 'claimed'>

/** Several told as one; what is empty is not told. */
export const together = (parts: readonly Inserted[]): Inserted => {
  if (parts.length === 1) return parts[0]!
  const deduplicated = parts.flatMap((part) => part.deduplicated ?? [])
  const claimed = parts.flatMap((part) => part.claimed ?? [])
  return {
    ...(deduplicated.length > 0 && { deduplicated }),
    ...(claimed.length > 0 && { claimed }),
  }
}
