// Owns reading what is to come over PostgreSQL. Actions are found by their lanes, as claims find them.

import type { Kind } from '../../core/execution.ts'
import {
  type Agenda,
  afterPosition,
  type Coming,
  type ComingRecurrence,
  merged,
  timerPosition,
} from '../agenda.ts'
import type { Cursors } from '../cursor.ts'
import type { DueTimer, Tenancy } from '../store.ts'
import { readOr } from '../unreadable.ts'
import type { Connections } from './connections.ts'
import { type Patience, patiently } from './patience.ts'
import {
  type ActionRecord,
  type ExecutionRecord,
  type TimerRecord,
  toAction,
  toExecution,
  toTimer,
} from './rows.ts'
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

/** Those that can be read, and how many there are. */
interface Found {
  readonly coming: readonly Coming[]
  readonly count: number
}

type After = ReturnType<typeof afterPosition>

interface ComingTimer extends TimerRecord {
  readonly kind: Kind
  readonly definition: string
}

interface ArmedRecurrence extends ExecutionRecord {
  readonly due_at: number
  readonly key: string
}

const toComing = (row: ComingTimer): readonly Coming[] =>
  readable([row]).map((timer) => ({
    kind: 'timer',
    at: row.due_at,
    timer,
    source: { kind: row.kind, id: row.definition },
  }))

const toRecurrence = (row: ArmedRecurrence): ComingRecurrence => ({
  position: timerPosition(row.due_at, row.id, row.key),
  ...readOr(
    () => ({ stored: toExecution(row) }),
    () => ({}),
  ),
})

/** What cannot be read cannot be foretold either. */
const readable = (rows: readonly TimerRecord[]): readonly DueTimer[] =>
  rows.map(toTimer).flatMap((row) => ('unreadable' in row ? [] : [row]))

const comingActions = async (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  after: After['action'],
  until: number,
  limit: number,
): Promise<Found> => {
  const found = await sql.comingActions<{ id: string }>({ namespace, tenant, ...after, until, limit })
  const ids = found.rows.map(({ id }) => id)
  const { rows } = await sql.readActions<ActionRecord>({ namespace, tenant, ids })
  const coming = rows.flatMap((row) =>
    readOr<readonly Coming[], readonly Coming[]>(
      () => {
        const action = toAction(row)
        return [{ kind: 'action', at: action.dueAt, action }]
      },
      () => [],
    ),
  )
  return { coming, count: ids.length }
}

const comingTimers = async (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  after: After['timer'],
  until: number,
  limit: number,
): Promise<Found> => {
  const { rows } = await sql.comingTimers<ComingTimer>({ namespace, tenant, ...after, until, limit })
  return { coming: rows.flatMap(toComing), count: rows.length }
}

export const createAgenda = (connections: Connections, patience: Patience, cursors: Cursors): Agenda => {
  const sql = repeatable(connections, patience)
  return {
    between: async (of, after, to, limit) => {
      const next = afterPosition(after)
      const [actions, timers] = await patiently(patience, () =>
        connections.observe(async ({ sql }) => [
          await comingActions(sql, of, next.action, to, limit + 1),
          await comingTimers(sql, of, next.timer, to, limit + 1),
        ]),
      )
      const data = merged([...actions!.coming, ...timers!.coming], limit)
      return { data, isMore: actions!.count + timers!.count > limit }
    },
    recurrences: async ({ namespace, tenant }, after, until, limit) => {
      const range = { ...afterPosition(after).timer, until, limit }
      const { rows } = await sql.comingRecurrences<ArmedRecurrence>({ namespace, tenant, ...range })
      return rows.map(toRecurrence)
    },
    timersOf: async ({ namespace, tenant }, execution, limit) =>
      readable((await sql.timersOf<TimerRecord>({ namespace, tenant, execution })).rows)
        .toSorted((a, b) => a.timer.dueAt - b.timer.dueAt)
        .slice(0, limit),
    cursors,
  }
}
