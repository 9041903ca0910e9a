// Owns what can be said against a config before its placeholders are filled in (X-15, S21, S22): each text that has none is
// read as it will be read when the mail is made.

import type { ActionFailure } from '../../core/action-error.ts'
import type { Misfit } from '../../core/schema.ts'
import { type MailboxInput, readMailbox } from './address.ts'
import type { EmailConfig } from './config.ts'
import { assertLine, readHeaders } from './header-text.ts'
import { readAttachment } from './render-email.ts'

/** One thing to read, and what it is read from. */
type Reading = readonly [from: unknown, read: () => unknown]

const readingsOf = (config: EmailConfig): readonly Reading[] => {
  const { to, cc, bcc, from, replyTo, subject, headers, attachments } = config
  const mailbox = (input: MailboxInput, path: string): Reading => [input, () => readMailbox(input, path)]
  const each = (list: readonly MailboxInput[], path: string): readonly Reading[] =>
    list.map((input, index) => mailbox(input, `${path}.${index}`))
  return [
    ...each(to, 'to'),
    ...each(cc, 'cc'),
    ...each(bcc, 'bcc'),
    ...(from === undefined ? [] : [mailbox(from, 'from')]),
    ...(replyTo === undefined ? [] : [mailbox(replyTo, 'replyTo')]),
    ...(subject === undefined ? [] : [[subject, () => assertLine(subject, 'subject')] as const]),
    [headers, () => readHeaders(headers, 'headers')],
    ...attachments.map(
      (given, index): Reading => [given, () => readAttachment(given, `attachments.${index}`)],
    ),
  ]
}

const problemOf = ([from, read]: Reading): readonly Misfit[] => {
  if (JSON.stringify(from).includes('{{')) return []
  try {
    read()
    return []
  } catch (error) {
    const { message, details } = (error as ActionFailure).failure.error
    return [{ path: String(details?.['path'] ?? ''), message }]
  }
}

export const literalProblems = (config: EmailConfig): readonly Misfit[] =>
  readingsOf(config).flatMap(problemOf)
