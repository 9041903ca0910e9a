// Owns `Idempotency-Key` (S10): a request that is repeated under its key is answered as the first time, and not done
// again. Only what was done is kept: a refusal leaves nothing behind and may be tried anew. Keys are a tenant's own.

import { createHash } from 'node:crypto'
import { PawlError } from '../core/errors.ts'
import { base32, sha256 } from '../core/hash.ts'
import { canonical } from '../core/json.ts'
import type { Idempotency, KeptAnswer, KeyedRequest } from '../store/idempotency.ts'
import type { Tenancy } from '../store/store.ts'
import type { Answer } from './route.ts'

export interface Keyed {
  readonly of: Tenancy
  readonly request: KeyedRequest
}

interface AskedOf {
  readonly key: string | undefined
  readonly method: string
  /** With its query. */
  readonly target: string
  readonly text: string
  readonly holder: string
}

const KEY = /^[\x21-\x7e]{1,255}$/
/** Longer than any request takes; whoever died with it is waited for no longer. */
const HELD_MS = 5 * 60_000
const KEPT_MS = 24 * 3_600_000
const REPLAYED = { 'idempotent-replayed': 'true' }

export const keyedRequest = (
  of: Tenancy,
  { key, method, target, text, holder }: AskedOf,
): Keyed | undefined => {
  if (key === undefined) return undefined
  if (!KEY.test(key))
    throw new PawlError('input_invalid', 'the Idempotency-Key cannot be read', {
      path: 'idempotency-key',
      expected: '1 to 255 visible characters of ASCII',
    })
  const requestHash = createHash('sha256')
    .update(canonical([method, target, text]))
    .digest('hex')
  return { of, request: { key, requestHash, holder } }
}

/** The same for the same request under the same key: what it makes is made once, even if its answer is lost. */
export const derivedId = ({ of, request }: Keyed, prefix: string): string => {
  const { namespace, tenant } = of
  const cause = canonical([namespace, tenant, request.key, request.requestHash])
  return `${prefix}_${base32(sha256(cause)).slice(0, 26)}`
}

const asKept = ({ status, headers = {}, body, kept }: Answer): KeptAnswer => ({
  status,
  headers,
  body: JSON.stringify(kept ?? body ?? null),
})

const replay = ({ status, headers, body }: KeptAnswer): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers, ...REPLAYED },
  body,
})

const refusals = {
  other: () =>
    new PawlError('idempotency_reused', 'this Idempotency-Key belongs to another request', {
      path: 'idempotency-key',
      expected: 'a key of its own, or the same request',
    }),
  busy: () =>
    new PawlError('idempotency_busy', 'the same request is still under way', {
      path: 'idempotency-key',
      headers: { 'retry-after': '1' },
    }),
}

/** Does the work once under its key; without a key, simply does it. */
export const onceUnder = async (
  store: Idempotency,
  keyed: Keyed | undefined,
  now: () => number,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  if (keyed === undefined) return work()
  const { of, request } = keyed
  const taken = await store.take(of, request, now(), now() + HELD_MS)
  if (taken.kind === 'kept') return replay(taken.answer)
  if (taken.kind !== 'taken') throw refusals[taken.kind]()
  try {
    const answer = await work()
    await store.keep(of, request, asKept(answer), now() + KEPT_MS)
    return answer
  } catch (error) {
    await store.release(of, request)
    throw error
  }
}
