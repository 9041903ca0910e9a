// Owns how an entry of the sandbox's outbox is shown: text that reads as what would have been sent. The HTML of a mail is
// given as it is; whoever shows it puts it into a frame without rights.

import { isObject, type Json, type JsonObject } from '../core/json.ts'

export interface Preview {
  readonly text: string
  readonly html?: string
  readonly subject?: string
}

const words = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const mailbox = (value: Json): string => {
  if (!isObject(value)) return words(value)
  const { address, name } = value
  return name ? `${words(name)} <${words(address)}>` : words(address)
}

const mailboxes = (value: Json | undefined): string =>
  Array.isArray(value) ? value.map(mailbox).join(', ') : value === undefined ? '' : mailbox(value)

/** Only what is there. */
const lines = (...given: readonly (readonly [name: string, value: string])[]): string =>
  given
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

const mail = (content: JsonObject): Preview => {
  const { subject, html, text, template, unrendered } = content
  const head = lines(
    ['From', mailboxes(content['from'])],
    ['To', mailboxes(content['to'])],
    ['Cc', mailboxes(content['cc'])],
    ['Bcc', mailboxes(content['bcc'])],
    ['Reply-To', mailboxes(content['replyTo'])],
    ['Subject', words(subject)],
    ['Template', unrendered === undefined ? '' : words(template)],
  )
  return {
    text: `${head}\n${words(text) || words(unrendered)}`,
    ...(typeof html === 'string' && { html }),
    ...(typeof subject === 'string' && { subject }),
  }
}

const request = (content: JsonObject): Preview => {
  const { method, url, service, endpoint, headers, payload, query } = content
  const to = url === undefined ? `${words(service)} ${words(endpoint)}` : words(url)
  const asked = isObject(query) && Object.keys(query).length > 0 ? ` ${JSON.stringify(query)}` : ''
  const head = Object.entries(isObject(headers) ? headers : {}).map(
    ([name, value]) => [name, words(value)] as const,
  )
  const body = typeof payload === 'string' ? payload : payload ? JSON.stringify(payload, null, 2) : ''
  return { text: `${words(method)} ${to}${asked}\n${lines(...head)}\n${body}` }
}

const task = ({ title, description, assignee, dueAt }: JsonObject): Preview => ({
  text: lines(
    ['Task', words(title)],
    ['For', words(assignee)],
    ['Due', typeof dueAt === 'number' ? new Date(dueAt).toISOString() : ''],
  ).concat(description === undefined ? '' : `\n${words(description)}`),
})

export const previewOf = (type: string, content: JsonObject): Preview => {
  if (type === 'email') return mail(content)
  if (type === 'webhook' || type === 'api_call') return request(content)
  if (type === 'task') return task(content)
  return { text: JSON.stringify(content, null, 2) }
}
