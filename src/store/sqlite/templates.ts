// Owns the rows of mail templates over SQLite.

import type { StoredTemplate, TemplateStore } from '../templates.ts'
import type { Connection } from './connection.ts'
import { memberError } from './faults.ts'
import { seal, unseal } from './sealed.ts'
import type { Writer } from './writer.ts'

interface TemplateRecord {
  readonly name: string
  readonly updated_at: number
  readonly template: string
}

type Texts = Omit<StoredTemplate, 'name' | 'updatedAt'>

export const createTemplates = ({ sql }: Connection, writer: Writer): TemplateStore => ({
  put: async ({ namespace, tenant }, { name, updatedAt: updated_at, ...texts }) => {
    const columns = { namespace, tenant, name, updated_at, template: seal(texts) }
    await writer
      .run(1, () => sql.putTemplate.run(columns))
      .catch((error) => {
        throw memberError(error)
      })
  },
  get: ({ namespace, tenant }, name) =>
    writer.read(() => {
      const row = sql.readTemplate.get<TemplateRecord>({ namespace, tenant, name })
      if (row === undefined) return undefined
      return { name, updatedAt: row.updated_at, ...unseal<Texts>(row.template, `the template ${name}`) }
    }),
  list: ({ namespace, tenant }) =>
    writer.read(() =>
      sql.listTemplates
        .all<TemplateRecord>({ namespace, tenant })
        .map((row) => ({ name: row.name, updatedAt: row.updated_at })),
    ),
  remove: ({ namespace, tenant }, name) =>
    writer.run(1, () => sql.deleteTemplate.run({ namespace, tenant, name }) === 1),
})
