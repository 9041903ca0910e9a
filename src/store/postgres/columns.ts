// Owns how rows travel to a statement: column by column, each as one array, read by unnest. As JSON the same rows cost the
// server twice as much. Over a connection of our own an array is bytes (binary.ts), elsewhere a literal. A column in which
// every row says nothing is sent empty, and unnest fills it with nulls. What is written most unnests in a list of columns: in a
// FROM the server makes a table of each and reads them again (30 us of 245 for 25 new actions).

import { binaryColumns } from './binary.ts'
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

/** The arguments of a statement each of whose parameters is a column of its rows. */
export const columnsOf = <Of extends StatementName>(
  name: Of,
  rows: readonly object[],
  isBinary = false,
): Args<Of> =>
  isBinary
    ? (binaryColumns(name, rows) as Args<Of>)
    : (Object.fromEntries(sql[name].params.map((param) => [param, columnOf(rows, param)])) as Args<Of>)
