// Owns what verify says: a finding names the promise that is broken, the row, what is there and what should be.

import type { ExecutionRef, Tenancy } from '../store/store.ts'

/** The promises of RELIABILITY §2.1; beside them the hash chains, the audit, the checkpoints, and rows that can be read at all. */
export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'I11'
  | 'I12'
  | 'audit'
  | 'chain'
  | 'checkpoint'
  | 'readable'

/** Where to look. What a row does not have is absent. */
export interface Where extends Partial<Tenancy> {
  readonly execution?: string
  readonly action?: string
  readonly attempt?: string
  readonly event?: string
  readonly timer?: string
  /** An instant of the execution's schedule. */
  readonly occurrence?: string
  /** A number of the tenant's audit. */
  readonly entry?: number
  /** A number of the execution's chain. */
  readonly line?: number
  readonly dedup?: string
  /** The key of a limit. */
  readonly limit?: string
  readonly task?: string
  readonly alert?: string
  /** An entry of the sandbox's outbox. */
  readonly outbox?: string
  readonly bulk?: string
  readonly pause?: string
  readonly counter?: string
  readonly checkpoint?: number
  readonly table?: string
  readonly row?: string
}

export interface Finding {
  readonly invariant: Invariant
  /** A name for this kind of finding, which stays the same: `applied_twice`. */
  readonly rule: string
  /** A warning is mended by a worker that runs; an error is not. */
  readonly severity: 'error' | 'warning'
  readonly where: Where
  /** What is wrong, in words. */
  readonly text: string
  readonly expected: string
  readonly found: string
}

export type Broken = Omit<Finding, 'severity'> & Partial<Pick<Finding, 'severity'>>

const finding = (broken: Broken): Finding => ({ severity: 'error', ...broken })

/** The same thing, seen again. */
export const keyOf = ({ invariant, rule, where }: Finding): string => JSON.stringify([invariant, rule, where])

export const whereOf = ({ namespace, tenant, id }: ExecutionRef): Where => ({
  namespace,
  tenant,
  execution: id,
})

/** A list of rules, each with what it found or nothing. */
export const judged = (
  ...rules: readonly (Broken | readonly Broken[] | false | undefined)[]
): readonly Finding[] => rules.flatMap((rule) => (rule ? [rule].flat() : [])).map(finding)
