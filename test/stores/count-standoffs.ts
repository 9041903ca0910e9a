// What a PostgreSQL store does about counts while another transaction holds some: who adds to a few meets them in one order, who
// counts for many tenants waits for nobody, and who folds waits with none of the others in hand.

import type { Result } from '../../src/store/store.ts'
import { same } from '../../src/testing/store-conformance/check.ts'
import { action, NOW, OF } from '../../src/testing/store-conformance/members.ts'
import { goesPast, type Place, type Standoff, TIMES, waitsFor } from './standoff.ts'

const HOUR = NOW - (NOW % 3_600_000)
/** As many as are added to the counters at once, and as many as are not. */
const FEW = Array.from({ length: 8 }, (_, n) => `k${n}`)
const MANY = Array.from({ length: 20 }, (_, n) => `k${String(n).padStart(2, '0')}`)
const LONG_AGO = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
const FOLDED_TO = 32

const named = (tenants: readonly string[]): string => `array['${tenants.join("','")}']`

/** A counter of each on every one of these shards. */
const furnish = ({ query }: Place, tenants: readonly string[], [from, to]: readonly [number, number]) =>
  query(`insert into pawl.counters (namespace, tenant, name, bucket, shard, value)
    select 'default', k, 'actions.open', ${HOUR}, shard, 0
    from unnest(${named(tenants)}) k cross join generate_series(${from}, ${to}) shard`)

/** The other way round than they are met. A key has to be looked for: what is sure could be counted on a receipt. */
const enqueue = async (place: Place, tenants: readonly string[], name = 'of'): Promise<void> => {
  const results: readonly Result[] = await place.store.commit(
    tenants.toReversed().map((tenant) => ({
      ...OF,
      ...TIMES,
      tenant,
      enqueue: [action(`${name} ${tenant}`, { dedup: { key: name } })],
    })),
  )
  same([...new Set(results.map(({ status }) => status))], ['ok'], 'the batch')
}

const openOf = async ({ reader }: Place, tenants: readonly string[]): Promise<readonly number[]> =>
  Promise.all(tenants.map(async (tenant) => (await reader.counts({ ...OF, tenant })).actions.queued))

/** Connections count apart; where two share a row they meet in one order. */
const counting: Standoff = async (place) => {
  await furnish(place, FEW, [0, 15])
  await waitsFor(
    place,
    `select from pawl.counters where tenant = '${FEW[0]}' for update`,
    () => enqueue(place, FEW),
    [['pawl.counters', 16 * FEW.length]],
  )
}

/** As one that folds holds them: all that were committed, and all counters. */
const tallying: Standoff = async (place) => {
  await furnish(place, MANY, [0, FOLDED_TO])
  await enqueue(place, MANY, 'before')
  await goesPast(
    place,
    ['pawl.tallies', 'pawl.counters'].map((table) => `select from ${table} for update`),
    {
      retention: () => place.keeper.prune(LONG_AGO, 99),
      'a commit of many tenants': () => enqueue(place, MANY, 'meanwhile'),
    },
  )
  same(
    await openOf(place, MANY),
    MANY.map(() => 2),
    'what is counted',
  )
}

/** Two of each thing by which a counter is found; who begins with the second of any takes some before the first. */
export const SUMS = `from unnest(array['m', 'n']) namespace cross join unnest(array['t', 'u']) tenant
  cross join unnest(array['a', 'b']) name cross join unnest(array[1, 2]) bucket`
const BACK = 'order by namespace desc, tenant desc, name desc, bucket desc'

const folding: Standoff = async ({ query, ...place }) => {
  await query(`insert into pawl.counters (namespace, tenant, name, bucket, shard, value)
    select namespace, tenant, name, bucket, ${FOLDED_TO}, 1 ${SUMS}`)
  await query(`insert into pawl.tallies (namespaces, tenants, names, buckets, amounts)
    select array_agg(namespace ${BACK}), array_agg(tenant ${BACK}), array_agg(name ${BACK}),
      array_agg(bucket::bigint ${BACK}), array_agg(1::bigint) ${SUMS}`)
  await waitsFor(
    { ...place, query },
    `select from pawl.counters where namespace = 'm' and tenant = 't' and name = 'a' and bucket = 1 for update`,
    () => place.keeper.prune(LONG_AGO, 99),
    [['pawl.counters', 16]],
  )
  same(
    await query('select value, count(*)::int as rows from pawl.counters group by 1'),
    [{ value: '2', rows: 16 }],
    'what is counted',
  )
  same(await query('select from pawl.tallies'), [], 'what is left')
}

export const COUNT_STANDOFFS: Readonly<Record<string, Standoff>> = {
  'whoever counts for a few tenants meets them in one order': counting,
  'whoever counts for many tenants waits for nobody': tallying,
  'whoever folds what was counted meets it in one order': folding,
}
