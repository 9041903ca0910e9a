// Owns watching: every fact a server tells, in order, and again from where it stopped when the connection breaks. It ends
// when it is asked to, or when the server refuses; a server that is away is waited for.

import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { filterText } from './listing.ts'
import { messagesOf } from './server-sent.ts'
import type { Transport } from './transport.ts'

export interface Fact {
  /** Resume after it: `watch({ after: fact.cursor })`. */
  readonly cursor: string
  readonly type: string
  readonly at: string
  readonly execution?: string
  readonly data: JsonObject
}

export interface WatchOptions {
  readonly filter?: Readonly<Record<string, string | undefined>>
  readonly after?: string
  readonly signal?: AbortSignal
  /** Told when the connection broke and is made again. */
  readonly onBreak?: (error: unknown) => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timeout)
      resolve()
    })
  })

/** A refusal will be the same next time; a broken connection need not be. */
const isFinal = (error: unknown): boolean => {
  const status = error instanceof PawlError ? error.details['status'] : undefined
  return typeof status === 'number' && status < 500 && status !== 429
}

export async function* watch({ open }: Transport, options: WatchOptions = {}): AsyncGenerator<Fact> {
  const { filter = {}, signal, onBreak } = options
  const text = filterText(filter)
  let cursor = options.after
  let pause = FIRST_WAIT_MS
  while (!signal?.aborted) {
    try {
      const response = await open({
        path: '/v1/stream',
        query: text === '' ? {} : { filter: text },
        headers: {
          accept: 'text/event-stream',
          ...(cursor !== undefined && { 'last-event-id': cursor }),
        },
        ...(signal && { signal }),
      })
      for await (const { id, event, data } of messagesOf(response.body!)) {
        pause = FIRST_WAIT_MS
        if (id !== '') cursor = id
        // Says where the stream begins: no fact yet.
        if (event === 'ready') continue
        yield { ...(JSON.parse(data) as Omit<Fact, 'cursor' | 'type'>), type: event, cursor: cursor ?? '' }
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) throw error
      onBreak?.(error)
    }
    await wait(pause, signal)
    pause = Math.min(pause * 2, LONGEST_WAIT_MS)
  }
}
