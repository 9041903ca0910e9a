// Owns `pawl.recurring`: recurrences as people hold them. Each is an execution whose decider is core's; here their wishes
// become its events.

import { PawlError } from '../core/errors.ts'
import { hasEnded } from '../core/execution.ts'
import type { JsonObject } from '../core/json.ts'
import type { Schedule } from '../core/time/cron/schedule.ts'
import { parseInstant } from '../core/time/instant.ts'
import type { Occurrence } from '../core/triggers/occurrences.ts'
import { progressOf, RECURRENCE_EVENTS } from '../core/triggers/recurrence.ts'
import {
  dataRecurrence,
  RECURRENCE_ID,
  type RecurrenceSettings,
  ruleOfSettings,
} from '../core/triggers/recurrence-data.ts'
import type { Sent } from '../engine/advance.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { StoredExecution, Tenancy } from '../store/store.ts'
import type { Parts } from './parts.ts'
import { isDefined, isRemoved } from './recurring-defined.ts'
import {
  type Coded,
  iso,
  type OccurrenceView,
  occurrenceView,
  type RecurrenceView,
  recurrenceView,
  settingsOf,
} from './recurring-view.ts'

export interface NewRecurrence extends Omit<RecurrenceSettings, 'definition' | 'removed'> {
  readonly id?: string
  readonly enabled?: boolean
}

export type RecurrenceChanges = {
  readonly [Name in keyof NewRecurrence]?: NewRecurrence[Name] | null
}

export interface Recurring {
  readonly create: (recurrence: NewRecurrence) => Promise<RecurrenceView>
  readonly get: (id: string) => Promise<RecurrenceView | undefined>
  readonly list: (
    filter?: { readonly enabled?: boolean },
    page?: Partial<PageRequest>,
  ) => Promise<Page<RecurrenceView>>
  /** Null takes a setting away. */
  readonly update: (id: string, changes: RecurrenceChanges) => Promise<RecurrenceView>
  readonly pause: (id: string) => Promise<RecurrenceView>
  readonly resume: (id: string) => Promise<RecurrenceView>
  readonly remove: (id: string) => Promise<void>
  /** One more, now, whatever the schedule says. */
  readonly runNow: (id: string) => Promise<RecurrenceView>
  readonly skipNext: (id: string) => Promise<RecurrenceView>
  /** Fires what the schedule names in a range of the past and did not fire; answers the instants. */
  readonly backfill: (
    id: string,
    range: { readonly from: string | number; readonly to: string | number },
  ) => Promise<readonly string[]>
  readonly history: (id: string, page?: Partial<PageRequest>) => Promise<Page<OccurrenceView>>
  /** The next instants of one that is there, or of settings that are only thought of. */
  readonly next: (
    of: string | Pick<RecurrenceSettings, 'cron' | 'timezone' | 'dst'>,
    n?: number,
  ) => Promise<readonly string[]>
}

const DEFAULT_LIMIT = 50
const MAX_BACKFILL = 1000
/** Runs that were asked for have rows of their own between those of the schedule. */
const MAX_ROWS = 2 * MAX_BACKFILL
const MAX_PREVIEW = 1000

const uuid = (hex: string): string => {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)]
  return [...parts, hex.slice(20, 32)].join('-')
}

export interface RecurringParts extends Parts {
  readonly nonce: () => string
  readonly coded: Coded
}

const notFound = (id: string): PawlError =>
  new PawlError('recurrence_not_found', `there is no recurrence “${id.slice(0, 80)}”`, { path: 'id' })

const defined = (id: string): PawlError =>
  new PawlError('recurrence_conflict', `“${id.slice(0, 80)}” is what its definition says`, {
    path: 'id',
    expected: 'a new version of the definition; pause, resume and remove work at once',
  })

/** Its definition may come back, and with it what it had done. */
const REMOVED: JsonObject = { enabled: false, removed: true }

const isThere = (stored: StoredExecution | undefined): stored is StoredExecution =>
  stored !== undefined &&
  stored.execution.kind === 'recurrence' &&
  !hasEnded(stored.execution) &&
  !isRemoved(stored)

const find = async ({ opened }: RecurringParts, of: Tenancy, id: string): Promise<StoredExecution> => {
  const stored = await opened.reader.execution(of, id)
  if (!isThere(stored)) throw notFound(id)
  return stored
}

const ask = async (
  parts: RecurringParts,
  of: Tenancy,
  id: string,
  event: { readonly type: string; readonly payload?: JsonObject; readonly id?: string },
): Promise<{ readonly sent: Sent; readonly shown: RecurrenceView }> => {
  parts.quota.assertOn()
  await find(parts, of, id)
  const sent = await parts.engine.advancing.ask({ ...of, id }, event)
  return { sent, shown: recurrenceView(parts.coded, await find(parts, of, id)) }
}

export const createRecurring = (parts: RecurringParts, of: Tenancy): Recurring => ({
  ...looking(parts, of),
  ...changing(parts, of),
})

type Looking = Pick<Recurring, 'get' | 'list' | 'history' | 'next'>

const pageOf = ({ limit = DEFAULT_LIMIT, after }: Partial<PageRequest> = {}): PageRequest => ({
  limit,
  ...(after !== undefined && { after }),
})

/** Pages that are read for one where most were removed, or are not what was asked for. */
const MAX_READS = 20

const list = async (
  { opened, coded }: RecurringParts,
  of: Tenancy,
  enabled: boolean | undefined,
  { limit, after }: PageRequest,
): Promise<Page<RecurrenceView>> => {
  const data: RecurrenceView[] = []
  const unreadable: string[] = []
  let next = after
  for (let reads = 0; reads < MAX_READS && data.length < limit; reads++) {
    const page = pageOf({ limit: limit - data.length, ...(next !== undefined && { after: next }) })
    const rows = await opened.reader.executions(of, { kind: 'recurrence' }, page)
    const views = rows.data.filter(isThere).map((stored) => recurrenceView(coded, stored))
    data.push(...views.filter((each) => enabled === undefined || each.enabled === enabled))
    unreadable.push(...(rows.unreadable ?? []))
    next = rows.next
    if (next === undefined) break
  }
  return { data, ...(next !== undefined && { next }), ...(unreadable.length > 0 && { unreadable }) }
}

const looking = (parts: RecurringParts, of: Tenancy): Looking => {
  const { opened, coded, clock } = parts
  return {
    get: async (id) => {
      const stored = await opened.reader.execution(of, id)
      return isThere(stored) ? recurrenceView(coded, stored) : undefined
    },
    list: ({ enabled } = {}, page) => list(parts, of, enabled, pageOf(page)),
    history: async (id, page) => {
      await find(parts, of, id)
      const { data, ...rest } = await opened.occurrences.list(of, id, pageOf(page))
      const outcomeOf = async (action: string | undefined): Promise<string | undefined> =>
        action === undefined ? undefined : (await opened.reader.action(of, action))?.status
      const views = data.map(async (row) => occurrenceView(row, await outcomeOf(row.action)))
      return { ...rest, data: await Promise.all(views) }
    },
    next: async (asked, n = 5) => {
      const settings =
        typeof asked === 'string'
          ? settingsOf(coded, (await find(parts, of, asked)).execution)
          : (asked as unknown as JsonObject)
      const { schedule } = dataRecurrence.ruleOf(settings)
      return schedule.nextN(clock.now(), Math.min(n, MAX_PREVIEW)).map(iso)
    },
  }
}

const changing = (parts: RecurringParts, of: Tenancy): Omit<Recurring, keyof Looking> => {
  const { engine, coded, quota } = parts
  const told = async (id: string, type: string, payload: JsonObject = {}): Promise<RecurrenceView> =>
    (await ask(parts, of, id, { type, payload })).shown
  return {
    create: async ({ id = uuid(parts.nonce()), ...settings }) => {
      quota.assertOn()
      assertRequest(settings)
      ruleOfSettings(settings)
      quota.assertInterval(settings.cron)
      await quota.assertRoom(of)
      const variables = settings as unknown as JsonObject
      await engine.starting.start(of, RECURRENCE_ID, { id, variables }, engine.commit)
      quota.took(of)
      return recurrenceView(coded, await find(parts, of, id))
    },
    update: async (id, { id: _, ...changes }) => {
      if (changes.do !== undefined) assertRequest(changes as Pick<RecurrenceSettings, 'do'>)
      if (isDefined(await find(parts, of, id))) throw defined(id)
      if (typeof changes.cron === 'string') quota.assertInterval(changes.cron)
      return told(id, RECURRENCE_EVENTS.change, changes as unknown as JsonObject)
    },
    pause: (id) => told(id, RECURRENCE_EVENTS.pause),
    resume: (id) => told(id, RECURRENCE_EVENTS.resume),
    remove: async (id) => {
      if (isDefined(await find(parts, of, id)))
        await engine.advancing.ask({ ...of, id }, { type: RECURRENCE_EVENTS.change, payload: REMOVED })
      else await engine.controls.cancelExecution(of, id, 'removed')
    },
    runNow: (id) => told(id, RECURRENCE_EVENTS.runNow),
    skipNext: async (id) => {
      const { sent, shown } = await ask(parts, of, id, { type: RECURRENCE_EVENTS.skipNext })
      if (sent.applied) return shown
      throw new PawlError('recurrence_conflict', `“${id}” has no next occurrence`, {
        expected: 'one that is enabled',
      })
    },
    backfill: (id, range) => backfill(parts, of, id, range),
  }
}

const assertRequest = ({ do: request }: Pick<RecurrenceSettings, 'do'>): void => {
  if (typeof request?.type === 'string' && request.type !== '') return
  throw new PawlError('invalid_option', 'a recurrence must say what to do', {
    path: 'do.type',
    expected: 'the type of a runner',
  })
}

/**
 * Each instant by an event of its own name: asked twice, or by two at once, it fires once. What is due gets its fate first,
 * and only what has one is filled: the rest could still fire by itself.
 */
const backfill = async (
  parts: RecurringParts,
  of: Tenancy,
  id: string,
  range: { readonly from: string | number; readonly to: string | number },
): Promise<readonly string[]> => {
  const { opened, clock, coded } = parts
  await ask(parts, of, id, { type: RECURRENCE_EVENTS.replan })
  const { execution } = await find(parts, of, id)
  const { schedule } = dataRecurrence.ruleOf(settingsOf(coded, execution))
  const told = Math.min(clock.now(), progressOf(execution).through) + 1
  const [from, to] = [parseInstant(range.from), Math.min(parseInstant(range.to), told)]
  if (from >= to)
    throw new PawlError('invalid_option', 'there is nothing to fill between these', {
      path: 'from',
      expected: 'a range of the past, from before to',
    })
  const count = schedule.count(from, to)
  if (count > MAX_BACKFILL)
    throw new PawlError('invalid_option', `the range holds ${count} occurrences`, {
      path: 'to',
      expected: `at most ${MAX_BACKFILL} in one go`,
    })
  const rows = new Map(
    (await opened.occurrences.between(of, id, { from, to: told }, MAX_ROWS)).map((row) => [row.at, row]),
  )
  const isFired = (at: number): boolean => rows.get(at)?.fate === 'fired'
  const missed = [...schedule.between(from, to)].filter((at) => !isFired(at))
  let shared: Occurrence | undefined
  for (const at of missed) {
    shared = leftOf(shared?.at === at ? shared : rows.get(at), schedule, isFired)
    const payload = { at, ...(shared && { left: [{ ...shared }] }) }
    await ask(parts, of, id, { type: RECURRENCE_EVENTS.backfill, payload, id: `backfill/${at}` })
  }
  return missed.map(iso)
}

/** What is left of an entry for several when its first is filled: it begins at the next that is not. */
const leftOf = (
  entry: Occurrence | undefined,
  schedule: Schedule,
  isFired: (at: number) => boolean,
): Occurrence | undefined => {
  const { at: first, until, count = 1, fate, reason } = entry ?? {}
  if (first === undefined || until === undefined || fate === undefined) return undefined
  let [at, left] = [schedule.next(first)!, count - 1]
  for (; left > 0 && isFired(at); left--) at = schedule.next(at)!
  if (left === 0) return undefined
  return { at, fate, ...(reason && { reason }), ...(left > 1 && { until, count: left }) }
}
