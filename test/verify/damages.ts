// Every kind of damage, and a trial of a verify by all of them: which does it miss? One that says "sound" whatever it sees
// misses all.

import type { Finding } from '../../src/verify/finding.ts'
import type { Report, VerifyOptions } from '../../src/verify/verify.ts'
import type { Damage } from './damage.ts'
import { ACTION_DAMAGES } from './damaged-actions.ts'
import { EXECUTION_DAMAGES } from './damaged-executions.ts'
import { KEPT_DAMAGES } from './damaged-kept.ts'
import { OFFICE_DAMAGES } from './damaged-office.ts'
import { RECURRENCE_DAMAGES } from './damaged-recurrences.ts'
import { TENANT_DAMAGES } from './damaged-tenants.ts'
import type { Ground } from './ground.ts'

export const DAMAGES: readonly Damage[] = [
  ...ACTION_DAMAGES,
  ...EXECUTION_DAMAGES,
  ...TENANT_DAMAGES,
  ...RECURRENCE_DAMAGES,
  ...OFFICE_DAMAGES,
  ...KEPT_DAMAGES,
]

export type Verify = (options: VerifyOptions) => Promise<Report>

export const rulesOf = (findings: readonly Finding[]): readonly string[] =>
  [...new Set(findings.map(({ invariant, rule }) => `${invariant} ${rule}`))].sort()

export const reportOf = (
  { names, inspector, damaged }: Ground,
  { make }: Damage,
  verify: Verify,
): Promise<Report> =>
  damaged(
    (hammer) => make(hammer, names),
    () => verify({ inspector }),
  )

/** The names of the damages it does not find, or finds more of than there is. */
export const missedBy = async (ground: Ground, verify: Verify): Promise<readonly string[]> => {
  const missed: string[] = []
  for (const damage of DAMAGES) {
    const { findings } = await reportOf(ground, damage, verify)
    if (String(rulesOf(findings)) !== String([...damage.finds].sort())) missed.push(damage.name)
  }
  return missed
}
