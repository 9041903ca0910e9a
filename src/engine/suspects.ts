// Owns caution with actions whose workers were lost: each may be the one that ends processes (F35). Of those lost once a
// process has a few under way, of those lost again one, and holds no lease on another meanwhile: a poison message soon
// takes only itself along, and not, five times, everything that was claimed together with it.

import type { ClaimedAction } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { holdBack } from './hold-back.ts'
import { type Log, messageOf } from './log.ts'

export interface Suspects {
  /** Those that may begin now; the others are put off first, with no attempt and no expiry counted. */
  readonly admit: (claimed: readonly ClaimedAction[]) => Promise<readonly ClaimedAction[]>
  readonly over: (action: ClaimedAction) => void
}

/**
 * Once is a deploy or a power cut, and must not take long to recover from: as many slots as this part of them. Were they all
 * free to it, 100 such messages among 10,000 would bring 4,500 of their neighbours under suspicion; so it is 1,500.
 */
const SLOTS_OF_ONCE = 1 / 4
/** One after the other: those put off together do not come back together. */
const STEP_MS = 50
/** Others are under way, for nobody knows how long. */
const PATIENCE_MS = 1000

/** What is to be cancelled is ended without being run. */
const isSuspect = ({ reaps, cancelRequested }: ClaimedAction): boolean => reaps > 0 && !cancelRequested

/** At most so many of some actions are under way. */
const createCell = (most: number) => {
  const under = new Set<string>()
  return {
    /** Those that may begin, and for how long the others are put off. */
    part: (rows: readonly ClaimedAction[]) => {
      const next = rows.slice(0, most - under.size)
      for (const { id } of next) under.add(id)
      const firstDelay = next.length > 0 ? STEP_MS : PATIENCE_MS
      const delayOf = (index: number): number => firstDelay + Math.floor(index / most) * STEP_MS
      return {
        next,
        putOff: rows.slice(next.length).map((action, index) => [action, delayOf(index)] as const),
      }
    },
    over: (id: string): void => void under.delete(id),
  }
}

export const createSuspects = (
  { commit, clock, log }: { readonly commit: Commit; readonly clock: Clock; readonly log: Log },
  slots: number,
): Suspects => {
  const once = createCell(Math.max(1, Math.floor(slots * SLOTS_OF_ONCE)))
  const again = createCell(1)

  const putOff = async (action: ClaimedAction, delayMs: number): Promise<void> => {
    const why = { waitMs: delayMs, hold: 'suspect:few at a time' }
    await commit(holdBack(action, clock.now(), why)).catch((error: unknown) =>
      log.warn('a suspect could not be put off', { action: action.id, error: messageOf(error) }),
    )
  }

  return {
    admit: async (claimed) => {
      const suspects = claimed.filter(isSuspect)
      if (suspects.length === 0) return claimed
      const parts = [
        once.part(suspects.filter(({ reaps }) => reaps === 1)),
        again.part(suspects.filter(({ reaps }) => reaps > 1)),
      ]
      await Promise.all(parts.flatMap((part) => part.putOff).map(([action, delay]) => putOff(action, delay)))
      const next = new Set(parts.flatMap((part) => part.next))
      return claimed.filter((action) => !isSuspect(action) || next.has(action))
    },
    over: (action) => {
      if (!isSuspect(action)) return
      once.over(action.id)
      again.over(action.id)
    },
  }
}
