// Owns the bytes of a mail. nodemailer writes the MIME; everything it would make up itself (Message-ID, boundaries, the
// date) is given, so that one mail is the same bytes at every attempt.

import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailbox } from './address.ts'
import type { Email } from './render-email.ts'

export type WholeEmail = Email & { readonly from: Mailbox; readonly subject: string }

export interface Stamp {
  /** The action's idempotency key. */
  readonly key: string
  /** For the Date header; it has seconds. */
  readonly date: number
}

/** A key of Pawl's is such a word; any other is told by its hash. */
const wordOf = (key: string): string =>
  /^[\w-]{1,64}$/.test(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 32)

/** The same at every attempt: who gets the mail twice can tell, and most mailboxes then show it once. */
export const messageIdOf = (key: string, { address }: Mailbox): string =>
  `<${wordOf(key)}@${address.slice(address.lastIndexOf('@') + 1)}>`

const shownOf = ({ address, name = '' }: Mailbox) => ({ address, name })

export const composeMime = (email: WholeEmail, { key, date }: Stamp): Promise<Buffer> => {
  const { from, to, cc, replyTo, subject, html, text, attachments, headers } = email
  return new MailComposer({
    from: shownOf(from),
    to: to.map(shownOf),
    cc: cc.map(shownOf),
    ...(replyTo !== undefined && { replyTo: shownOf(replyTo) }),
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    attachments: attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content, 'base64'),
      contentDisposition: 'attachment',
    })),
    headers: { ...headers },
    messageId: messageIdOf(key, from),
    date: new Date(date),
    baseBoundary: wordOf(key),
    newline: '\r\n',
    // A text is never taken for a place to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}
