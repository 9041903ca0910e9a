// Owns sending by SendGrid: the request of its v3 Mail Send, and what its answers mean. SendGrid has no idempotency key, so
// a mail can arrive twice when an answer was lost; both then carry the same Message-ID and the same custom argument.

import { ActionFailure, actionError, type Failure } from '../../core/action-error.ts'
import { classify } from '../../core/classify.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { MAX_RETRY_AFTER_MS } from '../../core/retry-after.ts'
import { resolveEndpoint } from '../../egress/endpoint.ts'
import type { FetchResponse, RunnerContext } from '../runner-context.ts'
import type { Mailbox, MailboxInput } from './address.ts'
import type { EmailConfig } from './config.ts'
import { messageIdOf } from './mime.ts'
import type { Email } from './render-email.ts'
import { wordsWithout } from './server-words.ts'

export interface SendgridProvider {
  /** Default `https://api.sendgrid.com`; the European one is `https://api.eu.sendgrid.com`. */
  readonly baseUrl?: string
  /** Default: the secret `sendgrid_api_key`. */
  readonly apiKey?: string
  readonly from?: MailboxInput
  /** Of one mail to one recipient. */
  readonly cost?: number
}

type Sender = Email & { readonly from: Mailbox }

export const SENDGRID = 'https://api.sendgrid.com'
/** The name under which the key comes back with SendGrid's events. */
const KEY_ARGUMENT = 'pawl_key'

const addressOf = ({ address, name }: Mailbox): JsonObject => ({ email: address, ...(name && { name }) })
const listOf = (name: string, list: readonly Mailbox[]): JsonObject =>
  list.length === 0 ? {} : { [name]: list.map(addressOf) }

/** Plain text first, then HTML: the order SendGrid asks for. */
const contentOf = ({ text, html }: Email): readonly JsonObject[] => [
  ...(text ? [{ type: 'text/plain', value: text }] : []),
  ...(html ? [{ type: 'text/html', value: html }] : []),
]

const requestOf = (email: Sender, key: string): JsonObject => {
  const { from, to, cc, bcc, replyTo, subject, attachments, headers, template, unrendered } = email
  return {
    personalizations: [
      {
        ...listOf('to', to),
        ...listOf('cc', cc),
        ...listOf('bcc', bcc),
        ...(unrendered !== undefined && { dynamic_template_data: unrendered }),
      },
    ],
    from: addressOf(from),
    ...(replyTo !== undefined && { reply_to: addressOf(replyTo) }),
    ...(subject !== undefined && { subject }),
    ...(unrendered === undefined ? { content: contentOf(email) } : { template_id: template! }),
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ content, contentType, filename }) => ({
        content,
        type: contentType,
        filename,
        disposition: 'attachment',
      })),
    }),
    headers: { ...headers, 'Message-ID': messageIdOf(key, from) },
    custom_args: { [KEY_ARGUMENT]: key },
  }
}

interface Complaint {
  readonly message: string
  readonly field: string
}

/** `{"errors": [{"message", "field", "help"}]}`; anything else says nothing. */
const complaintsIn = async (response: FetchResponse): Promise<readonly Complaint[]> => {
  const body: Json = await response.json().catch(() => null)
  const errors = isObject(body) && Array.isArray(body['errors']) ? (body['errors'] as readonly Json[]) : []
  return errors
    .filter(isObject)
    .slice(0, 5)
    .map(({ message, field }) => ({ message: String(message ?? ''), field: String(field ?? '') }))
}

/** A 400 about an address is F-072's INVALID_EMAIL. */
const ADDRESS_FIELD = /^(?:from|reply_to|personalizations\.\d+\.(?:to|cc|bcc)\.\d+)\.email$/

interface Meaning {
  readonly type?: string
  readonly code?: string
}

const meaningOf = (status: number, complaints: readonly Complaint[]): Meaning => {
  if (status === 429) return { code: 'RATE_LIMIT_EXCEEDED' }
  if (status === 413) return { type: 'malformed_request' }
  if (status === 400 && complaints.some(({ field }) => ADDRESS_FIELD.test(field)))
    return { type: 'invalid_configuration', code: 'INVALID_EMAIL' }
  // Documented for 401: the plan's mails are used up. No other attempt brings them back.
  if (status === 401 && complaints.some(({ message }) => /maximum credits exceeded/i.test(message)))
    return { type: 'quota_exceeded' }
  return {}
}

/** Seconds since 1970 at which requests are counted anew. */
const waitOf = (response: FetchResponse, now: number): Pick<Failure, 'retryAfterMs'> => {
  const reset = Number(response.headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000
  if (!Number.isFinite(reset)) return {}
  return { retryAfterMs: Math.min(Math.max(reset - now, 0), MAX_RETRY_AFTER_MS) }
}

const refusedBy = async (response: FetchResponse, apiKey: string, now: number): Promise<ActionFailure> => {
  const { status } = response
  const failure = classify(response, now)
  const complaints = await complaintsIn(response)
  const { type = failure.error.type, code = failure.error.code } = meaningOf(status, complaints)
  const words = wordsWithout([apiKey])
  const said = words(
    complaints.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '),
  )
  const isLasting = ['malformed_request', 'invalid_configuration', 'quota_exceeded'].includes(type)
  return new ActionFailure({
    ...failure,
    ...(status === 429 && failure.retryAfterMs === undefined && waitOf(response, now)),
    error: actionError({
      type,
      message: `SendGrid answered ${status}${said === '' ? `: ${failure.error.message}` : `: ${said}`}`,
      retryable: failure.error.retryable && !isLasting,
      code,
      details: { status },
    }),
  })
}

/** What is kept of the answer: a word. */
const MESSAGE_ID = /^[\x21-\x7e]{1,200}$/

export const createSendgrid =
  (provider: SendgridProvider) =>
  async ({
    email,
    config,
    ctx,
  }: {
    email: Sender
    config: EmailConfig
    ctx: RunnerContext
  }): Promise<string> => {
    const { idempotencyKey: key, now } = ctx
    const apiKey = config.auth?.apiKey ?? provider.apiKey ?? (await ctx.secret('sendgrid_api_key'))
    // Its documentation gives the host with the version and without.
    const base = (provider.baseUrl ?? SENDGRID).replace(/\/(?:v3\/?)?$/, '')
    const response = await ctx.fetch(resolveEndpoint(base, '/v3/mail/send'), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      json: requestOf(email, key),
    })
    if (!response.ok) throw await refusedBy(response, apiKey, now())
    const id = response.headers.get('x-message-id') ?? ''
    return MESSAGE_ID.test(id) ? id : messageIdOf(key, email.from)
  }
