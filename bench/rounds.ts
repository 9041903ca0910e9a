// Owns figures that are measured against a store or a server: contenders take turns, round after round, each on a ground of
// its own, so that the weather of the machine hits them alike. A figure is the median of its rounds, with their spread.

import type { Figure } from './measure.ts'

export type Readings = Readonly<Record<string, number>>

export interface Racer {
  readonly label: string
  /** One round, on a fresh ground: readings by name. */
  readonly race: () => Promise<Readings>
}

export interface Course {
  /** As in "PostgreSQL". */
  readonly name: string
  readonly rounds: number
  readonly ours: Racer
  readonly others: readonly Racer[]
  /** The unit of each reading; what is not named here is not told. */
  readonly units: Readonly<Record<string, string>>
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const rounded = (value: number): number => (value >= 100 ? Math.round(value) : Math.round(value * 100) / 100)

const spreadOf = (values: readonly number[]): readonly [number, number] => [
  rounded(Math.min(...values)),
  rounded(Math.max(...values)),
]

/** A latency is better when it is lower, a rate when it is higher: above 1 is always better for us. */
const ratioOf = (unit: string, ours: number, theirs: number): number =>
  Math.round((unit === 'ms' ? theirs / ours : ours / theirs) * 100) / 100

const progress = (text: string): void => void process.stderr.write(`bench: ${text}\n`)

const gather = async ({ name, rounds, ours, others }: Course): Promise<Map<string, Readings[]>> => {
  const readings = new Map<string, Readings[]>()
  for (let round = 1; round <= rounds; round++)
    for (const { label, race } of [ours, ...others]) {
      progress(`${name}, round ${round} of ${rounds}: ${label}`)
      try {
        readings.set(label, [...(readings.get(label) ?? []), await race()])
      } catch (error) {
        progress(`${label} did not finish: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  return readings
}

export const race = async (course: Course): Promise<readonly Figure[]> => {
  const { name: place, ours, others, units } = course
  const readings = await gather(course)
  const valuesOf = (label: string, name: string): readonly number[] =>
    (readings.get(label) ?? []).flatMap((reading) => reading[name] ?? [])
  return Object.entries(units).flatMap(([reading, unit]) => {
    const own = valuesOf(ours.label, reading)
    if (own.length === 0) return []
    const value = median(own)
    const figure = { name: `${place}: ${reading}`, value: rounded(value), unit, spread: spreadOf(own) }
    const compared = others.flatMap(({ label }) => {
      const theirs = valuesOf(label, reading)
      if (theirs.length === 0) return []
      const peerValue = median(theirs)
      const ratio = ratioOf(unit, value, peerValue)
      return [
        {
          ...figure,
          peer: label,
          peerValue: rounded(peerValue),
          peerSpread: spreadOf(theirs),
          ratio,
        },
      ]
    })
    return compared.length > 0 ? compared : [figure]
  })
}
