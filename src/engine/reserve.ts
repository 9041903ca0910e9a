// Owns who may start what nobody has queued (KERNEL §4): nothing of its tenant that is known to be due comes first, a slot is
// free, its tenant is within its share of them, and no limit could hold it up. What is refused here is queued as usual.

import type { ClaimedAction, Tenancy } from '../store/store.ts'
import type { Crew } from './crew.ts'
import type { Hand, Reservation } from './eager.ts'
import { type Heads, tenantOf } from './heads.ts'
import { messageOf } from './log.ts'
import type { Chance } from './random.ts'
import type { AttemptParts } from './scene.ts'

export interface ReserveParts extends Pick<AttemptParts, 'gate' | 'settling' | 'worker' | 'clock' | 'log'> {
  readonly heads: Heads
  readonly chance: Chance
  /** The event loop does not keep up. */
  readonly isLate: () => boolean
  /** A slot is free again. */
  readonly onFree: () => void
}

interface ReserveOptions {
  readonly slots: number
  readonly leaseMs: number
}

/** Two commits of two hundred under way, and as much again for those behind them: more only waits, and is kept alive meanwhile. */
const ENOUGH = 800

/** Work that is under way or has returned and is not settled yet: beyond this nothing more is claimed. */
export const mostUnsettled = (slots: number): number => Math.min(4 * slots, Math.max(2 * slots, ENOUGH))
/**
 * One slot more for every so many, for tenants that have nothing under way: whoever floods holds all others, and would be
 * first by up to 114 starts at each of them (seen with two processes) until one is claimed for someone else.
 */
const SPARE = 8

/** Written down as claimed, and nobody knows whether it is: if so it is let go of, with no attempt counted. */
const letGo = ({ settling, worker, clock, log }: ReserveParts, action: ClaimedAction): void => {
  const now = clock.now()
  const outcome = { kind: 'lost', cause: 'shutdown', started: false } as const
  const ended = { action, outcome, attempt: 0, startedAt: now, endedAt: now, worker, cancelRequested: false }
  settling
    .settle(ended)
    .catch((error: unknown) => log.warn('a claim was left to expire', { error: messageOf(error) }))
}

/** Who may start what nobody has queued: nothing of its tenant comes first, a slot is free, and it is their turn. */
export const createReserve = (
  parts: ReserveParts,
  crew: Crew,
  { slots, leaseMs }: ReserveOptions,
): Hand['reserve'] => {
  const { heads, chance, clock, worker, gate } = parts
  /** Slots by equal parts among those who run something or wait for it. */
  const isWithinShare = (running: number): boolean => {
    const most = Math.floor(slots / (running + 1))
    let sharing = crew.tenants()
    for (const tenant of heads.waiting()) {
      if (sharing > most) return false
      if (crew.runningOf(tenant) === 0) sharing += 1
    }
    return sharing <= most
  }
  const hasRoom = (of: Tenancy): boolean => {
    const running = crew.runningOf(tenantOf(of))
    const more = running === 0 ? Math.floor(slots / SPARE) : 0
    const isBounded = crew.size() < mostUnsettled(slots) + more && crew.room() > 0
    if (!isBounded || crew.occupied() >= slots + more) return false
    return running === 0 || (!parts.isLate() && isWithinShare(running))
  }
  return (of, { plan }): Reservation | undefined => {
    const { type, priority, runner } = plan
    const { namespace, tenant } = of
    const lane = { namespace, tenant, type: runner === undefined ? type : `${type}@${runner}`, priority }
    if (!hasRoom(of) || !heads.isNext(lane) || !gate.isFree(of, plan)) return undefined
    const since = clock.monotonic()
    const free = crew.reserve(of)
    return {
      claim: { worker, nonce: chance.nonce(), leaseMs },
      begin: (action) => {
        heads.learn({ ...lane, lane: action.lane })
        crew.begin(action, since)
        free()
      },
      cancel: () => {
        free()
        parts.onFree()
      },
      abandon: (action) => {
        free()
        parts.onFree()
        letGo(parts, action)
      },
    }
  }
}
