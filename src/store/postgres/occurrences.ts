// Owns what became of occurrences over PostgreSQL: writing it with a step, and reading it.

import type { Cursors } from '../cursor.ts'
import type { OccurrenceDetails, OccurrenceRow, Occurrences } from '../occurrences.ts'
import { page } from '../page.ts'
import type { Advance, Member } from '../store.ts'
import { type Draft, keyOf } from './draft.ts'
import type { Statements } from './statements.ts'

interface OccurrenceRecord {
  readonly at: number
  readonly fate: OccurrenceRow['fate']
  readonly told_at: number
  readonly details: OccurrenceDetails
}

const toRow = ({ at, fate, told_at, details }: OccurrenceRecord): OccurrenceRow => ({
  at,
  fate,
  toldAt: told_at,
  ...details,
})

export const writeOccurrences = (
  draft: Draft,
  { namespace, tenant, at: told_at }: Member,
  { execution, occurrences = [] }: Advance,
): void => {
  for (const { at, fate, ...details } of occurrences) {
    const key = keyOf(namespace, tenant, execution.id, at)
    const row = { namespace, tenant, recurrence: execution.id, at, fate, told_at, details }
    if (draft.occurrences.get(key)?.fate !== 'fired') draft.occurrences.set(key, row)
  }
}

export const createOccurrences = (sql: Statements, cursors: Cursors): Occurrences => ({
  list: ({ namespace, tenant }, recurrence, asked) =>
    page(cursors, ['occurrences', namespace, tenant, recurrence], asked, {
      fetch: async ({ at }, limit) =>
        (await sql.recentOccurrences<OccurrenceRecord>({ namespace, tenant, recurrence, at, limit })).rows,
      read: toRow,
      placeOf: ({ at }) => ({ at }),
      nameOf: ({ at }) => `${recurrence}/${at}`,
      start: { at: Number.MAX_SAFE_INTEGER },
    }),
  between: async ({ namespace, tenant }, recurrence, { from, to }, limit) => {
    const range = { namespace, tenant, recurrence, from, to, limit }
    return (await sql.occurrencesBetween<OccurrenceRecord>(range)).rows.map(toRow)
  },
})
