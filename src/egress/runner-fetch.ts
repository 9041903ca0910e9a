// Owns the view of the door that one attempt of a runner gets: fetch, bound to the attempt's signal and time. Where a runner
// follows redirects, whatever may be a credential stays with the origin it was meant for.

import type { Egress } from './egress.ts'
import type { EgressResponse } from './fetch.ts'
import type { EgressRequest } from './request.ts'

/** What a runner says about a request. Limits and time are the engine's to say. */
interface RunnerRequest extends Pick<EgressRequest, 'method' | 'headers' | 'body' | 'json' | 'redirects'> {
  readonly sameOrigin?: boolean
}

/** A custom header may hold a key (S20): only what says nothing but what the content is goes along to another origin. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'idempotency-key', 'traceparent', 'tracestate'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
])

const following = (url: string, { headers = {}, redirects = 0, sameOrigin }: RunnerRequest) =>
  redirects === 0
    ? {}
    : {
        redirects,
        sensitive: Object.keys(headers).filter((name) => !PLAIN.has(name.toLowerCase())),
        ...(sameOrigin && { origin: new URL(url).origin }),
      }

export const runnerFetch =
  (
    egress: Pick<Egress, 'fetch'>,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ): ((url: string, request?: RunnerRequest) => Promise<EgressResponse>) =>
  (url, request = {}) => {
    const { method, headers, body, json } = request
    return egress.fetch(url, {
      ...following(url, request),
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      ...(json !== undefined && { json }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal,
    })
  }
