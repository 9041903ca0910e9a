// Owns caution with actions whose workers were lost again and again: each may be the one that ends processes (F35). A
// process has at most one of them under way and holds no lease on another meanwhile, so that a poison message takes
// only itself along, and not, five times, everything that was claimed together with it.

import type { ClaimedAction } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { type Log, messageOf } from './log.ts'

export interface Suspects {
  /** Those that may begin now; the others are put off first, with no attempt and no expiry counted. */
  readonly admit: (claimed: readonly ClaimedAction[]) => Promise<readonly ClaimedAction[]>
  readonly over: (action: ClaimedAction) => void
}

/** Once is a deploy or a power cut. */
const SUSPECT_REAPS = 2
/** One after the other: those put off together do not come back together. */
const STEP_MS = 50
/** Another is under way, for nobody knows how long. */
const PATIENCE_MS = 1000

export const createSuspects = ({
  commit,
  clock,
  log,
}: {
  readonly commit: Commit
  readonly clock: Clock
  readonly log: Log
}): Suspects => {
  let current: string | undefined
  const isSuspect = ({ reaps }: ClaimedAction): boolean => reaps >= SUSPECT_REAPS

  const putOff = async (action: ClaimedAction, delayMs: number): Promise<void> => {
    const { namespace, tenant, id, token, nonce } = action
    const now = clock.now()
    const claim = { id, token, nonce }
    const hold = { kind: 'hold', claim, dueAt: now + delayMs, hold: 'suspect:one at a time' } as const
    await commit({ namespace, tenant, at: now, control: [hold] }).catch((error: unknown) =>
      log.warn('a suspect could not be put off', { action: id, error: messageOf(error) }),
    )
  }

  return {
    admit: async (claimed) => {
      const suspects = claimed.filter(isSuspect)
      const isBusy = current !== undefined
      const next = isBusy ? undefined : suspects[0]
      const others = suspects.filter((action) => action !== next)
      const firstDelay = isBusy ? PATIENCE_MS : STEP_MS
      await Promise.all(others.map((action, index) => putOff(action, firstDelay + index * STEP_MS)))
      current ??= next?.id
      return claimed.filter((action) => action === next || !isSuspect(action))
    },
    over: ({ id }) => {
      if (current === id) current = undefined
    },
  }
}
