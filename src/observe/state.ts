// Owns what there is right now, as metrics show it: read from the store when they are asked for, over all tenants, in a
// bounded number of rows, and not more often than every few seconds whoever asks.

import type { Clock } from '../engine/clock.ts'
import type { Inspector, Position } from '../store/inspect.ts'
import type { Reader } from '../store/reader.ts'
import type { Store, Tenancy } from '../store/store.ts'
import type { Workers } from '../store/workers.ts'

export interface Watched {
  readonly store: Pick<Store, 'heads'>
  readonly reader: Pick<Reader, 'deadGroups' | 'executions'>
  readonly workers: Pick<Workers, 'list'>
  readonly inspector: Pick<Inspector, 'counters'>
}

export interface State {
  /** By the names of the counters: `actions.open`, `executions.active` … */
  readonly counted: ReadonlyMap<string, number>
  /** By type: how long the oldest that is due has waited, in milliseconds. */
  readonly oldestReady: ReadonlyMap<string, number>
  readonly ready: number
  readonly dead: readonly {
    readonly actionType: string
    readonly errorType: string
    readonly count: number
  }[]
  /** Recurrences that are switched on. */
  readonly recurring: number
  /** By runner type. */
  readonly workers: ReadonlyMap<string, number>
  readonly slots: number
}

const FRESH_MS = 5000
const ALIVE_MS = 30_000
const MOST_TENANTS = 500
const MOST_GROUPS = 50
/** Tenants whose dead letters are told apart by error. */
const MOST_TOLD = 20
const MOST_PAGES = 8

const addTo = (sums: Map<string, number>, key: string, value: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + value)

const countersOf = async ({ inspector }: Watched) => {
  const counted = new Map<string, number>()
  const tenants: Tenancy[] = []
  let after: Position = []
  while (tenants.length < MOST_TENANTS) {
    const rows = await inspector.counters(after, 100)
    for (const { namespace, tenant, counted: tally } of rows) {
      tenants.push({ namespace, tenant })
      for (const [name, value] of Object.entries(tally)) addTo(counted, name, Number(value))
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < 100) break
    after = [last.namespace, last.tenant]
  }
  return { counted, tenants }
}

const headsOf = async ({ store }: Watched, clock: Clock) => {
  const oldestReady = new Map<string, number>()
  let ready = 0
  const now = clock.now()
  for (const { type, dueAt, due, paused } of await store.heads(clock.clocks())) {
    if (paused || due === 0) continue
    ready += due
    oldestReady.set(type, Math.max(oldestReady.get(type) ?? 0, now - dueAt))
  }
  return { oldestReady, ready }
}

const deadOf = async ({ reader }: Watched, tenants: readonly Tenancy[]): Promise<State['dead']> => {
  const sums = new Map<string, number>()
  for (const of of tenants.slice(0, MOST_TOLD))
    for (const { actionType, errorType, count } of await reader.deadGroups(of, MOST_GROUPS))
      addTo(sums, JSON.stringify([actionType, errorType]), count)
  return Array.from(sums, ([key, count]) => {
    const [actionType, errorType] = JSON.parse(key) as [string, string]
    return { actionType, errorType, count }
  })
}

/** Of the first tenants, and of each at most so many pages. */
const recurringOf = async ({ reader }: Watched, tenants: readonly Tenancy[]): Promise<number> => {
  let found = 0
  for (const of of tenants.slice(0, MOST_TOLD)) {
    let after: string | undefined
    for (let pages = 0; pages < MOST_PAGES && (pages === 0 || after !== undefined); pages++) {
      const page = await reader.executions(
        of,
        { kind: 'recurrence', state: 'scheduled', status: 'active' },
        { limit: 250, ...(after !== undefined && { after }) },
      )
      found += page.data.length
      after = page.next
    }
  }
  return found
}

const workersOf = async ({ workers }: Watched) => {
  const byType = new Map<string, number>()
  const live = await workers.list(ALIVE_MS)
  for (const { types, slots } of live) if (slots > 0) for (const type of types) addTo(byType, type, 1)
  return { workers: byType, slots: live.reduce((sum, { slots }) => sum + slots, 0) }
}

export const createStateReader = (watched: Watched, clock: Clock): (() => Promise<State>) => {
  let known: Promise<State> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<State> => {
    const { counted, tenants } = await countersOf(watched)
    return {
      counted,
      ...(await headsOf(watched, clock)),
      dead: await deadOf(watched, tenants),
      recurring: await recurringOf(watched, tenants),
      ...(await workersOf(watched)),
    }
  }
  return () => {
    if (known === undefined || clock.monotonic() - readAt > FRESH_MS) {
      readAt = clock.monotonic()
      known = read()
      known.catch(() => {
        known = undefined
      })
    }
    return known
  }
}
