// Holds every action: it is in one place, it goes only the ways there are, its counts stay within what its plan allows,
// and when it ends its execution hears of it.

import { MAX_REAPS } from '../../src/core/settle.ts'
import type { Accepted } from './accepted.ts'
import type { Claims } from './check-claims.ts'
import type { History } from './check-history.ts'
import type { Inbox } from './check-inbox.ts'
import type { Judge } from './judge.ts'
import type { Receiver } from './receiver.ts'
import type { DoneRow, LiveRow, Rows } from './rows.ts'

/** What never changes of an action. */
interface Facts {
  readonly stepKey: string
  readonly maxAttempts: number
  readonly dedup: string | undefined
  readonly tenantOfConfig: unknown
  readonly isBornDead: boolean
}

export interface ActionsParts {
  readonly rows: Rows
  readonly judge: Judge
  readonly receiver: Receiver
  readonly history: History
  readonly inbox: Inbox
  readonly accepted: Accepted
  readonly claims: Claims
}

/** What was seen of all actions so far. */
interface Book {
  readonly facts: Map<string, Facts>
  readonly steps: Map<string, string>
  readonly ended: Map<string, DoneRow>
  live: ReadonlyMap<string, LiveRow>
  position: number
}

/** From what it was to what it may be after one commit, which may hold a settlement and a person's wish. */
const WAYS: Readonly<Record<LiveRow['status'], readonly LiveRow['status'][]>> = {
  queued: ['queued', 'running'],
  running: ['running', 'queued', 'dead', 'review'],
  dead: ['dead', 'queued'],
  review: ['review', 'queued', 'dead'],
}

const learn = ({ rows, judge }: ActionsParts, book: Book, { id, tenant }: LiveRow | DoneRow): Facts => {
  const known = book.facts.get(id)
  if (known !== undefined) return known
  const { stepKey, retryPolicy, config, status } = rows.plan(id)
  const { tenant: tenantOfConfig, dedup } = config as Record<string, string | undefined>
  const { maxAttempts } = retryPolicy
  const facts = { stepKey, maxAttempts, dedup, tenantOfConfig, isBornDead: status === 'dead' }
  book.facts.set(id, facts)
  const step = `${tenant} ${stepKey}`
  const other = book.steps.get(step)
  judge.hold(other === undefined, 'I3', () => `${step} is the step of ${other} and of ${id}`)
  book.steps.set(step, id)
  return facts
}

/** Its execution has heard, or will: by the event of this settlement, or of what a person said. */
const isHeard = ({ accepted, history, inbox }: ActionsParts, row: LiveRow | DoneRow): boolean => {
  const { id, tenant, execution, token } = row
  if (execution === null || accepted.resolved.has(id)) return true
  const event = `${id}/${token}`
  return history.isApplied(tenant, execution, event) || inbox.has(tenant, execution, event)
}

const holdCounts = ({ hold }: Judge, row: LiveRow | DoneRow, facts: Facts): void => {
  const { id, tenant, attempt, lost, reaps, execution, lane_tenant: laneTenant } = row
  const { maxAttempts, tenantOfConfig } = facts
  const isWithin = attempt - lost <= maxAttempts
  hold(isWithin, 'I10', () => `${id}: ${attempt} attempts, ${lost} lost, of ${maxAttempts}`)
  hold(reaps <= MAX_REAPS, 'I10', () => `${id} was reaped ${reaps} times`)
  const isOwn = tenantOfConfig === tenant && laneTenant === tenant && (execution ?? tenant).startsWith(tenant)
  hold(isOwn, 'I11', () => `${id} of ${tenantOfConfig} is with ${tenant} in a lane of ${laneTenant}`)
}

/** Only its claim ends a run, and only a person brings back what was given up. */
const holdCause = (
  { judge: { hold }, claims, accepted }: ActionsParts,
  before: LiveRow | undefined,
  { id, status }: LiveRow | DoneRow,
): void => {
  if (before === undefined || before.status === status) return
  const isEnded = before.status !== 'running' || claims.ended.has(`${id} ${before.token}`)
  hold(isEnded, 'I7', () => `${id} ran and is ${status}, and nobody with its claim said so`)
  const isGivenUp = before.status === 'dead' || before.status === 'review'
  const isAsked = accepted.retried.has(id) || accepted.resolved.has(id)
  const isFree = !isGivenUp || status !== 'queued' || isAsked
  hold(isFree, 'I2', () => `${id} was ${before.status} and is queued, unasked`)
}

const readDone = (parts: ActionsParts, book: Book, row: DoneRow): void => {
  const { judge, receiver, accepted } = parts
  const { hold } = judge
  const { id, tenant, status } = row
  book.position = row.position
  hold(!book.ended.has(id), 'I2', () => `${id} ended twice`)
  book.ended.set(id, row)
  const facts = learn(parts, book, row)
  holdCounts(judge, row, facts)
  const before = book.live.get(id)
  holdCause(parts, before, row)
  if (status !== 'succeeded') return
  const isEndable = before?.status === 'running' || before?.status === 'review'
  hold(isEndable, 'I2', () => `${id} succeeded and was ${before?.status}`)
  const isMade = receiver.has(tenant, facts.stepKey) || accepted.resolved.has(id)
  hold(isMade, 'I4', () => `${id} succeeded, and nothing arrived`)
  hold(isHeard(parts, row), 'I5', () => `${id} succeeded, and its execution does not hear of it`)
}

/** What its execution's pause stops is not offered, and everything else is. */
const holdParking = ({ judge, history }: ActionsParts, row: LiveRow): void => {
  const { id, tenant, execution, status, lane } = row
  if (status !== 'queued' || execution === null) return
  const stands = history.statusOf(tenant, execution)
  const isRight = stands === 'failed' || lane < 0 === (stands === 'paused')
  judge.hold(isRight, 'I9', () => `${id} is in lane ${lane}, and ${execution} is ${stands}`)
}

const readLive = (parts: ActionsParts, book: Book, row: LiveRow): void => {
  const { hold } = parts.judge
  const { id, status, token, attempt } = row
  hold(!book.ended.has(id), 'I2', () => `${id} has ended and is ${status}`)
  const facts = learn(parts, book, row)
  holdCounts(parts.judge, row, facts)
  holdParking(parts, row)
  const before = book.live.get(id)
  if (before === undefined) {
    const isEager = status === 'running' && parts.claims.handed.has(`${id} 1`)
    hold(status === 'queued' || isEager || facts.isBornDead, 'I2', () => `${id} was born ${status}`)
    return
  }
  hold(WAYS[before.status].includes(status), 'I2', () => `${id} was ${before.status} and is ${status}`)
  holdCause(parts, before, row)
  const isClaimed = before.status === 'queued' && status === 'running'
  const isNext = token === before.token + (isClaimed ? 1 : 0)
  hold(isNext, 'I7', () => `${id}: token ${before.token}, then ${token}`)
  hold(attempt >= before.attempt, 'I10', () => `${id}: attempt ${before.attempt}, then ${attempt}`)
  if (before.status === 'running' && (status === 'dead' || status === 'review'))
    hold(isHeard(parts, row), 'I5', () => `${id} is ${status}, and its execution does not hear of it`)
}

/** Held by those under way, and by what waits for a person; a dead letter gave it back. */
const holdDedup = ({ judge, accepted }: ActionsParts, { facts, live }: Book): void => {
  const holders = new Map<string, string>()
  for (const [id, { tenant, status }] of live) {
    const dedup = facts.get(id)?.dedup
    if (dedup === undefined || status === 'dead' || accepted.retried.has(id)) continue
    const key = `${tenant} ${dedup}`
    const other = holders.get(key)
    judge.hold(other === undefined, 'I6', () => `${key} is held by ${other} and by ${id}`)
    holders.set(key, id)
  }
}

export interface Actions {
  readonly read: () => void
  readonly live: () => ReadonlyMap<string, LiveRow>
  readonly ended: ReadonlyMap<string, DoneRow>
  readonly stepOf: (id: string) => string | undefined
}

export const createActions = (parts: ActionsParts): Actions => {
  const { rows, history, accepted, judge } = parts
  const { hold } = judge
  const book: Book = { facts: new Map(), steps: new Map(), ended: new Map(), live: new Map(), position: 0 }
  const { facts, ended } = book
  return {
    read: () => {
      for (const row of rows.doneAfter(book.position)) readDone(parts, book, row)
      const now = new Map<string, LiveRow>()
      for (const row of rows.live()) {
        readLive(parts, book, row)
        now.set(row.id, row)
      }
      for (const id of book.live.keys()) hold(now.has(id) || ended.has(id), 'I6', () => `${id} is gone`)
      book.live = now
      for (const id of history.listed)
        hold(facts.has(id), 'I6', () => `${id} is in the history, and nowhere else`)
      for (const id of accepted.actions) hold(facts.has(id), 'I6', () => `${id} was accepted and is lost`)
      holdDedup(parts, book)
    },
    live: () => book.live,
    ended,
    stepOf: (id) => facts.get(id)?.stepKey,
  }
}
