// Holds what must be true when a world has come to rest: nothing is left that nobody will ever take up, what was promised
// is there, the counters count it, and no row holds a secret.

import type { Accepted } from './accepted.ts'
import type { Actions } from './check-actions.ts'
import type { Occurrences } from './check-occurrences.ts'
import type { Judge } from './judge.ts'
import type { Rows } from './rows.ts'
import { CANARY } from './runners.ts'

/** What is still to come, in words. What is paused, failed, dead or in review waits for a person. */
export const restless = (rows: Rows): readonly string[] => {
  const pauses = new Set(rows.pauses().map(({ tenant, scope, value }) => `${tenant} ${scope} ${value}`))
  const isClosed = (tenant: string, type: string): boolean =>
    pauses.has(`${tenant} tenant ${tenant}`) || pauses.has(`${tenant} type ${type}`)
  const found: string[] = []
  for (const { id, status, tenant, lane, execution } of rows.live()) {
    const isParked = lane < 0 && execution !== null && rows.statusOf(tenant, execution) === 'paused'
    if (status === 'running') found.push(`${id} is running`)
    if (status === 'queued' && !isParked && !isClosed(tenant, rows.typeOf(lane)))
      found.push(`${id} is queued`)
  }
  const isStill = (tenant: string, execution: string, held: number): boolean => {
    const status = rows.statusOf(tenant, execution)
    return status === 'failed' || (status === 'paused' && held === 1)
  }
  for (const { tenant, execution, event_id: event, applied_at: at, held } of rows.inbox())
    if (at === null && !isStill(tenant, execution, held)) found.push(`${execution} has not taken ${event}`)
  for (const { tenant, execution, key, held } of rows.timers())
    if (!isStill(tenant, execution, held)) found.push(`${execution} waits for ${key}`)
  return found
}

interface EndParts {
  readonly rows: Rows
  readonly actions: Actions
  readonly accepted: Accepted
  readonly judge: Judge
  readonly occurrences: Occurrences
}

/** The counters of a tenant, counted by hand. */
const countByHand = ({ rows, actions }: EndParts): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  const count = (tenant: string, name: string): void => {
    counts.set(`${tenant} ${name}`, (counts.get(`${tenant} ${name}`) ?? 0) + 1)
  }
  for (const { tenant, status } of rows.live())
    count(tenant, `actions.${status === 'queued' || status === 'running' ? 'open' : status}`)
  for (const { tenant, status, archived_at: archived } of actions.ended.values())
    count(tenant, archived === null ? `actions.${status}` : 'actions.archived')
  for (const { tenant, status } of rows.executions()) count(tenant, `executions.${status}`)
  return counts
}

export const holdEnd = (parts: EndParts): void => {
  const { rows, accepted, judge, actions, occurrences } = parts
  const executions = new Set(rows.executions().map(({ tenant, id }) => `${tenant} ${id}`))
  for (const key of accepted.executions)
    judge.hold(executions.has(key), 'I6', () => `${key} was accepted and is lost`)
  const done = rows.doneAfter(0)
  judge.hold(
    done.length === actions.ended.size,
    'I6',
    () => `${actions.ended.size} ended, ${done.length} are there`,
  )
  for (const row of done) {
    const before = actions.ended.get(row.id)
    judge.hold(
      before?.status === row.status && before.token === row.token,
      'I2',
      () => `${row.id} changed after its end`,
    )
  }
  const byHand = countByHand(parts)
  const counted = new Map(rows.counters().map(({ tenant, name, value }) => [`${tenant} ${name}`, value]))
  for (const key of new Set([...byHand.keys(), ...counted.keys()])) {
    const [is, says] = [byHand.get(key) ?? 0, counted.get(key) ?? 0]
    judge.hold(is === says, 'I6', () => `${key}: there are ${is}, the counter says ${says}`)
  }
  occurrences.end()
  judge.hold(!rows.texts().includes(CANARY), 'I12', () => 'a row holds the secret')
}
