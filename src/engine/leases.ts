// Owns the leases of this process: one heartbeat for all of them, and the news that one is lost or cancelled. The lease in
// the store runs by the database's clock; here it is counted from before the call that took it, so it is never thought
// longer than it is.
// L1  Whoever holds a claim hears once that it is over: lost, cancelled, or past its time while the store was away (F49).

import type { Claim, Store } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import { messageOf } from './log.ts'
import { createPlaces, type Placed } from './places.ts'

export interface LeaseHolder {
  readonly claim: Claim
  readonly stop: (reason: 'lost' | 'cancelled') => void
}

/** One that is held, or was. */
export interface Lease extends Placed {
  readonly holder: LeaseHolder
  until: number
  isTold: boolean
}

export interface Leases {
  /** `since` is the monotonic instant before the claim was asked for. */
  readonly hold: (holder: LeaseHolder, since: number) => Lease
  readonly release: (lease: Lease) => void
  /** Is there enough of it left to begin something? */
  readonly isFresh: (lease: Lease) => boolean
  readonly extend: () => Promise<void>
  readonly held: () => number
}

/** Claims in one call. */
const SLICE = 500

const keyOf = ({ id, token, nonce }: Claim): string => `${id} ${token} ${nonce}`

export const createLeases = (
  store: Pick<Store, 'extend'>,
  { leaseMs, clock, log }: { readonly leaseMs: number; readonly clock: Clock; readonly log: Log },
): Leases => {
  const held = createPlaces<Lease>()

  const lose = (lease: Lease): void => {
    if (held.delete(lease)) lease.holder.stop('lost')
  }

  const extendSlice = async (slice: readonly Lease[]): Promise<void> => {
    const since = clock.monotonic()
    const byClaim = new Map(slice.map((lease) => [keyOf(lease.holder.claim), lease]))
    const claims = slice.map(({ holder }) => holder.claim)
    const { lost, cancelled } = await store.extend(claims, leaseMs, clock.clocks())
    for (const claim of lost) lose(byClaim.get(keyOf(claim))!)
    for (const lease of slice) lease.until = since + leaseMs
    for (const claim of cancelled) {
      const lease = byClaim.get(keyOf(claim))!
      if (!held.has(lease) || lease.isTold) continue
      lease.isTold = true
      lease.holder.stop('cancelled')
    }
  }

  return {
    hold: (holder, since) => {
      const lease = { holder, until: since + leaseMs, isTold: false, place: -1 }
      held.add(lease)
      return lease
    },
    release: (lease) => void held.delete(lease),
    isFresh: (lease) => held.has(lease) && lease.until - clock.monotonic() > leaseMs / 4,
    extend: async () => {
      const all = held.all()
      for (let start = 0; start < all.length; start += SLICE) {
        try {
          await extendSlice(all.slice(start, start + SLICE))
        } catch (error) {
          log.warn('leases could not be extended', { error: messageOf(error) })
        }
      }
      const now = clock.monotonic()
      for (const lease of held.all()) if (lease.until <= now) lose(lease)
    },
    held: held.size,
  }
}
