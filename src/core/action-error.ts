// Owns the words for what went wrong with an effect: the error types with their default retryability, the two errors
// a runner throws on purpose, and Failure: an error with what is known of the effect. How any other thrown thing
// becomes a Failure is in classify.ts; what a Failure leads to, in retry.ts and settle.ts.
// E1  An ActionError can be stored: text is bounded and well-formed, details are plain JSON.

import { assertStorable, type JsonObject } from './json.ts'
import { MAX_RETRY_AFTER_MS } from './retry-after.ts'
import { durationMs } from './time/duration.ts'

/** F-080. The type is an open string; ERROR_TYPES lists the ones Pawl itself uses. */
export interface ActionError {
  readonly type: string
  readonly message: string
  readonly retryable: boolean
  readonly code?: string
  readonly details?: JsonObject
}

export interface Failure {
  readonly error: ActionError
  /** May the effect have happened? Under at_most_once `none` is retried by policy, `unknown` goes to review. */
  readonly effect: 'none' | 'unknown'
  /** What the provider asked for. */
  readonly retryAfterMs?: number
  /** Where in the code it was thrown. It tells causes apart, and is not kept (S44). */
  readonly place?: string
  /** Thrown by permanent(): no list in a policy brings it back. */
  readonly permanent?: true
}

/** Is a failure of this type worth another attempt, when nothing else says so? */
export const ERROR_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['timeout', true],
  ['rate_limit', true],
  ['network_error', true],
  ['service_unavailable', true],
  ['temporary_failure', true],
  ['gas_price_too_low', true],
  ['network_congestion', true],
  ['unknown_error', true],
  ['authentication_failed', false],
  ['authorization_failed', false],
  ['invalid_configuration', false],
  ['malformed_request', false],
  ['not_found', false],
  ['conflict', false],
  ['cancelled', false],
  ['outcome_unknown', false],
  ['expired', false],
  ['poison', false],
  ['destination_forbidden', false],
  ['secret_destination_mismatch', false],
  ['template_value_forbidden', false],
  ['redirect_not_followed', false],
  ['response_too_large', false],
  ['quota_exceeded', false],
])

/** A type Pawl does not know is a runner's own word for something that went wrong: worth another attempt. */
export const retryableByType = (type: string): boolean => ERROR_TYPES.get(type) ?? true

export const MAX_MESSAGE = 500
const MAX_WORD = 64
const MAX_DETAILS = 16 * 1024

/** Half a character (a cut or lone surrogate) and NUL cannot be stored by PostgreSQL. */
const storable = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replaceAll('\0', '\uFFFD')
    .replace(/\p{Surrogate}/gu, '\uFFFD')

const storableDetails = (details: unknown): JsonObject => {
  const omitted = { omitted: `details must be JSON of at most ${MAX_DETAILS} characters` }
  try {
    const text = JSON.stringify(details)
    const copy = JSON.parse(text) as JsonObject
    assertStorable(copy, 'the details')
    return text.length > MAX_DETAILS ? omitted : copy
  } catch {
    return omitted
  }
}

/** The one way an ActionError is made (E1). */
export const actionError = (error: {
  readonly type: string
  readonly message: string
  readonly retryable: boolean
  readonly code?: string | undefined
  readonly details?: unknown
}): ActionError => ({
  type: storable(error.type, MAX_WORD),
  message: storable(error.message, MAX_MESSAGE),
  retryable: error.retryable,
  ...(error.code !== undefined && { code: storable(error.code, MAX_WORD) }),
  ...(error.details !== undefined && { details: storableDetails(error.details) }),
})

/** What a runner throws when it knows what happened. */
export class ActionFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.error.message)
    this.name = 'ActionFailure'
    this.failure = failure
  }
}

export interface FailureOptions {
  readonly code?: string
  readonly details?: JsonObject
}

export interface RetryableOptions extends FailureOptions {
  /** Do not try again before: `'30s'`, or milliseconds. At most a day. */
  readonly after?: string | number
}

/** The runner saw the refusal itself, so nothing happened; unless it says that it cannot know. */
const known = (type: string, message: string, retryable: boolean, options: FailureOptions): Failure => ({
  error: actionError({ type, message, retryable, code: options.code, details: options.details }),
  effect: type === 'outcome_unknown' ? 'unknown' : 'none',
})

const waitOf = (after: string | number): number | undefined => {
  try {
    return Math.min(durationMs(after), MAX_RETRY_AFTER_MS)
  } catch {
    return undefined
  }
}

/**
 * A typing error in `after` must not turn a failure worth retrying into one that ends the action: it is noted in the
 * details, and the policy decides the delay.
 * @example throw retryable('rate_limit', 'throttled', { after: '30s' })
 */
export const retryable = (type: string, message: string, options: RetryableOptions = {}): ActionFailure => {
  const { after } = options
  if (after === undefined) return new ActionFailure(known(type, message, true, options))
  const retryAfterMs = waitOf(after)
  if (retryAfterMs !== undefined)
    return new ActionFailure({ ...known(type, message, true, options), retryAfterMs })
  const details = { ...options.details, after: `not a duration: ${String(after).slice(0, 80)}` }
  return new ActionFailure(known(type, message, true, { ...options, details }))
}

/** @example throw permanent('malformed_request', await response.text()) */
export const permanent = (type: string, message: string, options: FailureOptions = {}): ActionFailure =>
  new ActionFailure({ ...known(type, message, false, options), permanent: true })
