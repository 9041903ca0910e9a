// Owns the kept answers over PostgreSQL.

import { FORGOTTEN_AT_ONCE, type Idempotency, type KeptAnswer, type KeyedRequest } from '../idempotency.ts'
import type { Tenancy } from '../store.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import type { Statements } from './statements.ts'

interface TakenRecord {
  readonly request_hash: string
  readonly answer: KeptAnswer | null
}

const keyOf = ({ namespace, tenant }: Tenancy, { key }: KeyedRequest) => ({ namespace, tenant, key })

export const createIdempotency = (connections: Connections, patience: Patience): Idempotency => {
  const write = <Value>(work: (sql: Statements) => Promise<Value>): Promise<Value> =>
    patiently(patience, () => connections.transact((caller) => work(caller.sql))).catch((error) => {
      throw memberError(error)
    })
  return {
    take: (of, request, now, until) =>
      write(async (sql) => {
        await sql.forgetKeys({ now, limit: FORGOTTEN_AT_ONCE })
        const key = keyOf(of, request)
        const { requestHash: request_hash, holder } = request
        if ((await sql.takeKey({ ...key, request_hash, holder, until, now })).count === 1)
          return { kind: 'taken' }
        const row = (await sql.readTaken<TakenRecord>(key)).rows[0]
        // Let go in between: whoever had it did nothing, and asking again is right.
        if (row === undefined) return { kind: 'busy' }
        if (row.request_hash !== request_hash) return { kind: 'other' }
        return row.answer === null ? { kind: 'busy' } : { kind: 'kept', answer: row.answer }
      }),
    keep: async (of, request, answer, until) => {
      const row = { ...keyOf(of, request), holder: request.holder, answer: JSON.stringify(answer), until }
      await write((sql) => sql.keepAnswer(row))
    },
    release: async (of, request) => {
      await write((sql) => sql.releaseKey({ ...keyOf(of, request), holder: request.holder }))
    },
  }
}
