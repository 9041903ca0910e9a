// Owns the list of what is gone through, in its order. Totals come last: they need all the rest.

import type { ActionFacts, CheckpointRow, Inspector, OwnedRow } from '../store/inspect.ts'
import { canaryCheck } from './canaries.ts'
import { checkAction } from './check-action.ts'
import { checkCheckpoint } from './check-checkpoints.ts'
import { ATTEMPT, checkDedup, checkOwned, checkPause, INBOX, LINE, TIMER } from './check-owned.ts'
import { executionsPart } from './executions.ts'
import type { Limits } from './limits.ts'
import { createPart, createTable, type Part } from './part.ts'
import { createTotals } from './totals.ts'

export interface PartsOptions {
  readonly inspector: Inspector
  readonly limits: Limits
  readonly canaries: readonly string[]
  readonly leaseNow: number | undefined
  readonly isWhole: boolean
  readonly onUnchecked: (what: string) => void
}

/** Ages of a worker's last word, in leases, after which nobody is at work. */
const SILENT = 3

const actionParts = (options: PartsOptions, onRow: (facts: ActionFacts) => void): readonly Part[] => {
  const { inspector, limits, leaseNow } = options
  const check = async (facts: ActionFacts) => {
    const real = facts.status === 'running' ? await inspector.clock() : 0
    const seen = facts.status === 'running' ? await inspector.lastSeen() : null
    const isWorkedOn = seen !== null && real - seen < SILENT * limits.leaseMs
    return checkAction(facts, { now: leaseNow ?? real, leaseMs: limits.leaseMs, isWorkedOn })
  }
  return [
    createTable({ name: 'actions', read: inspector.live, at: ({ id }) => [id], check, onRow }),
    createTable({
      name: 'done',
      read: inspector.done,
      at: ({ namespace, tenant, id }) => [namespace, tenant, id],
      check,
      onRow,
    }),
  ]
}

const ownedParts = (inspector: Inspector): readonly Part[] => {
  const at = (row: OwnedRow) => row.at
  const tables = { attempts: ATTEMPT, events: LINE, inbox: INBOX, timers: TIMER } as const
  return (Object.keys(tables) as (keyof typeof tables)[]).map((name) =>
    createTable({ name, read: inspector[name], at, check: (row) => checkOwned(row, tables[name]) }),
  )
}

/** Each with the one before it, which the last slice may have ended with. */
const checkpointsPart = (inspector: Inspector): Part => {
  type Pair = readonly [row: CheckpointRow, before: CheckpointRow | undefined]
  const pairs = async (after: number, limit: number): Promise<readonly Pair[]> => {
    const rows = await inspector.checkpoints([after - 1], limit + 1)
    const own = rows.filter(({ number }) => number > after)
    return own.slice(0, limit).map((row) => [row, rows[rows.indexOf(row) - 1]])
  }
  return createPart<Pair>({
    name: 'checkpoints',
    read: async ([after = 0], limit) => {
      const rows = await pairs(Number(after), limit)
      const last = rows.at(-1)?.[0]
      return last !== undefined && rows.length === limit ? { rows, next: [last.number] } : { rows }
    },
    again: async ([{ number }], [before = 0]) =>
      (await pairs(Number(before), 2)).find(([row]) => row.number === number),
    at: ([{ number }]) => [number],
    check: (pair) => checkCheckpoint(...pair),
  })
}

const textParts = ({ inspector, canaries }: PartsOptions): readonly Part[] => {
  if (canaries.length === 0) return []
  const check = canaryCheck(canaries)
  return inspector.tables.map((table) =>
    createTable({
      name: `texts of ${table}`,
      read: (after, limit) => inspector.texts(table, after, limit),
      at: ({ at }) => at,
      check: (row) => check(table, row),
    }),
  )
}

export const partsOf = (options: PartsOptions): readonly Part[] => {
  const { inspector, limits, isWhole, onUnchecked } = options
  const totals = createTotals({ inspector, isWhole, exactRows: limits.exactRows, onUnchecked })
  return [
    executionsPart(inspector, limits, totals.addExecution),
    ...actionParts(options, totals.addAction),
    ...ownedParts(inspector),
    createTable({
      name: 'dedup',
      read: inspector.dedup,
      at: ({ namespace, tenant, key }) => [namespace, tenant, key],
      check: checkDedup,
    }),
    createTable({
      name: 'pauses',
      read: inspector.pauses,
      at: ({ namespace, tenant, scope, value }) => [namespace, tenant, scope, value],
      check: checkPause,
    }),
    checkpointsPart(inspector),
    ...textParts(options),
    totals.part,
  ]
}
