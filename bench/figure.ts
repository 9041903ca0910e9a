// Owns what a figure is: a number with its unit, which way is better, its spread over the rounds, and what it is measured
// against. A ratio above 1 is always in Pawl's favour.

export type Readings = Readonly<Record<string, number>>

/** What a reading is measured in. */
export interface Measure {
  readonly unit: string
  readonly better: 'higher' | 'lower'
}

export const perSecond: Measure = { unit: '1/s', better: 'higher' }
export const milliseconds: Measure = { unit: 'ms', better: 'lower' }
export const bytes: Measure = { unit: 'bytes', better: 'lower' }
export const each: Measure = { unit: '', better: 'lower' }

export interface Figure extends Measure {
  readonly name: string
  readonly value: number
  /** Lowest and highest round. */
  readonly spread: readonly [number, number]
  /** What has to be lost before a promise of ours is broken. */
  readonly durable?: string
  readonly peer?: string
  readonly peerValue?: number
  readonly peerSpread?: readonly [number, number]
  readonly peerDurable?: string
  readonly ratio?: number
}

/** One side of a figure: its rounds. */
export interface Side {
  readonly label: string
  readonly durable?: string
  readonly values: readonly number[]
}

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const median = (values: readonly number[]): number => percentile(values, 0.5)

const rounded = (value: number): number =>
  value >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000

const spreadOf = (values: readonly number[]): readonly [number, number] => [
  rounded(Math.min(...values)),
  rounded(Math.max(...values)),
]

const ratioOf = ({ better }: Measure, ours: number, theirs: number): number =>
  Number((better === 'lower' ? theirs / ours : ours / theirs).toPrecision(3))

/** One figure for each peer that has rounds, or one alone when none has. */
export const figuresOf = (
  name: string,
  measure: Measure,
  ours: Side,
  peers: readonly Side[],
): readonly Figure[] => {
  if (ours.values.length === 0) return []
  const own = {
    name,
    value: rounded(median(ours.values)),
    ...measure,
    spread: spreadOf(ours.values),
    ...(ours.durable !== undefined && { durable: ours.durable }),
  }
  const compared = peers
    .filter(({ values }) => values.length > 0)
    .map(({ label, durable, values }) => ({
      ...own,
      peer: label,
      peerValue: rounded(median(values)),
      peerSpread: spreadOf(values),
      ...(durable !== undefined && { peerDurable: durable }),
      ratio: ratioOf(measure, median(ours.values), median(values)),
    }))
  return compared.length > 0 ? compared : [own]
}
