// Holds what waits: an event in the inbox is applied exactly when the history says so; an execution that waits for a
// timer has that timer, and no other.

import type { Accepted } from './accepted.ts'
import type { History } from './check-history.ts'
import type { Judge } from './judge.ts'
import { type Rows, unsealed } from './rows.ts'

export interface Inbox {
  readonly read: () => void
  readonly has: (tenant: string, execution: string, event: string) => boolean
}

export const createInbox = (rows: Rows, history: History, accepted: Accepted, judge: Judge): Inbox => {
  let known = new Set<string>()
  const applied = new Set<string>()

  const readEvents = (): void => {
    const now = new Set<string>()
    for (const { tenant, execution, event_id: event, applied_at: at } of rows.inbox()) {
      const key = `${tenant} ${execution} ${event}`
      now.add(key)
      const isInHistory = history.isApplied(tenant, execution, event)
      judge.hold((at !== null) === isInHistory, 'I1', () =>
        isInHistory ? `${key} is applied and waits` : `${key} is marked applied and is not`,
      )
      judge.hold(at !== null || !applied.has(key), 'I2', () => `${key} was applied and waits again`)
      if (at !== null) applied.add(key)
    }
    for (const key of known) judge.hold(now.has(key), 'I6', () => `${key} is gone from the inbox`)
    known = now
    for (const key of accepted.applied) {
      const [tenant = '', execution = '', event = ''] = key.split(' ')
      const isTrue = history.isApplied(tenant, execution, event)
      judge.hold(isTrue, 'I6', () => `${key} was said to be applied and is not`)
    }
    for (const key of accepted.events) judge.hold(now.has(key), 'I6', () => `${key} was accepted and is lost`)
  }

  const readTimers = (): void => {
    const armed = new Set(rows.timers().map(({ tenant, execution, key }) => `${tenant} ${execution} ${key}`))
    let wanted = 0
    for (const { tenant, id, pending } of rows.executions())
      for (const timer of unsealed<{ timers: readonly string[] }>(pending).timers) {
        const key = `${tenant} ${id} ${timer}`
        const isArmed = armed.has(key)
        wanted += isArmed ? 1 : 0
        const isFired = known.has(key) || history.isApplied(tenant, id, timer)
        judge.hold(isArmed || isFired, 'I9', () => `${id} waits for ${timer}, which is not armed`)
      }
    judge.hold(
      wanted === armed.size,
      'I9',
      () => `there are ${armed.size} timers, and ${wanted} are waited for`,
    )
  }

  return {
    read: () => {
      readEvents()
      readTimers()
    },
    has: (tenant, execution, event) => known.has(`${tenant} ${execution} ${event}`),
  }
}
