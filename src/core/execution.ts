// Owns what an execution is to `decide`: one running instance of a definition, as plain data. The row around it
// (revision, hash chain, times) belongs to the store.

import type { JsonObject } from './json.ts'

export type Kind = 'machine' | 'journey' | 'recurrence' | 'stream' | 'reconciler'
export type ExecutionStatus = 'active' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled'

export interface Execution {
  readonly id: string
  readonly namespace: string
  readonly tenant: string
  readonly kind: Kind
  /** The definition's id, and the content it was pinned to or last moved to. */
  readonly definition: string
  readonly definitionHash: string
  readonly status: ExecutionStatus
  /** Null until the first decision. */
  readonly state: string | null
  readonly variables: JsonObject
  /** How often each state was entered: the visit number is part of a step's key. */
  readonly visits: Readonly<Record<string, number>>
  /** What leaving the current state cancels: armed timers, and queued actions that asked for it. */
  readonly pending: { readonly timers: readonly string[]; readonly actions: readonly string[] }
  readonly error?: { readonly code: string; readonly message: string }
}

const ENDED: ReadonlySet<ExecutionStatus> = new Set(['completed', 'failed', 'cancelled'])
export const hasEnded = (execution: Execution): boolean => ENDED.has(execution.status)

type Born = Pick<Execution, 'id' | 'namespace' | 'tenant' | 'kind' | 'definition' | 'definitionHash'>

/** An execution before its first event. */
export const blankExecution = (born: Born): Execution => ({
  ...born,
  status: 'active',
  state: null,
  variables: {},
  visits: {},
  pending: { timers: [], actions: [] },
})
