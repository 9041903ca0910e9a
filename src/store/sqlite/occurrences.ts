// Owns what became of occurrences over SQLite: writing it with a step, and reading it.

import type { Cursors } from '../cursor.ts'
import type { OccurrenceDetails, OccurrenceRow, Occurrences } from '../occurrences.ts'
import { page } from '../page.ts'
import type { Advance, Member } from '../store.ts'
import type { Connection } from './connection.ts'
import { seal, unseal } from './sealed.ts'
import type { Statements } from './statements.ts'
import type { Writer } from './writer.ts'

interface OccurrenceRecord {
  readonly at: number
  readonly fate: OccurrenceRow['fate']
  readonly told_at: number
  readonly details: string
}

const toRow = ({ at, fate, told_at, details }: OccurrenceRecord): OccurrenceRow => ({
  at,
  fate,
  toldAt: told_at,
  ...unseal<OccurrenceDetails>(details, `the occurrence ${at}`),
})

export const writeOccurrences = (
  sql: Statements,
  { namespace, tenant, at: told_at }: Member,
  { execution, occurrences = [] }: Advance,
): void => {
  for (const { at, fate, ...details } of occurrences)
    sql.putOccurrence.run({
      namespace,
      tenant,
      recurrence: execution.id,
      at,
      fate,
      told_at,
      details: seal(details),
    })
}

export const createOccurrences = ({ sql }: Connection, writer: Writer, cursors: Cursors): Occurrences => ({
  list: ({ namespace, tenant }, recurrence, asked) =>
    page(cursors, ['occurrences', namespace, tenant, recurrence], asked, {
      fetch: ({ at }, limit) =>
        writer.read(() =>
          sql.recentOccurrences.all<OccurrenceRecord>({ namespace, tenant, recurrence, at, limit }),
        ),
      read: toRow,
      placeOf: ({ at }) => ({ at }),
      nameOf: ({ at }) => `${recurrence}/${at}`,
      start: { at: Number.MAX_SAFE_INTEGER },
    }),
  between: ({ namespace, tenant }, recurrence, { from, to }, limit) =>
    writer.read(() =>
      sql.occurrencesBetween
        .all<OccurrenceRecord>({ namespace, tenant, recurrence, from, to, limit })
        .map(toRow),
    ),
})
