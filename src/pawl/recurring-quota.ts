// Owns what a tenant may have of recurrences (S33): how many, how close together, and whether this process has any to do
// with them. How many there are is counted at most once a minute and kept up in between, so that making many stays cheap.

import { PawlError } from '../core/errors.ts'
import { hasEnded } from '../core/execution.ts'
import { parseCron } from '../core/time/cron/parse.ts'
import { assertMinInterval } from '../core/time/cron/spacing.ts'
import { durationMs } from '../core/time/duration.ts'
import { MIN_INTERVAL_MS, RECURRENCE_ID } from '../core/triggers/recurrence-data.ts'
import type { Clock } from '../engine/clock.ts'
import type { Reader } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'

export interface RecurrenceOptions {
  /** False: this process neither fires recurrences nor takes new ones. Default true. */
  readonly enabled?: boolean
  /** How many a tenant may have, those written in code aside. Default 10,000. */
  readonly max?: number
  /** The least between two firings. Default `1s`. */
  readonly minInterval?: string | number
}

export interface RecurrenceQuota {
  readonly assertOn: () => void
  /** Before one is made: is there room for one more? */
  readonly assertRoom: (of: Tenancy) => Promise<void>
  /** One was made. */
  readonly took: (of: Tenancy) => void
  readonly assertInterval: (cron: string) => void
}

const DEFAULT_MAX = 10_000
const COUNTED_FOR_MS = 60_000

interface Counted {
  readonly count: number
  readonly until: number
}

const count = async (reader: Pick<Reader, 'executions'>, of: Tenancy, most: number): Promise<number> => {
  let found = 0
  let after: string | undefined
  do {
    const page = await reader.executions(
      of,
      { definition: RECURRENCE_ID },
      { limit: 250, ...(after !== undefined && { after }) },
    )
    found += page.data.filter(({ execution }) => !hasEnded(execution)).length
    after = page.next
  } while (after !== undefined && found < most)
  return found
}

export const createRecurrenceQuota = (
  reader: Pick<Reader, 'executions'>,
  clock: Pick<Clock, 'monotonic'>,
  { enabled = true, max = DEFAULT_MAX, minInterval = MIN_INTERVAL_MS }: RecurrenceOptions = {},
): RecurrenceQuota => {
  const minMs = Math.max(MIN_INTERVAL_MS, durationMs(minInterval, 'recurrences.minInterval'))
  const counted = new Map<string, Counted>()
  const keyOf = ({ namespace, tenant }: Tenancy): string => JSON.stringify([namespace, tenant])
  const known = async (of: Tenancy): Promise<number> => {
    const kept = counted.get(keyOf(of))
    if (kept !== undefined && clock.monotonic() < kept.until) return kept.count
    const fresh = { count: await count(reader, of, max), until: clock.monotonic() + COUNTED_FOR_MS }
    counted.set(keyOf(of), fresh)
    return fresh.count
  }
  return {
    assertOn: () => {
      if (enabled) return
      throw new PawlError('recurrence_conflict', 'recurrences are switched off in this process', {
        expected: 'background.enable_recurring_actions = true, or recurrences.enabled of Pawl.open',
      })
    },
    assertRoom: async (of) => {
      if ((await known(of)) < max) return
      // What was removed since it was counted has made room.
      counted.delete(keyOf(of))
      if ((await known(of)) < max) return
      throw new PawlError('quota_exceeded', `this tenant has ${max} recurrences, and may have no more`, {
        expected: 'one removed first, or a higher recurrences.max',
      })
    },
    took: (of) => {
      const kept = counted.get(keyOf(of))
      if (kept !== undefined) counted.set(keyOf(of), { ...kept, count: kept.count + 1 })
    },
    assertInterval: (cron) => assertMinInterval(parseCron(cron), minMs),
  }
}
