// Owns how one thing that is to come is told: in the viewer's wall time and, where a schedule names it, in the schedule's.

import type { Kind } from '../core/execution.ts'
import { type Json, type JsonObject, own } from '../core/json.ts'
import { type ClockMark, markOf } from '../core/time/clock-mark.ts'
import { occurrencesOf } from '../core/time/cron/named-time.ts'
import { describe } from '../core/time/cron/words.ts'
import { DEFAULT_DST } from '../core/time/dst.ts'
import { localAt, offsetAt } from '../core/time/zone.ts'
import type { Coming } from '../store/agenda.ts'
import type { Foreseen } from './foresee.ts'
import { iso } from './recurring-view.ts'

export interface AgendaEntry {
  readonly at: string
  /** The same instant on the wall of the viewer's zone. */
  readonly local: string
  readonly zone: string
  readonly what: string
  readonly type: 'action' | 'timer' | 'occurrence'
  /** The definition behind it, or the recurrence; of what was dispatched, the action. */
  readonly source: { readonly kind: Kind | 'direct'; readonly id: string }
  /** When its schedule says, where it says it, and in words. */
  readonly schedule?: { readonly local: string; readonly zone: string; readonly words: string }
  /** The clock changes that day: in the schedule's zone, or in the viewer's where there is none. */
  readonly mark?: ClockMark
  /** It was stopped: it comes only if it goes on before then. */
  readonly paused?: true
  readonly actionId?: string
  readonly executionId?: string
}

/** What a tenant has stopped as a whole. */
export interface Stopped {
  readonly isTenant: boolean
  readonly types: ReadonlySet<string>
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

const isStopped = ({ isTenant, types }: Stopped, type: string | undefined): boolean =>
  isTenant || (type !== undefined && types.has(type))

export const sourceOf = (coming: Coming): AgendaEntry['source'] =>
  coming.kind === 'timer' ? coming.source : coming.action.source

export const comingEntry = (coming: Coming, zone: string, stopped: Stopped): AgendaEntry => {
  const { at, kind: type } = coming
  const mark = markOf({ at, zone, dst: DEFAULT_DST }, at)
  const place = { at: iso(at), local: wallText(at, zone), zone, type, source: sourceOf(coming) }
  const shared = { ...place, ...(mark && { mark }) }
  if (coming.kind === 'timer') {
    const { execution, timer } = coming.timer
    const paused = isStopped(stopped, undefined) && { paused: true as const }
    return { ...shared, what: `timer ${timer.key}`, ...paused, executionId: execution }
  }
  const { id, plan, execution } = coming.action
  return {
    ...shared,
    what: plan.summary ?? `${plan.name} (${plan.type})`,
    ...(isStopped(stopped, plan.type) && { paused: true }),
    actionId: id,
    ...(execution !== null && { executionId: execution }),
  }
}

const textAt = (settings: JsonObject, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<Json | undefined>((at, part) => own(at, part), settings)
  return typeof found === 'string' ? found : undefined
}

/** What it says of itself; else the name and type of what it does. */
const whatOf = (id: string, settings: JsonObject): string => {
  const type = textAt(settings, 'do', 'type')
  const named = type === undefined ? id : `${textAt(settings, 'do', 'name') ?? type} (${type})`
  return textAt(settings, 'do', 'summary') ?? textAt(settings, 'description') ?? named
}

const scheduled = ({ rule, at }: Foreseen): Pick<AgendaEntry, 'schedule' | 'mark'> => {
  if (rule === undefined) return {}
  const { schedule } = rule
  const { zone, dst, cron } = schedule
  const [occurrence = { at }] = occurrencesOf(schedule, at)
  const mark = markOf({ ...occurrence, zone, dst }, at)
  return {
    schedule: { local: wallText(at, zone), zone, words: describe(cron, zone) },
    ...(mark && { mark }),
  }
}

export const foreseenEntry = (firing: Foreseen, zone: string, stopped: Stopped): AgendaEntry => {
  const { at, id, settings, isStill } = firing
  return {
    at: iso(at),
    local: wallText(at, zone),
    zone,
    what: whatOf(id, settings),
    type: 'occurrence',
    source: { kind: 'recurrence', id },
    ...scheduled(firing),
    ...((isStill || isStopped(stopped, textAt(settings, 'do', 'type'))) && { paused: true }),
    executionId: id,
  }
}
