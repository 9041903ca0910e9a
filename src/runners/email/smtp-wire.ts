// Owns one SMTP connection as replies and commands: bytes in, whole replies out, bounded. What is said is the dialogue's
// (smtp-dialogue.ts). A connection that broke stays broken; each later use says why.

import type { Egress } from '../../egress/egress.ts'

/** What the egress opens. */
export type Socket = Awaited<ReturnType<Egress['connect']>>

export interface Reply {
  readonly code: number
  /** RFC 2034's `5.1.1`, when the server says one. */
  readonly status?: string
  readonly lines: readonly string[]
}

export interface Wire {
  readonly read: () => Promise<Reply>
  readonly write: (data: string | Buffer) => Promise<void>
  /** Lets go of the socket, for TLS to be begun on it. */
  readonly detach: () => Socket
  readonly destroy: (reason: Error) => void
  /** Says goodbye, and waits for the server to close; not for long, and not with the process. */
  readonly end: () => void
  readonly isBroken: () => boolean
  readonly socket: Socket
}

/** RFC 5321 has 512 characters to a line; servers say more, but not without end. */
const MAX_REPLY = 32 * 1024
const GOODBYE_MS = 2000
const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})(?: |$)/

const broken = (message: string): Error => Object.assign(new Error(message), { code: 'ECONNRESET' })

const replyOf = (code: number, lines: readonly string[]): Reply => {
  const status = STATUS.exec(lines[0] ?? '')?.[1]
  return { code, lines, ...(status !== undefined && { status }) }
}

/** Cuts what arrives into replies; whole ones go to `onReply`, what is no SMTP to `onNonsense`. */
const createReader = (onReply: (reply: Reply) => void, onNonsense: (why: string) => void) => {
  let rest = ''
  let lines: string[] = []
  let size = 0
  const onLine = (line: string): void => {
    const [, code, separator, text = ''] = LINE.exec(line) ?? []
    lines.push(text)
    if (code === undefined) onNonsense('the mail server answered with something that is not SMTP')
    if (code === undefined || separator === '-') return
    onReply(replyOf(Number(code), lines))
    lines = []
    size = 0
  }
  return {
    take: (chunk: Buffer): void => {
      rest += chunk.toString('latin1')
      size += chunk.length
      if (size > MAX_REPLY) onNonsense('the mail server answers without end')
      const whole = rest.split('\n')
      rest = whole.pop()!
      for (const line of whole) onLine(line.replace(/\r$/, ''))
    },
    /** Bytes of a reply that nobody asked for. */
    hasRest: (): boolean => rest !== '' || lines.length > 0,
  }
}

/** Replies that came and readers that wait for one; after fail() there are neither. */
const createInbox = () => {
  const replies: Reply[] = []
  let waiting: PromiseWithResolvers<Reply> | undefined
  let reason: Error | undefined
  return {
    put: (reply: Reply): void => {
      if (waiting === undefined) replies.push(reply)
      waiting?.resolve(reply)
      waiting = undefined
    },
    fail: (why: Error): void => {
      reason ??= why
      waiting?.reject(reason)
      waiting = undefined
    },
    read: (): Promise<Reply> => {
      const ready = replies.shift()
      if (ready !== undefined) return Promise.resolve(ready)
      if (reason !== undefined) return Promise.reject(reason)
      waiting = Promise.withResolvers<Reply>()
      return waiting.promise
    },
    reason: (): Error | undefined => reason,
    isEmpty: (): boolean => replies.length === 0,
  }
}

export const createWire = (socket: Socket): Wire => {
  const inbox = createInbox()
  const destroy = (why: Error): void => {
    inbox.fail(why)
    socket.destroy()
  }
  const reader = createReader(inbox.put, (why) => destroy(broken(why)))
  const onClose = (): void => destroy(broken('the mail server hung up'))
  const listeners = {
    data: reader.take,
    error: (error: Error) => destroy(broken(`the connection broke: ${error.message}`)),
    close: onClose,
    end: onClose,
    timeout: () => destroy(broken('the mail server was silent')),
  }
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)

  return {
    socket,
    destroy,
    read: inbox.read,
    isBroken: () => inbox.reason() !== undefined,
    end: () => {
      socket.unref().setTimeout(GOODBYE_MS).end('QUIT\r\n')
    },
    write: (data) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error): void => reject(inbox.reason() ?? broken(error.message))
        socket.write(data, (error) => (error ? fail(error) : resolve()))
      }),
    detach: () => {
      socket.pause()
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
      if (inbox.isEmpty() && !reader.hasRest()) return socket
      // The egress sees what is still in the socket; what was read already, it cannot (CVE-2011-0411).
      const early = broken('the mail server sent plain text after it agreed to TLS')
      destroy(early)
      throw early
    },
  }
}
