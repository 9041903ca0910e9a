// Owns the rows of mail templates over PostgreSQL.

import type { StoredTemplate, TemplateStore } from '../templates.ts'
import type { Connections } from './connections.ts'
import { memberError } from './faults.ts'
import { type Patience, patiently } from './patience.ts'
import type { Answer, Statements } from './statements.ts'
import { repeatable } from './store.ts'

interface TemplateRecord {
  readonly name: string
  readonly updated_at: number
  readonly template: Omit<StoredTemplate, 'name' | 'updatedAt'>
}

export const createTemplates = (connections: Connections, patience: Patience): TemplateStore => {
  const sql = repeatable(connections, patience)
  /** In a transaction of its own: durable whatever the server's default, and its end is known. */
  const write = (work: (sql: Statements) => Promise<Answer<never>>): Promise<Answer<never>> =>
    patiently(patience, () => connections.transact((caller) => work(caller.sql))).catch((error) => {
      throw memberError(error)
    })
  return {
    put: async ({ namespace, tenant }, { name, updatedAt: updated_at, ...texts }) => {
      const columns = { namespace, tenant, name, updated_at, template: JSON.stringify(texts) }
      await write((sql) => sql.putTemplate(columns))
    },
    get: async ({ namespace, tenant }, name) => {
      const [row] = (await sql.readTemplate<TemplateRecord>({ namespace, tenant, name })).rows
      return row && { name, updatedAt: row.updated_at, ...row.template }
    },
    list: async ({ namespace, tenant }) =>
      (await sql.listTemplates<TemplateRecord>({ namespace, tenant })).rows.map((row) => ({
        name: row.name,
        updatedAt: row.updated_at,
      })),
    remove: async ({ namespace, tenant }, name) =>
      (await write((sql) => sql.deleteTemplate({ namespace, tenant, name }))).count === 1,
  }
}
