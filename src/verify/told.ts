// Owns what an execution's lines tell: which events it has taken, which actions they say ended, how often it moved.

import type { Chained } from '../core/history.ts'
import { isObject, own } from '../core/json.ts'
import type { ExecutionFile } from '../store/inspect.ts'
import { isLine } from './check-chain.ts'

/** Lines that say an event was taken. One over which its decider failed comes again. */
const TAKEN: ReadonlySet<string> = new Set(['execution.transitioned', 'execution.updated', 'event.ignored'])
const isTaken = (type: string): boolean => TAKEN.has(type) || type.startsWith('recurrence.')

interface Settled {
  readonly action: string
  readonly status: string
  readonly line: Chained
}

export interface Told {
  /** By event id, every line that took it. */
  readonly taken: ReadonlyMap<string, readonly Chained[]>
  readonly settled: readonly Settled[]
  readonly transitions: number
  /** All lines are here, from the first. */
  readonly isWhole: boolean
  /** What happened before this instant may be told by lines that are not here. */
  readonly since: number
}

const textOf = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? own(inner, key) : undefined), value)
  return typeof found === 'string' ? found : undefined
}

export const toldBy = (file: ExecutionFile): Told => {
  const lines = file.lines.filter(isLine)
  const taken = new Map<string, Chained[]>()
  const settled: Settled[] = []
  for (const line of lines) {
    const event = textOf(line.data, 'event', 'id')
    if (isTaken(line.type) && event !== undefined) taken.set(event, [...(taken.get(event) ?? []), line])
    const action = textOf(line.data, 'settled', 'action')
    const status = textOf(line.data, 'settled', 'status')
    if (action !== undefined && status !== undefined) settled.push({ action, status, line })
  }
  const isWhole = lines.length === file.chain.number
  return {
    taken,
    settled,
    transitions: lines.filter(({ type }) => type === 'execution.transitioned').length,
    isWhole,
    since: isWhole ? Number.NEGATIVE_INFINITY : (lines[0]?.at ?? Number.POSITIVE_INFINITY),
  }
}
