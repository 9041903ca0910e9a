// The port for what is to come: armed timers and queued actions of a tenant, by the time they are due, and the recurrences
// whose next occurrence is armed. What stands still (paused, failed) is not due and not here.

import type { Kind } from '../core/execution.ts'
import type { Cursors } from './cursor.ts'
import type { ActionRow } from './reader.ts'
import type { DueTimer, StoredExecution, Tenancy } from './store.ts'

export type Coming =
  | { readonly kind: 'action'; readonly at: number; readonly action: ActionRow }
  | {
      readonly kind: 'timer'
      readonly at: number
      readonly timer: DueTimer
      /** Of which definition its execution is. */
      readonly source: { readonly kind: Kind; readonly id: string }
    }

/** Where a page ended. At one instant actions come before timers. */
export type AgendaPosition = readonly [at: number, kind: Coming['kind'], first: string, second: string]

/** A recurrence and its timer: the next occurrence, or its end. */
export interface ComingRecurrence {
  readonly position: AgendaPosition
  /** Absent when it cannot be read. */
  readonly stored?: StoredExecution
}

export interface Agenda {
  /** Due after a position and before an instant, in order of time, without the timers of recurrences. */
  readonly between: (
    of: Tenancy,
    after: AgendaPosition,
    to: number,
    limit: number,
  ) => Promise<{ readonly data: readonly Coming[]; readonly isMore: boolean }>
  /** Whose timer is due after a position and before an instant, in order of time. */
  readonly recurrences: (
    of: Tenancy,
    after: AgendaPosition,
    to: number,
    limit: number,
  ) => Promise<readonly ComingRecurrence[]>
  /** The armed timers of one execution, also of one that stands still, in order of time; the first so many. */
  readonly timersOf: (of: Tenancy, execution: string, limit: number) => Promise<readonly DueTimer[]>
  /** Of the whole agenda: what is foreseen has places in it too. */
  readonly cursors: Cursors
}

/** After every id. */
const LAST = '~'

/** Where each of the two lists goes on after a position. */
export const afterPosition = ([at, kind, first, second]: AgendaPosition) => ({
  action: kind === 'action' ? { at, id: first } : { at, id: LAST },
  timer: kind === 'timer' ? { at, execution: first, key: second } : { at, execution: '', key: '' },
})

export const positionOf = (coming: Coming): AgendaPosition =>
  coming.kind === 'action'
    ? [coming.at, 'action', coming.action.id, '']
    : timerPosition(coming.at, coming.timer.execution, coming.timer.timer.key)

export const timerPosition = (at: number, execution: string, key: string): AgendaPosition => [
  at,
  'timer',
  execution,
  key,
]

/** Before everything that is due from an instant on. */
export const beginning = (from: number): AgendaPosition => [from, 'action', '', '']

export const comparePositions = (a: AgendaPosition, b: AgendaPosition): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index]!
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}

/** Both lists as one, in order. */
export const merged = (rows: readonly Coming[], limit: number): readonly Coming[] =>
  rows.toSorted((a, b) => comparePositions(positionOf(a), positionOf(b))).slice(0, limit)
