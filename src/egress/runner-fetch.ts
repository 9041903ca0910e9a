// Owns the view of the door that one attempt of a runner gets: fetch, bound to the attempt's signal and time.

import type { Egress } from './egress.ts'
import type { EgressResponse } from './fetch.ts'
import type { EgressRequest } from './request.ts'

/** What a runner says about a request. Redirects, limits and time are the engine's to say. */
type RunnerRequest = Pick<EgressRequest, 'method' | 'headers' | 'body' | 'json'>

export const runnerFetch =
  (
    egress: Pick<Egress, 'fetch'>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): ((url: string, request?: RunnerRequest) => Promise<EgressResponse>) =>
  (url, { method, headers, body, json } = {}) =>
    egress.fetch(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      ...(json !== undefined && { json }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal,
    })
