// Owns the race: contenders take turns, round after round, each on a ground of its own, so that the weather of the machine
// hits them alike. A figure is the median of its rounds, with their spread.

import { type Figure, figuresOf, type Measure, type Readings, type Side } from './figure.ts'
import { miss, say } from './progress.ts'

export interface Racer {
  readonly label: string
  readonly durable?: string
  /** One round, on a fresh ground: readings by name. */
  readonly race: () => Promise<Readings>
}

export interface Course {
  /** As in "PostgreSQL: queue". */
  readonly name: string
  readonly rounds: number
  readonly ours: Racer
  readonly others: readonly Racer[]
  /** What each reading is measured in; what is not named here is not told. */
  readonly measures: Readonly<Record<string, Measure>>
}

const LIMIT_MS = 300_000

/** Whoever hangs is told so, instead of keeping everyone waiting. */
const within = async <Value>(work: Promise<Value>): Promise<Value> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`not done after ${LIMIT_MS / 1000} s`)), LIMIT_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

type Rounds = (label: string, reading: string) => readonly number[]

/** One that fails once is out of the race: the next rounds would wait for it in vain. */
export const runRounds = async (name: string, rounds: number, racers: readonly Racer[]): Promise<Rounds> => {
  const readings = new Map<string, Readings[]>()
  const failed = new Set<string>()
  for (let round = 0; round < rounds; round++)
    for (const [place, { label, race }] of racers.entries()) {
      if (failed.has(label)) continue
      const percent = Math.round(((round * racers.length + place) / (rounds * racers.length)) * 100)
      say(`${name}, round ${round + 1} of ${rounds}, ${percent} %: ${label}`)
      try {
        readings.set(label, [...(readings.get(label) ?? []), await within(race())])
      } catch (error) {
        failed.add(label)
        miss(`${name}: ${label}`, error)
      }
    }
  return (label, reading) => (readings.get(label) ?? []).flatMap((one) => one[reading] ?? [])
}

export const race = async ({ name, rounds, ours, others, measures }: Course): Promise<readonly Figure[]> => {
  const valuesOf = await runRounds(name, rounds, [ours, ...others])
  return Object.entries(measures).flatMap(([reading, measure]) => {
    const side = ({ label, durable }: Racer): Side => ({
      label,
      ...(durable !== undefined && { durable }),
      values: valuesOf(label, reading),
    })
    return figuresOf(`${name}: ${reading}`, measure, side(ours), others.map(side))
  })
}
