// Owns reading what is to come over SQLite. Actions are found by their lanes, a probe for each, as claims find them.

import {
  type Agenda,
  type AgendaPosition,
  afterPosition,
  beginning,
  type Coming,
  merged,
  positionOf,
} from '../agenda.ts'
import type { Cursors } from '../cursor.ts'
import type { DueTimer, Tenancy } from '../store.ts'
import { readOr } from '../unreadable.ts'
import type { Connection } from './connection.ts'
import { type ActionRecord, type TimerRecord, toAction, toTimer } from './rows.ts'
import { inSnapshot } from './snapshot.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

/** Those that can be read, and how many there are. */
interface Found {
  readonly coming: readonly Coming[]
  readonly count: number
}

type After = ReturnType<typeof afterPosition>

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
  const found = sql.comingTimers.all<TimerRecord>({ namespace, tenant, ...after, until, limit })
  const coming = readable(found).map((timer): Coming => ({ kind: 'timer', at: timer.timer.dueAt, timer }))
  return { coming, count: found.length }
}

export const createAgenda = ({ db, sql }: Connection, writer: Writer, cursors: Cursors): Agenda => ({
  between: (of, { from, to }, { limit, after }) =>
    writer.read(() =>
      inSnapshot(db, () => {
        const query = ['agenda', of.namespace, of.tenant, from, to]
        const position =
          after === undefined ? beginning(from) : (cursors.read(query, after) as unknown as AgendaPosition)
        const next = afterPosition(position)
        const actions = comingActions(sql, of, next.action, to, limit + 1)
        const timers = comingTimers(sql, of, next.timer, to, limit + 1)
        const data = merged([...actions.coming, ...timers.coming], limit)
        const last = data.at(-1)
        return actions.count + timers.count > limit && last
          ? { data, next: cursors.sign(query, [...positionOf(last)]) }
          : { data }
      }),
    ),
  timersOf: ({ namespace, tenant }, execution, limit) =>
    writer.read(() =>
      readable(sql.timersOf.all<TimerRecord>({ namespace, tenant, execution }))
        .toSorted((a, b) => a.timer.dueAt - b.timer.dueAt)
        .slice(0, limit),
    ),
})
