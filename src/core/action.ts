// Owns the words for an effect: what a definition asks for (request), what is written down (plan), the statuses
// it goes through and how they are shown. How a request becomes a plan is in action-plan.ts, how an attempt ends
// in settle.ts.

import type { ActionError } from './action-error.ts'
import type { Json, JsonObject } from './json.ts'
import type { RetryPolicy, RetryPolicyInput } from './retry.ts'
import type { SecretSlot } from './template/render.ts'
import type { DeliveryWindow } from './time/window.ts'

export type ActionStatus = 'queued' | 'running' | 'succeeded' | 'dead' | 'review' | 'cancelled' | 'skipped'
export type ShownStatus = Exclude<ActionStatus, 'queued'> | 'scheduled' | 'ready' | 'retrying'
export type AttemptOutcome = 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'lost'
export type Delivery = 'at_least_once' | 'at_most_once' | 'reconcile'
export type OnFull = 'wait' | 'drop' | 'cancel_oldest'

export interface Dedup {
  readonly key: string
  /** Keep the key for this long, or as long as the action is active. */
  readonly for?: string | number
  readonly while?: 'active'
}

export interface Limit {
  readonly key: string
  /** `10/s`, `100/m`, `1000/h`, `5/d`. */
  readonly rate?: string
  readonly concurrency?: number
  readonly onFull?: OnFull
}

/** How an action waits for others of its key; gathering.ts says what it makes of them. */
export type Gather =
  | { readonly kind: 'debounce'; readonly waitMs: number; readonly maxWaitMs?: number }
  | { readonly kind: 'batch'; readonly waitMs: number; readonly size: number }

/** The options of a request: the same names in TypeScript, JSON and YAML. Durations are text or milliseconds. */
export interface RequestOptions {
  readonly name?: string
  readonly summary?: string
  readonly delay?: string | number
  /** RFC 3339 or epoch milliseconds. */
  readonly dueAt?: string | number
  readonly priority?: number
  readonly retryPolicy?: RetryPolicyInput
  readonly timeout?: string | number
  readonly delivery?: Delivery
  readonly dedup?: Dedup
  readonly limit?: Limit
  /** The name of a calendar in the config, or a window written here. */
  readonly window?: string | JsonObject
  readonly expiresAfter?: string | number
  readonly condition?: Json
  readonly cancelOnExit?: boolean
  readonly runner?: string
  readonly tags?: readonly string[]
  readonly metadata?: JsonObject
}

export interface ActionRequest {
  readonly type: string
  readonly config: Json
  readonly options: RequestOptions
  /** Written by code: the config is taken as it is. Rendering it would run whatever `{{…}}` a user's data holds. */
  readonly literal?: true
  /** Of a literal config: where a secret is filled in, inside the runner's process. */
  readonly secrets?: readonly SecretSlot[]
}

/** An action as it is written down: rendered, every default resolved, the same bytes for every attempt. */
export interface ActionPlan {
  readonly name: string
  readonly type: string
  readonly stepKey: string
  readonly status: 'queued' | 'skipped' | 'dead'
  /** Why it was not queued. */
  readonly error?: ActionError
  readonly config: Json
  /** Where in the config a secret is still to be filled in, inside the runner's process. */
  readonly secrets: readonly SecretSlot[]
  readonly summary?: string
  readonly dueAt: number
  readonly priority: number
  readonly retryPolicy: RetryPolicy
  readonly timeoutMs: number
  readonly delivery: Delivery
  readonly dedup?: { readonly key: string; readonly forMs?: number }
  /** Others of its key are taken in while it waits. */
  readonly gather?: Gather
  readonly limit?: Limit
  readonly window?: string | DeliveryWindow
  readonly expiresAt?: number
  readonly cancelOnExit: boolean
  readonly runner?: string
  readonly tags: readonly string[]
  readonly metadata: JsonObject
}

interface Shown {
  readonly status: ActionStatus
  readonly dueAt: number
  readonly attempt: number
}

/** `queued` is shown as what it is waiting for; this is derived, never stored. */
export const shownStatus = (action: Shown, now: number): ShownStatus => {
  if (action.status !== 'queued') return action.status
  if (action.attempt > 0) return 'retrying'
  return action.dueAt > now ? 'scheduled' : 'ready'
}
