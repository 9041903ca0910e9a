// Owns what is logged of the work itself: one line for each attempt that ended, so that the life of an action can be read
// from the log by its id, and one for whatever happens to a recurrence.

import type { Settlement } from '../core/settle.ts'
import type { Level, LogSink } from '../engine/log.ts'
import type { Observer } from '../engine/observer.ts'
import { recurringFacts } from './recurring-facts.ts'

const WORDS: Readonly<Record<Settlement['status'], readonly [Level, string, string]>> = {
  succeeded: ['info', 'action.succeeded', 'an action succeeded'],
  queued: ['info', 'action.retry_scheduled', 'an action will be tried again'],
  dead: ['warn', 'action.dead', 'an action is a dead letter'],
  review: ['warn', 'action.review', 'an action needs a person to say what happened'],
  cancelled: ['info', 'action.cancelled', 'an action was cancelled'],
  skipped: ['info', 'action.skipped', 'an action was skipped'],
}

export const createLogObserver = (sink: LogSink): Observer => ({
  committed: (members, results) => {
    for (const [index, member] of members.entries())
      for (const { level, event, message, fields } of recurringFacts(member, results[index]!))
        sink(level, message, { event, ...fields })
  },
  settled: ({ action, attempt, startedAt, endedAt, worker }, { status, dueAt, error }) => {
    const { id, plan, execution, source, namespace, tenant } = action
    const [level, event, message] = WORDS[status]
    sink(level, message, {
      event,
      action: id,
      type: plan.type,
      attempt,
      triggerKind: source.kind,
      triggerId: source.id,
      ...(execution !== null && { execution }),
      namespace,
      tenant,
      worker,
      durationMs: Math.max(0, endedAt - startedAt),
      ...(dueAt !== undefined && { due_at: new Date(dueAt).toISOString() }),
      ...(error !== undefined && { error: { type: error.type, message: error.message } }),
    })
  },
})
