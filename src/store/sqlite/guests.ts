// Owns `in(client)`: the same commit inside a transaction that the caller began and will end, on the caller's own
// connection to the same file. Nothing of it is cached: it may yet be rolled back.

import type { DatabaseSync } from 'node:sqlite'
import { PawlError } from '../../core/errors.ts'
import type { Member, TransactionalStore } from '../store.ts'
import type { Begun } from './begun.ts'
import { type Committed, commitInside } from './commit.ts'
import type { Connection } from './connection.ts'
import { storeError } from './faults.ts'
import { prepareStatements } from './statements.ts'
import type { Watch } from './watch.ts'
import type { LaneCache } from './work.ts'

export interface GuestParts {
  readonly connection: Connection
  readonly lanes: LaneCache
  /** Looks at the state of the store; says whether new work must be refused. */
  readonly enter: () => boolean
  readonly begun: Begun
  readonly watch: Watch
}

const refuseClient = (message: string): PawlError =>
  new PawlError('invalid_option', message, {
    path: 'in(client)',
    expected: "a node:sqlite DatabaseSync on the store's own file, after its BEGIN IMMEDIATE",
  })

/** The same commit, inside a transaction that the caller began and will end. */
export const createGuests = (parts: GuestParts): TransactionalStore<DatabaseSync>['in'] => {
  const { connection, lanes, enter, begun, watch } = parts
  const guests = new WeakMap<DatabaseSync, Connection>()
  const guestOf = (client: DatabaseSync): Connection => {
    if (client === connection.db) return connection
    if (client.location() === null || client.location() !== connection.db.location())
      throw refuseClient('the client is connected to another database')
    const guest = guests.get(client) ?? { db: client, sql: prepareStatements(client), file: connection.file }
    guests.set(client, guest)
    return guest
  }
  const commitAs = (client: DatabaseSync, batch: readonly Member[]): Committed => {
    const guest = guestOf(client)
    if (!client.isTransaction) throw refuseClient('the client has no open transaction')
    try {
      begun.unfold(guest.sql)
      return commitInside(guest, lanes, enter(), batch)
    } catch (error) {
      throw storeError(error, connection.file)
    }
  }
  return (client) => ({
    commit: async (batch) => {
      const { results, works } = commitAs(client, batch)
      // On its own connection the store cannot see the caller's commit; news that come early do no harm.
      if (client === connection.db) for (const work of works) watch.tell(work.news())
      return results
    },
  })
}
