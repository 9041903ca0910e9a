// Owns what is said to a mail server (RFC 5321, 3207, 4954): greeting, TLS, login, and one mail at a time. TLS is the
// egress's, on the same connection. A mail goes to all of its recipients or to none: the first that is refused ends it
// before the content, so that another attempt repeats nothing.

import { permanent } from '../../core/action-error.ts'
import type { Egress } from '../../egress/egress.ts'
import type { Words } from './server-words.ts'
import { brokenIn, refusedBy, type Stage } from './smtp-failure.ts'
import { createWire, type Reply, type Socket, type Wire } from './smtp-wire.ts'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; or, on the way to it, STARTTLS; or neither, when the operator says so. */
  readonly tls: 'first' | 'starttls' | 'none'
  readonly login?: { readonly user: string; readonly password: string }
}

export interface Envelope {
  readonly from: string
  readonly recipients: readonly string[]
  readonly content: Buffer
}

export interface Call {
  readonly signal: AbortSignal
  readonly now: () => number
  readonly words: Words
}

export interface Dialogue {
  readonly send: (envelope: Envelope, call: Call) => Promise<void>
  /** Whether the server still listens; a kept connection may have been closed at the other end. */
  readonly isAlive: (call: Call) => Promise<boolean>
  /** Kept for another mail, at most this long, without keeping the process alive. */
  readonly rest: (ms: number, onGone: () => void) => void
  readonly end: () => void
}

/** Extensions by name: `AUTH` → `PLAIN LOGIN`. */
type Extensions = ReadonlyMap<string, string>

interface Talk {
  readonly wire: Wire
  readonly call: Call
  stage: Stage
  /** The final dot is on its way. */
  isGiven: boolean
}

const ask = async (talk: Talk, stage: Stage, command: string, hoped: readonly number[]): Promise<Reply> => {
  talk.stage = stage
  await talk.wire.write(`${command}\r\n`)
  return hear(talk, hoped)
}

const hear = async ({ wire, stage, call }: Talk, hoped: readonly number[]): Promise<Reply> => {
  const reply = await wire.read()
  if (!hoped.includes(reply.code)) throw refusedBy(stage, reply, call.words)
  return reply
}

/** Who we are: the address we come from. The machine's own name is nobody's business. */
const literalOf = ({ localAddress = '127.0.0.1' }: Socket): string =>
  localAddress.includes(':') ? `[IPv6:${localAddress}]` : `[${localAddress}]`

const hello = async (talk: Talk): Promise<Extensions> => {
  const { lines } = await ask(talk, 'hello', `EHLO ${literalOf(talk.wire.socket)}`, [250])
  return new Map(
    lines.slice(1).map((line) => {
      const [name = '', ...rest] = line.trim().split(/[ =]/)
      return [name.toUpperCase(), rest.join(' ').toUpperCase()] as const
    }),
  )
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const logIn = async (talk: Talk, extensions: Extensions, login: SmtpServer['login']): Promise<void> => {
  if (login === undefined) return
  const { user, password } = login
  const mechanisms = extensions.get('AUTH')?.split(' ') ?? []
  if (mechanisms.includes('PLAIN')) {
    await ask(talk, 'login', `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, [235])
  } else if (mechanisms.includes('LOGIN')) {
    await ask(talk, 'login', 'AUTH LOGIN', [334])
    await ask(talk, 'login', base64(user), [334])
    await ask(talk, 'login', base64(password), [235])
  } else throw permanent('invalid_configuration', 'the mail server takes neither AUTH PLAIN nor AUTH LOGIN')
}

const encrypt = async (talk: Talk, extensions: Extensions, egress: Egress): Promise<Wire> => {
  if (!extensions.has('STARTTLS'))
    throw permanent('invalid_configuration', 'the mail server offers no STARTTLS; nothing was sent to it')
  await ask(talk, 'starttls', 'STARTTLS', [220])
  return createWire(await egress.startTls(talk.wire.detach(), { signal: talk.call.signal }))
}

/** A line that begins with a dot gets another (RFC 5321 §4.5.2); the content ends with a line break. */
const stuffed = (content: Buffer): Buffer => {
  const text = content.toString('latin1').replace(/\r?\n|\r/g, '\r\n')
  return Buffer.from(`${text.replace(/(^|\r\n)\./g, '$1..').replace(/(?:\r\n)?$/, '')}\r\n`, 'latin1')
}

const deliver = async (talk: Talk, extensions: Extensions, envelope: Envelope): Promise<void> => {
  const { from, recipients } = envelope
  const content = stuffed(envelope.content)
  const size = extensions.has('SIZE') ? ` SIZE=${content.length}` : ''
  await ask(talk, 'sender', `MAIL FROM:<${from}>${size}`, [250])
  for (const recipient of recipients) await ask(talk, 'recipient', `RCPT TO:<${recipient}>`, [250, 251])
  await ask(talk, 'data', 'DATA', [354])
  talk.stage = 'content'
  await talk.wire.write(content)
  talk.isGiven = true
  await talk.wire.write('.\r\n')
  await hear(talk, [250])
}

/** Runs under the caller's signal; whatever goes wrong becomes an ActionFailure, and the connection goes. */
const under = async <T>(talk: Talk, run: () => Promise<T>): Promise<T> => {
  const { call } = talk
  const stop = (): void => talk.wire.destroy(call.signal.reason)
  call.signal.addEventListener('abort', stop)
  try {
    if (call.signal.aborted) stop()
    return await run()
  } catch (error) {
    if (!talk.wire.isBroken()) talk.wire.end()
    throw brokenIn(talk.stage, error, talk.isGiven, call.now())
  } finally {
    call.signal.removeEventListener('abort', stop)
  }
}

export const openDialogue = async (egress: Egress, server: SmtpServer, call: Call): Promise<Dialogue> => {
  const { host, port, tls, login } = server
  const { signal } = call
  const socket = await egress
    .connect({ host, port, tls: tls === 'first' || (tls === 'starttls' && tls), signal })
    .catch((error: unknown) => {
      throw brokenIn('connect', error, false, call.now())
    })
  const talk = { wire: createWire(socket), call, stage: 'greeting' as Stage, isGiven: false }
  const extensions = await under(talk, async () => {
    await hear(talk, [220])
    const first = await hello(talk)
    if (tls === 'starttls') talk.wire = await encrypt(talk, first, egress)
    const offered = tls === 'starttls' ? await hello(talk) : first
    await logIn(talk, offered, login)
    return offered
  })
  return dialogueOn(talk.wire, extensions)
}

/** A kept connection that does not answer soon is given up for a new one: nothing depends on it. */
const ALIVE_MS = 5000

const dialogueOn = (wire: Wire, extensions: Extensions): Dialogue => {
  let onGone: (() => void) | undefined
  wire.socket.once('close', () => onGone?.())
  const talkFor = (call: Call): Talk => ({ wire, call, stage: 'sender', isGiven: false })
  return {
    send: (envelope, call) => {
      const talk = talkFor(call)
      return under(talk, () => deliver(talk, extensions, envelope))
    },
    isAlive: async (call) => {
      onGone = undefined
      wire.socket.ref().setTimeout(ALIVE_MS)
      const talk = talkFor(call)
      try {
        await under(talk, () => ask(talk, 'sender', 'RSET', [250]))
        return true
      } catch {
        return false
      } finally {
        wire.socket.setTimeout(0)
      }
    },
    rest: (ms, gone) => {
      onGone = gone
      wire.socket.unref().setTimeout(ms)
    },
    end: wire.end,
  }
}
