// Owns `verify`: goes through a whole store, says what cannot be so, changes nothing. It reads in slices, may be stopped at
// any of them and goes on from there; a finding was seen twice before it is told, so an engine at work gives none.

import { PawlError } from '../core/errors.ts'
import type { Inspector, Position } from '../store/inspect.ts'
import type { Finding } from './finding.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import type { Part } from './part.ts'
import { partsOf } from './parts.ts'

const TABLES = [
  'executions',
  'actions',
  'done',
  'attempts',
  'events',
  'inbox',
  'timers',
  'places',
  'tasks',
  'bulkItems',
  'dedup',
  'pauses',
  'occurrences',
  'bulks',
  'alerts',
  'outbox',
  'limits',
  'audit',
  'checkpoints',
] as const

/** Rows that were gone through. */
export type Checked = Readonly<Record<(typeof TABLES)[number], number>>

export interface VerifyOptions {
  readonly inspector: Inspector
  /** The clock that leases are made by, where it is not the database's: in a simulation. */
  readonly now?: number
  readonly limits?: Partial<Limits>
  /** Texts that must be in no column, such as the values of secrets. */
  readonly canaries?: readonly string[]
  /** Go on from here: `next` of a report, or the cursor of a step. */
  readonly after?: string
  /** Stop at the end of the slice. */
  readonly signal?: AbortSignal
}

/** Told on the way. */
export type Step =
  | { readonly kind: 'finding'; readonly finding: Finding }
  | {
      readonly kind: 'progress'
      readonly part: string
      readonly checked: Checked
      /** Where to go on; absent at the end. */
      readonly cursor?: string
    }

export interface Report {
  readonly checked: Checked
  readonly findings: readonly Finding[]
  /** Findings beyond those that are kept. */
  readonly more: number
  /** What could not be judged, and why. */
  readonly unchecked: readonly string[]
  /** No error was found in what was gone through. Warnings are mended by a worker that runs. */
  readonly isSound: boolean
  /** By the database's clock. */
  readonly tookMs: number
  /** Absent: the store was gone through to its end. */
  readonly next?: string
}

interface Place {
  readonly part: number
  readonly after: Position
}

const readCursor = (cursor: string | undefined, parts: readonly Part[]): Place => {
  if (cursor === undefined) return { part: 0, after: [] }
  const refuse = (): never => {
    throw new PawlError('invalid_cursor', `“${cursor.slice(0, 80)}” is no place to go on from`, {
      path: 'after',
      expected: 'the cursor of a report, with the same canaries, or none',
    })
  }
  let read: unknown
  try {
    read = JSON.parse(cursor)
  } catch {
    refuse()
  }
  if (!Array.isArray(read) || read.some((part) => typeof part !== 'string' && typeof part !== 'number'))
    refuse()
  const [name, ...after] = read as [string, ...Position]
  const part = parts.findIndex((one) => one.name === name)
  return part === -1 ? refuse() : { part, after }
}

/** Gathers what is told, and keeps of it what there is room for. */
const createTelling = (most: number) => {
  const findings: Finding[] = []
  const unchecked = new Set<string>()
  const checked: Record<string, number> = Object.fromEntries(TABLES.map((name) => [name, 0]))
  let more = 0
  let errors = 0
  return {
    count: (part: string, rows: number): void => {
      if (part in checked) checked[part]! += rows
    },
    /** Those of them that are kept. */
    keep: (found: readonly Finding[]): readonly Finding[] => {
      const kept = found.slice(0, Math.max(0, most - findings.length))
      errors += found.filter(({ severity }) => severity === 'error').length
      more += found.length - kept.length
      findings.push(...kept)
      return kept
    },
    onUnchecked: (what: string): void => void unchecked.add(what),
    checked: (): Checked => ({ ...checked }) as Checked,
    report: (tookMs: number, next: string | undefined): Report => ({
      checked: { ...checked } as Checked,
      findings,
      more,
      unchecked: [...unchecked],
      isSound: errors === 0,
      tookMs,
      ...(next !== undefined && { next }),
    }),
  }
}

/** Goes through the store step by step; what it returns at the end is the report. */
export const inspectStore = async function* (options: VerifyOptions): AsyncGenerator<Step, Report> {
  const { inspector, canaries = [], after, signal } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const begun = await inspector.clock()
  const telling = createTelling(limits.findings)
  const { onUnchecked } = telling
  const isWhole = after === undefined
  const parts = partsOf({ inspector, limits, canaries, leaseNow: options.now, isWhole, onUnchecked })
  let { part, after: position } = readCursor(after, parts)
  let rows = 0
  for (let current = parts[part]; current !== undefined; current = parts[part]) {
    const slice = await current.slice(position, limits.slice)
    telling.count(current.name, slice.rows)
    rows += slice.rows
    for (const found of telling.keep(slice.findings)) yield { kind: 'finding', finding: found }
    if (slice.next === undefined) part += 1
    position = slice.next ?? []
    const following = parts[part]?.name
    const cursor = following === undefined ? undefined : JSON.stringify([following, ...position])
    const progress = { kind: 'progress' as const, part: current.name, checked: telling.checked() }
    yield cursor === undefined ? progress : { ...progress, cursor }
    if (cursor !== undefined && (rows >= limits.rows || signal?.aborted))
      return telling.report((await inspector.clock()) - begun, cursor)
  }
  return telling.report((await inspector.clock()) - begun, undefined)
}

/** The whole of it, or as far as the limits allow. */
export const verify = async (options: VerifyOptions, onStep?: (step: Step) => void): Promise<Report> => {
  const steps = inspectStore(options)
  for (;;) {
    const { done, value } = await steps.next()
    if (done) return value
    onStep?.(value)
  }
}
