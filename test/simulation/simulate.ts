// Owns many worlds in a row, and what they came to.

import { openBed } from './bed.ts'
import { FAULTS, type Fault } from './faults.ts'
import type { Invariant } from './judge.ts'
import type { Plant } from './plants.ts'
import { prepareRows } from './rows.ts'
import { runWorld } from './run-world.ts'

export interface SimulateOptions {
  readonly seeds: number
  /** The first seed. */
  readonly from?: number
  /** Steps of each world before its faults end. */
  readonly steps?: number
  readonly plant?: Plant
  /** Ends with the first world that breaks. */
  readonly isEager?: boolean
  readonly onWorld?: (seed: number) => void
}

export interface Found {
  readonly seed: number
  readonly step: number
  readonly invariant: Invariant
  readonly what: string
  readonly story: readonly string[]
}

export interface Simulated {
  readonly seeds: number
  readonly steps: number
  readonly faults: Readonly<Record<Fault, number>>
  readonly traces: readonly number[]
  readonly violations: readonly Found[]
}

export const STEPS = 300

/** What `npm run torture` wants to know: did it hold, and was it hard enough? */
export const sumUp = ({ seeds, steps, faults, violations }: Simulated) => {
  const [rarest, times] = Object.entries(faults).reduce((least, each) => (each[1] < least[1] ? each : least))
  const summary = { seeds, steps, faults, rarest: { fault: rarest, times }, violations }
  return { isHeld: violations.length === 0, summary }
}

export const simulate = async (options: SimulateOptions): Promise<Simulated> => {
  const { seeds, from = 1, steps = STEPS, plant, isEager = false, onWorld } = options
  const bed = await openBed()
  const rows = prepareRows(bed.db)
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  const violations: Found[] = []
  const traces: number[] = []
  let taken = 0
  let seed = from
  try {
    for (; seed < from + seeds && !(isEager && violations.length > 0); seed++) {
      const verdict = await runWorld(bed, rows, { seed, steps, ...(plant && { plant }) })
      taken += verdict.steps
      traces.push(verdict.trace)
      for (const [fault, count] of verdict.faults) faults[fault] += count
      const { violation, story } = verdict
      if (violation) violations.push({ seed, ...violation, story })
      onWorld?.(seed)
    }
  } finally {
    await bed.close()
  }
  return { seeds: seed - from, steps: taken, faults, traces, violations }
}
