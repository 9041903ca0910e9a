// Owns what people see of an execution over time: what it went through, where it stands, what is planned. It reads; it
// foresees nothing that is not written down. What is to come of all of them is agenda.ts.

import { PawlError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
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
