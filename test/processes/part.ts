// Owns what a child process is told to be, and what it and the test say to each other.

import type { JsonObject } from '../../src/core/json.ts'
import type { WorkRequest } from '../../src/index.ts'

export interface Part {
  readonly store: string
  /** By their names in cast.ts. */
  readonly definitions?: readonly string[]
  readonly runners?: readonly string[]
  readonly leaseMs?: number
  readonly drainMs?: number
  /** What it begins first does not end before it is told to go. */
  readonly holds?: boolean
  /** Absent: it opens the store and does only what it is asked. */
  readonly work?: WorkRequest
}

/** What a test asks a child to do with its own Pawl. */
export type Asked =
  | {
      readonly verb: 'start'
      readonly definition: string
      readonly id: string
      readonly variables: JsonObject
    }
  | { readonly verb: 'send'; readonly execution: string; readonly type: string; readonly id: string }
  | { readonly verb: 'resume'; readonly execution: string }
  | { readonly verb: 'mend' }
  | { readonly verb: 'go' }
  | { readonly verb: 'trace' }

export interface Request {
  readonly number: number
  readonly asked: Asked
}

export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly number: number; readonly value?: unknown; readonly error?: string }
  /** Said by the code of a runner, at an instant the test waits for. */
  | { readonly kind: 'told'; readonly word: string }
