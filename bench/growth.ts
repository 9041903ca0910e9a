// Owns (D): does a claim become dearer when there is more? The same number of actions is processed where 1 k … 1 M are queued,
// where a million have ended, where a thousand tenants wait, without and with statistics, and, on PostgreSQL, while a long
// snapshot keeps the dead rows alive. Waiting and ended rows are copies of one that the engine wrote.

import { type Figure, figuresOf, perSecond } from './figure.ts'
import { copying, countRows, type Ground, type Sql } from './ground/ground.ts'
import { openPawl } from './open-pawl.ts'
import { createNoop, SLOTS } from './queue/pawl.ts'
import { type Racer, runRounds } from './rounds.ts'
import type { Scene } from './scene.ts'

/** A store in which so many are due. */
interface Stock {
  readonly label: string
  readonly store: string
  readonly fill: () => Promise<void>
}

const NEVER = 4_000_000_000_000

/** One action per tenant that is never due, and one of the first that has ended. */
export const sow = async (ground: Ground, tenants: number): Promise<string> => {
  const store = await ground.fresh()
  const { noop, onStart } = createNoop()
  const pawl = await openPawl({ store, runners: [noop] })
  const begun = new Promise<void>((resolve) => onStart(() => resolve()))
  await pawl.dispatch(noop({ n: 0 }))
  await pawl.work()
  await begun
  const names = tenants === 1 ? ['default'] : Array.from({ length: tenants }, (_, index) => `tenant-${index}`)
  await Promise.all(names.map((name) => pawl.tenant(name).dispatch(noop({ n: 0 }), { delay: '1d' })))
  await pawl.close()
  const sql = await ground.sql(store)
  await sql.query(`update ${sql.table('actions')} set due_at = ${NEVER + 1}`)
  // Statistics are for the bench to take, or not.
  if (ground.kind === 'postgres')
    await sql.query('alter table pawl.actions set (autovacuum_analyze_threshold = 2000000000)')
  await sql.close()
  return store
}

const withSql = async <Value>(ground: Ground, store: string, work: (sql: Sql) => Promise<Value>) => {
  const sql = await ground.sql(store)
  try {
    return await work(sql)
  } finally {
    await sql.close()
  }
}

let copied = 0

/** So many are due, again and again. */
export const refill = (ground: Ground, store: string, size: number, tenants = 1): Promise<void> =>
  withSql(ground, store, async (sql) => {
    const missing = size - (await countRows(sql, 'actions', `status = 'queued' and due_at < ${NEVER}`))
    const each = Math.ceil(missing / tenants)
    if (each <= 0) return
    const source = sql.series(copied, copied + each - 1)
    copied += each
    // Ids sort by time, as those that the engine draws: what tenants have waiting lies beside each other.
    const id = `'act_' || ${sql.padded} || '-' || e.tenant`
    const set = { id, due_at: `${sql.now} - 60000`, created_at: `${sql.now} - 60000` }
    const where = `due_at > ${NEVER}`
    await sql.query(await copying(sql, { table: 'actions', where, source, set, order: 'n' }))
  })

/** So many have ended. */
export const bury = (ground: Ground, store: string, count: number): Promise<unknown> =>
  withSql(ground, store, async (sql) => {
    const where = `id = (select min(o.id) from ${sql.table('actions_done')} o)`
    const set = { id: `'act_' || ${sql.padded}` }
    const source = sql.series(1_000_000_000, 1_000_000_000 + count - 1)
    await sql.query(await copying(sql, { table: 'actions_done', where, source, set }))
  })

/** From the first to the last of so many; each `part` of them as a rate of its own. */
const processSome = async (store: string, count: number, parts: number): Promise<readonly number[]> => {
  const { noop, onStart } = createNoop()
  const pawl = await openPawl({ store, runners: [noop] })
  const all = Promise.withResolvers<void>()
  const marks: number[] = []
  let seen = 0
  onStart(() => {
    if (seen % (count / parts) === 0) marks.push(performance.now())
    if (seen === count) all.resolve()
    seen += 1
  })
  const stop = await pawl.work({ slots: SLOTS })
  await all.promise
  await stop()
  await pawl.close()
  return marks.slice(1, parts + 1).map((mark, index) => (count / parts / (mark - marks[index]!)) * 1000)
}

const racerOn = ({ label, store, fill }: Stock, share: number): Racer => ({
  label,
  race: async () => {
    await fill()
    const [process] = await processSome(store, share, 1)
    return { process: process! }
  },
})

const thousands = (count: number): string =>
  count >= 1_000_000 ? `${count / 1_000_000} M` : count >= 1000 ? `${count / 1000} k` : String(count)

/** Each stock beside those it is compared with. */
const compare = async (
  ground: Ground,
  rounds: number,
  share: number,
  bases: readonly Stock[],
  pairs: readonly (readonly [stock: Stock, ...bases: readonly Stock[]])[],
) => {
  const racers = [...bases, ...pairs.map(([stock]) => stock)].map((stock) => racerOn(stock, share))
  const valuesOf = await runRounds(`${ground.name}, growth`, rounds, racers)
  const side = ({ label }: Stock) => ({ label, values: valuesOf(label, 'process') })
  return pairs.flatMap(([stock, ...peers]) =>
    figuresOf(`${ground.name}: process, ${stock.label}`, perSecond, side(stock), peers.map(side)),
  )
}

const analyze = (ground: Ground, stocks: readonly Stock[]): Promise<unknown> =>
  Promise.all(stocks.map(({ store }) => withSql(ground, store, (sql) => sql.query('analyze'))))

/** While a snapshot is held, nothing that is done can be cleaned up. */
const underSnapshot = async (ground: Ground, { longRounds, share }: Scene['extent']) => {
  const first: number[] = []
  const last: number[] = []
  for (let round = 0; round < longRounds; round++) {
    const store = await sow(ground, 1)
    await refill(ground, store, share * 5)
    const holder = await ground.sql(store)
    await holder.query('begin isolation level repeatable read')
    await holder.query('select 1')
    const rates = await processSome(store, share * 4, 4)
    await holder.close()
    await ground.drop(store)
    first.push(rates[0]!)
    last.push(rates.at(-1)!)
  }
  const name = `${ground.name}: process under an open snapshot, the last ${thousands(share)} of ${thousands(share * 4)}`
  const peer = { label: `the first ${thousands(share)}`, values: first }
  return figuresOf(name, perSecond, { label: 'pawl', values: last }, [peer])
}

export const growthFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { longRounds: rounds, share, backlog, tenants } = extent
  const make = async (label: string, size: number, of = 1): Promise<Stock> => {
    const store = await sow(ground, of)
    return { label, store, fill: () => refill(ground, store, size, of) }
  }
  // One more than is processed: the last one is waited for.
  const few = Math.min(10_000, backlog / 10)
  const crowded = (count: number): string => `${thousands(count)} queued by ${thousands(tenants)} tenants`
  const one = await make(`${thousands(few)} queued`, few + share)
  const many = await make(crowded(few), few + share, tenants)
  const sizes = new Set([1000, 100_000, backlog].filter((size) => size <= backlog))
  const queued = await Promise.all(
    Array.from(sizes, (size) => make(`${thousands(size)} queued`, size + share)),
  )
  const crowd = await make(crowded(backlog), backlog + share, tenants)
  const old = await make(`${thousands(backlog)} ended`, few + share)
  await bury(ground, old.store, backlog)
  const pairs = [
    ...queued.map((stock) => [stock, one] as const),
    [crowd, many, one] as const,
    [old, one] as const,
  ]
  const unknown = pairs.map(
    ([stock, ...bases]) => [{ ...stock, label: `${stock.label}, no statistics` }, ...bases] as const,
  )
  const before = await compare(ground, rounds, share, [one, many], unknown)
  const all = [one, many, ...pairs.map(([stock]) => stock)]
  await analyze(ground, all)
  const after = await compare(ground, rounds, share, [one, many], pairs)
  for (const { store } of all) await ground.drop(store)
  return [...before, ...after, ...(ground.kind === 'postgres' ? await underSnapshot(ground, extent) : [])]
}
