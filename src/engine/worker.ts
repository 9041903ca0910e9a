// Owns claiming: how many slots are free, what to claim for them, and the attempts under way. Who gets the slots is
// core's planner; what one attempt does is attempt.ts.

import type { ClaimedAction, Store, UnreadableAction } from '../store/store.ts'
import type { StopReason } from './attempt.ts'
import { type Crew, type CrewParts, createCrew } from './crew.ts'
import type { Hand } from './eager.ts'
import type { Share } from './heads.ts'
import { messageOf } from './log.ts'
import { createReserve, type ReserveParts, UNSETTLED_PER_SLOT } from './reserve.ts'
import { createSuspects } from './suspects.ts'

export interface WorkerOptions {
  readonly slots: number
  readonly leaseMs: number
  /** Rows of one claim at most. */
  readonly batch: number
}

export interface WorkerParts extends CrewParts, ReserveParts {
  readonly store: Pick<Store, 'claim'>
}

export interface Worker extends Hand {
  /** Claims what fits and starts it; answers how many. */
  readonly claim: () => Promise<number>
  readonly inFlight: () => number
  /** The actions under way. */
  readonly ids: () => readonly string[]
  /** Resolves when one more of the attempts under way is over. */
  readonly anyDone: () => Promise<void>
  /** Every attempt under way hears it. */
  readonly stopAll: (reason: StopReason) => void
  /** Resolves when nothing is under way. */
  readonly idle: () => Promise<void>
}

/** What was believed to be due was not: the store is looked at again, at once, or the next would wait for the scan. */
const TRIES = 3
/** What a claim grows to while every claim comes back full. */
const MAX_BATCH = 200

interface Claimed {
  /** What the claim could ask for at most, and what it asked for: fewer slots may have been free. */
  readonly most: number
  readonly asked: number
  readonly came: number
}

/**
 * What the next claim may ask for. It grows while the queue gives all that is asked for, as far as all slots could take
 * twice as much: where they are little more than a batch, what is urgent has never more than a batch before it (G15). That
 * somebody holds a part of the slots says nothing of the queue, so it does not make claims small again (F42).
 */
export const nextMost = (
  { most, asked, came }: Claimed,
  { slots, batch }: Pick<WorkerOptions, 'slots' | 'batch'>,
): number => {
  if (came < asked || asked < batch) return batch
  return asked < most ? most : Math.max(most, Math.min(most * 2, MAX_BATCH, slots - (slots % batch)))
}

const bury = ({ log, settling, worker }: WorkerParts, action: UnreadableAction): void => {
  log.error('an action cannot be read', { action: action.id, error: action.unreadable.message })
  settling
    .bury(action, worker)
    .catch((error: unknown) => log.error('it could not be set aside', { error: messageOf(error) }))
}

type Rows = Awaited<ReturnType<Store['claim']>>

const askedOf = (shares: readonly Share[]): number => shares.reduce((sum, { n }) => sum + n, 0)

/** Asks for the shares; what cannot be read is set aside. */
const take = async (
  parts: WorkerParts,
  crew: Crew,
  shares: readonly Share[],
  leaseMs: number,
): Promise<Rows> => {
  const { store, heads, chance, clock, worker } = parts
  const batch = askedOf(shares)
  const nonce = chance.nonce()
  const byteBudget = crew.room()
  const rows = await store.claim({ ...clock.clocks(), shares, batch, worker, nonce, leaseMs, byteBudget })
  const given = new Map<number, number>()
  for (const { lane } of rows) given.set(lane, (given.get(lane) ?? 0) + 1)
  heads.claimed(shares, given)
  for (const row of rows) if (!('plan' in row)) bury(parts, row)
  return rows
}

export const createWorker = (parts: WorkerParts, options: WorkerOptions): Worker => {
  const { heads, clock } = parts
  const { slots, leaseMs, batch } = options
  const suspects = createSuspects(parts, slots)
  const crew = createCrew(parts, suspects.over)
  const { underWay } = crew
  let most = batch
  const free = (): number => {
    if (crew.size() >= slots * UNSETTLED_PER_SLOT || crew.room() <= 0) return 0
    return parts.isLate() && underWay.size > 0 ? 0 : Math.min(slots - crew.occupied(), most)
  }
  /** Until they begin, their slots are kept: else a flood that is not queued would begin in them, beyond all slots. */
  const run = async (shares: readonly Share[]): Promise<number> => {
    const since = clock.monotonic()
    const asked = askedOf(shares)
    const giveBack = crew.pledge(asked)
    let rows: Rows
    let admitted: readonly ClaimedAction[]
    try {
      rows = await take(parts, crew, shares, leaseMs)
      admitted = await suspects.admit(rows.filter((each) => 'plan' in each))
    } finally {
      giveBack()
    }
    for (const row of admitted) crew.begin(row, since)
    if (rows.length > 0) most = nextMost({ most, asked, came: rows.length }, options)
    return rows.length
  }
  const claim = async (tries = TRIES): Promise<number> => {
    if (free() <= 0) return 0
    await heads.refresh()
    const shares = heads.plan(free(), crew.lanes)
    if (shares.length === 0) return 0
    const came = await run(shares)
    return came === 0 && tries > 1 ? claim(tries - 1) : came
  }
  return {
    claim: () => claim(),
    reserve: createReserve(parts, crew, options),
    inFlight: () => underWay.size,
    ids: () => Array.from(underWay.keys(), ({ id }) => id),
    anyDone: crew.next,
    stopAll: (reason) => {
      for (const attempt of underWay.keys()) attempt.stop(reason)
    },
    idle: async () => {
      while (crew.size() > 0) await crew.next()
    },
  }
}
