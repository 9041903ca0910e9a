// Owns measuring how actions fare (F-100, F-101): every settlement is added up in memory, per action name and hour, and
// what has changed is written about once a second. No commit waits for it and none grows by it; what a process that is
// killed had not yet written, a second's worth, is missing from the figures and from nothing else.
// H1  A row is this process's alone and is written whole: a write that is repeated counts nothing twice.

import type { Settlement } from '../core/settle.ts'
import type { HealthRow, HealthStore, Measured } from '../store/health.ts'
import type { Clock } from './clock.ts'
import { classOf } from './health-metrics.ts'
import { type Log, messageOf } from './log.ts'
import type { Ended } from './settlement.ts'

export interface Health {
  readonly record: (ended: Ended, settlement: Settlement) => void
  /** Everything measured so far is in the store. */
  readonly flush: () => Promise<void>
  /** Flushes for the last time. */
  readonly close: () => Promise<void>
}

export interface HealthParts {
  readonly store: Pick<HealthStore, 'put'>
  /** A name of this process, drawn anew each time it starts. */
  readonly writer: string
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

const HOUR_MS = 3_600_000
const FLUSH_MS = 1000
/** Names are people's: beyond so many, those that are written make room. */
const MAX_ROWS = 2000
const AT_ONCE = 200

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS

export const NOTHING: Measured = {
  ended: 0,
  succeeded: 0,
  retried: 0,
  retries: 0,
  attempts: 0,
  durationMs: 0,
  cost: 0,
  latency: {},
  errors: {},
}

/** What is still being added up. It is this module's alone: whoever writes it down gets a copy. */
type Tally = {
  -readonly [Name in keyof Measured]: Measured[Name] extends number ? number : Record<string, number>
}

// Without a prototype: the types of errors are people's, and one may be called `constructor`.
const sums = (): Record<string, number> => Object.create(null)
const emptyTally = (): Tally => ({ ...NOTHING, latency: sums(), errors: sums() })
const copyOf = (tally: Tally): Measured => ({
  ...tally,
  latency: { ...tally.latency },
  errors: { ...tally.errors },
})

const plusOne = (sums: Record<string, number>, name: string | number): void => {
  sums[name] = (sums[name] ?? 0) + 1
}

/** One that never started took no time and is no attempt; one that was cancelled or skipped is neither good nor bad. */
const count = (tally: Tally, ended: Ended, { status, error }: Settlement): void => {
  const { action, attempt, startedAt, endedAt, costEstimate = 0 } = ended
  const isFailure = error !== undefined && status !== 'cancelled' && status !== 'skipped'
  tally.cost += costEstimate
  if (status === 'succeeded' || status === 'dead' || status === 'review') {
    tally.ended += 1
    if (status === 'succeeded') tally.succeeded += 1
    if (attempt > 1) {
      tally.retried += 1
      tally.retries += attempt - 1
    }
  }
  if (attempt > action.attempt) {
    const duration = Math.max(0, endedAt - startedAt)
    tally.attempts += 1
    tally.durationMs += duration
    plusOne(tally.latency, classOf(duration))
  }
  if (isFailure) plusOne(tally.errors, error.type)
}

/** A row while it grows. */
interface Growing extends Omit<HealthRow, 'measured'> {
  readonly key: string
  readonly tally: Tally
}

const rowOf = ({ key: _, tally, ...row }: Growing): HealthRow => ({ ...row, measured: copyOf(tally) })

/** What was measured and not yet written, and what of it may still grow. */
const createLedger = ({ store, writer, clock }: Omit<HealthParts, 'log'>) => {
  const rows = new Map<string, Growing>()
  const changed = new Set<string>()
  let generation = 0
  /** The next is mostly of the same name: then no key is made to find it. */
  let last: Growing | undefined

  /** What is written and over is forgotten; the next of its name is another row. */
  const forget = (): void => {
    const hour = hourOf(clock.now())
    const isFull = rows.size > MAX_ROWS
    if (isFull) generation += 1
    for (const [key, { bucket }] of rows) if (!changed.has(key) && (isFull || bucket < hour)) rows.delete(key)
    last = undefined
  }
  const find = ({ namespace, tenant, plan }: Ended['action'], bucket: number): Growing => {
    const { name, type } = plan
    const by = generation === 0 ? writer : `${writer}.${generation}`
    const key = `${namespace}\u0000${tenant}\u0000${name}\u0000${type}\u0000${bucket}\u0000${by}`
    const known = rows.get(key)
    if (known !== undefined) return known
    const row = { key, namespace, tenant, name, type, bucket, writer: by, tally: emptyTally() }
    rows.set(key, row)
    return row
  }
  return {
    add: (ended: Ended, settlement: Settlement): void => {
      const { action } = ended
      const bucket = hourOf(clock.now())
      if (last === undefined || last.bucket !== bucket || !isOf(last, action)) last = find(action, bucket)
      count(last.tally, ended, settlement)
      changed.add(last.key)
    },
    write: async (): Promise<void> => {
      const keys = [...changed]
      changed.clear()
      try {
        for (let at = 0; at < keys.length; at += AT_ONCE)
          await store.put(keys.slice(at, at + AT_ONCE).map((key) => rowOf(rows.get(key)!)))
        forget()
      } catch (error) {
        for (const key of keys) changed.add(key)
        throw error
      }
    },
  }
}

const isOf = (row: Growing, { namespace, tenant, plan }: Ended['action']): boolean =>
  row.name === plan.name && row.tenant === tenant && row.namespace === namespace && row.type === plan.type

export const createHealth = ({ log, ...parts }: HealthParts): Health => {
  const { timers } = parts.clock
  const ledger = createLedger(parts)
  let cancelTimer: (() => void) | undefined
  let flushing: Promise<void> = Promise.resolve()
  let isClosed = false

  const flush = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = undefined
    const next = flushing.then(ledger.write)
    flushing = next.catch(() => undefined)
    return next
  }
  const onTimer = (): void => {
    flush().catch((error: unknown) =>
      log.warn('what was measured could not be written', { error: messageOf(error) }),
    )
  }
  return {
    record: (ended, settlement) => {
      ledger.add(ended, settlement)
      if (!isClosed) cancelTimer ??= timers.after(FLUSH_MS, onTimer)
    },
    flush,
    close: () => {
      isClosed = true
      return flush()
    },
  }
}
