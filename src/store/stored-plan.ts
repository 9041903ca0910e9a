// Owns the form in which a plan lies in a row: without what nearly every plan says, which was two thirds of its text. A row is
// written four times on its way to the history and read once. Rows from before this form say all of it, and are read alike.
// U1  What is left out never changes, whatever the defaults of later versions are: rows of years ago are read by it.

import type { ActionPlan } from '../core/action.ts'
import { isEmpty } from '../core/json.ts'

const { freeze } = Object

const USUAL = freeze({
  status: 'queued',
  secrets: freeze([]),
  priority: 50,
  retryPolicy: freeze({
    maxAttempts: 3,
    backoffStrategy: 'exponential',
    baseDelay: 1000,
    multiplier: 2,
    maxDelay: 300_000,
    jitter: true,
  }),
  timeoutMs: 30_000,
  delivery: 'at_least_once',
  cancelOnExit: false,
  tags: freeze([]),
  metadata: freeze({}),
} as const) satisfies Partial<ActionPlan>

export type StoredPlan = Omit<ActionPlan, keyof typeof USUAL> & Partial<ActionPlan>

const isUsualPolicy = (policy: ActionPlan['retryPolicy']): boolean => {
  const usual = USUAL.retryPolicy
  return (
    policy.maxAttempts === usual.maxAttempts &&
    policy.backoffStrategy === usual.backoffStrategy &&
    policy.baseDelay === usual.baseDelay &&
    policy.multiplier === usual.multiplier &&
    policy.maxDelay === usual.maxDelay &&
    policy.jitter === usual.jitter &&
    policy.retryableErrors === undefined &&
    policy.nonRetryableErrors === undefined
  )
}

/** As it is written. */
export const storedPlan = (plan: ActionPlan): StoredPlan => {
  const {
    status,
    secrets,
    priority,
    retryPolicy,
    timeoutMs,
    delivery,
    cancelOnExit,
    tags,
    metadata,
    ...own
  } = plan
  const stored: { -readonly [Name in keyof StoredPlan]: StoredPlan[Name] } = own
  if (status !== USUAL.status) stored.status = status
  if (secrets.length > 0) stored.secrets = secrets
  if (priority !== USUAL.priority) stored.priority = priority
  if (!isUsualPolicy(retryPolicy)) stored.retryPolicy = retryPolicy
  if (timeoutMs !== USUAL.timeoutMs) stored.timeoutMs = timeoutMs
  if (delivery !== USUAL.delivery) stored.delivery = delivery
  if (cancelOnExit !== USUAL.cancelOnExit) stored.cancelOnExit = cancelOnExit
  if (tags.length > 0) stored.tags = tags
  if (!isEmpty(metadata)) stored.metadata = metadata
  return stored
}

/** As it was asked for. */
export const planOfStored = (stored: StoredPlan): ActionPlan => ({ ...USUAL, ...stored })
