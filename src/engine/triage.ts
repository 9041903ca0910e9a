// Owns putting together what is done about failures: bulk operations, alerts, rules for dead letters, actions made anew.
// It contains no rules; each part says what it owns.

import { type DeadRuleInput, parseDeadRules } from '../core/dead-rule.ts'
import { type AlertOptions, type Alerts, createAlerts } from './alerts.ts'
import { type Bulks, createBulks } from './bulk.ts'
import { type BulkWork, type BulkWorkParts, createBulkWork } from './bulk-work.ts'
import type { Chore } from './chores.ts'
import type { Commit } from './committer.ts'
import { createDeadRules } from './dead-rules.ts'

export interface TriageOptions {
  readonly alerts?: AlertOptions
  readonly deadLetters?: {
    /** The first that matches decides. */
    readonly rules?: readonly DeadRuleInput[]
  }
}

export interface TriageWork {
  readonly bulks: Bulks
  readonly bulkWork: BulkWork
  readonly alerts: Alerts
  /** The commit given, which raises alerts for what is born dead. */
  readonly commit: Commit
  /** What the loop does: sends what may be sent, tells what is to be told. */
  readonly pass: (isPaced?: boolean) => Promise<number>
  readonly chores: readonly Chore[]
}

const TELL = 50
const RULES_MS = 60_000

export const createTriage = (given: BulkWorkParts, options: TriageOptions): TriageWork => {
  const alerts = createAlerts(given, options.alerts)
  const commit = alerts.watching(given.commit)
  const parts = { ...given, commit }
  const bulkWork = createBulkWork(parts)
  const applyRules = createDeadRules(parts, parseDeadRules(options.deadLetters?.rules ?? []))
  return {
    bulks: createBulks(parts),
    bulkWork,
    alerts,
    commit,
    pass: async (isPaced = true) => {
      const told = await alerts.tell(TELL)
      // Under a virtual clock no minute passes by itself.
      const ruled = isPaced ? 0 : await applyRules()
      return told + ruled + (await bulkWork.pass(isPaced))
    },
    chores: [['dead-letter rules', RULES_MS, applyRules]],
  }
}
