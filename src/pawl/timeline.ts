// Owns what people see of an execution over time: what it went through, where it stands, what is planned. And the agenda
// of a tenant: what is to come of all of them, in the wall time of a zone. It reads; it foresees nothing that is not
// written down.

import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { parseInstant } from '../core/time/instant.ts'
import { assertZone, localAt, offsetAt } from '../core/time/zone.ts'
import type { Coming } from '../store/agenda.ts'
import type { ActionRow, HistoryRow, Page, PageRequest } from '../store/reader.ts'
import type { DueTimer, StoredExecution, Tenancy } from '../store/store.ts'
import type { Parts } from './parts.ts'
import { type ExecutionView, executionView } from './views.ts'

export interface TimelineEntry {
  readonly when: 'past' | 'now' | 'planned'
  readonly at: string
  readonly type: string
  readonly what: string
  readonly actionId?: string
  readonly data?: JsonObject
}

export interface AgendaEntry {
  readonly at: string
  /** The same instant on the wall of the zone. */
  readonly local: string
  readonly zone: string
  readonly what: string
  readonly type: 'action' | 'timer'
  readonly source: { readonly kind: string; readonly id: string }
  readonly actionId?: string
  readonly executionId?: string
}

export interface AgendaQuery {
  /** Instants. Default: from now on, for seven days. */
  readonly from?: string | number
  readonly to?: string | number
  /** Default UTC. */
  readonly zone?: string
}

const WEEK_MS = 7 * 86_400_000
/** More than this of one execution is not planned in any picture people look at. */
const MAX_PLANNED = 250

const instant = (at: number): string => new Date(at).toISOString()

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const pastWords = ({ type, data }: HistoryRow): string => {
  const event = data['event']
  const cause = typeof event === 'object' && event !== null ? textOf((event as JsonObject)['type']) : ''
  const by = cause === '' ? '' : ` by ${cause}`
  if (type === 'execution.transitioned') return `${textOf(data['from']) || '·'} → ${textOf(data['to'])}${by}`
  return `${type.split('.').at(-1)}${by}`
}

const past = (row: HistoryRow): TimelineEntry => ({
  when: 'past',
  at: instant(row.at),
  type: row.type,
  what: pastWords(row),
  data: row.data,
})

const nowEntry = ({ execution }: StoredExecution, now: number): TimelineEntry => ({
  when: 'now',
  at: instant(now),
  type: `execution.${execution.status}`,
  what: execution.state === null ? execution.status : `${execution.status} in ${execution.state}`,
})

const plannedAction = ({ id, plan, dueAt, status }: ActionRow): TimelineEntry => ({
  when: 'planned',
  at: instant(dueAt),
  type: `action.${status}`,
  what: plan.summary ?? `${plan.name} (${plan.type})`,
  actionId: id,
})

const plannedTimer = ({ timer }: DueTimer): TimelineEntry => ({
  when: 'planned',
  at: instant(timer.dueAt),
  type: 'timer',
  what: `timer ${timer.key}`,
})

const found = async ({ opened }: Parts, of: Tenancy, id: string): Promise<StoredExecution> => {
  const loaded = await opened.reader.execution(of, id)
  if (loaded !== undefined) return loaded
  throw new PawlError('execution_not_found', `there is no execution “${id.slice(0, 80)}”`, {
    path: 'execution',
    expected: 'the id of an execution of this tenant',
  })
}

const plannedOf = async ({ opened }: Parts, of: Tenancy, id: string): Promise<readonly TimelineEntry[]> => {
  const { data } = await opened.reader.actions(of, { execution: id }, { limit: MAX_PLANNED })
  const open = data.filter(({ status }) => status === 'queued' || status === 'running')
  const timers = await opened.office.agenda.timersOf(of, id, MAX_PLANNED)
  return [...open.map(plannedAction), ...timers.map(plannedTimer)].toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  )
}

/** The past page by page, oldest first; behind its last page the present and what is planned. */
export const timeline =
  (parts: Parts, of: Tenancy) =>
  async (id: string, page: PageRequest): Promise<Page<TimelineEntry>> => {
    const loaded = await found(parts, of, id)
    const { data, next } = await parts.opened.reader.history(of, id, page)
    const told = data.map(past)
    if (next !== undefined) return { data: told, next }
    return { data: [...told, nowEntry(loaded, parts.clock.now()), ...(await plannedOf(parts, of, id))] }
  }

/** With the instant at which it goes on by itself, if there is one. */
export const executionWithNext = async (
  parts: Parts,
  of: Tenancy,
  id: string,
): Promise<ExecutionView | undefined> => {
  const loaded = await parts.opened.reader.execution(of, id)
  if (loaded === undefined) return undefined
  const [next] = (await plannedOf(parts, of, id)).filter(({ type }) => type !== 'action.running')
  return { ...executionView(loaded), ...(next && { nextAt: next.at }) }
}

const two = (part: number): string => String(part).padStart(2, '0')

const offsetText = (ms: number): string => {
  const minutes = Math.abs(Math.trunc(ms / 60_000))
  return `${ms < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`
}

const wallText = (at: number, zone: string): string => {
  const { year, month, day, hour, minute, second } = localAt(at, zone)
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}${offsetText(offsetAt(at, zone))}`
}

const agendaEntry =
  (zone: string) =>
  (coming: Coming): AgendaEntry => {
    const shared = { at: instant(coming.at), local: wallText(coming.at, zone), zone, type: coming.kind }
    if (coming.kind === 'timer') {
      const { execution, timer } = coming.timer
      const source = { kind: 'execution', id: execution }
      return { ...shared, what: `timer ${timer.key}`, source, executionId: execution }
    }
    const { id, plan, source, execution } = coming.action
    return {
      ...shared,
      what: plan.summary ?? `${plan.name} (${plan.type})`,
      source,
      actionId: id,
      ...(execution !== null && { executionId: execution }),
    }
  }

export const agenda =
  ({ opened, clock }: Parts, of: Tenancy) =>
  async ({ from, to, zone = 'UTC' }: AgendaQuery, page: PageRequest): Promise<Page<AgendaEntry>> => {
    assertZone(zone, 'zone')
    const begin = from === undefined ? clock.now() : parseInstant(from)
    const end = to === undefined ? begin + WEEK_MS : parseInstant(to)
    if (end < begin)
      throw new PawlError('invalid_option', 'the range ends before it begins', {
        path: 'to',
        expected: 'an instant after `from`',
      })
    const found = await opened.office.agenda.between(of, { from: begin, to: end }, page)
    return { ...found, data: found.data.map(agendaEntry(zone)) }
  }
