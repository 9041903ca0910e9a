// Owns claiming: how many slots are free, what to claim for them, and the attempts under way. Who gets the slots is
// core's planner; what one attempt does is attempt.ts.

import type { ClaimedAction, Store, UnreadableAction } from '../store/store.ts'
import { type Attempt, type AttemptParts, beginAttempt, type StopReason } from './attempt.ts'
import type { Clock } from './clock.ts'
import type { Heads } from './heads.ts'
import { type Log, messageOf } from './log.ts'
import type { Chance } from './random.ts'
import { createSuspects } from './suspects.ts'

export interface WorkerOptions {
  readonly slots: number
  readonly leaseMs: number
  /** Rows of one claim at most. */
  readonly batch: number
}

export interface WorkerParts extends AttemptParts {
  readonly store: Pick<Store, 'claim'>
  readonly heads: Heads
  readonly chance: Chance
  readonly clock: Clock
  readonly log: Log
  /** A slot is free again. */
  readonly onFree: () => void
}

export interface Worker {
  /** Claims what fits and starts it; answers how many. */
  readonly claim: () => Promise<number>
  readonly inFlight: () => number
  /** The actions under way. */
  readonly ids: () => readonly string[]
  /** Resolves when the next attempt under way is over. */
  readonly anyDone: () => Promise<void>
  /** Every attempt under way hears it. */
  readonly stopAll: (reason: StopReason) => void
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>
}

const BYTE_BUDGET = 4 * 1024 * 1024
/** Work that has returned and is not settled yet: beyond this nothing more is claimed. */
const UNSETTLED_PER_SLOT = 4

/** Attempts under way, by how far they are. */
const createCrew = (parts: WorkerParts, onDone: (action: ClaimedAction) => void) => {
  const underWay = new Map<Attempt, string>()
  const lanes = new Map<number, number>()
  let occupied = 0
  const count = (lane: number, change: 1 | -1): void => {
    occupied += change
    const now = (lanes.get(lane) ?? 0) + change
    if (now === 0) lanes.delete(lane)
    else lanes.set(lane, now)
  }
  return {
    underWay,
    lanes,
    /** Runners that have not returned. */
    occupied: (): number => occupied,
    begin: (action: ClaimedAction, since: number): void => {
      count(action.lane, 1)
      const attempt = beginAttempt(parts, action, since)
      underWay.set(attempt, action.id)
      void attempt.returned.then(() => {
        count(action.lane, -1)
        parts.onFree()
      })
      void attempt.done.then(() => {
        underWay.delete(attempt)
        onDone(action)
        parts.onFree()
      })
    },
  }
}

const bury = ({ log, settling, worker }: WorkerParts, action: UnreadableAction): void => {
  log.error('an action cannot be read', { action: action.id, error: action.unreadable.message })
  settling
    .bury(action, worker)
    .catch((error: unknown) => log.error('it could not be set aside', { error: messageOf(error) }))
}

export const createWorker = (parts: WorkerParts, { slots, leaseMs, batch }: WorkerOptions): Worker => {
  const { store, heads, chance, clock, worker } = parts
  const suspects = createSuspects(parts)
  const { underWay, lanes, occupied, begin } = createCrew(parts, suspects.over)
  const free = (): number =>
    underWay.size >= slots * UNSETTLED_PER_SLOT ? 0 : Math.min(slots - occupied(), batch)

  const claim = async (): Promise<number> => {
    if (free() <= 0) return 0
    await heads.refresh()
    const shares = heads.plan(free(), lanes)
    if (shares.length === 0) return 0
    const since = clock.monotonic()
    const rows = await store.claim({
      ...clock.clocks(),
      shares,
      batch: shares.reduce((sum, { n }) => sum + n, 0),
      worker,
      nonce: chance.nonce(),
      leaseMs,
      byteBudget: BYTE_BUDGET,
    })
    const given = new Map<number, number>()
    for (const { lane } of rows) given.set(lane, (given.get(lane) ?? 0) + 1)
    heads.claimed(shares, given)
    for (const row of rows) if (!('plan' in row)) bury(parts, row)
    for (const row of await suspects.admit(rows.filter((each) => 'plan' in each))) begin(row, since)
    return rows.length
  }
  return {
    claim,
    inFlight: () => underWay.size,
    ids: () => [...underWay.values()],
    anyDone: () => Promise.race(Array.from(underWay.keys(), ({ done }) => done)),
    stopAll: (reason) => {
      for (const attempt of underWay.keys()) attempt.stop(reason)
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(Array.from(underWay.keys(), ({ done }) => done))
    },
  }
}
