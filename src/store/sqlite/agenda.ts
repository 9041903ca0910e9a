// Owns reading what is to come over SQLite. Actions are found by their lanes, a probe for each, as claims find them.

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
import type { Connection } from './connection.ts'
import {
  type ActionRecord,
  type ExecutionRecord,
  type TimerRecord,
  toAction,
  toExecution,
  toTimer,
} from './rows.ts'
import { inSnapshot } from './snapshot.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

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

const comingActions = (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  after: After['action'],
  until: number,
  limit: number,
): Found => {
  const found = sql.tenantLanes
    .all<{ lane: number }>({ namespace, tenant })
    .flatMap(({ lane }) =>
      sql.comingInLane.all<{ id: string; due_at: number }>({ lane, ...after, until, limit }),
    )
    .sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
  const coming = found.flatMap(({ id, due_at }) => {
    const row = sql.readAction.get<ActionRecord>({ namespace, tenant, id })!
    return readOr<readonly Coming[], readonly Coming[]>(
      () => [{ kind: 'action', at: due_at, action: toAction(row) }],
      () => [],
    )
  })
  return { coming, count: found.length }
}

const comingTimers = (
  sql: Statements,
  { namespace, tenant }: Tenancy,
  after: After['timer'],
  until: number,
  limit: number,
): Found => {
  const found = sql.comingTimers.all<ComingTimer>({ namespace, tenant, ...after, until, limit })
  return { coming: found.flatMap(toComing), count: found.length }
}

export const createAgenda = ({ db, sql }: Connection, writer: Writer, cursors: Cursors): Agenda => ({
  between: (of, after, to, limit) =>
    writer.read(() =>
      inSnapshot(db, () => {
        const next = afterPosition(after)
        const actions = comingActions(sql, of, next.action, to, limit + 1)
        const timers = comingTimers(sql, of, next.timer, to, limit + 1)
        const data = merged([...actions.coming, ...timers.coming], limit)
        return { data, isMore: actions.count + timers.count > limit }
      }),
    ),
  recurrences: ({ namespace, tenant }, after, until, limit) =>
    writer.read(() =>
      sql.comingRecurrences
        .all<ArmedRecurrence>({ namespace, tenant, ...afterPosition(after).timer, until, limit })
        .map(toRecurrence),
    ),
  timersOf: ({ namespace, tenant }, execution, limit) =>
    writer.read(() =>
      readable(sql.timersOf.all<TimerRecord>({ namespace, tenant, execution }))
        .toSorted((a, b) => a.timer.dueAt - b.timer.dueAt)
        .slice(0, limit),
    ),
  cursors,
})
