// Owns the email runner (F-010, F-070…F-072): which provider a mail goes to, the sandbox, and what is told of it afterwards.
// The mail is made by render-email.ts; smtp.ts and sendgrid.ts send it.

import { z } from 'zod'
import { checkWith } from '../../core/schema.ts'
import type { Egress } from '../../egress/egress.ts'
import { keepIn, type Outbox } from '../outbox.ts'
import { type Done, type Permission, type ResultPayload, type Runner, runner } from '../runner.ts'
import type { RunnerContext } from '../runner-context.ts'
import { type EmailConfig, emailConfig, PROVIDERS, type Provider, SECRET_PLACES } from './config.ts'
import { literalProblems } from './literal-problems.ts'
import { messageIdOf } from './mime.ts'
import { refusal } from './refusal.ts'
import {
  assertSender,
  assertWhole,
  type Email,
  type Rendering,
  recipientsOf,
  renderEmail,
} from './render-email.ts'
import { createSendgrid, SENDGRID, type SendgridProvider } from './sendgrid.ts'
import { createSmtp, portOf, type SmtpProvider } from './smtp.ts'
import type { Templates } from './templates.ts'

export interface EmailDeps {
  readonly egress: Egress
  readonly providers: { readonly smtp?: SmtpProvider; readonly sendgrid?: SendgridProvider }
  readonly templates?: Templates
  readonly outbox: Outbox
  /** For configs that name none, or one that is not configured: nothing is sent. */
  readonly defaultProvider?: 'sandbox'
}

const emailResult = z.object({
  messageId: z.string(),
  recipients: z.array(z.string()),
  template: z.string().nullable(),
})

/** F-071. */
type EmailResult = z.output<typeof emailResult>

/** One mail on its way. */
interface Sending {
  readonly email: Email
  readonly config: EmailConfig
  readonly ctx: RunnerContext
  readonly rendering: Rendering
}

/** Gives the id of the mail. */
type Send = (sending: Sending) => Promise<string>

/** A domain that is nobody's (RFC 2606): a mail that was never sent has an id, too. */
const NOBODY = { address: 'nobody@sandbox.invalid' }

const contentOf = ({ email, config: { date } }: Sending) =>
  JSON.parse(JSON.stringify({ ...email, ...(date !== undefined && { date }) }))

const sandbox =
  (outbox: Outbox): Send =>
  async (sending) => {
    const { ctx, email } = sending
    await keepIn(outbox, ctx, 'email', contentOf(sending))
    return messageIdOf(ctx.idempotencyKey, email.from ?? NOBODY)
  }

const sendersOf = ({ egress, providers, outbox }: EmailDeps): Partial<Record<Provider, Send>> => {
  const { smtp, sendgrid } = providers
  const bySmtp = smtp && createSmtp(egress, smtp)
  const bySendgrid = sendgrid && createSendgrid(sendgrid)
  return {
    sandbox: sandbox(outbox),
    ...(bySmtp && {
      smtp: async ({ email, rendering, ...rest }) =>
        bySmtp({ ...rest, email: await assertWhole(email, rendering) }),
    }),
    ...(bySendgrid && {
      sendgrid: async ({ email, rendering, ...rest }) =>
        bySendgrid({
          ...rest,
          // A template that is not kept here is SendGrid's own, subject and all.
          email:
            email.unrendered === undefined
              ? await assertWhole(email, rendering)
              : { ...email, from: assertSender(email.from) },
        }),
    }),
  }
}

/** Named, or the default, or the only one there is. */
const choiceOf = (
  { providers, defaultProvider }: EmailDeps,
  { provider }: EmailConfig,
): Provider | undefined => {
  const configured = PROVIDERS.filter((name) => name !== 'sandbox' && providers[name] !== undefined)
  const isKnown = provider === 'sandbox' || (provider !== undefined && configured.includes(provider))
  if (isKnown) return provider
  return defaultProvider ?? provider ?? (configured.length === 1 ? configured[0] : undefined)
}

const originOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl)

const permissionsOf = ({ smtp, sendgrid }: EmailDeps['providers']): readonly Permission[] => [
  ...(smtp ? [{ kind: 'egress' as const, value: `${smtp.host}:${portOf(smtp)}` }] : []),
  ...(smtp?.user !== undefined && smtp.password === undefined
    ? [{ kind: 'secret' as const, value: 'smtp_password' }]
    : []),
  ...(sendgrid ? [{ kind: 'egress' as const, value: originOf(sendgrid.baseUrl ?? SENDGRID) }] : []),
  ...(sendgrid && sendgrid.apiKey === undefined
    ? [{ kind: 'secret' as const, value: 'sendgrid_api_key' }]
    : []),
]

export type EmailRunner = Runner<
  'email',
  typeof emailConfig,
  'email_sent',
  ResultPayload<EmailResult, EmailResult>
>

/** @example createEmail({ egress, providers: { smtp: { host: 'smtp.example.com', user: 'ada' } }, outbox }) */
export const createEmail = (deps: EmailDeps): EmailRunner => {
  const { providers, templates } = deps
  const senders = sendersOf(deps)
  const settingsOf = (provider: Provider | undefined) =>
    provider === undefined || provider === 'sandbox' ? undefined : providers[provider]
  const isPriced = Object.values(providers).some(({ cost }) => cost !== undefined)

  const made = runner({
    type: 'email',
    config: emailConfig,
    result: emailResult,
    event: 'email_sent',
    delivery: 'at_least_once',
    defaults: { timeout: '30s' },
    permissions: permissionsOf(providers),
    secrets: SECRET_PLACES,
    metadata: ({ config }) => ({
      provider: choiceOf(deps, config) ?? null,
      templateUsed: config.template ?? null,
    }),
    ...(isPriced && {
      cost: ({ config, result }: Pick<Done<EmailConfig, EmailResult>, 'config' | 'result'>) =>
        (settingsOf(choiceOf(deps, config))?.cost ?? 0) * result.recipients.length,
    }),
    execute: async ({ config, ctx }) => {
      const provider = choiceOf(deps, config)
      const send = provider && senders[provider]
      if (provider === undefined || send === undefined) throw unconfigured(provider)
      const { namespace, tenant } = ctx
      const rendering = { templates, from: settingsOf(provider)?.from, namespace, tenant }
      const email = await renderEmail(config, rendering)
      const messageId = await send({ email, config, ctx, rendering })
      return { messageId, recipients: [...recipientsOf(email)], template: config.template ?? null }
    },
  })
  return Object.assign(made, { validateConfig })
}

/** The shape, and whatever text of it is known already. */
const validateConfig = (config: unknown) => {
  const checked = checkWith(emailConfig)(config)
  const errors = checked.fits ? literalProblems(checked.value) : checked.misfits
  return { isValid: errors.length === 0, errors }
}

const unconfigured = (provider: Provider | undefined) =>
  refusal(
    'provider_not_configured',
    'provider',
    provider === undefined
      ? 'no provider is named, and not exactly one is configured; name smtp, sendgrid or sandbox'
      : `the provider ${provider} is not configured; set PAWL_PROVIDERS__${provider.toUpperCase()}__…`,
  )
