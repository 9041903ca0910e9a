// Owns putting counts together under the names of the counters: from the counters themselves, and from rows by status,
// so that the two can be compared.

import type { TenantCounters, TenantTally } from './inspect.ts'

export interface CounterRecord {
  readonly name: string
  readonly value: number
  readonly folded: number | boolean
  readonly since: number | null
}

/** Ends that stay: what is counted there is taken away by nothing but retention. */
const ENDS: ReadonlySet<string> = new Set(
  ['succeeded', 'cancelled', 'skipped', 'archived'].map((status) => `actions.${status}`),
)

const leastOf = (values: readonly (number | null | undefined)[]): number | null =>
  values.reduce<number | null>((least, value) => {
    if (value === null || value === undefined) return least
    return least === null || value < least ? value : least
  }, null)

export const fromCounters = (
  rows: readonly CounterRecord[],
): Pick<TenantCounters, 'counted' | 'isFolded' | 'since'> => ({
  counted: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
  isFolded: rows.some(({ folded }) => Boolean(folded)),
  since: leastOf(rows.filter(({ name }) => ENDS.has(name)).map(({ since }) => since)),
})

/** The counter in which an action is counted. */
export const counterOf = (status: string, isArchived: boolean): string => {
  if (isArchived) return 'actions.archived'
  return status === 'queued' || status === 'running' ? 'actions.open' : `actions.${status}`
}

export interface StatusRecord {
  readonly status: string
  readonly count: number
  /** Of finished actions. */
  readonly archived?: number | boolean
  readonly oldest?: number
}

export const fromRows = (
  live: readonly StatusRecord[],
  done: readonly StatusRecord[],
  executions: readonly StatusRecord[],
): Pick<TenantTally, 'found' | 'oldestDone'> => {
  const found: Record<string, number> = {}
  const add = (name: string, count: number): void => {
    found[name] = (found[name] ?? 0) + count
  }
  for (const { status, archived, count } of [...live, ...done])
    add(counterOf(status, Boolean(archived)), count)
  for (const { status, count } of executions) add(`executions.${status}`, count)
  return { found, oldestDone: leastOf(done.map(({ oldest }) => oldest)) }
}
