// Owns the way past a row that cannot be read: it is told as what it is, with everything that names it, and never takes
// its neighbours with it (F36). What becomes of it is decided by whoever asked; the store throws nothing away.

import { PawlError } from '../core/errors.ts'
import type { DeadGroup, Page } from './reader.ts'

const MAX_SAID = 200

const asUnreadable = (error: unknown): PawlError =>
  error instanceof PawlError
    ? error
    : new PawlError(
        'store_corrupt',
        `a row cannot be read: ${error instanceof Error ? error.message : String(error)}`.slice(0, MAX_SAID),
        {},
        error,
      )

/** Of a row whose execution is not there: nobody will ever take it up. */
export const orphaned = (what: string, execution: string): PawlError =>
  new PawlError('store_corrupt', `${what} is of “${execution.slice(0, 80)}”, which is gone`, {
    expected: 'its execution, restored from a backup',
  })

/** What `read` gives, or what stands for a row that it cannot read. */
export const readOr = <Value, Instead>(
  read: () => Value,
  instead: (unreadable: PawlError) => Instead,
): Value | Instead => {
  try {
    return read()
  } catch (error) {
    return instead(asUnreadable(error))
  }
}

export const isUnreadable = <Row extends object>(
  row: Row,
): row is Extract<Row, { readonly unreadable: PawlError }> => 'unreadable' in row

/** What a group of dead letters says whose newest cannot be read. */
export const unreadableNewest = ({
  message,
}: PawlError): Pick<DeadGroup, 'actionType' | 'errorType' | 'message'> => ({
  actionType: '',
  errorType: 'unreadable',
  message,
})

/** The rows that can be read, and the ids of those that cannot. */
export const readPage = <Row extends { readonly id: string }, Value>(
  rows: readonly Row[],
  read: (row: Row) => Value,
): Pick<Page<Value>, 'data' | 'unreadable'> => {
  const unreadable: string[] = []
  const data = rows.flatMap((row) =>
    readOr(
      () => [read(row)],
      () => {
        unreadable.push(row.id)
        return []
      },
    ),
  )
  return unreadable.length === 0 ? { data } : { data, unreadable }
}
