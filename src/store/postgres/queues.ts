// Owns the three queues that are read now and acted on later: expired claims, due timers, waiting events. A timer or an
// event that cannot be read is told and set aside, so that it does not come first for ever and hold up all behind it.

import type { Store, WaitingDefinition } from '../store.ts'
import { isUnreadable } from '../unreadable.ts'
import { type ClaimRecord, toClaimed } from './claimed.ts'
import { type InboxRecord, type TimerRecord, toInboxEvent, toTimer } from './rows.ts'
import type { Answer, Statements } from './statements.ts'

type Queues = Pick<Store, 'reap' | 'dueTimers' | 'inbox' | 'waitingFor' | 'waitingDefinitions'>

export const createQueues = (sql: Statements, onWarning: (message: string) => void): Queues => {
  const read = async <Row extends object, Value extends object>(
    rows: readonly Row[],
    map: (row: Row) => Value,
    setAside: (args: { readonly rows: string }) => Promise<Answer<never>>,
  ): Promise<readonly Value[]> => {
    const bad: Row[] = []
    const values = rows.map((row) => {
      const value = map(row)
      if (isUnreadable(value)) {
        onWarning(`a row was set aside: ${value.unreadable.message}`)
        bad.push(row)
      }
      return value
    })
    if (bad.length > 0) await setAside({ rows: JSON.stringify(bad) })
    return values
  }
  return {
    reap: async (limit, { lease = null }) => {
      await sql.reviewClaims({ lease, limit })
      return (await sql.expiredLeases<ClaimRecord & { readonly nonce: string }>({ lease, limit })).rows.map(
        (row) => toClaimed(row, row.nonce),
      )
    },
    dueTimers: async (limit, { now = null }) =>
      read((await sql.dueTimers<TimerRecord>({ now, limit })).rows, toTimer, sql.holdTimers),
    inbox: async (definitions, limit, after = 0) =>
      read(
        (await sql.waitingEvents<InboxRecord>({ definitions, after, limit })).rows,
        toInboxEvent,
        sql.holdEvents,
      ),
    waitingFor: async ({ namespace, tenant, id }, limit) =>
      (await sql.eventsFor<InboxRecord>({ namespace, tenant, execution: id, limit })).rows.map(toInboxEvent),
    waitingDefinitions: async () => (await sql.waitingDefinitions<WaitingDefinition>()).rows,
  }
}
