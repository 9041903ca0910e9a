// Owns the options of a request as TypeScript sees them: the names of core's RequestOptions, with durations that the
// compiler reads. '30s' compiles, '1mo' and '5 minutes' do not; a computed duration is a number of milliseconds.

import type { Dedup, RequestOptions } from '../core/action.ts'
import { isEmpty } from '../core/json.ts'
import type { RetryPolicyInput } from '../core/retry.ts'
import type { DurationText } from '../core/time/duration.ts'

type Delays = 'baseDelay' | 'backoffDelay' | 'maxDelay'
type Durations = 'delay' | 'timeout' | 'expiresAfter'

interface RetryOptions extends Omit<RetryPolicyInput, Delays> {
  readonly baseDelay?: DurationText | number
  readonly maxDelay?: DurationText | number
}

interface DedupOptions extends Omit<Dedup, 'for'> {
  readonly for?: DurationText | number
}

export interface ActionOptions extends Omit<RequestOptions, Durations | 'retryPolicy' | 'dedup'> {
  readonly delay?: DurationText | number
  readonly timeout?: DurationText | number
  readonly expiresAfter?: DurationText | number
  readonly retryPolicy?: RetryOptions
  readonly dedup?: DedupOptions
}

/** an option that is undefined is an option that is not given. Later ones win; a retry policy is one whole. */
export const mergeOptions = (...layers: readonly ActionOptions[]): RequestOptions => {
  // Most layers of most requests say nothing.
  const given = layers.filter((layer) => !isEmpty(layer))
  if (given.length === 0) return {}
  return Object.fromEntries(
    given.flatMap((layer) => Object.entries(layer)).filter(([, value]) => value !== undefined),
  )
}
