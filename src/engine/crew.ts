// Owns the attempts under way in a worker, by how far they are, and the slots kept for what is being claimed or written. It
// counts, and starts what it is told to; who gets a slot is decided by worker.ts and reserve.ts.

import type { ClaimedAction, Tenancy } from '../store/store.ts'
import { beginAttempt } from './attempt.ts'
import { type Share, tenantOf } from './heads.ts'
import { createPlaces, type Places } from './places.ts'
import type { Attempt, AttemptParts, Watcher } from './scene.ts'
import { weigh } from './weigh.ts'

export interface CrewParts extends AttemptParts {
  /** A slot is free again. */
  readonly onFree: () => void
}

/** Of one claim, and of all that is under way: memory is bounded whatever the slots and the payloads are (F33). */
const BYTE_BUDGET = 4 * 1024 * 1024
const BYTES_UNDER_WAY = 4 * BYTE_BUDGET

/** More names than this are not kept for those who have nothing under way: whoever plans goes through all that are kept. */
const MANY = 64

/** How many there are of each. Most come again at once: a name stays when there are none, so that the Map stays as it is. */
const createCounts = <Key>() => {
  const counts = new Map<Key, number>()
  let some = 0
  return {
    counts: counts as ReadonlyMap<Key, number>,
    /** Of how many there is one. */
    some: (): number => some,
    add: (key: Key, by: number): void => {
      const before = counts.get(key) ?? 0
      const now = before + by
      if (before === 0) some += 1
      if (now === 0) some -= 1
      if (now === 0 && counts.size > MANY) counts.delete(key)
      else counts.set(key, now)
    },
  }
}

/** Slots that are taken: by runners that have not returned, by claims and by what is being written. */
const createSlots = (onOver: () => void) => {
  const tenants = createCounts<string>()
  const lanes = createCounts<number>()
  let [occupied, reserved] = [0, 0]
  const occupy = (of: Tenancy, by: 1 | -1): void => {
    occupied += by
    tenants.add(tenantOf(of), by)
  }
  return {
    /** How many of a tenant's are under way. */
    runningOf: (tenant: string): number => tenants.counts.get(tenant) ?? 0,
    /** How many tenants have some. */
    tenants: tenants.some,
    lanes: lanes.counts,
    reserved: (): number => reserved,
    occupied: (): number => occupied,
    /** For one that runs. */
    occupy: (action: ClaimedAction, by: 1 | -1): void => {
      occupy(action, by)
      lanes.add(action.lane, by)
    },
    /** For what is being claimed: whose it will be is not known. */
    keep: (shares: readonly Share[], by: 1 | -1): void => {
      for (const { lane, n } of shares) {
        occupied += by * n
        lanes.add(lane, by * n)
      }
    },
    reserve: (of: Tenancy): (() => void) => {
      reserved += 1
      occupy(of, 1)
      return () => {
        reserved -= 1
        occupy(of, -1)
        onOver()
      }
    },
  }
}

/** Those who wait until one more of what is under way is over. */
const createWaiting = () => {
  let waiting: PromiseWithResolvers<void> | undefined
  return {
    next: (): Promise<void> => {
      waiting ??= Promise.withResolvers<void>()
      return waiting.promise
    },
    tell: (): void => {
      waiting?.resolve()
      waiting = undefined
    },
  }
}

export type Crew = ReturnType<typeof createCrew>

export const createCrew = (parts: CrewParts, onDone: (action: ClaimedAction) => void) => {
  const { next, tell } = createWaiting()
  const { occupy, keep, reserved, ...slots } = createSlots(tell)
  const underWay = createPlaces<Attempt>()
  let bytes = 0
  const watcher: Watcher = {
    onReturned: (action) => {
      occupy(action, -1)
      parts.onFree()
    },
    onDone: (action, attempt) => {
      bytes -= attempt.bytes
      underWay.delete(attempt)
      onDone(action)
      tell()
      parts.onFree()
    },
  }
  const begin = (action: ClaimedAction, since: number): void => {
    occupy(action, 1)
    const size = weigh(action.plan.config)
    bytes += size
    underWay.add(beginAttempt(parts, action, since, size, watcher))
  }
  const pledge = (shares: readonly Share[], room: number, by: 1 | -1): void => {
    bytes += by * room
    keep(shares, by)
  }
  return {
    ...slots,
    /** Keeps slots and room for a claim while it is asked for: whoever plans the next one counts it as under way. */
    pledge: (shares: readonly Share[], room: number): (() => void) => {
      pledge(shares, room, 1)
      return () => pledge(shares, room, -1)
    },
    underWay: underWay as Pick<Places<Attempt>, 'size' | 'all'>,
    begin,
    /** Work that is not settled. */
    size: (): number => underWay.size() + reserved(),
    /** What more may be claimed, in bytes; nothing when there is enough. */
    room: (): number => Math.min(BYTE_BUDGET, BYTES_UNDER_WAY - bytes),
    /** Resolves when one more of what is under way or may still begin is over. */
    next,
  }
}
