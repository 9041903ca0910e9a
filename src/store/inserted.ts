// Owns what a commit tells of the actions it was to insert: those another one stands for, and those it claimed.

import type { Result } from './store.ts'

export type Inserted = Pick<Result, 'deduplicated' | 'claimed'>

export const NOTHING: Inserted = {}

/** What is empty is not told. */
export const told = (
  deduplicated: NonNullable<Inserted['deduplicated']>,
  claimed: NonNullable<Inserted['claimed']>,
): Inserted => {
  if (deduplicated.length === 0 && claimed.length === 0) return NOTHING
  return {
    ...(deduplicated.length > 0 && { deduplicated }),
    ...(claimed.length > 0 && { claimed }),
  }
}

/** Several told as one. */
export const together = (parts: readonly Inserted[]): Inserted =>
  told(
    parts.flatMap((part) => part.deduplicated ?? []),
    parts.flatMap((part) => part.claimed ?? []),
  )
