// Owns the order in which the checked addresses of a host are tried. A host that cannot be reached at one address may
// be at the next; since not a byte was sent, nothing is sent twice.

import type { Address } from './address.ts'
import { isUnreached } from './faults.ts'

/** More would only spend the deadline on a host that is down. */
const MAX_ADDRESSES = 4

/** The time to connect is shared: an address that swallows packets leaves time for the next. */
export const reachFirst = async <T>(
  addresses: readonly Address[],
  { connectMs, signal }: { readonly connectMs: number; readonly signal: AbortSignal },
  attempt: (address: Address, connectMs: number) => Promise<T>,
): Promise<T> => {
  const tried = addresses.slice(0, MAX_ADDRESSES)
  const share = Math.ceil(connectMs / tried.length)
  for (const address of tried.slice(0, -1)) {
    try {
      return await attempt(address, share)
    } catch (error) {
      if (!isUnreached(error) || signal.aborted) throw error
    }
  }
  return attempt(tried.at(-1)!, share)
}
