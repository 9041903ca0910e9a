// Owns what a runner is given besides its config: one attempt's view of the world. The engine makes it; the door to
// the network (fetch) is the egress guard's, so a runner that uses it cannot reach what it must not.

import type { Json, JsonObject } from '../core/json.ts'

export interface RunnerContext {
  /** The guarded door to the network: addresses are checked, redirects not followed, answers bounded. */
  readonly fetch: (url: string, request?: FetchRequest) => Promise<FetchResponse>
  /** Timeout, cancellation, a lost lease and shutdown all arrive here. */
  readonly signal: AbortSignal
  /** The first attempt is 1. */
  readonly attempt: number
  /** The same for every attempt of one action: send it along, and the receiver can tell a repetition. */
  readonly idempotencyKey: string
  /** The same identity in words: `l_882/notice_received/notify`. */
  readonly stepKey: string
  readonly secret: (name: string) => Promise<string>
  /**
   * For a runner that speaks something other than HTTP: throws when a secret among `parts` is bound to hosts of which
   * `host` (`mail.example.com:465`) is none. `fetch` asks by itself.
   */
  readonly assertDestination?: (host: string, parts: readonly string[]) => void
  readonly log: Log
  /** Epoch milliseconds on the engine's clock, which may be virtual. */
  readonly now: () => number

  /** The action, its name in the definition, and when it was made: the same for every attempt. */
  readonly actionId?: string
  readonly actionName?: string
  readonly createdAt?: number

  /** Whose action it is: what is cached across attempts (a token) must be kept apart by these. */
  readonly namespace?: string
  readonly tenant?: string

  // REQUIREMENTS F-040. What belongs to an execution is absent for an action dispatched without one.
  /** When this attempt began. */
  readonly timestamp: number
  readonly executionId?: string
  readonly execution?: JsonObject
  readonly message?: { readonly type: string; readonly payload: Json }
  readonly previousState?: string
  readonly currentState?: string
  readonly variables?: JsonObject
}

export interface FetchRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sent as the JSON body, with its content type. */
  readonly json?: unknown
  /** How many redirects are followed; none unless given. Each hop is checked like the first, and credentials stay behind. */
  readonly redirects?: number
  /** A redirect may not lead off the origin of the URL. */
  readonly sameOrigin?: boolean
}

export interface FetchResponse {
  readonly status: number
  /** A status from 200 to 299. */
  readonly ok: boolean
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: () => Promise<string>
  /** As untyped as JSON.parse: the runner's result schema is what checks it. */
  readonly json: () => Promise<ReturnType<typeof JSON.parse>>
}

type Write = (message: string, fields?: JsonObject) => void
interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}
