// Owns what every verb of the library stands on, whoever's it is: the engine, the opened store, the clock, and what
// the runners here say of definitions.

import type { Clock } from '../engine/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { OpenedStore } from './open-store.ts'
import type { RecurrenceQuota } from './recurring-quota.ts'
import type { RunnerRules } from './runner-rules.ts'

export interface Parts {
  readonly engine: Engine
  readonly opened: OpenedStore
  readonly clock: Clock
  readonly rules: RunnerRules
  /** What a tenant may have of recurrences. */
  readonly quota: RecurrenceQuota
}
