// Holds the history of every execution: one unbroken chain, each event applied once, and nothing moved but by its lines.

import { createHash } from 'node:crypto'
import { canonical, type JsonObject } from '../../src/core/json.ts'
import type { ToldOccurrence } from '../../src/core/triggers/occurrences.ts'
import { NAMESPACE } from './bed.ts'
import type { Judge } from './judge.ts'
import type { EventRow, ExecutionRow, Rows } from './rows.ts'
import { unsealed } from './rows.ts'

/** What is known of one execution from its lines. */
interface Chain {
  number: number
  hash: string
  transitions: number
  readonly applied: Set<string>
}

export interface History {
  readonly read: () => void
  readonly isApplied: (tenant: string, execution: string, event: string) => boolean
  readonly statusOf: (tenant: string, execution: string) => string | undefined
  /** Actions that lines say were made. */
  readonly listed: ReadonlySet<string>
  /** What lines say became of occurrences, in order. */
  readonly occurrences: readonly {
    readonly tenant: string
    readonly execution: string
    readonly told: ToldOccurrence
  }[]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Lines that say an event was taken. One over which its decider failed is not. */
const TAKEN = new Set(['execution.transitioned', 'execution.updated', 'event.ignored'])
const isTaken = (type: string): boolean => TAKEN.has(type) || type.startsWith('recurrence.')

export const createHistory = (rows: Rows, judge: Judge): History => {
  const chains = new Map<string, Chain>()
  const revisions = new Map<string, ExecutionRow>()
  const listed = new Set<string>()
  const occurrences: History['occurrences'][number][] = []
  let seq = 0

  const chainOf = (tenant: string, execution: string): Chain => {
    const key = `${tenant} ${execution}`
    const start = () => sha256(canonical([NAMESPACE, tenant, execution]))
    const chain = chains.get(key) ?? { number: 0, hash: start(), transitions: 0, applied: new Set<string>() }
    chains.set(key, chain)
    return chain
  }

  const link = (row: EventRow, data: JsonObject, chain: Chain): void => {
    const name = `${row.execution} #${row.number}`
    judge.hold(row.number === chain.number + 1, 'chain', () => `${name} follows #${chain.number}`)
    judge.hold(row.prev_hash === chain.hash, 'chain', () => `${name} does not name the line before it`)
    const hash = sha256(canonical([chain.hash, row.number, row.type, row.at, data]))
    judge.hold(row.hash === hash, 'chain', () => `${name} has another hash than its content`)
    chain.number = row.number!
    chain.hash = row.hash!
  }

  const readLine = (row: EventRow): void => {
    seq = row.seq
    if (row.number === null) return
    const data = unsealed<JsonObject>(row.data)
    const chain = chainOf(row.tenant, row.execution!)
    link(row, data, chain)
    if (row.type === 'execution.transitioned') chain.transitions += 1
    judge.hold(data['reason'] !== 'paused', 'I6', () => `${row.execution} lost an event to its pause`)
    const event = (data['event'] as JsonObject | undefined)?.['id'] as string | undefined
    if (isTaken(row.type) && event !== undefined) {
      judge.hold(!chain.applied.has(event), 'I1', () => `${row.execution} took ${event} twice`)
      chain.applied.add(event)
    }
    for (const action of (data['actions'] ?? []) as readonly JsonObject[]) listed.add(String(action['id']))
    for (const told of (data['occurrences'] ?? []) as unknown as readonly ToldOccurrence[])
      occurrences.push({ tenant: row.tenant, execution: row.execution!, told })
  }

  const ENDED = new Set(['completed', 'cancelled'])
  const readExecution = (row: ExecutionRow): void => {
    const key = `${row.tenant} ${row.id}`
    const before = revisions.get(key)
    if (before?.revision === row.revision && before.status === row.status) return
    revisions.set(key, row)
    const chain = chainOf(row.tenant, row.id)
    const visits = Object.values(unsealed<Record<string, number>>(row.visits)).reduce((sum, n) => sum + n, 0)
    judge.hold(
      visits === chain.transitions,
      'I1',
      () => `${row.id}: ${visits} visits, ${chain.transitions} lines`,
    )
    judge.hold(
      row.chain_number === chain.number && row.chain_hash === chain.hash,
      'chain',
      () => `${row.id} stands at #${row.chain_number}, its history at #${chain.number}`,
    )
    judge.hold(before === undefined || row.revision >= before.revision, 'I2', () => `${row.id} went back`)
    const isChanged = before?.status !== row.status || before.state !== row.state
    judge.hold(
      !(before && ENDED.has(before.status) && isChanged),
      'I2',
      () => `${row.id} was ${before!.status} and is ${row.status}`,
    )
    judge.hold(row.id.startsWith(row.tenant), 'I11', () => `${row.id} is with ${row.tenant}`)
  }

  return {
    read: () => {
      for (const row of rows.eventsAfter(seq)) readLine(row)
      const executions = rows.executions()
      judge.hold(executions.length >= revisions.size, 'I6', () => 'an execution is gone')
      for (const row of executions) readExecution(row)
    },
    isApplied: (tenant, execution, event) =>
      chains.get(`${tenant} ${execution}`)?.applied.has(event) ?? false,
    statusOf: (tenant, execution) => revisions.get(`${tenant} ${execution}`)?.status,
    listed,
    occurrences,
  }
}
