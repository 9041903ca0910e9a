// Holds the recurrences: an occurrence gets its fate once, with its row and its action in the commit that says so; none of
// the schedule is passed over; and what comes next is armed. Schedules here are every so many seconds, so that their
// instants can be counted by hand.

import type { ToldOccurrence } from '../../src/core/triggers/occurrences.ts'
import type { Progress } from '../../src/core/triggers/recurrence-run.ts'
import type { Accepted } from './accepted.ts'
import type { Actions } from './check-actions.ts'
import type { History } from './check-history.ts'
import type { Judge } from './judge.ts'
import { type OccurrenceRow, type RecurrenceRow, type Rows, unsealed } from './rows.ts'

interface OccurrenceParts {
  readonly rows: Rows
  readonly judge: Judge
  readonly history: History
  readonly actions: Actions
  readonly accepted: Accepted
}

/** What is known of one recurrence. */
interface Book {
  readonly stepMs: number
  readonly maxExecutions: number
  readonly overlap: string
  /** By instant; those that share an entry each have it. */
  readonly fates: Map<number, ToldOccurrence>
  revision: number
  /** Looked at up to here. */
  through: number
}

export interface Occurrences {
  readonly read: () => void
  readonly end: () => void
  /** What has its fate and did not fire, each by an entry of its own. */
  readonly missed: (tenant: string, recurrence: string) => readonly number[]
}

const isAsked = ({ reason }: ToldOccurrence): boolean => reason === 'run_now' || reason === 'backfill'

const bookOf = (row: RecurrenceRow): Book => {
  const { settings, through } = unsealed<Progress>(row.variables)
  const seconds = Number(/^\*\/(\d+)/.exec(String(settings['cron']))![1])
  return {
    stepMs: seconds * 1000,
    maxExecutions: Number(settings['maxExecutions']),
    overlap: String(settings['overlap']),
    fates: new Map(),
    revision: -1,
    through,
  }
}

/** Entries that the history has come to tell of one recurrence. */
const readTold = (
  { judge, actions }: OccurrenceParts,
  name: string,
  { fates, stepMs }: Book,
  told: ToldOccurrence,
): void => {
  const { at, until = at, fate, reason, action } = told
  for (let instant = at; instant <= until; instant += stepMs) {
    const before = fates.get(instant)
    const isFree = before === undefined || (before.fate !== 'fired' && reason === 'backfill')
    judge.hold(isFree, 'I8', () => `${name} tells ${instant} as ${before!.fate} and as ${fate}`)
    fates.set(instant, told)
  }
  const hasAction = action !== undefined && actions.stepOf(action) !== undefined
  judge.hold(hasAction === (fate === 'fired'), 'I8', () => `${name}: ${at} is ${fate}, its action ${action}`)
}

const nextAfter = (instant: number, stepMs: number): number => (Math.floor(instant / stepMs) + 1) * stepMs

/** It has come as far as it says, and what it says of itself is what was told. */
const holdProgress = ({ hold }: Judge, row: RecurrenceRow, book: Book): void => {
  if (row.revision === book.revision) return
  book.revision = row.revision
  const { id, state } = row
  const { through, nextAt, enabled, fired } = unsealed<Progress>(row.variables)
  const { stepMs, fates, maxExecutions } = book
  for (let at = nextAfter(book.through, stepMs); at <= through; at += stepMs)
    hold(fates.has(at), 'I8', () => `${id} has passed ${at}, and nobody says what became of it`)
  hold(through >= book.through, 'I8', () => `${id} went back from ${book.through} to ${through}`)
  book.through = through
  const all = new Set([...fates.values()].filter(({ fate }) => fate === 'fired'))
  hold(fired === all.size, 'I8', () => `${id} counts ${fired}, and ${all.size} fired`)
  const planned = [...all].filter((one) => !isAsked(one)).length
  hold(planned <= maxExecutions, 'I8', () => `${id} fired ${planned} times of ${maxExecutions}`)
  const isNext = nextAt === null || nextAt === nextAfter(through, stepMs)
  hold(isNext, 'I8', () => `${id} stands at ${through}, and is to fire next at ${nextAt}`)
  const armed = unsealed<{ timers: readonly string[] }>(row.pending).timers.length
  const isGoing = row.status === 'active' || row.status === 'paused'
  const isArmed = armed === Number(enabled) && state === (enabled ? 'scheduled' : 'disabled')
  hold(!isGoing || isArmed, 'I8', () => `${id} is ${state}, with ${armed} timers`)
}

/** Runs that the policy keeps apart; what people asked for or brought back is beside it. */
const holdOverlap = (
  { judge, actions, accepted }: OccurrenceParts,
  { tenant, id }: RecurrenceRow,
  { overlap, fates }: Book,
): void => {
  if (overlap === 'allow') return
  const planned = new Set([...fates.values()].flatMap((one) => (isAsked(one) ? [] : (one.action ?? []))))
  const under = [...actions.live().values()].filter(
    (row) =>
      row.tenant === tenant &&
      planned.has(row.id) &&
      (row.status === 'queued' || (row.status === 'running' && overlap === 'skip')) &&
      // Given back before its worker heard of it: whoever claims it next ends it.
      row.cancel_requested === 0 &&
      !accepted.retried.has(row.id) &&
      // Nobody can read whose step it is, so nobody can cancel it for that.
      !accepted.damaged.has(row.id) &&
      !accepted.resolved.has(row.id),
  )
  judge.hold(
    under.length <= 1,
    'I8',
    () => `${id} (${overlap}) has ${under.map((row) => `${row.id} ${row.status}`).join(', ')}`,
  )
}

const holdRow = (
  { judge }: OccurrenceParts,
  book: Book | undefined,
  { recurrence, at, fate, details }: OccurrenceRow,
) => {
  const told = book?.fates.get(at)
  const { action } = unsealed<Partial<ToldOccurrence>>(details)
  const isSame = told?.at === at && told.fate === fate && told.action === action
  judge.hold(isSame, 'I8', () => `${recurrence}: the row of ${at} is ${fate}, and it was told ${told?.fate}`)
}

export const createOccurrences = (parts: OccurrenceParts): Occurrences => {
  const { rows, judge, history } = parts
  const books = new Map<string, Book>()
  let [seen, kept] = [0, 0]
  const compare = (): void => {
    const found = rows.occurrences()
    for (const row of found) holdRow(parts, books.get(`${row.tenant} ${row.recurrence}`), row)
    const entries = [...books.values()].map(({ fates }) => new Set(fates.values()).size)
    const told = entries.reduce((sum, count) => sum + count, 0)
    judge.hold(found.length === told, 'I8', () => `${told} occurrences were told, ${found.length} have a row`)
  }
  return {
    read: () => {
      const all = rows.recurrences()
      for (const row of all) {
        const key = `${row.tenant} ${row.id}`
        if (!books.has(key)) books.set(key, bookOf(row))
      }
      const fresh = history.occurrences.slice(seen)
      seen += fresh.length
      for (const { tenant, execution, told } of fresh)
        readTold(parts, execution, books.get(`${tenant} ${execution}`)!, told)
      for (const row of all) {
        const book = books.get(`${row.tenant} ${row.id}`)!
        holdProgress(judge, row, book)
        holdOverlap(parts, row, book)
      }
      const count = rows.occurrenceCount()
      if (fresh.length > 0 || count !== kept) compare()
      kept = count
    },
    end: () => {
      compare()
      for (const { tenant, id, status, variables } of rows.recurrences())
        for (const action of status === 'active' ? unsealed<Progress>(variables).open : []) {
          const live = parts.actions.live().get(action)?.status
          const isOpen = live === 'queued' || live === 'running'
          judge.hold(isOpen, 'I8', () => `${tenant} ${id} waits for ${action}, which is over`)
        }
    },
    missed: (tenant, recurrence) =>
      [...(books.get(`${tenant} ${recurrence}`)?.fates ?? [])].flatMap(([at, { fate, count }]) =>
        fate === 'fired' || count !== undefined ? [] : [at],
      ),
  }
}
