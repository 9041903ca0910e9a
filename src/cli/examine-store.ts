// Owns which kind of store a text names, for commands that look at one without opening it.

import { readStoreName } from '../pawl/open-store.ts'
import type { Examined } from '../store/examined.ts'
import { examinePostgres } from '../store/postgres/examine.ts'
import { examineSqlite } from '../store/sqlite/examine.ts'

export const examineStore = (name: string): Promise<Examined> => {
  const named = readStoreName(name)
  return named.kind === 'postgres' ? examinePostgres(named.url) : examineSqlite(named.file)
}
