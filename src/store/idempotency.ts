// The port for answers that are kept, so that a request that is repeated under the same key is answered and not done
// again. A key is taken before the work and keeps the answer after it; whoever took it and died loses it after a while.
// Times are real, in epoch milliseconds, and given in.

import type { Tenancy } from './store.ts'

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface KeyedRequest {
  readonly key: string
  /** Of everything that makes two requests the same. */
  readonly requestHash: string
  /** Who takes it: nobody else can keep an answer under it, or let it go. */
  readonly holder: string
}

export type Taken =
  | { readonly kind: 'taken' }
  /** Done before: this was the answer. */
  | { readonly kind: 'kept'; readonly answer: KeptAnswer }
  /** The key belongs to another request. */
  | { readonly kind: 'other' }
  /** The same request is under way. */
  | { readonly kind: 'busy' }

export interface Idempotency {
  /** Holds until `until`. Some of what is past its time goes with it. */
  readonly take: (of: Tenancy, request: KeyedRequest, now: number, until: number) => Promise<Taken>
  readonly keep: (of: Tenancy, request: KeyedRequest, answer: KeptAnswer, until: number) => Promise<void>
  readonly release: (of: Tenancy, request: KeyedRequest) => Promise<void>
}

/** Forgotten with each that is taken. */
export const FORGOTTEN_AT_ONCE = 20
