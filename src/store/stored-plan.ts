// Owns the form in which a plan lies in a row: without what nearly every plan says, which was two thirds of its text, and without
// what the row says beside it, which was two thirds of the rest. A row is written four times on its way to the history and read once.
// Rows from before this form say all of it, and are read alike.
// U1  What is left out never changes, whatever the defaults of later versions are: rows of years ago are read by it. Nor does what
//     is taken from the row.

import type { ActionPlan } from '../core/action.ts'
import type { Growing } from '../core/action-plan.ts'
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

/** The row in which a plan lies: its step is mostly called by its id, and it is due when it was made. */
export interface PlanRow {
  readonly id: string
  readonly createdAt: number
}

/** An action is mostly called by its type. */
export type StoredPlan = Pick<ActionPlan, 'type' | 'config'> & Partial<ActionPlan>

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

/** What a plan may say and mostly does not: all that is neither usual nor in every plan. */
type Extras = Omit<ActionPlan, keyof typeof USUAL | 'name' | 'type' | 'stepKey' | 'config' | 'dueAt'>

/** By name, and only what is there: taking the rest of an object, or putting two into one, takes four times as long. */
const addExtras = (to: Growing<Extras>, from: Extras): void => {
  if (from.error !== undefined) to.error = from.error
  if (from.summary !== undefined) to.summary = from.summary
  if (from.dedup !== undefined) to.dedup = from.dedup
  if (from.gather !== undefined) to.gather = from.gather
  if (from.limit !== undefined) to.limit = from.limit
  if (from.window !== undefined) to.window = from.window
  if (from.expiresAt !== undefined) to.expiresAt = from.expiresAt
  if (from.runner !== undefined) to.runner = from.runner
}

/** As it is written. */
export const storedPlan = (plan: ActionPlan, { id, createdAt }: PlanRow): StoredPlan => {
  const { name, type, stepKey, config, dueAt } = plan
  const stored: Growing<StoredPlan> = { type, config }
  if (name !== type) stored.name = name
  if (stepKey !== id) stored.stepKey = stepKey
  if (dueAt !== createdAt) stored.dueAt = dueAt
  addExtras(stored, plan)
  if (plan.status !== USUAL.status) stored.status = plan.status
  if (plan.secrets.length > 0) stored.secrets = plan.secrets
  if (plan.priority !== USUAL.priority) stored.priority = plan.priority
  if (!isUsualPolicy(plan.retryPolicy)) stored.retryPolicy = plan.retryPolicy
  if (plan.timeoutMs !== USUAL.timeoutMs) stored.timeoutMs = plan.timeoutMs
  if (plan.delivery !== USUAL.delivery) stored.delivery = plan.delivery
  if (plan.cancelOnExit !== USUAL.cancelOnExit) stored.cancelOnExit = plan.cancelOnExit
  if (plan.tags.length > 0) stored.tags = plan.tags
  if (!isEmpty(plan.metadata)) stored.metadata = plan.metadata
  return stored
}

/** As it was asked for. */
export const planOfStored = (stored: StoredPlan, { id, createdAt }: PlanRow): ActionPlan => {
  const plan: Growing<ActionPlan> = {
    name: stored.name ?? stored.type,
    type: stored.type,
    stepKey: stored.stepKey ?? id,
    status: stored.status ?? USUAL.status,
    config: stored.config,
    secrets: stored.secrets ?? USUAL.secrets,
    dueAt: stored.dueAt ?? createdAt,
    priority: stored.priority ?? USUAL.priority,
    retryPolicy: stored.retryPolicy ?? USUAL.retryPolicy,
    timeoutMs: stored.timeoutMs ?? USUAL.timeoutMs,
    delivery: stored.delivery ?? USUAL.delivery,
    cancelOnExit: stored.cancelOnExit ?? USUAL.cancelOnExit,
    tags: stored.tags ?? USUAL.tags,
    metadata: stored.metadata ?? USUAL.metadata,
  }
  addExtras(plan, stored)
  return plan
}
