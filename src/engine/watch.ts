// Owns following the feed: every fact of a tenant in the order of its commit, from a cursor on, as they come. A reader
// that was away resumes where it stopped.

import type { FeedRow, Reader } from '../store/reader.ts'
import type { Store, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'

export interface WatchOptions {
  /** Resume after this fact. Absent: from the beginning of what is kept. */
  readonly after?: string
  readonly execution?: string
  readonly signal?: AbortSignal
}

const PAGE = 250
/** Another process's commits are not always announced: the safety net. */
const POLL_MS = 500

export async function* watchFeed(
  {
    reader,
    store,
    clock,
  }: { readonly reader: Pick<Reader, 'feed'>; readonly store: Pick<Store, 'wake'>; readonly clock: Clock },
  of: Tenancy,
  { after, execution, signal }: WatchOptions,
): AsyncGenerator<FeedRow> {
  let cursor = after
  let poke = (): void => undefined
  let isPoked = false
  const wake = (): void => {
    isPoked = true
    poke()
  }
  const stopListening = store.wake(wake)
  signal?.addEventListener('abort', wake)
  try {
    while (!signal?.aborted) {
      isPoked = false
      const rows = await reader.feed(of, cursor, PAGE)
      for (const row of rows) {
        cursor = row.cursor
        if (execution === undefined || row.execution === execution) yield row
        if (signal?.aborted) return
      }
      if (rows.length === PAGE || isPoked) continue
      await new Promise<void>((resolve) => {
        const cancel = clock.timers.after(POLL_MS, resolve)
        poke = () => {
          cancel()
          resolve()
        }
      })
      poke = () => undefined
    }
  } finally {
    stopListening()
    signal?.removeEventListener('abort', wake)
  }
}
