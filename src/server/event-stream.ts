// Owns the live feed as server-sent events: each fact with its cursor as id, so that a reader that was away resumes
// without loss. Nothing is dropped: a slow reader is waited for. A comment now and then keeps the way open, and shows
// when its key no longer holds.

import type { FeedRow } from '../store/reader.ts'
import { instant } from './instant.ts'

export interface FeedStream {
  /** Where it begins: told first, so that even a reader that got nothing can resume. */
  readonly from: string
  readonly rows: AsyncGenerator<FeedRow>
  readonly isWanted: (row: FeedRow) => boolean
  readonly heartbeatMs: number
  readonly signal: AbortSignal
  readonly holds: () => Promise<boolean>
  readonly onEnd: () => void
}

/** One line: what is stored has no line breaks in its type, and JSON has none at all. */
const eventText = ({ cursor, type, at, data, execution }: FeedRow): string => {
  const fact = { type, at: instant(at), ...(execution !== undefined && { execution }), data }
  return `id: ${cursor}\nevent: ${type}\ndata: ${JSON.stringify(fact)}\n\n`
}

type Turn =
  | { readonly kind: 'row'; readonly row: FeedRow }
  | { readonly kind: 'end' }
  | { readonly kind: 'beat' }

/** The next fact, the next heartbeat or the end, whichever comes first. A fact that was asked for is asked for once. */
const createTurns = ({ rows, heartbeatMs, signal }: FeedStream) => {
  let asked: Promise<Turn> | undefined
  const nextRow = async (): Promise<Turn> => {
    const { value, done } = await rows.next()
    asked = undefined
    return done ? { kind: 'end' } : { kind: 'row', row: value }
  }
  return async (): Promise<Turn> => {
    if (signal.aborted) return { kind: 'end' }
    asked ??= nextRow()
    let stop = (): void => undefined
    const beat = new Promise<Turn>((resolve) => {
      const timer = setTimeout(resolve, heartbeatMs, { kind: 'beat' })
      const end = (): void => resolve({ kind: 'end' })
      signal.addEventListener('abort', end)
      stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
      }
    })
    try {
      return await Promise.race([asked, beat])
    } finally {
      stop()
    }
  }
}

export const eventStream = (feed: FeedStream): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  const nextTurn = createTurns(feed)
  const end = (): void => {
    feed.onEnd()
    void feed.rows.return(undefined)
  }
  /** What to send next; undefined: it is over. */
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const turn = await nextTurn()
      if (turn.kind === 'end') return undefined
      if (turn.kind === 'beat') return (await feed.holds()) ? ':\n\n' : undefined
      if (feed.isWanted(turn.row)) return eventText(turn.row)
    }
  }
  return new ReadableStream({
    start: (controller) =>
      controller.enqueue(encoder.encode(`retry: 2000\nid: ${feed.from}\nevent: ready\ndata: {}\n\n`)),
    pull: async (controller) => {
      const text = await next().catch(() => undefined)
      if (text !== undefined) return controller.enqueue(encoder.encode(text))
      end()
      controller.close()
    },
    cancel: end,
  })
}
