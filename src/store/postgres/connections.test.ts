import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { open } from '../../../test/stores/postgres-bed.ts'
import { realTimers } from '../../../test/stores/real-timers.ts'
import type { MakeQuery } from './bundle.ts'
import { createConnections } from './connections.ts'

const connect = async (path?: string) => {
  const { url: own } = await open()
  const url = path === undefined ? own : own.replace(/[^/]*$/, path)
  const pool = new pg.Pool({ connectionString: url, pipeline: true } as pg.PoolConfig)
  const connections = createConnections({
    pool,
    timers: realTimers,
    Query: pg.Query as unknown as MakeQuery,
    begin: 'begin',
  })
  onTestFinished(() => connections.close())
  return { connections, pool }
}

it('what is asked in turn follows on one connection, and is given back', async () => {
  const { connections, pool } = await connect()
  const { inTurn } = connections
  for (let round = 0; round < 2; round++) {
    await Promise.all([inTurn.clock(), inTurn.clock(), inTurn.clock()])
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  }
})

it('each by itself: one that fails takes none of the others along, and its connection is not asked again', async () => {
  const { connections, pool } = await connect()
  const { inTurn } = connections
  const answers = await Promise.allSettled([
    inTurn.clock(),
    inTurn.transactionStatus({ xid: 'none', life: '' }),
    inTurn.clock(),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await inTurn.clock()
  expect(pool.totalCount).toBeLessThanOrEqual(2)
  expect(pool.idleCount).toBe(pool.totalCount)
})

it('where no connection can be had, whoever asked is told, and nobody else', async () => {
  const { connections } = await connect('nowhere')
  const { inTurn } = connections
  const thrown: unknown[] = []
  const onThrown = (error: unknown): void => void thrown.push(error)
  process.on('unhandledRejection', onThrown)
  onTestFinished(() => void process.off('unhandledRejection', onThrown))
  const answers = await Promise.allSettled([inTurn.clock(), inTurn.clock()])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await new Promise((resolve) => setImmediate(resolve))
  expect(thrown).toEqual([])
})
