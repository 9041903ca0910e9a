// Owns the step from a config to the mail itself: addresses read, template rendered, every header checked (F-070). Nothing
// is sent: the sandbox, a preview and every provider see the same mail.
// M1  html, text and subject of a config are sent as they are. Only templates are read as Liquid, and values only come in
//     as their data: what a value holds is never a template (S26).

import type { JsonObject } from '../../core/json.ts'
import { nearest } from '../../core/suggest.ts'
import { type Mailbox, type MailboxInput, readMailbox, withoutRepeats } from './address.ts'
import { type EmailConfig, MAX_RECIPIENTS } from './config.ts'
import { assertLine, readHeaders } from './header-text.ts'
import { textOfHtml } from './html-text.ts'
import { renderLiquid } from './liquid.ts'
import { quoted, refusal } from './refusal.ts'
import type { EmailTemplate, Templates } from './templates.ts'

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  /** In base64. */
  readonly content: string
}

export interface Email {
  /** Absent: neither the config nor the provider says who sends. */
  readonly from?: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo?: Mailbox
  readonly subject?: string
  readonly html?: string
  readonly text?: string
  readonly attachments: readonly Attachment[]
  readonly headers: Readonly<Record<string, string>>
  readonly template?: string
  /** A template that is not kept here: its provider renders it from these. */
  readonly unrendered?: JsonObject
}

export interface Rendering {
  readonly templates?: Templates | undefined
  /** Who sends, when the config does not say. */
  readonly from?: MailboxInput | undefined
  readonly namespace?: string | undefined
  readonly tenant?: string | undefined
}

type Content = Pick<Email, 'subject' | 'html' | 'text' | 'template' | 'unrendered'>

/** `type/subtype`, without parameters: a charset or a boundary of one's own would change how the mail is read. */
const CONTENT_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/i

export const readAttachment = (given: EmailConfig['attachments'][number], path: string): Attachment => {
  const { filename, contentType, content, text = '' } = given
  assertLine(filename, `${path}.filename`)
  if (/[/\\]/.test(filename))
    throw refusal('template_value_forbidden', `${path}.filename`, 'a name with a folder in it')
  if (!CONTENT_TYPE.test(contentType) || /^(?:multipart|message)\//i.test(contentType))
    throw refusal(
      'template_value_forbidden',
      `${path}.contentType`,
      'no content type such as application/pdf',
    )
  return { filename, contentType, content: content ?? Buffer.from(text).toString('base64') }
}

const assertRecipients = (...lists: readonly (readonly Mailbox[])[]): void => {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count > MAX_RECIPIENTS)
    throw refusal('INVALID_EMAIL', 'to', `${count} recipients; at most ${MAX_RECIPIENTS} in to, cc and bcc`)
}

const contentOf = async (config: EmailConfig, rendering: Rendering): Promise<Content> => {
  const { subject, html, text, template, variables } = config
  if (template === undefined)
    return {
      ...(subject !== undefined && { subject }),
      ...(html !== undefined && { html }),
      text: text ?? textOfHtml(html ?? ''),
    }
  const { templates, namespace = 'default', tenant = 'default' } = rendering
  const found = await templates?.get(template, { namespace, tenant })
  if (found === undefined)
    return { template, unrendered: variables, ...(subject !== undefined && { subject }) }
  return {
    template,
    ...renderTemplate(template, found, variables),
    ...(subject !== undefined && { subject }),
  }
}

/** Without a text of its own, the text is derived from the HTML. */
export const renderTemplate = (
  name: string,
  { subject, html, text }: EmailTemplate,
  variables: JsonObject,
): EmailTemplate & { readonly text: string } => {
  if (html === undefined && text === undefined)
    throw refusal('invalid_template', 'template', `the template ${quoted(name)} has neither html nor text`)
  const at = (part: string): string => `template ${name}, ${part}`
  const made = html === undefined ? undefined : renderLiquid('html', html, variables, at('html'))
  const title = subject && renderLiquid('text', subject, variables, at('subject')).replace(/\r?\n$/, '')
  return {
    ...(title !== undefined && { subject: title }),
    ...(made !== undefined && { html: made }),
    text: text === undefined ? textOfHtml(made ?? '') : renderLiquid('text', text, variables, at('text')),
  }
}

/** What a config comes to, or a refusal that says what stands in its way. */
export const renderEmail = async (config: EmailConfig, rendering: Rendering): Promise<Email> => {
  const read = (inputs: readonly MailboxInput[], path: string): readonly Mailbox[] =>
    inputs.map((input, index) => readMailbox(input, `${path}.${index}`))
  const [to, cc, bcc] = withoutRepeats(read(config.to, 'to'), read(config.cc, 'cc'), read(config.bcc, 'bcc'))
  assertRecipients(to, cc, bcc)
  const from = config.from ?? rendering.from
  const content = await contentOf(config, rendering)
  if (content.subject !== undefined) assertLine(content.subject, 'subject')
  return {
    ...(from !== undefined && { from: readMailbox(from, 'from') }),
    to,
    cc,
    bcc,
    ...(config.replyTo !== undefined && { replyTo: readMailbox(config.replyTo, 'replyTo') }),
    ...content,
    attachments: config.attachments.map((each, index) => readAttachment(each, `attachments.${index}`)),
    headers: readHeaders(config.headers, 'headers'),
  }
}

export const recipientsOf = ({ to, cc, bcc }: Email): readonly string[] =>
  [...to, ...cc, ...bcc].map(({ address }) => address)

/** A mail that can leave by itself: somebody sends it, it has a subject, and its template was found here. */
export const assertWhole = async (
  email: Email,
  { templates, namespace = 'default', tenant = 'default' }: Rendering,
): Promise<Email & { readonly from: Mailbox; readonly subject: string }> => {
  const { from, subject, template, unrendered } = email
  if (template !== undefined && unrendered !== undefined) {
    const names = (await templates?.names?.({ namespace, tenant })) ?? []
    const meant = nearest(template, names)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    throw refusal('template_not_found', 'template', `there is no template ${quoted(template)}${hint}`)
  }
  if (subject === undefined)
    throw refusal('invalid_template', 'subject', 'the mail has no subject; give one, or a template that has')
  return { ...email, from: assertSender(from), subject }
}

export const assertSender = (from: Mailbox | undefined): Mailbox => {
  if (from !== undefined) return from
  throw refusal('INVALID_EMAIL', 'from', 'nobody is named as sender; set from, here or for the provider')
}
