// Owns the retry engine: what a policy is, the presets of the five triggers, whether an attempt is followed by
// another and after how long. Pure: jitter is a hash of key and attempt (a replay sees the same delays, a thousand
// keys spread). What counts as an attempt, and what else may end an action, is settle.ts.
// R1  A delay is a whole number from 0 to 366 days, for every policy and attempt, also nonsensical ones.
// R2  A delay never exceeds maxDelay: the cap holds before jitter (F-065) and, for a ± fraction, after it.

import type { Failure } from './action-error.ts'
import { type ErrorDetails, PawlError } from './errors.ts'
import { spread } from './hash.ts'
import { isObject } from './json.ts'
import { nearest } from './suggest.ts'
import { durationMs } from './time/duration.ts'

const STRATEGIES = ['fixed', 'linear', 'exponential', 'custom'] as const
type BackoffStrategy = (typeof STRATEGIES)[number]

/** F-060, durations in milliseconds. Absent jitter is none, absent maxDelay no cap; 0 means zero. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly maxAttempts: number
  readonly backoffStrategy: BackoffStrategy
  readonly baseDelay?: number
  readonly maxDelay?: number
  readonly multiplier?: number
  /** true: between half and all of the delay (F-066). A fraction: 0.1 is ± 10 % (X-07). */
  readonly jitter?: boolean | number
  /** Not empty: only these are retried, whatever their class. */
  readonly retryableErrors?: readonly string[]
  readonly nonRetryableErrors?: readonly string[]
}

/** A policy as people write it: durations also as text, two aliases, defaults for what is left out. */
export interface RetryPolicyInput {
  readonly maxAttempts?: number
  /** One less than maxAttempts; 0 really means none. */
  readonly maxRetries?: number
  readonly backoffStrategy?: BackoffStrategy
  readonly baseDelay?: string | number
  /** Alias of baseDelay. */
  readonly backoffDelay?: string | number
  readonly maxDelay?: string | number
  readonly multiplier?: number
  readonly jitter?: boolean | number
  readonly retryableErrors?: readonly string[]
  readonly nonRetryableErrors?: readonly string[]
}

export type PresetSource = 'machine' | 'journey' | 'stream' | 'reconciler' | 'recurrence' | 'direct'

type PresetName = 'default' | 'reconciler' | 'stream' | `journey.${'email' | 'sms' | 'task' | 'delay'}`

const exponential = (maxAttempts: number, baseDelay: number, multiplier: number): RetryPolicy => ({
  maxAttempts,
  backoffStrategy: 'exponential',
  baseDelay,
  multiplier,
})

/** what applies when an action brings no policy of its own. */
export const PRESETS: Readonly<Record<PresetName, RetryPolicy>> = {
  default: { ...exponential(3, 1000, 2), maxDelay: 300_000, jitter: true },
  reconciler: exponential(4, 1000, 2),
  stream: { ...exponential(6, 2000, 2), maxDelay: 300_000, jitter: 0.1 },
  'journey.email': exponential(4, 60_000, 2),
  'journey.sms': exponential(6, 30_000, 1.5),
  'journey.task': { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 300_000 },
  'journey.delay': { maxAttempts: 1, backoffStrategy: 'fixed', baseDelay: 0 },
}

/** J-030: a journey module without a strategy of its own is retried like email. */
export const presetFor = (source: PresetSource, type: string): RetryPolicy => {
  if (source === 'journey') return PRESETS[`journey.${type}` as PresetName] ?? PRESETS['journey.email']
  return source === 'stream' || source === 'reconciler' ? PRESETS[source] : PRESETS.default
}

/** The longest any delay may be (S35). Exponentials reach it, not Infinity. */
const CEILING_MS = 366 * 24 * 60 * 60 * 1000

/** NaN becomes 0, so that R1 holds for policies that were never normalised. */
const within = (ms: number, cap: number): number => Math.max(0, Math.min(ms, cap)) || 0

const capOf = ({ maxDelay = CEILING_MS }: RetryPolicy): number => within(maxDelay, CEILING_MS)

const backoff = (
  { backoffStrategy, baseDelay = 1000, multiplier = 2 }: RetryPolicy,
  attempt: number,
): number => {
  switch (backoffStrategy) {
    case 'fixed':
      return baseDelay
    case 'linear':
      return baseDelay * attempt
    case 'exponential':
      // Bounded before it meets baseDelay: 0 × Infinity is NaN, and a base of zero is to stay zero.
      return baseDelay * Math.min(multiplier ** (attempt - 1), Number.MAX_VALUE)
    default:
      return 1000
  }
}

const jittered = (ms: number, jitter: boolean | number, chance: number): number => {
  if (jitter === true) return ms * (0.5 + 0.5 * chance)
  return ms * (1 + Number(jitter) * (2 * chance - 1))
}

/** Milliseconds between the failure of an attempt (1-based) and the next, by policy alone. */
export const delayBefore = (policy: RetryPolicy, attempt: number, key: string): number => {
  const cap = capOf(policy)
  const delay = within(backoff(policy, attempt), cap)
  return Math.floor(within(jittered(delay, policy.jitter ?? false, spread(`${key}#${attempt}`)), cap))
}

/** the provider's Retry-After, when it is longer than the backoff; maxDelay caps both. */
export const nextDelay = (
  policy: RetryPolicy,
  attempt: number,
  key: string,
  retryAfterMs?: number,
): number => {
  const delay = delayBefore(policy, attempt, key)
  return retryAfterMs === undefined ? delay : Math.floor(within(Math.max(delay, retryAfterMs), capOf(policy)))
}

/** Every wait of an action that never succeeds, in order. */
export const waits = (policy: RetryPolicy, key: string): readonly number[] =>
  Array.from({ length: policy.maxAttempts - 1 }, (_, index) => delayBefore(policy, index + 1, key))

/**
 * In this order: attempts left, permanent(), the policy's lists, the error itself (F-068). The class of an error is
 * its `retryable` unless somebody said otherwise, so the lists win over it, also for a 401.
 */
export const shouldRetry = ({ error, permanent }: Failure, attempt: number, policy: RetryPolicy): boolean => {
  const { retryableErrors = [], nonRetryableErrors = [] } = policy
  if (attempt >= policy.maxAttempts || permanent || nonRetryableErrors.includes(error.type)) return false
  return retryableErrors.length > 0 ? retryableErrors.includes(error.type) : error.retryable
}

const MAX_ATTEMPTS = 1000
const MAX_LISTED = 100

const quote = (value: unknown): string =>
  typeof value === 'object' ? 'an object' : `“${String(value).slice(0, 80)}”`

const refuse = (path: string, problem: string, details: ErrorDetails): never => {
  throw new PawlError('invalid_policy', `${path} ${problem}`, { ...details, path })
}

const suggested = (word: unknown, known: Iterable<string>): ErrorDetails => {
  const suggestion = typeof word === 'string' ? nearest(word, known) : undefined
  return suggestion === undefined ? {} : { suggestion }
}

type Read = (value: unknown, path: string) => unknown

const number =
  (isGood: (value: number) => boolean, expected: string): Read =>
  (value, path) =>
    typeof value === 'number' && isGood(value)
      ? value
      : refuse(path, `cannot be ${quote(value)}`, { expected })

const whole = (least: number, most: number): Read =>
  number(
    (value) => Number.isInteger(value) && value >= least && value <= most,
    `a whole number from ${least} to ${most}`,
  )

const strategy: Read = (value, path) =>
  STRATEGIES.some((known) => known === value)
    ? value
    : refuse(path, `cannot be ${quote(value)}`, {
        expected: `one of ${STRATEGIES.join(', ')}`,
        ...suggested(value, STRATEGIES),
      })

const duration: Read = (value, path) => {
  if (typeof value !== 'string' && typeof value !== 'number')
    return refuse(path, `cannot be ${quote(value)}`, { expected: 'a duration such as 30s, or milliseconds' })
  try {
    return durationMs(value)
  } catch (unreadable) {
    const { message, details } = unreadable as PawlError
    return refuse(path, `cannot be read: ${message}`, details)
  }
}

const fraction = number((value) => value >= 0 && value <= 1, 'true, false or a fraction from 0 to 1')

const errorTypes: Read = (value, path) => {
  const isList = Array.isArray(value) && value.length <= MAX_LISTED
  if (isList && value.every((type) => typeof type === 'string' && type !== '')) return [...value]
  return refuse(path, 'is not a list of error types', {
    expected: `at most ${MAX_LISTED} names such as "rate_limit"`,
  })
}

const FIELDS: ReadonlyMap<string, Read> = new Map(
  Object.entries({
    maxAttempts: whole(1, MAX_ATTEMPTS),
    maxRetries: whole(0, MAX_ATTEMPTS - 1),
    backoffStrategy: strategy,
    baseDelay: duration,
    backoffDelay: duration,
    maxDelay: duration,
    multiplier: number((value) => value >= 0 && value < Number.POSITIVE_INFINITY, 'a number of at least 0'),
    jitter: (value, path) => (typeof value === 'boolean' ? value : fraction(value, path)),
    retryableErrors: errorTypes,
    nonRetryableErrors: errorTypes,
  } satisfies Record<keyof RetryPolicyInput, Read>),
)

const readFields = (input: RetryPolicyInput, path: string): RetryPolicyInput => {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const read = FIELDS.get(name)
      if (read === undefined)
        return refuse(`${path}.${name}`, 'is not a setting of a retry policy', {
          expected: `one of ${[...FIELDS.keys()].join(', ')}`,
          ...suggested(name, FIELDS.keys()),
        })
      return [name, read(value, `${path}.${name}`)]
    }),
  )
}

/** Reads a policy as written by people; what is left out gets its default, nonsense is refused. */
export const normalisePolicy = (input: RetryPolicyInput, path = 'retryPolicy'): RetryPolicy => {
  if (!isObject(input)) return refuse(path, `cannot be ${quote(input)}`, { expected: 'an object' })
  const { maxRetries, backoffDelay, ...policy } = readFields(input, path)
  if (maxRetries !== undefined && policy.maxAttempts !== undefined)
    refuse(`${path}.maxRetries`, 'says the same as maxAttempts', { expected: 'one of the two' })
  if (backoffDelay !== undefined && policy.baseDelay !== undefined)
    refuse(`${path}.backoffDelay`, 'says the same as baseDelay', { expected: 'one of the two' })
  return {
    maxAttempts: maxRetries === undefined ? PRESETS.default.maxAttempts : maxRetries + 1,
    backoffStrategy: PRESETS.default.backoffStrategy,
    ...(backoffDelay !== undefined && { baseDelay: backoffDelay }),
    ...policy,
  } as RetryPolicy
}
