// Owns the reads of GET /v1/actions: the p95 of each indexed filter where a million actions have ended, beside `select 1` over a
// connection to the same store.

import { z } from 'zod'
import { type Pawl, permanent, runner } from '../src/index.ts'
import type { ActionFilter } from '../src/store/reader.ts'
import { type Figure, milliseconds, percentile, type Readings } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { bury, refill, sow } from './growth.ts'
import { openPawl } from './open-pawl.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

const EXECUTION = 'an-execution'
const PAGE = { limit: 50 }
const [QUEUED, DEAD] = [1000, 20]

const failing = runner({
  type: 'failing',
  config: z.object({}),
  execute: () => {
    throw permanent('malformed_request', 'no')
  },
})

const killSome = async (store: string): Promise<void> => {
  const pawl = await openPawl({ store, runners: [failing] })
  await pawl.work()
  for (let n = 0; n < DEAD; n++) await pawl.dispatch(failing({}))
  while ((await pawl.counts()).actions.dead < DEAD) await new Promise((resolve) => setTimeout(resolve, 5))
  await pawl.close()
}

const fill = async (ground: Ground, ended: number): Promise<string> => {
  const store = await sow(ground, 1)
  await killSome(store)
  await bury(ground, store, ended)
  await refill(ground, store, QUEUED)
  const sql = await ground.sql(store)
  const done = sql.table('actions_done')
  const some = `select id from ${done} order by id limit ${PAGE.limit}`
  await sql.query(`update ${done} set execution = '${EXECUTION}' where id in (${some})`)
  await sql.query('analyze')
  await sql.close()
  return store
}

const filtersOf = async (pawl: Pawl): Promise<Readonly<Record<string, ActionFilter>>> => {
  const [group] = await pawl.actions.groups()
  return {
    none: {},
    'status queued': { status: 'queued' },
    'status dead': { status: 'dead' },
    type: { type: 'noop' },
    execution: { execution: EXECUTION },
    'dead by cause': { status: 'dead', fingerprint: group!.fingerprint },
  }
}

const p95 = async (count: number, read: () => Promise<unknown>): Promise<number> => {
  const took: number[] = []
  for (let n = 0; n < count / 4; n++) await read()
  for (let n = 0; n < count; n++) {
    const since = performance.now()
    await read()
    took.push(performance.now() - since)
  }
  return percentile(took, 0.95)
}

const named = async (
  names: readonly string[],
  measure: (name: string) => Promise<number>,
): Promise<Readings> => {
  const readings: [string, number][] = []
  for (const name of names) readings.push([name, await measure(name)])
  return Object.fromEntries(readings)
}

export const readFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { rounds, reads, backlog } = extent
  const store = await fill(ground, backlog)
  const pawl = await openPawl({ store })
  const sql = await ground.sql(store)
  const filters = await filtersOf(pawl)
  const names = Object.keys(filters)
  for (const filter of Object.values(filters))
    if ((await pawl.actions.list(filter, PAGE)).data.length === 0)
      throw new Error(`nothing is found by ${JSON.stringify(filter)}`)
  const figures = await race({
    name: `${ground.name}: list of actions at ${backlog.toLocaleString('en-US')}, p95 by filter`,
    rounds,
    ours: {
      label: 'pawl',
      race: () => named(names, (name) => p95(reads, () => pawl.actions.list(filters[name]!, PAGE))),
    },
    others: [
      { label: 'select 1', race: () => named(names, () => p95(reads, () => sql.query('select 1 as one'))) },
    ],
    measures: Object.fromEntries(names.map((name) => [name, milliseconds])),
  })
  await pawl.close()
  await sql.close()
  await ground.drop(store)
  return figures
}
