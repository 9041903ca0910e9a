// Owns the kept answers over SQLite.

import { FORGOTTEN_AT_ONCE, type Idempotency, type KeptAnswer, type KeyedRequest } from '../idempotency.ts'
import type { Tenancy } from '../store.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

interface TakenRecord {
  readonly request_hash: string
  readonly answer: string | null
}

const keyOf = ({ namespace, tenant }: Tenancy, { key }: KeyedRequest) => ({ namespace, tenant, key })

export const createIdempotency = ({ sql }: Connection, writer: Writer): Idempotency => {
  const write = <Value>(job: () => Value): Promise<Value> =>
    writer.run(1, job).catch((error) => {
      throw memberError(error)
    })
  return {
    take: (of, request, now, until) =>
      write(() => {
        sql.forgetKeys.run({ now, limit: FORGOTTEN_AT_ONCE })
        const key = keyOf(of, request)
        const { requestHash: request_hash, holder } = request
        if (sql.takeKey.run({ ...key, request_hash, holder, until, now }) === 1) return { kind: 'taken' }
        const row = sql.readTaken.get<TakenRecord>(key)!
        if (row.request_hash !== request_hash) return { kind: 'other' }
        if (row.answer === null) return { kind: 'busy' }
        return { kind: 'kept', answer: unseal<KeptAnswer>(row.answer, 'a kept answer') }
      }),
    keep: async (of, request, answer, until) => {
      const { holder } = request
      await write(() => sql.keepAnswer.run({ ...keyOf(of, request), holder, answer: seal(answer), until }))
    },
    release: async (of, request) => {
      await write(() => sql.releaseKey.run({ ...keyOf(of, request), holder: request.holder }))
    },
  }
}
