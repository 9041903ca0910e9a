// Owns sending by SMTP: which server and login, one pooled connection, the mail's bytes. What is said to the server is
// smtp-dialogue.ts; what its replies mean, smtp-failure.ts.

import { createHash } from 'node:crypto'
import type { Egress } from '../../egress/egress.ts'
import type { RunnerContext } from '../runner-context.ts'
import type { MailboxInput } from './address.ts'
import type { EmailConfig } from './config.ts'
import { composeMime, messageIdOf, type WholeEmail } from './mime.ts'
import { recipientsOf } from './render-email.ts'
import { wordsWithout } from './server-words.ts'
import { type Call, type Dialogue, openDialogue, type SmtpServer } from './smtp-dialogue.ts'
import { brokenIn } from './smtp-failure.ts'
import { createPool } from './smtp-pool.ts'

export interface SmtpProvider {
  readonly host: string
  /** Default 465 when `secure`, else 587. */
  readonly port?: number
  /** TLS from the first byte; true by default on port 465. */
  readonly secure?: boolean
  /** `required` unless given: mail over a connection that is not encrypted is for a relay on the same machine. */
  readonly startTls?: 'required' | 'never'
  readonly user?: string
  /** Default, when there is a user: the secret `smtp_password`. */
  readonly password?: string
  readonly from?: MailboxInput
  /** To one server under one login at a time; 5 unless given. */
  readonly connections?: number
  /** Of one mail to one recipient. */
  readonly cost?: number
}

export interface Sending {
  readonly email: WholeEmail
  readonly config: EmailConfig
  readonly ctx: RunnerContext
}

const DEFAULT_OPEN = 5
const MAX_IDLE = 32
/** Servers close after some minutes themselves (RFC 5321 §4.5.3.2 says five); earlier, nothing is stale. */
const IDLE_MS = 30_000

export const portOf = ({ port, secure }: SmtpProvider): number => port ?? (secure === true ? 465 : 587)

const tlsOf = (provider: SmtpProvider): SmtpServer['tls'] => {
  const { secure = portOf(provider) === 465, startTls = 'required' } = provider
  return secure ? 'first' : startTls === 'required' ? 'starttls' : 'none'
}

const serverOf = async (provider: SmtpProvider, { config, ctx }: Sending): Promise<SmtpServer> => {
  const server = { host: provider.host, port: portOf(provider), tls: tlsOf(provider) }
  const user = config.auth?.user ?? provider.user
  if (user === undefined) return server
  const password = config.auth?.password ?? provider.password ?? (await ctx.secret('smtp_password'))
  // S20: over SMTP too, a secret goes only where it may, and before a byte is sent.
  ctx.assertDestination?.(`${server.host}:${server.port}`, [user, password])
  return { ...server, login: { user, password } }
}

/** One login's connections are never used under another. */
const keyOf = ({ host, port, tls, login }: SmtpServer): string =>
  createHash('sha256')
    .update(JSON.stringify([host, port, tls, login?.user, login?.password]))
    .digest('hex')

export const createSmtp = (egress: Egress, provider: SmtpProvider) => {
  const pool = createPool<Dialogue>({
    open: provider.connections ?? DEFAULT_OPEN,
    idle: MAX_IDLE,
    idleMs: IDLE_MS,
  })

  return async (sending: Sending): Promise<string> => {
    const { email, config, ctx } = sending
    const server = await serverOf(provider, sending)
    const { signal, now, idempotencyKey: key } = ctx
    const call: Call = { signal, now, words: wordsWithout(server.login ? [server.login.password] : []) }
    const date = config.date === undefined ? (ctx.createdAt ?? ctx.timestamp) : Date.parse(config.date)
    const content = await composeMime(email, { key, date })
    const envelope = { from: email.from.address, recipients: recipientsOf(email), content }
    const lease = {
      key: keyOf(server),
      signal,
      open: () => openDialogue(egress, server, call),
      isAlive: (kept: Dialogue) => kept.isAlive(call),
    }
    await pool
      .use(lease, (dialogue) => dialogue.send(envelope, call))
      .catch((error: unknown) => {
        // Whatever is no failure yet came of waiting for a turn.
        throw brokenIn('connect', error, false, now())
      })
    return messageIdOf(key, email.from)
  }
}
