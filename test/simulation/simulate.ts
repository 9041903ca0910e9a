// Owns many worlds in a row, and what they came to.

import { openBed } from './bed.ts'
import { FAULTS, type Fault } from './faults.ts'
import type { Invariant } from './judge.ts'
import type { Plant } from './plants.ts'
import { prepareRows } from './rows.ts'
import { type Course, runWorld } from './run-world.ts'

export interface SimulateOptions {
  readonly seeds: number
  /** The first seed. */
  readonly from?: number
  readonly course?: Course
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
  /** Of the shortest world. */
  readonly fewestSteps: number
  /** Processes that start what they wrote themselves. */
  readonly eager: number
  readonly faults: Readonly<Record<Fault, number>>
  readonly traces: readonly number[]
  readonly violations: readonly Found[]
}

/** As much as is over soon after the faults are: most of a world is trouble. */
export const COURSE: Course = { steps: 180, ask: 0.15, asks: 9, alone: 0.9 }

/** All but the traces. */
export type SimulationSummary = Omit<Simulated, 'traces'>

export const simulate = async (options: SimulateOptions): Promise<Simulated> => {
  const { seeds, from = 1, course = COURSE, plant, isEager = false, onWorld } = options
  const bed = await openBed()
  const rows = prepareRows(bed.db)
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  const violations: Found[] = []
  const traces: number[] = []
  let [taken, fewest, eager] = [0, Number.POSITIVE_INFINITY, 0]
  let seed = from
  try {
    for (; seed < from + seeds && !(isEager && violations.length > 0); seed++) {
      const verdict = await runWorld(bed, rows, { seed, course, ...(plant && { plant }) })
      taken += verdict.steps
      fewest = Math.min(fewest, verdict.steps)
      eager += verdict.eager
      traces.push(verdict.trace)
      for (const [fault, count] of verdict.faults) faults[fault] += count
      const { violation, story } = verdict
      if (violation) violations.push({ seed, ...violation, story })
      onWorld?.(seed)
    }
  } finally {
    await bed.close()
  }
  return { seeds: seed - from, steps: taken, fewestSteps: fewest, eager, faults, traces, violations }
}
