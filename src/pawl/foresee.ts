// Owns foreseeing the recurrences of a tenant: of all their occurrences to come, the next so many. They are read in the order
// of their next occurrence, and no further than the last one that is wanted.

import { hasEnded, type Kind } from '../core/execution.ts'
import type { JsonObject } from '../core/json.ts'
import { foreseen } from '../core/triggers/foreseen.ts'
import { progressOf } from '../core/triggers/recurrence.ts'
import { dataRecurrence } from '../core/triggers/recurrence-data.ts'
import type { Rule } from '../core/triggers/recurrence-run.ts'
import { type AgendaPosition, beginning, comparePositions, timerPosition } from '../store/agenda.ts'
import type { StoredExecution, Tenancy } from '../store/store.ts'
import type { Parts } from './parts.ts'
import { type Coded, settingsOf } from './recurring-view.ts'

export interface AgendaFilter {
  /** Only of this kind of trigger, or only what was dispatched. */
  readonly kind?: Kind | 'direct'
  /** Only of this definition; a recurrence is named by its own id. */
  readonly definition?: string
  /** False leaves out what stands still. */
  readonly paused?: boolean
}

/** Behind a place and before an instant. */
export interface Range {
  readonly after: AgendaPosition
  readonly to: number
}

/** One occurrence to come. */
export interface Foreseen {
  readonly position: AgendaPosition
  readonly at: number
  readonly id: string
  readonly settings: JsonObject
  /** Absent when its code is elsewhere: only its next occurrence is known here. */
  readonly rule: Rule | undefined
  /** It comes only if it goes on before. */
  readonly isStill: boolean
}

const SLICE = 250
/** Of those that stand still, so many are shown. */
const MAX_STILL = 250

/** The first so many of all that are offered, in order. */
const createSoonest = (wanted: number) => {
  const kept: Foreseen[] = []
  return {
    kept,
    /** False: it comes after all that are wanted, and so does whatever follows it. */
    offer: (one: Foreseen): boolean => {
      const index = kept.findLastIndex((other) => comparePositions(other.position, one.position) < 0) + 1
      if (index >= wanted) return false
      kept.splice(index, 0, one)
      if (kept.length > wanted) kept.pop()
      return true
    },
    /** Nothing from here on is wanted. */
    isBeyond: (position: AgendaPosition): boolean =>
      kept.length === wanted && comparePositions(position, kept.at(-1)!.position) > 0,
  }
}

const instantsOf = (
  rule: Rule | undefined,
  { execution }: StoredExecution,
  from: number,
  isStill: boolean,
): Iterable<number> => {
  const progress = progressOf(execution)
  // What comes while it stands still is no occurrence of its count.
  const through = isStill ? Math.max(progress.through, from - 1) : progress.through
  if (rule !== undefined) return foreseen(rule, { ...progress, through }, from)
  return progress.nextAt === null ? [] : [progress.nextAt]
}

type Offer = ReturnType<typeof createSoonest>['offer']

const offerAll = (
  coded: Coded,
  stored: StoredExecution,
  { after, to }: Range,
  offer: Offer,
  isStill: boolean,
): void => {
  const { id } = stored.execution
  const settings = settingsOf(coded, stored.execution)
  const rule = settings['cron'] === undefined ? undefined : dataRecurrence.ruleOf(settings)
  for (const at of instantsOf(rule, stored, after[0], isStill)) {
    if (at >= to) return
    const position = timerPosition(at, id, `next/${at}`)
    const isAsked = comparePositions(position, after) > 0
    if (isAsked && !offer({ position, at, id, settings, rule, isStill })) return
  }
}

/** The newest of those that are switched off, or paused as executions. */
const standingStill = async ({ opened }: Parts, of: Tenancy): Promise<readonly StoredExecution[]> => {
  const page = { limit: MAX_STILL }
  const off = await opened.reader.executions(of, { kind: 'recurrence', state: 'disabled' }, page)
  const paused = await opened.reader.executions(of, { kind: 'recurrence', status: 'paused' }, page)
  const found = [...off.data, ...paused.data].filter(({ execution }) => !hasEnded(execution))
  return [...new Map(found.map((stored) => [stored.execution.id, stored])).values()]
}

export const foresee = async (
  parts: Parts & { readonly coded: Coded },
  of: Tenancy,
  { kind = 'recurrence', definition, paused = true }: AgendaFilter,
  range: Range,
  wanted: number,
): Promise<readonly Foreseen[]> => {
  const { opened, coded } = parts
  if (kind !== 'recurrence') return []
  const { kept, offer, isBeyond } = createSoonest(wanted)
  const consider = (stored: StoredExecution | undefined, isStill: boolean): void => {
    if (stored === undefined || (definition ?? stored.execution.id) !== stored.execution.id) return
    offerAll(coded, stored, range, offer, isStill)
  }
  for (let next = beginning(0); ; ) {
    const rows = await opened.office.agenda.recurrences(of, next, range.to, SLICE)
    for (const { stored } of rows) consider(stored, false)
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE || isBeyond(last.position)) break
    next = last.position
  }
  if (paused) for (const stored of await standingStill(parts, of)) consider(stored, true)
  return kept
}
