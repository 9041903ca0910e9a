// Owns the proof that two programs write the same rows: how many rows of which table each adds for the same work.

import { countRows, type Ground } from './ground.ts'

/** Written now and then, by the clock, and not per action. */
const BOOKKEEPING = new Set([
  'counters',
  'workers',
  'chores',
  'checkpoints',
  'health',
  'lanes',
  'store_meta',
  'claims',
  'receipts',
  'tallies',
])

type Added = Readonly<Record<string, number>>

const counts = async (ground: Ground, store: string): Promise<Added> => {
  const sql = await ground.sql(store)
  const tables = (await sql.tables()).filter((table) => !BOOKKEEPING.has(table))
  const entries: [string, number][] = []
  for (const table of tables.toSorted()) entries.push([table, await countRows(sql, table)])
  await sql.close()
  return Object.fromEntries(entries)
}

/** What the work adds to a store that was made ready for it. */
const added = async (ground: Ground, prepare: Work, work: Work): Promise<Added> => {
  const store = await ground.fresh()
  await prepare(store)
  const before = await counts(ground, store)
  await work(store)
  const after = await counts(ground, store)
  await ground.drop(store)
  return Object.fromEntries(
    Object.entries(after).flatMap(([table, count]) =>
      count === before[table] ? [] : [[table, count - before[table]!]],
    ),
  )
}

type Work = (store: string) => Promise<unknown>

/** Throws when the two differ in any table. */
export const assertSameRows = async (
  ground: Ground,
  { prepare, engine, program }: { readonly prepare: Work; readonly engine: Work; readonly program: Work },
): Promise<Added> => {
  const ours = await added(ground, prepare, engine)
  const theirs = await added(ground, prepare, program)
  if (JSON.stringify(ours) !== JSON.stringify(theirs))
    throw new Error(
      `${ground.name}: the engine adds ${JSON.stringify(ours)} rows, the program without it ${JSON.stringify(theirs)}`,
    )
  return ours
}
