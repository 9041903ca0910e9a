// Owns group commit: members that arrive while a commit is under way go together with the next one. Nothing waits when
// nothing is under way, so an idle engine answers as fast as its store.
// G1  One execution is in one commit at a time, so that a member never conflicts with another of its own process.
// G2  A store that throws fails everyone in that batch, with the same error; who they are stays known to the store.

import type { Member, Result, Store } from '../store/store.ts'

export type Commit = (member: Member) => Promise<Result>

export interface CommitterOptions {
  /** Members of a batch at most. */
  readonly batch?: number
}

interface Waiting {
  readonly member: Member
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const DEFAULT_BATCH = 200

export const createCommitter = (
  commit: Store['commit'],
  { batch = DEFAULT_BATCH }: CommitterOptions = {},
): Commit => {
  const waiting: Waiting[] = []
  let isBusy = false

  const flush = async (): Promise<void> => {
    isBusy = true
    while (waiting.length > 0) {
      const group = waiting.splice(0, batch)
      try {
        const results = await commit(group.map(({ member }) => member))
        for (const [index, { resolve }] of group.entries()) resolve(results[index]!)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    isBusy = false
  }

  return (member) =>
    new Promise((resolve, reject) => {
      waiting.push({ member, resolve, reject })
      if (!isBusy) void flush()
    })
}
