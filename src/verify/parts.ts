// Owns the list of what is gone through, in its order. Totals come last: they need all the rest.

import type { ActionFacts, Inspector, OwnedRow } from '../store/inspect.ts'
import type { ExecutionRef } from '../store/store.ts'
import { canaryCheck } from './canaries.ts'
import { checkAction } from './check-action.ts'
import { checkAudit } from './check-audit.ts'
import { checkBulk } from './check-bulk.ts'
import { createCheckpointCheck, type Numbered } from './check-checkpoints.ts'
import { checkAlert, checkLimit, checkOutbox } from './check-kept.ts'
import { checkOccurrence } from './check-occurrences.ts'
import {
  ATTEMPT,
  BULK_ITEM,
  checkDedup,
  checkOwned,
  checkPause,
  INBOX,
  LINE,
  PLACE,
  TASK,
  TIMER,
} from './check-owned.ts'
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
  const tables = {
    ...{ attempts: ATTEMPT, events: LINE, inbox: INBOX, timers: TIMER },
    ...{ places: PLACE, tasks: TASK, bulkItems: BULK_ITEM },
  } as const
  return (Object.keys(tables) as (keyof typeof tables)[]).map((name) =>
    createTable({ name, read: inspector[name], at, check: (row) => checkOwned(row, tables[name]) }),
  )
}

/** Each with the two before it, which the last slice may have ended with. */
const checkpointsPart = ({ inspector, limits, onUnchecked }: PartsOptions): Part => {
  const numbered = async (after: number, limit: number): Promise<readonly Numbered[]> => {
    const rows = await inspector.checkpoints([Math.max(0, after - 2)], limit + 2)
    const own = rows.filter(({ number }) => number > after).slice(0, limit)
    return own.map((row) => {
      const at = rows.indexOf(row)
      return { row, before: rows.slice(Math.max(0, at - 2), at) }
    })
  }
  return createPart<Numbered>({
    name: 'checkpoints',
    read: async ([after = 0], limit) => {
      const rows = await numbered(Number(after), limit)
      const last = rows.at(-1)?.row
      return last !== undefined && rows.length === limit ? { rows, next: [last.number] } : { rows }
    },
    again: async ({ row }, [before = 0]) =>
      (await numbered(Number(before), 2)).find((other) => other.row.number === row.number),
    at: ({ row }) => [row.number],
    check: createCheckpointCheck(inspector, limits, onUnchecked),
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

/** Before this, retention may have taken an action; asked for only where one is not there. */
const goneBefore = async (inspector: Inspector, isThere: boolean): Promise<number | null> =>
  isThere ? null : (await inspector.horizons()).done

const keptParts = (inspector: Inspector): readonly Part[] => {
  const at = ({ namespace, tenant, id }: ExecutionRef) => [namespace, tenant, id]
  return [
    createTable({ name: 'alerts', read: inspector.alerts, at, check: checkAlert }),
    createTable({
      name: 'outbox',
      read: inspector.outbox,
      at,
      check: async (facts) => checkOutbox(facts, await goneBefore(inspector, facts.isOwned)),
    }),
    createTable({
      name: 'limits',
      read: inspector.limits,
      at: ({ namespace, tenant, key }) => [namespace, tenant, key],
      check: checkLimit,
    }),
  ]
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
    createTable({
      name: 'occurrences',
      read: inspector.occurrences,
      at: ({ namespace, tenant, recurrence, at }) => [namespace, tenant, recurrence, at],
      check: async (facts) => checkOccurrence(facts, await goneBefore(inspector, facts.hasAction)),
    }),
    createTable({
      name: 'bulks',
      read: inspector.bulks,
      at: ({ namespace, tenant, id }) => [namespace, tenant, id],
      check: checkBulk,
    }),
    ...keptParts(inspector),
    createTable({
      name: 'audit',
      read: inspector.audit,
      at: ({ namespace, tenant, number }) => [namespace, tenant, number],
      check: checkAudit,
    }),
    checkpointsPart(options),
    ...textParts(options),
    totals.part,
  ]
}
