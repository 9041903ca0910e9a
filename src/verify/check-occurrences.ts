// Owns I8: every occurrence of the past is exactly one of fired, skipped with a reason, or coalesced into another. What fired
// has its action; what the history of a recurrence gave a fate has its row, and no row is of anybody else's making.

import { isObject, own } from '../core/json.ts'
import type { ExecutionFile, OccurrenceFacts, ToldRow } from '../store/inspect.ts'
import { isLine } from './check-chain.ts'
import { type Broken, type Finding, judged, type Where, whereOf } from './finding.ts'
import type { Told } from './told.ts'

const iso = (at: number): string => new Date(at).toISOString()

const unreadable = (where: Where, text: string): Broken => ({
  invariant: 'readable',
  rule: 'occurrence',
  where,
  text,
  expected: 'the occurrence as it was written',
  found: 'one that cannot be read',
})

/** Retention takes finished actions by their own rule: before the horizon they may be gone. */
export const checkOccurrence = (facts: OccurrenceFacts, doneHorizon: number | null): readonly Finding[] => {
  const { namespace, tenant, recurrence, at, fate, toldAt, details } = facts
  const where: Where = { namespace, tenant, execution: recurrence, occurrence: iso(at) }
  if ('unreadable' in details) return judged(unreadable(where, details.unreadable.message))
  const one = `the occurrence ${iso(at)} of ${recurrence}`
  const broken = (rule: string, says: string, expected: string, found: string): Broken => {
    const text = `${one} ${says}`
    return { invariant: 'I8', rule, where, text, expected, found }
  }
  const { action, reason, into } = details
  const isPurged = doneHorizon === null || toldAt < doneHorizon
  const isFired = fate === 'fired'
  const hasNone = action === undefined || (!facts.hasAction && !isPurged)
  return judged(
    !facts.isOwned &&
      broken('no_recurrence', 'is of none', 'a recurrence of its tenant', 'none of this name'),
    isFired &&
      hasNone &&
      broken('fired_without_action', 'fired, without its action', 'its action', action ?? 'none named'),
    !isFired &&
      action !== undefined &&
      broken('skipped_with_action', `was ${fate}, and has an action`, 'no action', action),
    !isFired &&
      reason === undefined &&
      broken('no_reason', `was ${fate}, and nobody says why`, 'a reason', 'none'),
    fate === 'coalesced' &&
      into === undefined &&
      broken('coalesced_into_nothing', 'was coalesced into nothing', 'the one that stands for it', 'none'),
  )
}

/** What a recurrence and its rows say of each other. */
export interface ToldOf {
  readonly rows: readonly ToldRow[]
  /** All of them are here. */
  readonly isWhole: boolean
  /** Before this, rows may be gone. */
  readonly horizon: number | null
}

interface Decided {
  readonly at: number
  readonly fate: string
  readonly line: number
}

const decidedBy = (file: ExecutionFile, horizon: number): readonly Decided[] =>
  file.lines.filter(isLine).flatMap(({ number, at: toldAt, data }) => {
    const occurrences = data['occurrences']
    if (!Array.isArray(occurrences) || toldAt < horizon) return []
    return occurrences.filter(isObject).map((each) => ({
      at: Number(own(each, 'at')),
      fate: String(own(each, 'fate')),
      line: number,
    }))
  })

export const checkTold = (
  file: ExecutionFile,
  { rows, isWhole, horizon }: ToldOf,
  { since }: Told,
): readonly Finding[] => {
  const oldest = isWhole ? Number.NEGATIVE_INFINITY : (rows.at(-1)?.at ?? Number.POSITIVE_INFINITY)
  const decided = decidedBy(file, horizon ?? 0)
  const byInstant = new Map(rows.map((row) => [row.at, row]))
  const instants = new Set(decided.map(({ at }) => at))
  const missing = decided
    .filter(({ at }) => at >= oldest)
    .flatMap(({ at, fate, line }): readonly Broken[] => {
      const row = byInstant.get(at)
      // What was skipped may have been filled in since, and tells so in another line.
      if (row !== undefined && (row.fate === fate || row.fate === 'fired')) return []
      return [
        {
          invariant: 'I8',
          rule: 'fate_lost',
          where: { ...whereOf(file), line, occurrence: iso(at) },
          text: `line ${line} of ${file.id} says that ${iso(at)} was ${fate}; its row says otherwise`,
          expected: fate,
          found: row?.fate ?? 'no row',
        },
      ]
    })
  const foreign = rows
    .filter(({ at, toldAt }) => toldAt > since && !instants.has(at))
    .map(
      ({ at, fate }): Broken => ({
        invariant: 'I8',
        rule: 'fate_of_nobody',
        where: { ...whereOf(file), occurrence: iso(at) },
        text: `${iso(at)} of ${file.id} is ${fate}, and no line of its history says so`,
        expected: 'a line that gives it this fate',
        found: 'none',
      }),
    )
  return judged(missing, foreign)
}
