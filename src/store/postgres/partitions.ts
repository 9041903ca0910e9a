// Owns the monthly partitions of what grows: actions_done and events. Each month of UTC has its own, made before it
// begins; rows outside of any go to a partition without bounds, so that no insert ever fails for want of one.

import type { Caller, Statements } from './statements.ts'

export const PARTITIONED = ['actions_done', 'events'] as const
export type Partitioned = (typeof PARTITIONED)[number]

export interface Month {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
}

export const monthOf = (at: number): Month => {
  const date = new Date(at)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 }
}

export const nextMonth = ({ year, month }: Month): Month =>
  month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 }

export const startOf = ({ year, month }: Month): number => Date.UTC(year, month - 1, 1)

export const partitionName = (table: Partitioned, { year, month }: Month): string =>
  `${table}_${year}_${String(month).padStart(2, '0')}`

/** The months whose partitions a table has, oldest first. */
export const monthsOf = async (sql: Statements, table: Partitioned): Promise<readonly Month[]> => {
  const { rows } = await sql.partitions<{ name: string }>({ parent: `pawl.${table}` })
  return rows.flatMap(({ name }) => {
    const found = /_(\d{4})_(\d{2})$/.exec(name)
    return found === null ? [] : [{ year: Number(found[1]), month: Number(found[2]) }]
  })
}

/** It is there already, another process is making it, the rest has rows of that month, or the table is busy. */
const HARMLESS = ['42P07', '23505', '23514', '40P01', '55P03']

/** Where it cannot be made now the partition without bounds takes the rows: nobody is to wait for this. */
const makePartition = async (caller: Caller, table: Partitioned, month: Month): Promise<void> => {
  const [from, to] = [startOf(month), startOf(nextMonth(month))]
  try {
    await caller.run(
      `begin; set local lock_timeout = '1s';
       create table if not exists pawl.${partitionName(table, month)} partition of pawl.${table}
         for values from (${from}) to (${to});
       commit`,
    )
  } catch (error) {
    await caller.run('rollback')
    if (!HARMLESS.includes(String((error as { readonly code?: unknown }).code))) throw error
  }
}

/** This month and the next, as far as they are missing. */
export const preparePartitions = async (caller: Caller, now: number): Promise<void> => {
  const months = [monthOf(now), nextMonth(monthOf(now))]
  for (const table of PARTITIONED) {
    const made = new Set((await monthsOf(caller.sql, table)).map((month) => partitionName(table, month)))
    for (const month of months)
      if (!made.has(partitionName(table, month))) await makePartition(caller, table, month)
  }
}

export const dropPartition = (caller: Caller, table: Partitioned, month: Month): Promise<string> =>
  caller.run(`drop table if exists pawl.${partitionName(table, month)}`)
