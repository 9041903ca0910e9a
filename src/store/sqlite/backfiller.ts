// Owns what the thread that copies the WAL is asked, and what it says.

import type { Copied } from './rounds.ts'
import { moduleOf, startThread } from './thread.ts'

export type Asked = 'most' | 'rest'

export type Said = { readonly copied: Copied } | { readonly failed: string; readonly code: number }

export interface Backfiller {
  /** One at a time. Rejects when there is no thread any more. */
  readonly ask: (what: Asked) => Promise<Said>
  /** When it is over with what it is at. */
  readonly close: () => Promise<void>
}

/** Throws, or rejects what is asked first, where no thread can be had. */
export const startBackfiller = (file: string): Backfiller => {
  const module = moduleOf('backfill-thread', import.meta.url)
  const { ask, close } = startThread<Asked, Said>(module, 'pawl-backfill', file)
  // The writer waits for the rest, and may be all that the process waits for.
  return { ask: (what) => ask(what, what === 'rest'), close }
}
