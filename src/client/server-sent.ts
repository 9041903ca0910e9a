// Owns the text of an event stream: bytes in pieces of any size become messages (id, event, data), as the WHATWG describes
// them. A message larger than the bound ends the stream: a server that never ends a line must not fill our memory.

import { PawlError } from '../core/errors.ts'

export interface Message {
  readonly id: string
  readonly event: string
  readonly data: string
}

const MAX_LENGTH = 4 * 1024 * 1024

/** Messages of a body, in order. An unfinished one at its end is dropped: it comes again after the next connect. */
export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let left = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      left += decoder.decode(value, { stream: true })
      const parts = left.split(/\r?\n\r?\n/)
      left = parts.pop()!
      if (left.length > MAX_LENGTH)
        throw new PawlError(
          'server_failed',
          `the stream sent a message of more than ${MAX_LENGTH} characters`,
        )
      for (const part of parts) {
        const message = messageOf(part)
        if (message !== undefined) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Undefined: a comment, which keeps the connection awake. */
const messageOf = (part: string): Message | undefined => {
  const lines = part.split(/\r?\n/)
  const field = (name: string): readonly string[] =>
    lines.flatMap((line) =>
      line.startsWith(`${name}:`) ? line.slice(name.length + 1).replace(/^ /, '') : [],
    )
  const data = field('data')
  return data.length === 0
    ? undefined
    : { id: field('id').at(-1) ?? '', event: field('event').at(-1) ?? 'message', data: data.join('\n') }
}
