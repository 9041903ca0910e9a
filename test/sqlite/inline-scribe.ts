// A scribe without a thread, for tests: the same follower, on a connection of its own, asked like one. It writes whatever can be
// foreseen, however small.

import { DatabaseSync } from 'node:sqlite'
import { createFollower } from '../../src/store/sqlite/follow.ts'
import type { Asked, Said, Scribing } from '../../src/store/sqlite/scribe.ts'

export interface Inline {
  readonly scribing: Scribing
  /** What it was asked, and what it said. */
  readonly heard: { readonly asked: Asked; readonly said: Said }[]
}

/** `before` may stand in the way of what is asked: what it gives is said instead. */
export const inlineScribe = (before: (asked: Asked) => Said | undefined = () => undefined): Inline => {
  const heard: Inline['heard'] = []
  const start: Scribing['start'] = (file) => {
    const { follow, close } = createFollower(new DatabaseSync(file))
    return {
      ask: async (asked) => {
        await new Promise((resolve) => setImmediate(resolve))
        const said = before(asked) ?? follow(asked)
        heard.push({ asked, said })
        return said
      },
      close: async () => close(),
    }
  }
  return { scribing: { start, startFrom: 0, from: 0 }, heard }
}
