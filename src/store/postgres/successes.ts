// Owns the commit that is nothing but first successes, which is what a worker writes most: two hundred in one, thousands in a
// second. Its members go straight into the columns of settleActions, without a draft: none of them can see what another did,
// and whether each claim holds is seen by the statement. By way of the draft the same took three times the memory.
// S1  What is written is what the draft would write, row by row and count by count; what is any more than this goes that way.

import type { Member, Result, Settle, Tenancy } from '../store.ts'
import { isSettledSurely } from './assume.ts'
import { columnsOf } from './columns.ts'
import type { Committed } from './commit.ts'
import { type Count, hourOf, keyOf } from './draft.ts'
import { ROOM } from './receipts.ts'
import type { Caller } from './statements.ts'
import { countingOf } from './tallies.ts'
import type { Encoded } from './write.ts'

interface Row extends Tenancy {
  readonly id: string
  readonly token: number
  readonly nonce: string
  readonly attempt: number
  readonly lost: number
  readonly reaps: number
  readonly started_at: number | null
  readonly finished_at: number
  readonly result: string | null
}

/** How many of a tenant ended in an hour. */
interface Bin extends Tenancy {
  readonly bucket: number
  count: number
}

export interface Successes {
  readonly rows: readonly Row[]
  readonly bins: readonly Bin[]
}

const OK: Result = { status: 'ok' }
const NO_NEWS = { lanes: [], timers: false, inbox: false, all: false, claims: [] }

/** A later success has its attempt written down. */
const isFirst = (settle: Settle): boolean => isSettledSurely(settle) && settle.attempt <= 1

const onlySettleOf = ({ settle, advance, deliver, enqueue, control, record }: Member): Settle | undefined =>
  settle?.length === 1 && !advance && !deliver && !enqueue && !control && !record ? settle[0] : undefined

const rowOf = (
  { namespace, tenant }: Tenancy,
  { claim, settlement, attempt, startedAt, endedAt }: Settle,
): Row => ({
  id: claim.id,
  namespace,
  tenant,
  token: claim.token,
  nonce: claim.nonce,
  attempt,
  lost: settlement.lost,
  reaps: settlement.reaps,
  started_at: attempt > 0 ? startedAt : null,
  finished_at: endedAt,
  result: settlement.result === undefined ? null : JSON.stringify(settlement.result),
})

/** Mostly all are one tenant's, of one hour: each is added to the last, and looked for where that is another's. */
const createBins = () => {
  const bins: Bin[] = []
  const known = new Map<string, Bin>()
  let last: Bin | undefined
  const isOf = (bin: Bin, { namespace, tenant }: Tenancy, bucket: number): boolean =>
    bin.bucket === bucket && bin.tenant === tenant && bin.namespace === namespace
  return {
    bins: bins as readonly Bin[],
    add: (of: Tenancy, at: number): void => {
      const bucket = hourOf(at)
      if (last === undefined || !isOf(last, of, bucket)) {
        const key = keyOf(of.namespace, of.tenant, bucket)
        last = known.get(key)
        if (last === undefined) {
          last = { namespace: of.namespace, tenant: of.tenant, bucket, count: 0 }
          known.set(key, last)
          bins.push(last)
        }
      }
      last.count += 1
    },
  }
}

/** In the order of ids, in which rows are met; undefined: one is there twice. */
const inOrder = (rows: Row[]): readonly Row[] | undefined => {
  let isSorted = true
  for (let index = 1; isSorted && index < rows.length; index += 1)
    isSorted = rows[index - 1]!.id < rows[index]!.id
  if (isSorted) return rows
  rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  return rows.some(({ id }, index) => rows[index + 1]?.id === id) ? undefined : rows
}

/** Undefined: it is more than that, or somebody loses by what the members say themselves. */
export const successesOf = (batch: readonly Member[]): Successes | undefined => {
  const found: Row[] = []
  const { bins, add } = createBins()
  for (const member of batch) {
    const settle = onlySettleOf(member)
    if (settle === undefined || !isFirst(settle)) return undefined
    found.push(rowOf(member, settle))
    add(member, member.at)
  }
  const rows = inOrder(found)
  return rows && { rows, bins }
}

/** As many as are counted of each tenant and hour. */
const NAMES = 2

/** In the order of all who write them. */
export const countsOf = ({ bins }: Successes): readonly Count[] =>
  bins
    .flatMap(({ namespace, tenant, bucket, count }) => [
      { namespace, tenant, name: 'actions.open', bucket, value: -count },
      { namespace, tenant, name: 'actions.succeeded', bucket, value: count },
    ])
    .map((row) => [keyOf(row.namespace, row.tenant, row.name, row.bucket), row] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)

/** `counts` are those that stand on no receipt. */
export const encodeSuccesses = (
  { isOwn }: Caller,
  successes: Successes,
  counts: readonly Count[],
): readonly Encoded[] => {
  const settled = { name: 'settleActions', args: columnsOf('settleActions', successes.rows, isOwn) } as const
  if (counts.length === 0) return [settled]
  const name = countingOf(counts)
  return [settled, { name, args: columnsOf(name, counts, isOwn) }]
}

export const allWell = ({ rows, bins }: Successes): Committed => ({
  results: rows.map(() => OK),
  news: [{ ...NO_NEWS, isTallied: NAMES * bins.length > ROOM }],
})
