// The port for what is to come: armed timers and queued actions of a tenant, by the time they are due. What stands still
// (paused, failed) is not due and not here.

import type { ActionRow, Page, PageRequest } from './reader.ts'
import type { DueTimer, Tenancy } from './store.ts'

export type Coming =
  | { readonly kind: 'action'; readonly at: number; readonly action: ActionRow }
  | { readonly kind: 'timer'; readonly at: number; readonly timer: DueTimer }

export interface Agenda {
  /** Due from `from` on and before `to`, in order of time. */
  readonly between: (
    of: Tenancy,
    range: { readonly from: number; readonly to: number },
    page: PageRequest,
  ) => Promise<Page<Coming>>
  /** The armed timers of one execution, also of one that stands still, in order of time; the first so many. */
  readonly timersOf: (of: Tenancy, execution: string, limit: number) => Promise<readonly DueTimer[]>
}

/** Where a page ended. At one instant actions come before timers. */
export type AgendaPosition = readonly [at: number, kind: Coming['kind'], first: string, second: string]

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
    : [coming.at, 'timer', coming.timer.execution, coming.timer.timer.key]

/** Before everything that is due from an instant on. */
export const beginning = (from: number): AgendaPosition => [from, 'action', '', '']

const compare = (a: AgendaPosition, b: AgendaPosition): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index]!
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}

/** Both lists as one, in order. */
export const merged = (rows: readonly Coming[], limit: number): readonly Coming[] =>
  rows.toSorted((a, b) => compare(positionOf(a), positionOf(b))).slice(0, limit)
