// Owns the three queues that are read now and acted on later: expired claims, due timers, waiting events. A row that
// cannot be read is set aside, so that it does not come first for ever and hold up all that is behind it.

import type { Store } from '../store.ts'
import { quarantine } from './claim.ts'
import type { Connection } from './commit.ts'
import {
  type ClaimRecord,
  type InboxRecord,
  type TimerRecord,
  toClaimed,
  toInboxEvent,
  toTimer,
} from './rows.ts'
import { startWork } from './work.ts'
import type { Writer } from './writer.ts'

export interface QueueParts {
  readonly connection: Connection
  readonly writer: Writer
  readonly clock: () => number
  readonly onWarning: (message: string) => void
}

type Queues = Pick<Store, 'reap' | 'dueTimers' | 'inbox'>

export const createQueues = ({ connection, writer, clock, onWarning }: QueueParts): Queues => {
  const { sql } = connection

  const readable = async <Row, Value>(
    rows: readonly Row[],
    map: (row: Row) => Value,
    setAside: (row: Row) => void,
  ): Promise<readonly Value[]> => {
    const bad: Row[] = []
    const values = rows.flatMap((row) => {
      try {
        return [map(row)]
      } catch (error) {
        onWarning(`a row was set aside: ${String(error)}`)
        bad.push(row)
        return []
      }
    })
    if (bad.length > 0) await writer.run(bad.length, () => bad.forEach(setAside))
    return values
  }
  const reap: Queues['reap'] = async (limit, clocks) =>
    readable(
      await writer.read(() => sql.expiredLeases.all<ClaimRecord>({ now: clocks.lease ?? clock(), limit })),
      toClaimed,
      (row) => {
        const work = startWork(sql, new Map(), false)
        quarantine(work, row, clock())
        work.flush()
      },
    )
  const dueTimers: Queues['dueTimers'] = async (limit, clocks) =>
    readable(
      await writer.read(() => sql.dueTimers.all<TimerRecord>({ now: clocks.now ?? clock(), limit })),
      toTimer,
      ({ namespace, tenant, execution, key }) => sql.holdTimer.run({ namespace, tenant, execution, key }),
    )
  const inbox: Queues['inbox'] = async (definitions, limit) => {
    const rows = await writer.read(() =>
      definitions.flatMap((definition) => sql.waitingEvents.all<InboxRecord>({ definition, limit })),
    )
    const inOrder = rows.toSorted((a, b) => a.seq - b.seq).slice(0, limit)
    return readable(inOrder, toInboxEvent, ({ seq }) => sql.holdEvent.run({ seq }))
  }
  return { reap, dueTimers, inbox }
}
