// Owns the attempts under way in a worker, by how far they are, and the slots kept for what is being claimed or written. It
// counts, and starts what it is told to; who gets a slot is decided by worker.ts and reserve.ts.

import type { ClaimedAction, Tenancy } from '../store/store.ts'
import { type Attempt, type AttemptParts, beginAttempt } from './attempt.ts'
import { tenantOf } from './heads.ts'
import { weigh } from './weigh.ts'

export interface CrewParts extends AttemptParts {
  /** A slot is free again. */
  readonly onFree: () => void
}

/** Of one claim, and of all that is under way: memory is bounded whatever the slots and the payloads are (F33). */
const BYTE_BUDGET = 4 * 1024 * 1024
const BYTES_UNDER_WAY = 4 * BYTE_BUDGET

const createCounts = <Key>() => {
  const counts = new Map<Key, number>()
  const add = (key: Key, by: 1 | -1): void => {
    const now = (counts.get(key) ?? 0) + by
    if (now === 0) counts.delete(key)
    else counts.set(key, now)
  }
  return { counts: counts as ReadonlyMap<Key, number>, add }
}

/** Slots that are taken: by runners that have not returned, by claims and by what is being written. */
const createSlots = () => {
  const tenants = createCounts<string>()
  const reserved = new Set<Promise<void>>()
  let occupied = 0
  const occupy = (of: Tenancy, by: 1 | -1): void => {
    occupied += by
    tenants.add(tenantOf(of), by)
  }
  return {
    tenants: tenants.counts,
    reserved,
    occupied: (): number => occupied,
    occupy,
    /** Keeps slots for a claim while it is asked for. */
    pledge: (slots: number): (() => void) => {
      occupied += slots
      return () => {
        occupied -= slots
      }
    },
    reserve: (of: Tenancy): (() => void) => {
      const over = Promise.withResolvers<void>()
      reserved.add(over.promise)
      occupy(of, 1)
      return () => {
        reserved.delete(over.promise)
        occupy(of, -1)
        over.resolve()
      }
    },
  }
}

export type Crew = ReturnType<typeof createCrew>

export const createCrew = (parts: CrewParts, onDone: (action: ClaimedAction) => void) => {
  const { occupy, reserved, ...slots } = createSlots()
  const underWay = new Map<Attempt, string>()
  const lanes = createCounts<number>()
  let bytes = 0
  const begin = (action: ClaimedAction, since: number): void => {
    const size = weigh(action.plan.config)
    occupy(action, 1)
    lanes.add(action.lane, 1)
    bytes += size
    const attempt = beginAttempt(parts, action, since)
    underWay.set(attempt, action.id)
    void attempt.returned.then(() => {
      lanes.add(action.lane, -1)
      occupy(action, -1)
      parts.onFree()
    })
    void attempt.done.then(() => {
      underWay.delete(attempt)
      bytes -= size
      onDone(action)
      parts.onFree()
    })
  }
  return {
    ...slots,
    underWay,
    lanes: lanes.counts,
    begin,
    /** Work that is not settled. */
    size: (): number => underWay.size + reserved.size,
    /** What more may be claimed, in bytes; nothing when there is enough. */
    room: (): number => Math.min(BYTE_BUDGET, BYTES_UNDER_WAY - bytes),
    /** Everything that is under way or may still begin. */
    pending: (): readonly Promise<void>[] => [
      ...Array.from(underWay.keys(), ({ done }) => done),
      ...reserved,
    ],
  }
}
