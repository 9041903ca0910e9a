// Owns I6: what was accepted is somewhere. The counters of a tenant and its rows come to the same, status by status; rows
// that retention has removed stay counted.

import type { Tally, TenantTally } from '../store/inspect.ts'
import { type Finding, judged } from './finding.ts'

const HOUR = 3_600_000

/** Counted when they end, and never again. */
const ENDS: ReadonlySet<string> = new Set(
  ['succeeded', 'cancelled', 'skipped', 'archived'].map((status) => `actions.${status}`),
)

/** Retention was here: it folds old hours, and before that the oldest rows are gone whose hour is still counted. */
const isPurged = ({ isFolded, since, oldestDone }: TenantTally): boolean =>
  isFolded || (since !== null && oldestDone !== null && since + HOUR <= oldestDone)

const namesOf = (...tallies: readonly Tally[]): readonly string[] =>
  [...new Set(tallies.flatMap((tally) => Object.keys(tally)))].sort()

export const isEven = (counted: Tally, found: Tally): boolean =>
  namesOf(counted, found).every((name) => (counted[name] ?? 0) === (found[name] ?? 0))

export const checkCounts = (tally: TenantTally): readonly Finding[] => {
  const { namespace, tenant, counted, found } = tally
  const purged = isPurged(tally)
  const wrong = namesOf(counted, found).filter((name) => {
    const missing = (counted[name] ?? 0) - (found[name] ?? 0)
    return missing !== 0 && !(purged && ENDS.has(name) && missing > 0)
  })
  return judged(
    wrong.map((name) => {
      const [says, is] = [counted[name] ?? 0, found[name] ?? 0]
      const what = says > is ? `${says - is} of them are lost` : `${is - says} of them were never counted`
      return {
        invariant: 'I6',
        rule: says > is ? 'lost' : 'uncounted',
        where: { namespace, tenant, counter: name },
        text: `${tenant} should have ${says} in ${name} and has ${is}: ${what}`,
        expected: String(says),
        found: String(is),
      }
    }),
  )
}
