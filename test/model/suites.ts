// Owns the list of models. Streams and journeys each get a file like the others and a line here.

import { eager } from './eager.ts'
import { failover } from './failover.ts'
import { fold } from './fold.ts'
import { inbox } from './inbox.ts'
import { lease } from './lease.ts'
import { recurrence } from './recurrence.ts'
import type { Suite } from './suite.ts'
import { timers } from './timers.ts'

export const SUITES: readonly Suite[] = [lease, inbox, fold, eager, timers, recurrence, failover]
