// SendGrid's v3 Mail Send on loopback, as its documentation has it: what it takes, what it refuses and in which words.
// Sources, read in 2026: the OpenAPI description sendgrid/sendgrid-oai, spec/paths/mail_send/mail_send.json (fields, limits,
// reserved headers, statuses); twilio.com/docs/sendgrid, the pages "Getting started with the SendGrid API" and "How to Send an
// Email with cURL" (the curl call), "Rate Limits" (headers and answer of a 429), "Mail Send errors"; support.sendgrid.com, "4XX API Errors".

import { isObject, type Json, type JsonObject } from '../../../src/core/json.ts'
import { bodyOf, type Listener, serve } from '../../egress/bed.ts'

export const API_KEY = 'SG.abcdefghijklmnop.0123456789'

/** The first call of its guide: one recipient, one sender, a subject, one text. */
export const FIRST_CALL: JsonObject = {
  personalizations: [{ to: [{ email: 'recipient@example.com' }] }],
  from: { email: 'sender@example.com' },
  subject: 'Hello, World!',
  content: [{ type: 'text/plain', value: 'Hello, World!' }],
}

/** The curl call of its guide, as one types it: names and places of its fields as documented, people of our own. */
export const CURL = `
curl --request POST \\
  --url https://api.sendgrid.com/v3/mail/send \\
  --header 'Authorization: Bearer <<YOUR_API_KEY>>' \\
  --header 'Content-Type: application/json' \\
  --data '{"personalizations":[{"to":[{"email":"ada@example.com","name":"Ada"}],"subject":"Hello, World!"}],
    "content":[{"type":"text/plain","value":"Hello!"}],
    "from":{"email":"grace@example.com","name":"Grace"},"reply_to":{"email":"grace@example.com","name":"Grace"}}'
`

const FIELDS: ReadonlySet<string> = new Set([
  ...[
    'personalizations',
    'from',
    'reply_to',
    'reply_to_list',
    'subject',
    'content',
    'attachments',
    'template_id',
  ],
  ...['headers', 'categories', 'custom_args', 'send_at', 'batch_id', 'asm', 'ip_pool_name', 'mail_settings'],
  'tracking_settings',
])
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'x-sg-id',
    'x-sg-eid',
    'received',
    'dkim-signature',
    'content-type',
    'content-transfer-encoding',
    'to',
    'from',
  ],
  ...['subject', 'reply-to', 'cc', 'bcc'],
])

interface Complaint {
  readonly field: string | null
  readonly message: string
}
const complaint = (field: string | null, message: string): Complaint => ({ field, message })

const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

const isAddress = (value: Json | undefined): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(String(value))

const inPersonalization = (each: JsonObject, at: number): readonly Complaint[] => {
  const groups = ['to', 'cc', 'bcc'].flatMap((group) =>
    list(each[group]).map(({ email }, index) => ({
      email,
      field: `personalizations.${at}.${group}.${index}.email`,
    })),
  )
  const emails = groups.map(({ email }) => String(email).toLowerCase())
  return [
    ...(list(each['to']).length === 0
      ? [complaint(`personalizations.${at}.to`, 'at least one recipient')]
      : []),
    ...groups
      .filter(({ email }) => !isAddress(email))
      .map(({ field }) => complaint(field, 'not a valid address')),
    ...(new Set(emails).size < emails.length
      ? [complaint(`personalizations.${at}`, 'addresses are not unique')]
      : []),
  ]
}

/** Documented: a subject of each personalization stands for the one above. */
const hasOwnSubjects = (mail: JsonObject): boolean => {
  const each = list(mail['personalizations'])
  return each.length > 0 && each.every(({ subject }) => Boolean(subject))
}

const inContent = (mail: JsonObject): readonly Complaint[] => {
  const { template_id: template, subject, content } = mail
  if (template !== undefined) return []
  const types = list(content).map(({ type }) => type)
  const isEmpty = list(content).some(({ type, value }) => !type || !value)
  return [
    ...(subject || hasOwnSubjects(mail) ? [] : [complaint('subject', 'a subject is required')]),
    ...(types.length === 0 || isEmpty ? [complaint('content', 'content is required')] : []),
    ...(types.indexOf('text/plain') > 0 ? [complaint('content', 'text/plain comes first')] : []),
  ]
}

const problemsIn = (mail: JsonObject): readonly Complaint[] => {
  const personalizations = list(mail['personalizations'])
  const { from, headers, custom_args: args, attachments } = mail
  const names = isObject(headers) ? Object.keys(headers) : []
  const texts = [headers, args].flatMap((each) => (isObject(each) ? Object.values(each) : []))
  return [
    ...Object.keys(mail)
      .filter((key) => !FIELDS.has(key))
      .map((key) => complaint(key, 'no such property')),
    ...(personalizations.length === 0 ? [complaint('personalizations', 'at least one is required')] : []),
    ...personalizations.flatMap(inPersonalization),
    ...(isObject(from) && isAddress(from['email']) ? [] : [complaint('from.email', 'not a valid address')]),
    ...inContent(mail),
    ...names
      .filter((name) => RESERVED.has(name.toLowerCase()))
      .map((name) => complaint('headers', `${name} is reserved`)),
    ...(texts.some((text) => typeof text !== 'string') ? [complaint('headers', 'texts only')] : []),
    ...list(attachments)
      .filter(({ content, filename }) => !content || !filename)
      .map(() => complaint('attachments', 'content and filename are required')),
  ]
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json | string
}

export interface Sendgrid extends Listener {
  readonly mails: readonly JsonObject[]
  readonly baseUrl: string
}

const errors = (status: number, ...all: readonly Complaint[]): Answer => ({
  status,
  body: { errors: all.map((each) => ({ ...each, help: null })) },
})

const judge = (url: string | undefined, authorization: string | undefined, text: string): Answer => {
  if (url !== '/v3/mail/send') return errors(404, complaint(null, 'not found'))
  if (authorization !== `Bearer ${API_KEY}`)
    return errors(401, complaint(null, 'the authorization grant is invalid'))
  if (text.length > 30 * 1024 * 1024) return errors(413, complaint(null, 'payload too large'))
  const problems = problemsIn(JSON.parse(text) as JsonObject)
  return problems.length > 0
    ? errors(400, ...problems)
    : { status: 202, headers: { 'X-Message-Id': 'sgid-1' } }
}

/** `answer` instead of its own judgement. */
export const serveSendgrid = async (answer?: Answer): Promise<Sendgrid> => {
  const mails: JsonObject[] = []
  const listener = await serve(async (request, response) => {
    const text = await bodyOf(request)
    const { status, headers = {}, body } = answer ?? judge(request.url, request.headers.authorization, text)
    if (status === 202) mails.push(JSON.parse(text))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { ...listener, mails, baseUrl: `http://127.0.0.1:${listener.port}` }
}
