// Owns the shape of an email action's config (F-010). What its texts may be is checked where they are read (address.ts,
// header-text.ts), because a config may still hold placeholders when it is first seen.

import { z } from 'zod'
import { strictConfig } from '../strict-config.ts'

export const PROVIDERS = ['smtp', 'sendgrid', 'sandbox'] as const
export type Provider = (typeof PROVIDERS)[number]

export const MAX_RECIPIENTS = 50
const MAX_ATTACHMENTS = 20

const mailbox = z.union([z.string(), strictConfig({ address: z.string(), name: z.string().optional() })], {
  error: 'expected an address such as ada@example.com, or { address, name }',
})
const mailboxes = z
  .union([mailbox, z.array(mailbox).min(1).max(MAX_RECIPIENTS)], {
    error: `expected an address, or a list of 1 to ${MAX_RECIPIENTS}`,
  })
  .transform((given) => (Array.isArray(given) ? given : [given]))
const copies = z.array(mailbox).max(MAX_RECIPIENTS).default([])

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const attachment = strictConfig({
  filename: z.string().min(1).max(255),
  contentType: z.string().max(127).default('application/octet-stream'),
  /** Bytes, in base64. */
  content: z.string().regex(BASE64, 'expected base64').optional(),
  /** The same for what is text. */
  text: z.string().optional(),
}).refine(({ content, text }) => (content === undefined) !== (text === undefined), {
  error: 'expected either content (base64) or text',
})

/** A secret may stand here, and nowhere else. */
export const SECRET_PLACES = ['/auth/user', '/auth/password', '/auth/apiKey']

const HINTS = {
  vars: 'the data of a template is variables',
  body: 'a body is html, text, or both',
  attachment: 'attachments is a list',
  apiKey: 'it stands in auth',
}

export const emailConfig = strictConfig(
  {
    provider: z.enum(PROVIDERS).optional(),
    to: mailboxes,
    cc: copies,
    bcc: copies,
    from: mailbox.optional(),
    replyTo: mailbox.optional(),
    subject: z.string().min(1).optional(),
    /** A template's name; its data is `variables`. */
    template: z.string().min(1).max(200).optional(),
    variables: z.record(z.string(), z.json()).default({}),
    /** Sent as they are: no template is read in them. */
    html: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    attachments: z.array(attachment).max(MAX_ATTACHMENTS).default([]),
    headers: z.record(z.string(), z.string()).default({}),
    /** The Date header. Default: when the action was made, so that every attempt is the same to the byte. */
    date: z.iso.datetime({ offset: true }).optional(),
    /** Instead of the provider's own credentials. */
    auth: strictConfig({
      user: z.string().optional(),
      password: z.string().optional(),
      apiKey: z.string().optional(),
    }).optional(),
  },
  HINTS,
).refine(
  ({ template, html, text }) => (template === undefined) !== (html === undefined && text === undefined),
  {
    error: 'expected either a template, or html and text (one or both)',
    path: ['template'],
  },
)

export type EmailConfig = z.output<typeof emailConfig>
