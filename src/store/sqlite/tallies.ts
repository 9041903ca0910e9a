// Owns what is counted: gathered while a transaction writes, and added to the counters at its end. Each tenant, hour and name has a
// row there, so that for two hundred actions of as many tenants four hundred rows were written. Counts of many are
// one row instead, a tally, and are added to the counters with those of other transactions: mostly of the same tenants.
// A1  A tally goes in the transaction that adds it to the counters: who reads both in one statement counts everything once.
// A2  There are never more than a few: whoever writes the next one adds them up before.
// A3  A tally that is damaged is refused, by whoever reads it and whoever would add it up.

import type { Tenancy } from '../store.ts'
import { seal, unsealed } from './sealed.ts'
import type { Statements } from './statements.ts'

export interface Counting {
  readonly count: (of: Tenancy, name: string, at: number, by: number) => void
  readonly writeCounts: () => void
}

const HOUR = 3_600_000

/** What is counted of one tenant in one hour, by name. */
interface Bin extends Tenancy {
  readonly bucket: number
  readonly counts: Map<string, number>
}

interface Bins {
  readonly all: () => readonly Bin[]
  readonly add: (of: Tenancy, bucket: number, name: string, by: number) => void
}

const createBins = (): Bins => {
  const bins = new Map<string, Bin>()
  let last: Bin | undefined
  /** Mostly the one that was asked for before. */
  const binOf = ({ namespace, tenant }: Tenancy, bucket: number): Bin => {
    if (last?.bucket === bucket && last.tenant === tenant && last.namespace === namespace) return last
    // Told apart by their lengths, whatever the names hold; several times cheaper than JSON.
    const key = `${namespace.length} ${bucket} ${namespace}${tenant}`
    last = bins.get(key) ?? { namespace, tenant, bucket, counts: new Map() }
    bins.set(key, last)
    return last
  }
  return {
    all: () => [...bins.values()],
    add: (of, bucket, name, by) => {
      const { counts } = binOf(of, bucket)
      counts.set(name, (counts.get(name) ?? 0) + by)
    },
  }
}

/** As a tally holds it, and as the statements that read tallies take it apart. */
type Written = readonly [
  namespace: string,
  tenant: string,
  bucket: number,
  counts: Readonly<Record<string, number>>,
]

/** Names as they come out of a column of text, which has no half characters: JSON would keep them. */
const writtenOf = ({ namespace, tenant, bucket, counts }: Bin): Written => [
  namespace.toWellFormed(),
  tenant.toWellFormed(),
  bucket,
  Object.fromEntries(counts),
]

const bump = (sql: Statements, bins: readonly Bin[]): void => {
  for (const { namespace, tenant, bucket, counts } of bins)
    for (const [name, by] of counts)
      if (by !== 0) sql.bumpCounter.run({ namespace, tenant, name, bucket, by })
}

/** So many tenants at least, in one transaction, are worth a tally. */
const MANY = 8
/** So many tallies are added up by one transaction: 7 to 11 ms, where each has two hundred tenants of a thousand. */
export const MOST_TALLIES = 32

const readTallies = (sql: Statements): readonly string[] =>
  sql.readTallies
    .all<{ readonly number: number; readonly counts: string }>()
    .map(({ number, counts }) => unsealed(counts, `tally ${number}`))

/** Statements that read them cannot see whether they are as they were written: asked before, in the same snapshot. */
export const assertTallies = (sql: Statements): void => void readTallies(sql)

/** Adds every tally to the counters. */
export const foldTallies = (sql: Statements): void => {
  const tallies = readTallies(sql)
  if (tallies.length === 0) return
  const bins = createBins()
  for (const [namespace, tenant, bucket, counts] of tallies.flatMap<Written>((text) => JSON.parse(text)))
    for (const name of Object.keys(counts)) bins.add({ namespace, tenant }, bucket, name, counts[name]!)
  bump(sql, bins.all())
  sql.clearTallies.run()
}

const writeTally = (sql: Statements, bins: readonly Bin[]): void => {
  if (sql.lastTally.get<{ number: number }>()!.number >= MOST_TALLIES) foldTallies(sql)
  sql.insertTally.run({ counts: seal(bins.map(writtenOf)) })
}

export const createCounting = (sql: Statements): Counting => {
  let bins = createBins()
  return {
    count: (of, name, at, by) => bins.add(of, at - (at % HOUR), name, by),
    writeCounts: () => {
      const all = bins.all()
      if (all.length < MANY) bump(sql, all)
      else writeTally(sql, all)
      bins = createBins()
    },
  }
}
