import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { open } from '../../../test/stores/postgres-bed.ts'
import { realTimers } from '../../../test/stores/real-timers.ts'
import type { MakeQuery } from './bundle.ts'
import { createConnections } from './connections.ts'

const connect = async () => {
  const { url } = await open()
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
