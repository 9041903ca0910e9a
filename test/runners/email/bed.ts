// What the email runner is tried against: a real mail server on loopback, a context as the engine makes one, and the real
// door to the network. Everything ends with the test.

import PostalMime, { type Email as Parsed } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { afterEach } from 'vitest'
import type { Json } from '../../../src/core/json.ts'
import type { Egress, EgressOptions } from '../../../src/egress/egress.ts'
import { runnerFetch } from '../../../src/egress/runner-fetch.ts'
import { createEmail, type EmailDeps, type EmailRunner } from '../../../src/runners/email/email.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import { type Performance, perform } from '../../../src/runners/perform.ts'
import type { RunnerContext } from '../../../src/runners/runner-context.ts'
import { openEgress, resolver } from '../../egress/bed.ts'
import { type Authority, createAuthority } from '../../egress/certificates.ts'

export const NOW: number = Date.parse('2026-01-05T09:00:00.500Z')
export const KEY = 'key_abcdefghijklmnopqrstuvwxyz'

const { ca, issue }: Authority = createAuthority()

export const openMailEgress = (options: EgressOptions = {}): Egress =>
  openEgress({
    allow: ['127.0.0.0/8'],
    resolve: resolver({ 'mail.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }),
    ca,
    ...options,
  })

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

export interface Delivery {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly mail: Parsed
  readonly session: SMTPServerSession
}

export interface MailServer {
  readonly port: number
  readonly deliveries: readonly Delivery[]
  /** Connections so far. */
  readonly connections: () => number
}

/** Takes every mail it is given; what `options` says comes first. */
export const serveMail = async (options: SMTPServerOptions = {}): Promise<MailServer> => {
  const deliveries: Delivery[] = []
  let connections = 0
  const server = new SMTPServer({
    ...issue(['mail.example']),
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    closeTimeout: 1,
    onAuth: ({ username, password }, _session, done) =>
      username === 'ada' && password === 'correct horse'
        ? done(null, { user: 'ada' })
        : done(new Error('no')),
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        deliveries.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          mail: await PostalMime.parse(raw),
          session,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  closers.push(() => new Promise((resolve) => server.close(() => resolve())))
  return { port: (listening.address() as { port: number }).port, deliveries, connections: () => connections }
}

interface ContextOptions {
  readonly signal?: AbortSignal
  readonly attempt?: number
  readonly key?: string
  readonly timestamp?: number
  readonly secrets?: Readonly<Record<string, string>>
}

const contextOf = (egress: Egress, options: ContextOptions = {}): RunnerContext => {
  const {
    signal = new AbortController().signal,
    attempt = 1,
    key = KEY,
    timestamp = NOW,
    secrets = {},
  } = options
  const silent = (): void => {}
  return {
    fetch: runnerFetch(egress, { signal }),
    signal,
    attempt,
    idempotencyKey: key,
    stepKey: 'l_1/notice/email',
    secret: async (name) => secrets[name] ?? Promise.reject(new Error(`no secret ${name}`)),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    now: () => NOW,
    timestamp,
    namespace: 'default',
    tenant: 'acme',
  }
}

export interface Bed {
  readonly email: EmailRunner
  readonly outbox: ReturnType<typeof createOutbox>
  /** One attempt, as the engine makes it. */
  readonly attempt: (config: Json, options?: ContextOptions) => Promise<Performance>
}

export const openBed = (deps: Omit<Partial<EmailDeps>, 'outbox'> = {}): Bed => {
  const { egress = openMailEgress() } = deps
  const outbox = createOutbox()
  const email = createEmail({ providers: {}, ...deps, egress, outbox })
  const attempt: Bed['attempt'] = async (config, options) =>
    perform(email, { config, delivery: 'at_least_once', ctx: contextOf(egress, options) })
  return { email, outbox, attempt }
}

/** The `smtp` provider of a server of this bed: STARTTLS by name, with the test's own authority. */
export const smtpAt = ({ port }: { readonly port: number }) => ({
  host: 'mail.example',
  port,
  from: 'Pawl <noreply@pawl.example>',
})

export const MAIL = { provider: 'smtp', to: 'ada@example.com', subject: 'Hello', text: 'Hi Ada' } as const

/** What a failed attempt says, or the result of one that did not fail. */
export const failureOf = ({ outcome }: Performance) => (outcome.kind === 'failed' ? outcome.failure : outcome)
