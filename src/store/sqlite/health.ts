// Owns the rows of what was measured over SQLite.

import type { HealthRow, HealthStore } from '../health.ts'
import { readOr } from '../unreadable.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

type HealthRecord = Omit<HealthRow, 'measured'> & { readonly measured: string }

const toHealth = (row: HealthRecord): HealthRow => ({
  namespace: row.namespace,
  tenant: row.tenant,
  name: row.name,
  type: row.type,
  bucket: row.bucket,
  writer: row.writer,
  measured: unseal(row.measured, `what was measured of ${row.name}`),
})

export const createHealthStore = ({ sql }: Connection, writer: Writer): HealthStore => ({
  put: async (rows) => {
    await writer.run(rows.length, () => {
      for (const { namespace, tenant, name, type, bucket, writer: by, measured } of rows)
        sql.putHealth.run({ namespace, tenant, name, type, bucket, writer: by, measured: seal(measured) })
    })
  },
  read: ({ namespace, tenant }, { since, name }, limit) =>
    writer.read(() => {
      const rows =
        name === undefined
          ? sql.recentHealth.all<HealthRecord>({ namespace, tenant, since, limit })
          : sql.healthOfName.all<HealthRecord>({ namespace, tenant, name, since, limit })
      // One that cannot be read is left out: a measure with a gap is still one.
      return rows.flatMap((row) =>
        readOr(
          () => [toHealth(row)],
          () => [],
        ),
      )
    }),
})
