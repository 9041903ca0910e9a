// Owns applying the rules for dead letters: a chore of one process at a time that looks through those old enough, oldest
// first, and retries or archives what its rule says. Each is a commit of its own, fenced by the status it needs, so that a
// person who was quicker has been quicker.

import { type DeadRule, verdictOn, youngestOf } from '../core/dead-rule.ts'
import type { ActionRow } from '../store/reader.ts'
import type { Control } from '../store/store.ts'
import type { TimePlace, Triage } from '../store/triage.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'

export interface DeadRulesParts {
  readonly triage: Pick<Triage, 'deadBefore'>
  readonly commit: Commit
  readonly clock: Clock
}

const SLICE = 250
/** F41: no tenant's receivers see more than a hundred of them in a second. */
const APART_MS = 10

/** One round; answers how many dead letters were dealt with. */
export const createDeadRules = (
  parts: DeadRulesParts,
  rules: readonly DeadRule[],
): (() => Promise<number>) => {
  const { triage, clock } = parts
  const youngest = youngestOf(rules)
  if (youngest === undefined) return () => Promise.resolve(0)
  return async () => {
    const before = clock.now() - youngest
    const retried = new Map<string, number>()
    let done = 0
    for (let place: TimePlace = { at: Number.MIN_SAFE_INTEGER, id: '' }; ; ) {
      const { rows, last } = await triage.deadBefore(before, place, SLICE)
      const dealt = await Promise.all(rows.map((row) => dealWith(parts, rules, row, retried)))
      done += dealt.filter(Boolean).length
      if (last === undefined) return done
      place = last
      await clock.timers.turn()
    }
  }
}

const dealWith = async (
  { commit, clock }: DeadRulesParts,
  rules: readonly DeadRule[],
  row: ActionRow,
  retried: Map<string, number>,
): Promise<boolean> => {
  const { id, namespace, tenant, plan, error, createdAt } = row
  const now = clock.now()
  const diedAt = row.finishedAt ?? now
  const verdict = verdictOn(rules, { ...plan, errorType: error?.type, createdAt, diedAt }, now)
  if (verdict === undefined) return false
  const place = JSON.stringify([namespace, tenant])
  const number = retried.get(place) ?? 0
  if (verdict === 'retry') retried.set(place, number + 1)
  const control: Control =
    verdict === 'retry'
      ? { kind: 'retry_dead', id, dueAt: now + number * APART_MS }
      : { kind: 'archive_dead', id }
  const record = {
    type: `action.${verdict === 'retry' ? 'retried' : 'archived'}`,
    at: now,
    data: { action: id, by: 'rule' },
  }
  const result = await commit({ namespace, tenant, at: now, control: [control], record: [record] })
  if (result.status === 'refused') throw result.error
  return result.status === 'ok'
}
