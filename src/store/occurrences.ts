// The port for what became of the occurrences of recurrences. They are written by `commit`, with the step that gave them
// their fate; here they are read. One row for each instant of a recurrence, and what fired never becomes anything else.

import type { ToldOccurrence } from '../core/triggers/occurrences.ts'
import type { Page, PageRequest } from './reader.ts'
import type { Tenancy } from './store.ts'

export interface OccurrenceRow extends ToldOccurrence {
  /** When it got its fate. */
  readonly toldAt: number
}

/** What is kept beside the instant and the fate. */
export type OccurrenceDetails = Omit<ToldOccurrence, 'at' | 'fate'>

export interface Occurrences {
  /** Of one recurrence, newest first. */
  readonly list: (of: Tenancy, recurrence: string, page: PageRequest) => Promise<Page<OccurrenceRow>>
  /** Those with from ≤ at < to, in order, the first so many. */
  readonly between: (
    of: Tenancy,
    recurrence: string,
    range: { readonly from: number; readonly to: number },
    limit: number,
  ) => Promise<readonly OccurrenceRow[]>
}
