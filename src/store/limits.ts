// The port for limits: what is kept of each, and who holds or waits for a place where only so many may run at once. What
// a state means and who may go is core's and the engine's to say.
// L1  A state is replaced only by whoever read it: a swap names the version it was made from.
// L2  A place counts while its action runs under the token it was taken with, so a crash frees it with the claim.
// L3  A place that was offered to one in line is kept for it for CALL_MS; newcomers get what is left.

import type { JsonObject } from '../core/json.ts'
import type { Clocks, ExecutionRef, Tenancy } from './store.ts'

/** The namespace and tenant of a limit that holds for the whole store. */
export const EVERYONE: Tenancy = { namespace: '*', tenant: '*' }

export interface LimitRef extends Tenancy {
  readonly key: string
}

export interface LimitState extends LimitRef {
  /** 0: nothing is kept yet. */
  readonly version: number
  readonly state: JsonObject
}

export interface NewLimitState extends LimitState {
  /** After this it says nothing that its absence would not say. */
  readonly idleAt: number
  /** Every process has to know of it: a breaker that is not closed, a provider that asked for patience. */
  readonly shut: boolean
}

/** Somebody who wants a place. */
export interface Candidate extends Tenancy {
  readonly id: string
  readonly token: number
  /** Its place in line: the oldest goes first. */
  readonly since: number
  /** Without a place it stays in line, or is gone. */
  readonly waits: boolean
}

export interface Taken {
  readonly taken: readonly string[]
  /** How many places are taken now. */
  readonly held: number
  /** How many wait now, counted up to LINE_COUNTED. */
  readonly waiting: number
}

/** An action of whatever tenant. */
export type ActionRef = ExecutionRef

export interface Line {
  readonly held: number
  /** Those in line before it, counted up to LINE_COUNTED. */
  readonly before: number
}

export interface Limits {
  /** In the order asked for, with the instant they were read. */
  readonly read: (
    refs: readonly LimitRef[],
    clocks: Clocks,
  ) => Promise<{ readonly now: number; readonly states: readonly LimitState[] }>
  /** `version` is the one it was made from. False: somebody else was quicker, nothing is written. */
  readonly swap: (state: NewLimitState) => Promise<boolean>
  /** Those that are shut and not idle, those that are so longest first. */
  readonly shut: (limit: number, clocks: Clocks) => Promise<readonly LimitState[]>
  /** The first of them get what is free of `max` places; the others are in line from now on. */
  readonly take: (
    ref: LimitRef,
    candidates: readonly Candidate[],
    max: number,
    clocks: Clocks,
  ) => Promise<Taken>
  /** Gives places back, and calls the first in line to what is free. */
  readonly release: (
    ref: LimitRef,
    held: readonly Pick<Candidate, 'id' | 'token'>[],
    max: number,
    clocks: Clocks,
  ) => Promise<readonly ActionRef[]>
  /** Takes the oldest out of the line until `keep` are left, a bounded number at a time. */
  readonly evict: (ref: LimitRef, keep: number) => Promise<readonly ActionRef[]>
  readonly line: (ref: LimitRef, id: string) => Promise<Line>
  /** States that are idle since then, places nobody came back to since then. True: there may be more. */
  readonly sweep: (before: number, limit: number) => Promise<boolean>
}

export const CALL_MS = 2000
export const LINE_COUNTED = 1000
export const EVICTED_AT_ONCE = 100

interface Standing {
  readonly held: number
  /** Those in line that were called and have not come yet. */
  readonly called: ReadonlySet<string>
}

/** Who of them gets a place (L3). */
export const divide = (
  candidates: readonly Candidate[],
  { held, called }: Standing,
  max: number,
): ReadonlySet<string> => {
  const taken = new Set<string>()
  let free = max - held
  let kept = called.size
  for (const { id } of candidates) {
    if (called.has(id)) kept -= 1
    else if (free <= kept) continue
    if (free > 0) {
      free -= 1
      taken.add(id)
    }
  }
  return taken
}
