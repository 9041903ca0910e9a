// Owns the headers of Standard Webhooks: the id is the idempotency key, the time is the attempt's own, and there is one
// signature for each secret, so that a receiver can change secrets without missing a message (S39, S40).

import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { strictConfig } from '../strict-config.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64')

/** The sizes that the specification allows. */
const isSecret = (text: string): boolean => {
  const { length } = keyOf(text)
  return text.startsWith(PREFIX) && BASE64.test(text.slice(PREFIX.length)) && length >= 24 && length <= 64
}

const secret = z.string().refine(isSecret, 'expected whsec_ and 24 to 64 bytes in base64')

export const signing = strictConfig(
  {
    secret,
    /** Signed with as well, while receivers change to the new one. */
    previousSecret: secret.optional(),
  },
  { secrets: 'give secret, and previousSecret during a rotation' },
).optional()

export interface Message {
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly body: string
}

export const webhookHeaders = (
  { id, at, body }: Message,
  keys: z.output<typeof signing>,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at / 1000))
  const sign = (each: string): string =>
    `v1,${createHmac('sha256', keyOf(each)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  const secrets = [keys?.secret, keys?.previousSecret].filter((each) => each !== undefined)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secrets.length > 0 && { 'webhook-signature': secrets.map(sign).join(' ') }),
  }
}
