// Owns what a process under attack is told to be, what it is asked to do, and what it says.

import type { JsonObject } from '../../src/core/json.ts'

/**
 * What of a process can be hit: a call of a port, an effect as its runner sees it, or as the receiver does (`request`:
 * arrived, or answered). A commit that fires a recurrence is a `fire`, one that settles something a `settle`.
 */
export type Verb = 'commit' | 'fire' | 'settle' | 'claim' | 'extend' | 'reap' | 'effect' | 'request'

/** An instant of a process: before or after its so-manieth call of a verb. */
export interface Point {
  readonly verb: Verb
  /** 1, 2, 3 … */
  readonly number: number
  readonly side: 'before' | 'after'
}

/** Started by whoever wrote it, already claimed; commits that share one transaction. */
export interface Flow {
  readonly eager: boolean
  readonly group: boolean
}

export interface Part {
  readonly store: string
  /** Where effects go. */
  readonly receiver: string
  /** Which version of the machines it knows. */
  readonly version: '1' | '2'
  readonly leaseMs: number
  readonly slots: number
  readonly drainMs?: number
  /** How work flows through it; absent: as it does by default. */
  readonly flow?: Flow
  /** Where it kills itself, counted from its start. */
  readonly dies?: Point
  /** It says which claims it ended, and how that went. */
  readonly testifies?: true
}

/** What a client asks for. Each may be asked again: it has happened once all the same. */
export type Op =
  | {
      readonly verb: 'start'
      readonly definition: string
      readonly execution: string
      readonly variables: JsonObject
    }
  | { readonly verb: 'send'; readonly execution: string; readonly type: string; readonly event: string }
  | { readonly verb: 'dispatch'; readonly action: string; readonly kind: DirectKind }
  | { readonly verb: 'recur'; readonly execution: string }
  /** Answers when it fires no more and everything that fired has ended. */
  | { readonly verb: 'outlast'; readonly execution: string }
  | { readonly verb: 'cancel'; readonly execution: string }
  | { readonly verb: 'cancel_action'; readonly action: string }

export type DirectKind = 'plain' | 'text' | 'refused' | 'late'

export type Asked =
  | Op
  /** Answers true when nothing is open any more, false when something is and nothing has changed for long. */
  | { readonly verb: 'quiet' }
  /** Counts anew from here, to die at this point if one is given. Answers how often each verb came so far. */
  | { readonly verb: 'arm'; readonly dies?: Point }

export type Counts = Readonly<Partial<Record<Verb, number>>>

export interface Request {
  readonly number: number
  readonly asked: Asked
}

/** A claim somebody ended, or tried to. */
export interface Ending {
  readonly action: string
  readonly step: string
  /** The process that says so. */
  readonly by: number
  readonly token: number
  readonly status: string
}

export interface Refusal {
  readonly message: string
  /** It may be asked again. */
  readonly isPassing: boolean
}

export type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly number: number; readonly value?: unknown; readonly error?: Refusal }
  | ({ readonly kind: 'ending' } & Ending)
