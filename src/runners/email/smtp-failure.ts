// Owns what an SMTP reply, or silence, means for an action: error type, worth another attempt, may the mail have gone.
// F1  Until the final dot has been sent nothing has happened: a server may not deliver a mail it has not been given whole.
// F2  After the dot, silence and a reply in the 400s say nothing: a proxy in front of the server may have lost patience
//     with one that took the mail. A reply in the 500s is a refusal.

import { ActionFailure, actionError, type Failure } from '../../core/action-error.ts'
import { classify } from '../../core/classify.ts'
import type { Words } from './server-words.ts'
import type { Reply } from './smtp-wire.ts'

export type Stage = 'greeting' | 'hello' | 'starttls' | 'login' | 'sender' | 'recipient' | 'data' | 'content'

const DOING: Readonly<Record<Stage, string>> = {
  greeting: 'refused the connection',
  hello: 'refused to begin',
  starttls: 'refused TLS',
  login: 'refused the credentials',
  sender: 'refused the sender',
  recipient: 'refused a recipient',
  data: 'refused the mail',
  content: 'refused the content',
}

/** X.7.n: security or policy. */
const isPolicy = ({ status }: Reply): boolean => status?.split('.')[1] === '7'

interface Meaning {
  readonly type: string
  readonly code?: string
}

const BY_STAGE: Readonly<Record<Stage, Meaning>> = {
  greeting: { type: 'authorization_failed' },
  hello: { type: 'authorization_failed' },
  starttls: { type: 'invalid_configuration' },
  login: { type: 'authentication_failed' },
  sender: { type: 'malformed_request' },
  recipient: { type: 'invalid_configuration', code: 'INVALID_EMAIL' },
  data: { type: 'malformed_request' },
  content: { type: 'malformed_request' },
}

/** 530, 534, 535, 538 are RFC 4954's, whatever was asked. */
const LOGIN_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538])

const meaningOf = (stage: Stage, reply: Reply): Meaning => {
  if (reply.code < 500) return { type: 'temporary_failure' }
  if (LOGIN_CODES.has(reply.code)) return { type: 'authentication_failed' }
  return isPolicy(reply) && stage !== 'login' ? { type: 'authorization_failed' } : BY_STAGE[stage]
}

/** A reply that is not the one that was hoped for. */
export const refusedBy = (stage: Stage, reply: Reply, words: Words): ActionFailure => {
  const { code, status } = reply
  const isLasting = code >= 500
  const meaning = meaningOf(stage, reply)
  const said = words(reply.lines.join(' '))
  return new ActionFailure({
    error: actionError({
      type: meaning.type,
      message: `the mail server ${DOING[stage]}: ${code}${said === '' ? '' : ` ${said}`}`,
      retryable: !isLasting,
      code: meaning.code ?? `SMTP_${code}`,
      details: { stage, reply: code, ...(status !== undefined && { status }) },
    }),
    effect: stage === 'content' && !isLasting ? 'unknown' : 'none',
    ...(isLasting && { permanent: true as const }),
  })
}

/** The connection broke, or the attempt was stopped. Of Node's error only what classify() keeps is kept. */
export const brokenIn = (stage: Stage | 'connect', error: unknown, isGiven: boolean, now: number) => {
  if (error instanceof ActionFailure) return error
  const failure: Failure = classify(error, now)
  const where = stage === 'connect' ? 'while connecting' : `at the stage ${stage}`
  return new ActionFailure({
    ...failure,
    error: { ...failure.error, message: `${failure.error.message}, ${where}`, details: { stage } },
    effect: isGiven ? 'unknown' : 'none',
  })
}
