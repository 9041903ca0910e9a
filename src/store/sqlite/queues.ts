// Owns the three queues that are read now and acted on later: expired claims, due timers, waiting events. A timer or an
// event that cannot be read is told and set aside, so that it does not come first for ever and hold up all behind it.

import type { Store, WaitingDefinition } from '../store.ts'
import { isUnreadable } from '../unreadable.ts'
import type { Connection } from './connection.ts'
import {
  type ClaimRecord,
  type InboxRecord,
  type TimerRecord,
  toInboxEvent,
  toReaped,
  toTimer,
} from './rows.ts'
import type { Writer } from './writer.ts'

export interface QueueParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly clock: () => number
  readonly onWarning: (message: string) => void
}

type Queues = Pick<Store, 'reap' | 'dueTimers' | 'inbox' | 'waitingFor' | 'waitingDefinitions'>

export const createQueues = ({ connection, writer, clock, onWarning }: QueueParts): Queues => {
  const { sql } = connection

  const read = async <Row, Value extends object>(
    rows: readonly Row[],
    map: (row: Row) => Value,
    setAside: (row: Row) => void,
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
    if (bad.length > 0) await writer.run(bad.length, () => bad.forEach(setAside))
    return values
  }
  const reap: Queues['reap'] = (limit, clocks) =>
    writer.read(() =>
      sql.expiredLeases.all<ClaimRecord>({ now: clocks.lease ?? clock(), limit }).map(toReaped),
    )
  const dueTimers: Queues['dueTimers'] = async (limit, clocks) =>
    read(
      await writer.glance(() => sql.dueTimers.all<TimerRecord>({ now: clocks.now ?? clock(), limit })),
      toTimer,
      ({ namespace, tenant, execution, key }) => sql.holdTimer.run({ namespace, tenant, execution, key }),
    )
  const inbox: Queues['inbox'] = async (definitions, limit, after = 0) => {
    const rows = await writer.glance(() =>
      definitions.flatMap((definition) => sql.waitingEvents.all<InboxRecord>({ definition, after, limit })),
    )
    const inOrder = rows.toSorted((a, b) => a.seq - b.seq).slice(0, limit)
    return read(inOrder, toInboxEvent, ({ seq }) => sql.holdEvent.run({ seq }))
  }
  const waitingFor: Queues['waitingFor'] = ({ namespace, tenant, id }, limit) =>
    writer.glance(() =>
      sql.eventsFor.all<InboxRecord>({ namespace, tenant, execution: id, limit }).map(toInboxEvent),
    )
  // As plain objects: node:sqlite gives rows that have no prototype.
  const waitingDefinitions: Queues['waitingDefinitions'] = () =>
    writer.glance(() => sql.waitingDefinitions.all<WaitingDefinition>().map((row) => ({ ...row })))
  return { reap, dueTimers, inbox, waitingFor, waitingDefinitions }
}
