// Owns how rows travel to a statement: column by column, each as one array, read by unnest. As JSON the same rows cost the
// server twice as much. Over a connection of our own an array is bytes (binary.ts), elsewhere a literal. A column in which
// every row says nothing is sent empty, and unnest fills it with nulls. What is written most unnests in a list of columns: in a
// FROM the server makes a table of each and reads them again (30 us of 245 for 25 new actions).

import { binaryColumns, typesOf } from './binary.ts'
import { sql } from './generated/sql.ts'
import { elementOf } from './literal.ts'
import type { Args, StatementName } from './statements.ts'

const columnOf = (rows: readonly object[], name: string): string => {
  let isSilent = true
  let text = ''
  for (const row of rows) {
    const element = elementOf((row as Readonly<Record<string, unknown>>)[name])
    isSilent &&= element === 'NULL'
    text += text === '' ? element : `,${element}`
  }
  return isSilent ? '{}' : `{${text}}`
}

type Column = readonly [name: string, value: unknown]

const literalColumns = (name: StatementName, rows: readonly object[]): Record<string, string> => {
  const types = typesOf(name)
  const columns = sql[name].params.filter((_, index) => types[index] !== undefined)
  return Object.fromEntries(columns.map((param) => [param, columnOf(rows, param)]))
}

/** What is one value for all rows, as the first has it. */
const sharedBy = (name: StatementName, [first]: readonly object[]): readonly Column[] => {
  const params: readonly string[] = sql[name].params
  return typesOf(name).flatMap((type, index) => {
    const param = params[index]!
    return type === undefined ? [[param, (first as Readonly<Record<string, unknown>>)[param]] as const] : []
  })
}

/** The arguments of a statement each of whose parameters is a column of its rows, or what they all say alike. */
export const columnsOf = <Of extends StatementName>(
  name: Of,
  rows: readonly object[],
  isBinary = false,
): Args<Of> => {
  const args: Record<string, unknown> = isBinary ? binaryColumns(name, rows) : literalColumns(name, rows)
  for (const [param, value] of sharedBy(name, rows)) args[param] = value
  return args as Args<Of>
}
