// Owns I6 on a store that may be at work: rows are counted while they are gone through, and where that does not come to
// what the counters say, because rows moved meanwhile or because some are lost, a tenant is counted again at one moment.

import type { ActionFacts, ExecutionFile, Inspector, TenantCounters } from '../store/inspect.ts'
import type { Tenancy } from '../store/store.ts'
import { counterOf } from '../store/tally.ts'
import { checkCounts, isEven } from './check-counts.ts'
import { createPart, type Part } from './part.ts'

export interface Totals {
  readonly addExecution: (file: ExecutionFile) => void
  readonly addAction: (facts: ActionFacts) => void
  readonly part: Part
}

export interface TotalsParts {
  readonly inspector: Inspector
  /** Every row was gone through: a tenant that comes to the same need not be counted again. */
  readonly isWhole: boolean
  /** A tenant with more rows is not counted at one moment. */
  readonly exactRows: number
  readonly onUnchecked: (what: string) => void
}

interface Total extends Tenancy {
  readonly found: Record<string, number>
}

const tenantKey = ({ namespace, tenant }: Tenancy): string => JSON.stringify([namespace, tenant])

const sum = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((all, count) => all + count, 0)

export const createTotals = ({ inspector, isWhole, exactRows, onUnchecked }: TotalsParts): Totals => {
  const totals = new Map<string, Total>()
  const add = ({ namespace, tenant }: Tenancy, name: string): void => {
    const key = tenantKey({ namespace, tenant })
    const total = totals.get(key) ?? { namespace, tenant, found: {} }
    total.found[name] = (total.found[name] ?? 0) + 1
    totals.set(key, total)
  }
  const judge = async (row: TenantCounters) => {
    const { found } = totals.get(tenantKey(row)) ?? { found: {} }
    if (isWhole && isEven(row.counted, found)) return []
    if (Math.max(sum(row.counted), sum(found)) > exactRows) {
      onUnchecked(`I6 of ${row.namespace}/${row.tenant}: more than ${exactRows} rows, and they change`)
      return []
    }
    return checkCounts(await inspector.tally(row))
  }
  const part = createPart<TenantCounters>({
    name: 'counts',
    read: async (after, limit) => {
      const rows = await inspector.counters(after, limit)
      const last = rows.at(-1)
      for (const row of rows) counted.add(tenantKey(row))
      if (last !== undefined && rows.length === limit) return { rows, next: [last.namespace, last.tenant] }
      // Whoever has rows and no counters at all.
      const uncounted = [...totals]
        .filter(([key]) => !counted.has(key))
        .map(([, { namespace, tenant }]) => ({
          namespace,
          tenant,
          counted: {},
          isFolded: false,
          since: null,
        }))
      return { rows: [...rows, ...uncounted] }
    },
    again: async (row) => row,
    at: ({ namespace, tenant }) => [namespace, tenant],
    check: judge,
  })
  const counted = new Set<string>()
  return {
    addExecution: (file) => add(file, `executions.${file.status}`),
    addAction: (facts) => add(facts, counterOf(facts.status, facts.archivedAt !== null && !facts.isLive)),
    part,
  }
}
