// Owns lateness of what many executions wait for: (F) timers due within ten seconds, and recurrences that are all due in the same
// second. The executions are copies of one that the engine made.

import { z } from 'zod'
import { machine, type Pawl, runner } from '../src/index.ts'
import type { Extent } from './extent.ts'
import { type Figure, milliseconds, percentile, type Readings } from './figure.ts'
import { copying, type Ground, type Sql } from './ground/ground.ts'
import { openPawl } from './open-pawl.ts'
import { SLOTS } from './queue/pawl.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

const waiting = machine({
  id: 'waiting',
  events: {},
  initial: 'waiting',
  states: { waiting: { after: { '1d': 'done' } }, done: { final: true } },
})

/** Copies an execution and its timer. The time a timer is due may depend on its `n`. */
const multiply = async (
  sql: Sql,
  sample: string,
  count: number,
  id: string,
  dueAt: string,
): Promise<void> => {
  const source = sql.series(1, count)
  const executions = { table: 'executions', where: `id = '${sample}'`, source, set: { id } }
  const timers = {
    table: 'timers',
    where: `execution = '${sample}'`,
    source,
    set: { execution: id, due_at: dueAt },
  }
  await sql.query(await copying(sql, executions))
  await sql.query(await copying(sql, timers))
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
/** Small beside how late the last of many is; to count more often would make them later. */
const LOOK_MS = 250

const latenessOf = (late: readonly number[]): Readings => ({
  p50: Math.max(1, percentile(late, 0.5)),
  p99: Math.max(1, percentile(late, 0.99)),
})

/** A timer is decided at its own instant, however late: when it was is seen from how many are left, the earliest first. */
const timersOn = async (ground: Ground, { timers: count, dueMs, leadMs }: Extent): Promise<Readings> => {
  const store = await ground.fresh()
  const open = () => openPawl({ store, definitions: [waiting] })
  const first = await open()
  await first.start(waiting.id, { id: 'sample' })
  await first.close()
  const sql = await ground.sql(store)
  const [row] = await sql.query(`select ${sql.now} as now`)
  const base = Number(row!['now']) + leadMs + Math.ceil(count / 20)
  await multiply(sql, 'sample', count, `'exe-' || ${sql.padded}`, `${base} + (n * 7919) % ${dueMs}`)
  const dues = Array.from({ length: count }, (_, n) => base + (((n + 1) * 7919) % dueMs)).toSorted(
    (a, b) => a - b,
  )
  const pawl = await open()
  await pawl.work({ slots: SLOTS })
  const late: number[] = []
  while (late.length < count) {
    await pause(LOOK_MS)
    const [one] = await sql.query(
      `select count(*) as waiting from ${sql.table('timers')} where due_at < ${base + dueMs}`,
    )
    const now = Date.now()
    late.push(
      ...dues.slice(late.length, count - Number(one!['waiting'])).map((due) => Math.max(0, now - due)),
    )
  }
  await pawl.close()
  await sql.close()
  await ground.drop(store)
  return latenessOf(late)
}

const cronOf = (at: Date): string =>
  [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, '*'].join(
    ' ',
  )

/** One that is due in a second to come; on a busy machine that second may have passed when it is written down. */
const schedule = async (pawl: Pawl, leadMs: number): Promise<{ readonly id: string; readonly at: Date }> => {
  const at = new Date(Math.ceil((Date.now() + leadMs) / 1000) * 1000)
  const what = { type: 'tick', config: {} }
  const { id, nextAt } = await pawl.recurring.create({ cron: cronOf(at), timezone: 'UTC', do: what })
  if (nextAt === at.toISOString()) return { id, at }
  await pawl.recurring.remove(id)
  return schedule(pawl, leadMs * 2)
}

/** When an action of an occurrence began is what its runner says. */
const recurrencesOn = async (ground: Ground, { recurrences: count, leadMs }: Extent): Promise<Readings> => {
  const store = await ground.fresh()
  const begun: number[] = []
  const tick = runner({
    type: 'tick',
    config: z.object({}),
    execute: () => {
      begun.push(Date.now())
      return null
    },
  })
  const pawl = await openPawl({ store, runners: [tick] })
  const { id: sample, at } = await schedule(pawl, leadMs + count / 4)
  const sql = await ground.sql(store)
  const id = `'00000000-0000-4000-8000-' || substr(${sql.padded}, 15)`
  await multiply(sql, sample, count - 1, id, String(at.getTime()))
  await pawl.work({ slots: SLOTS })
  while (begun.length < count) await pause(LOOK_MS)
  await pawl.close()
  await sql.close()
  await ground.drop(store)
  return latenessOf(begun.map((time) => time - at.getTime()))
}

const measures = { p50: milliseconds, p99: milliseconds }

export const punctualFigures = async ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const { longRounds: rounds, timers, dueMs, recurrences } = extent
  const { name, durable } = ground
  const [many, span] = [timers.toLocaleString('en-US'), `${dueMs / 1000} s`]
  return [
    ...(await race({
      name: `${name}: lateness of ${many} timers due within ${span}`,
      rounds: 1,
      ours: { label: 'pawl', durable, race: () => timersOn(ground, extent) },
      others: [],
      measures,
    })),
    ...(await race({
      name: `${name}: lateness of ${recurrences.toLocaleString('en-US')} recurrences due in one second`,
      rounds,
      ours: { label: 'pawl', durable, race: () => recurrencesOn(ground, extent) },
      others: [],
      measures,
    })),
  ]
}
