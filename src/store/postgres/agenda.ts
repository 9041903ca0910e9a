// Owns reading what is to come over PostgreSQL. Actions are found by their lanes, as claims find them.

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
import type { Connections } from './connections.ts'
import { type Patience, patiently } from './patience.ts'
import { type ActionRecord, type TimerRecord, toAction, toTimer } from './rows.ts'
import type { Statements } from './statements.ts'
import { repeatable } from './store.ts'

/** Those that can be read, and how many there are. */
interface Found {
  readonly coming: readonly Coming[]
  readonly count: number
}

type After = ReturnType<typeof afterPosition>

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
  const { rows } = await sql.comingTimers<TimerRecord>({ namespace, tenant, ...after, until, limit })
  const coming = readable(rows).map((timer): Coming => ({ kind: 'timer', at: timer.timer.dueAt, timer }))
  return { coming, count: rows.length }
}

export const createAgenda = (connections: Connections, patience: Patience, cursors: Cursors): Agenda => {
  const sql = repeatable(connections, patience)
  return {
    between: async (of, { from, to }, { limit, after }) => {
      const query = ['agenda', of.namespace, of.tenant, from, to]
      const position =
        after === undefined ? beginning(from) : (cursors.read(query, after) as unknown as AgendaPosition)
      const next = afterPosition(position)
      const [actions, timers] = await patiently(patience, () =>
        connections.observe(async ({ sql }) => [
          await comingActions(sql, of, next.action, to, limit + 1),
          await comingTimers(sql, of, next.timer, to, limit + 1),
        ]),
      )
      const data = merged([...actions!.coming, ...timers!.coming], limit)
      const last = data.at(-1)
      return actions!.count + timers!.count > limit && last
        ? { data, next: cursors.sign(query, [...positionOf(last)]) }
        : { data }
    },
    timersOf: async ({ namespace, tenant }, execution, limit) =>
      readable((await sql.timersOf<TimerRecord>({ namespace, tenant, execution })).rows)
        .toSorted((a, b) => a.timer.dueAt - b.timer.dueAt)
        .slice(0, limit),
  }
}
