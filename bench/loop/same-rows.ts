// The ceiling of the full loop: the rows of an execution that the engine wrote, written again without an engine, as many
// executions at a time as are in flight: one transaction starts them, three more move them on.

import { copying, type Ground, type Pair, type Row, type Sql, type Transaction } from '../ground/ground.ts'
import { assertSameRows } from '../ground/row-counts.ts'
import { finishing, OURS } from '../queue/same-rows.ts'
import { IN_FLIGHT, type LoopContender, STEPS } from './loop.ts'
import { openThreeSteps } from './pawl.ts'

/** One that has ended, and one that has only begun. */
const [ENDED, BEGUN] = ['sample-ended', 'sample-begun']

const runAll = async (store: string, ids: readonly string[]): Promise<void> => {
  const { pawl, execute } = await openThreeSteps(store)
  await pawl.work()
  for (const id of ids) await execute(id)
  await pawl.close()
}

const prepare = async (ground: Ground, store: string): Promise<void> => {
  await runAll(store, [ENDED])
  const { pawl, start } = await openThreeSteps(store)
  await start(BEGUN)
  await pawl.close()
  const sql = await ground.sql(store)
  // The one that has begun stays so, and is a claimed one's copy: those stand in no line.
  const claimed = `, status = 'running', standing = null, nonce = 'a nonce', lease_until = due_at + 86400000`
  await sql.query(
    `update ${sql.table('actions')} set due_at = due_at + 86400000${ground.kind === 'postgres' ? claimed : ''}`,
  )
  await sql.close()
}

/** The id of the action that an execution is at. */
const AT = (step: number): string => `k.id || '-${step}'`

const writing = (sql: Sql) => ({
  execution: () =>
    copying(sql, {
      table: 'executions',
      where: `${OURS} and id = '${BEGUN}'`,
      source: sql.given,
      set: { id: 'k.id' },
    }),
  event: (number: number) =>
    copying(sql, {
      table: 'events',
      where: `${OURS} and execution = '${ENDED}' and number = ${number}`,
      source: sql.given,
      set: { execution: 'k.id', data: sql.json('k.text') },
    }),
  action: (step: number) =>
    copying(sql, {
      table: 'actions',
      where: `${OURS} and execution = '${BEGUN}'`,
      source: sql.given,
      set: { id: AT(step), execution: 'k.id', due_at: sql.now },
    }),
  move: (number: number) =>
    `update ${sql.table('executions')} set revision = ${number}, chain_number = ${number}, updated_at = ${sql.now},
       state = 'state ${number}', status = '${number > STEPS ? 'completed' : 'active'}'
     where ${OURS} and id in (select k.id from ${sql.given})`,
})

/** The transaction that starts executions, and those that move them on; the ids of both. */
const openProgram = async (sql: Sql): Promise<(ids: readonly string[]) => Promise<void>> => {
  const { execution, event, action, move } = writing(sql)
  const one = async (text: string): Promise<Row> => (await sql.query(text))[0]!
  const done = await one(`select * from ${sql.table('actions_done')} where execution = '${ENDED}'`)
  const { data } = await one(
    `select data from ${sql.table('events')} where execution = '${ENDED}' and number = 2`,
  )
  const text = sql.text(data)
  const start = sql.transact(await execution(), await event(1), await action(1))
  const finish = await finishing(sql, done)
  const steps: Transaction[] = []
  for (let step = 1; step <= STEPS; step++) {
    const ended = finish.map((one) => one.replaceAll('select k.id', `select ${AT(step)}`))
    const next = step < STEPS ? [await action(step + 1)] : []
    steps.push(sql.transact(...ended, move(step + 1), ...next, await event(step + 1)))
  }
  return async (ids) => {
    const given = ids.map((id): Pair => [id, text])
    for (const transaction of [start, ...steps]) await transaction(given)
  }
}

const idsFrom = (from: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `exe_${String(from + index).padStart(26, '0')}`)

const CHECKED = 10

/** Asserts first that the rows are the same. */
export const sameRowsLoop = async (ground: Ground): Promise<LoopContender> => {
  await assertSameRows(ground, {
    prepare: (store) => prepare(ground, store),
    engine: (store) => runAll(store, idsFrom(0, CHECKED)),
    program: async (store) => {
      const sql = await ground.sql(store)
      await (await openProgram(sql))(idsFrom(0, CHECKED))
      await sql.close()
    },
  })
  return {
    label: 'the same rows, no engine',
    durable: ground.durable,
    open: async () => {
      const store = await ground.fresh()
      await prepare(ground, store)
      const sql = await ground.sql(store)
      const write = await openProgram(sql)
      let written = 0
      return {
        run: async (isEnough) => {
          const from = written
          for (; !isEnough(written - from); written += IN_FLIGHT) await write(idsFrom(written, IN_FLIGHT))
          return written - from
        },
        close: async () => {
          await sql.close()
          await ground.drop(store)
          return undefined
        },
      }
    },
  }
}
