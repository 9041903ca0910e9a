// Owns what may go wrong, how often it does under one seed, and how often it did. A seed has some kinds and not others:
// worlds in which everything fails at once hide what a single kind does.

import type { Seeded } from './seeded.ts'

/** How often each strikes where it can, in a world that has it. */
const RATES = {
  'commit: crash before': 0.03,
  'commit: crash after': 0.03,
  'commit: reply lost': 0.06,
  'commit: refused by the store': 0.06,
  'commit: one member refused': 0.05,
  'commit: slow': 0.06,
  'claim: crash before': 0.08,
  'claim: crash after': 0.08,
  'claim: reply lost': 0.12,
  'claim: refused by the store': 0.12,
  'extend: reply lost': 1,
  'extend: refused by the store': 1,
  'read: refused by the store': 0.02,
  'read: crash before': 0.004,
  'wake: lost': 0.3,
  'process: crash': 0.004,
  'process: frozen beyond its lease': 0.004,
  'process: drained': 0.003,
  'process: deployed': 0.4,
  'store: new epoch': 0.003,
  'store: a row is damaged': 0.004,
  'clock: forward': 0.004,
  'clock: backward': 0.004,
  'clock: one is wrong': 0.5,
  'event: sent twice at once': 0.3,
  'event: sent again': 0.5,
  'runner: refused': 0.2,
  'runner: refused for good': 0.1,
  'runner: throws after the effect': 0.15,
  'runner: slow': 0.4,
  'runner: hangs': 0.12,
  'runner: does not stop': 0.12,
  'runner: ends the process before the effect': 0.12,
  'runner: ends the process after the effect': 0.14,
  'runner: answers nonsense': 0.12,
  'runner: tells its secret': 0.2,
  'decider: throws': 0.9,
} as const

export type Fault = keyof typeof RATES
export const FAULTS = Object.keys(RATES) as readonly Fault[]

export interface Faults {
  /** Does it strike here and now? Counted when it does. */
  readonly strikes: (fault: Fault) => boolean
  /** From now on nothing does. */
  readonly end: () => void
  readonly counts: ReadonlyMap<Fault, number>
}

export const createFaults = (seeded: Seeded, note: (line: string) => void): Faults => {
  const rates = new Map<Fault, number>()
  for (const fault of FAULTS)
    if (seeded.chance(0.4)) rates.set(fault, RATES[fault] * (0.3 + 1.7 * seeded.fraction()))
  const counts = new Map<Fault, number>()
  return {
    strikes: (fault) => {
      const rate = rates.get(fault)
      if (rate === undefined || !seeded.chance(rate)) return false
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
      note(fault)
      return true
    },
    end: () => rates.clear(),
    counts,
  }
}
