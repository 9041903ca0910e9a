// Owns `pawl.agenda`: what is to come of a tenant, in order of time, page by page: queued actions and armed timers as they
// are stored, occurrences of recurrences as they are foreseen. It reads and writes nothing.
// A1  Whatever the pages' size, together they are the same list; nothing twice, nothing left out.
// A2  A page costs no more than the recurrences whose next occurrence lies before its end.

import { PawlError } from '../core/errors.ts'
import { parseInstant } from '../core/time/instant.ts'
import { assertZone } from '../core/time/zone.ts'
import { type AgendaPosition, beginning, type Coming, comparePositions, positionOf } from '../store/agenda.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { type AgendaEntry, comingEntry, foreseenEntry, type Stopped, sourceOf } from './agenda-entry.ts'
import { type AgendaFilter, foresee, type Range } from './foresee.ts'
import type { Parts } from './parts.ts'
import type { Coded } from './recurring-view.ts'

export interface AgendaQuery extends AgendaFilter {
  /** Instants. Default: from now on, for seven days. */
  readonly from?: string | number
  readonly to?: string | number
  /** The viewer's. Default UTC. */
  readonly zone?: string
}

const WEEK_MS = 7 * 86_400_000
/** Rows that are looked at for one page when a filter narrows them. */
const WINDOW = 2000

/** One line of the agenda, with its place in it. */
interface Line {
  readonly position: AgendaPosition
  readonly entry: () => AgendaEntry
}

interface Stored {
  readonly found: readonly Coming[]
  /** How far was looked; absent: to the end. */
  readonly end?: AgendaPosition
  readonly isCut?: boolean
}

const fits = (coming: Coming, { kind, definition }: AgendaFilter): boolean => {
  const source = sourceOf(coming)
  return (
    (kind === undefined || source.kind === kind) && (definition === undefined || source.id === definition)
  )
}

const storedAfter = async (
  { opened }: Parts,
  of: Tenancy,
  filter: AgendaFilter,
  { after, to }: Range,
  wanted: number,
): Promise<Stored> => {
  const found: Coming[] = []
  let end = after
  for (let looked = 0; looked < WINDOW; looked += wanted) {
    const { data, isMore } = await opened.office.agenda.between(of, end, to, wanted)
    found.push(...data.filter((coming) => fits(coming, filter)))
    const last = data.at(-1)
    if (!isMore || last === undefined) return { found }
    end = positionOf(last)
    if (found.length >= wanted) return { found, end }
  }
  return { found, end, isCut: true }
}

const stoppedOf = async ({ opened }: Parts, of: Tenancy): Promise<Stopped> => {
  const pauses = await opened.reader.pauses(of)
  const types = new Set(pauses.flatMap(({ scope, value }) => (scope === 'type' ? [value] : [])))
  return { isTenant: pauses.some(({ scope }) => scope === 'tenant'), types }
}

const rangeOf = ({ from, to }: AgendaQuery, now: number): Range => {
  const begin = from === undefined ? now : parseInstant(from)
  const end = to === undefined ? begin + WEEK_MS : parseInstant(to)
  if (end >= begin) return { after: beginning(begin), to: end }
  throw new PawlError('invalid_option', 'the range ends before it begins', {
    path: 'to',
    expected: 'an instant after `from`',
  })
}

/** Both kinds of lines up to where both are known, in order. */
const linesOf = async (
  parts: AgendaParts,
  of: Tenancy,
  query: AgendaQuery,
  range: Range,
  wanted: number,
): Promise<Omit<Stored, 'found'> & { readonly lines: readonly Line[] }> => {
  const { zone = 'UTC' } = query
  const { found, ...rest } = await storedAfter(parts, of, query, range, wanted)
  const firings = await foresee(parts, of, query, range, wanted)
  const stopped = await stoppedOf(parts, of)
  const lines: readonly Line[] = [
    ...found.map((coming) => ({
      position: positionOf(coming),
      entry: () => comingEntry(coming, zone, stopped),
    })),
    ...firings.map((firing) => ({
      position: firing.position,
      entry: () => foreseenEntry(firing, zone, stopped),
    })),
  ]
  const known = lines.filter(({ position }) => !rest.end || comparePositions(position, rest.end) <= 0)
  return { ...rest, lines: known.toSorted((a, b) => comparePositions(a.position, b.position)) }
}

export type AgendaParts = Parts & { readonly coded: Coded }

export const agenda =
  (parts: AgendaParts, of: Tenancy) =>
  async (query: AgendaQuery, { limit, after }: PageRequest): Promise<Page<AgendaEntry>> => {
    const { cursors } = parts.opened.office.agenda
    const { from = null, to = null, zone = 'UTC', kind = null, definition = null, paused = true } = query
    assertZone(zone, 'zone')
    const asked = ['agenda', of.namespace, of.tenant, from, to, kind, definition, paused]
    // A range that was not given is that of the first page, whatever time it is by now.
    const range =
      after === undefined
        ? rangeOf(query, parts.clock.now())
        : (cursors.read(asked, after) as unknown as Range)
    const { lines, end, isCut } = await linesOf(parts, of, query, range, limit + 1)
    const page = lines.slice(0, limit)
    const last = lines.length > limit ? page.at(-1)?.position : end
    return {
      data: page.map(({ entry }) => entry()).filter((entry) => paused || entry.paused === undefined),
      ...(last && { next: cursors.sign(asked, { after: [...last], to: range.to }) }),
      ...(isCut && { window: WINDOW }),
    }
  }
