// Owns claiming: how many slots are free, what to claim for them and in how many parts, and the attempts under way. Who
// gets the slots is core's planner; what one attempt does is attempt.ts.

import type { ClaimedAction, Store, UnreadableAction } from '../store/store.ts'
import { type Crew, type CrewParts, createCrew } from './crew.ts'
import type { Hand } from './eager.ts'
import type { Share } from './heads.ts'
import { messageOf } from './log.ts'
import { createReserve, mostUnsettled, type ReserveParts } from './reserve.ts'
import type { StopReason } from './scene.ts'
import { createSuspects } from './suspects.ts'

export interface WorkerOptions {
  readonly slots: number
  readonly leaseMs: number
  /** Rows of one claim at most. */
  readonly batch: number
}

export interface WorkerParts extends CrewParts, ReserveParts {
  readonly store: Pick<Store, 'claim' | 'claims'>
}

export interface Worker extends Hand {
  /** Claims what fits and starts it; answers how many. More may be asked for by then: the next call starts those. */
  readonly claim: () => Promise<number>
  /** Starts what was asked for before, and asks for no more. */
  readonly land: () => Promise<void>
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
  { slots, batch, claims }: Pick<WorkerOptions, 'slots' | 'batch'> & { readonly claims: number },
): number => {
  if (came < asked || asked < batch) return batch
  if (asked < most) return most
  return Math.max(most, Math.min(most * 2, MAX_BATCH * claims, slots - (slots % batch)))
}

const bury = ({ log, settling, worker }: WorkerParts, action: UnreadableAction): void => {
  log.error('an action cannot be read', { action: action.id, error: action.unreadable.message })
  settling
    .bury(action, worker)
    .catch((error: unknown) => log.error('it could not be set aside', { error: messageOf(error) }))
}

type Rows = Awaited<ReturnType<Store['claim']>>

/** A claim that was asked for. */
interface Asked {
  readonly shares: readonly Share[]
  readonly asked: number
  /** Of what could be asked for at most. */
  readonly part: number
  readonly since: number
  readonly rows: Promise<Rows>
  /** Until they begin, their slots are kept: else a flood that is not queued would begin in them, beyond all slots. */
  readonly giveBack: () => void
}

const askedOf = (shares: readonly Share[]): number => shares.reduce((sum, { n }) => sum + n, 0)

/** Asks for the shares. */
const ask = (
  { store, chance, clock, worker }: WorkerParts,
  crew: Crew,
  { shares, part, leaseMs }: Pick<Asked, 'shares' | 'part'> & Pick<WorkerOptions, 'leaseMs'>,
): Asked => {
  const asked = askedOf(shares)
  const since = clock.monotonic()
  const byteBudget = crew.room()
  const giveBack = crew.pledge(shares, byteBudget)
  const request = { shares, batch: asked, worker, nonce: chance.nonce(), leaseMs, byteBudget }
  const rows = store.claim({ ...clock.clocks(), ...request })
  // It is waited for after the one before it.
  rows.catch(() => undefined)
  return { shares, asked, part, since, rows, giveBack }
}

/** Waits for what was asked for; what cannot be read is set aside. */
const receive = async (parts: WorkerParts, { shares, rows: coming }: Asked): Promise<Rows> => {
  const rows = await coming
  const given = new Map<number, number>()
  for (const { lane } of rows) given.set(lane, (given.get(lane) ?? 0) + 1)
  parts.heads.claimed(shares, given)
  for (const row of rows) if (!('plan' in row)) bury(parts, row)
  return rows
}

/** What is asked for: how much at a time, and in how many claims. */
const createAsking = (parts: WorkerParts, crew: Crew, options: WorkerOptions) => {
  const { heads, store } = parts
  const { slots, batch, leaseMs } = options
  const mostClaims = store.claims
  const coming: Asked[] = []
  let most = batch
  /**
   * Where the queue gives all that is asked for it is asked for in two parts, if the store does more than one thing at a
   * time: it looks for one while the other is begun and settled here.
   */
  const claims = (): number => (most > batch ? mostClaims : 1)
  const part = (): number => Math.ceil(most / claims())
  const free = (): number => {
    if (crew.size() >= mostUnsettled(slots) || crew.room() <= 0) return 0
    return parts.isLate() && crew.underWay.size() > 0 ? 0 : Math.min(slots - crew.occupied(), part())
  }
  return {
    free,
    more: (): void => {
      while (coming.length < claims()) {
        const room = free()
        // Beside another a small one does not pay.
        if (room < (coming.length === 0 ? 1 : batch)) return
        const shares = heads.plan(room, crew.lanes)
        if (shares.length === 0) return
        coming.push(ask(parts, crew, { shares, part: part(), leaseMs }))
      }
    },
    /** The one that was asked for first. */
    next: (): Asked | undefined => coming.shift(),
    learn: ({ asked, part }: Asked, came: number): void => {
      if (came === 0) return
      // All of a part came: as if all that it is a part of had been asked for.
      const whole = asked < part ? asked : Math.max(asked, most)
      most = nextMost(
        { most, asked: whole, came: came < asked ? came : whole },
        { slots, batch, claims: mostClaims },
      )
    },
  }
}

export const createWorker = (parts: WorkerParts, options: WorkerOptions): Worker => {
  const { heads, log } = parts
  const suspects = createSuspects(parts, options.slots)
  const crew = createCrew(parts, suspects.over)
  const { underWay } = crew
  const asking = createAsking(parts, crew, options)
  const begin = async (one: Asked): Promise<number> => {
    let rows: Rows
    let admitted: readonly ClaimedAction[]
    try {
      rows = await receive(parts, one)
      admitted = await suspects.admit(rows.filter((each) => 'plan' in each))
    } finally {
      one.giveBack()
    }
    for (const row of admitted) crew.begin(row, one.since)
    asking.learn(one, rows.length)
    return rows.length
  }
  const claim = async (tries: number): Promise<number> => {
    if (tries > 0 && asking.free() > 0) {
      await heads.refresh()
      asking.more()
    }
    const next = asking.next()
    if (next === undefined) return 0
    return (await begin(next)) || claim(tries - 1)
  }
  const land = async (): Promise<void> => {
    for (let next = asking.next(); next !== undefined; next = asking.next())
      await begin(next).catch((error: unknown) => log.warn('a claim was lost', { error: messageOf(error) }))
  }
  return {
    claim: () => claim(TRIES),
    land,
    reserve: createReserve(parts, crew, options),
    inFlight: underWay.size,
    ids: () => underWay.all().map(({ id }) => id),
    anyDone: crew.next,
    stopAll: (reason) => {
      for (const attempt of underWay.all()) attempt.stop(reason)
    },
    idle: async () => {
      while (crew.size() > 0) await crew.next()
    },
  }
}
