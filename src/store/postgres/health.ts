// Owns the rows of what was measured over PostgreSQL.

import type { HealthRow, HealthStore } from '../health.ts'
import type { Statements } from './statements.ts'

/** Every statement may be repeated: a row is always written whole. */
export const createHealthStore = (sql: Statements): HealthStore => ({
  put: async (rows) => {
    await sql.putHealth({ rows: JSON.stringify(rows) })
  },
  read: async ({ namespace, tenant }, { since, name }, limit) =>
    (name === undefined
      ? await sql.recentHealth<HealthRow>({ namespace, tenant, since, limit })
      : await sql.healthOfName<HealthRow>({ namespace, tenant, name, since, limit })
    ).rows,
})
