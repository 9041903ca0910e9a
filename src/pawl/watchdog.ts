// Owns the second look at recurrences, apart from the loop that fires timers: those whose next occurrence is long past, or
// whose timer is lost, are planned anew, and somebody is told. And the rules of time zones: when those of this process are
// not the ones next occurrences were computed by, they are computed again.
// D1  What it finds twice is mended once: the event that plans anew is named by the occurrence that was missed.

import { overdueAlert } from '../core/alert.ts'
import type { JsonObject } from '../core/json.ts'
import { progressOf, RECURRENCE_EVENTS } from '../core/triggers/recurrence.ts'
import { dataRecurrence } from '../core/triggers/recurrence-data.ts'
import type { Clock } from '../engine/clock.ts'
import type { Engine } from '../engine/engine.ts'
import { type Log, messageOf } from '../engine/log.ts'
import type { Keeper, Watched, WatchedPlace } from '../store/keeper.ts'
import type { ExecutionRef, Tenancy } from '../store/store.ts'
import { type Coded, settingsOf } from './recurring-view.ts'

export interface WatchdogParts {
  readonly keeper: Pick<Keeper, 'tenantAfter' | 'recurrences' | 'zoneRules' | 'setZoneRules'>
  readonly engine: Pick<Engine, 'advancing' | 'commit'>
  readonly coded: Coded
  readonly clock: Clock
  readonly log: Log
}

/** Timers are looked for every second; a process that starts again has fired what was due within this. */
const OVERDUE_MS = 120_000
const SLICE = 250
/** One alert per recurrence in this time. */
const WINDOW_MS = 3_600_000

/** Before every tenant. */
const NOBODY: Tenancy = { namespace: '', tenant: '' }

type Found = ExecutionRef & Pick<Watched, 'dueAt'> & Required<Pick<Watched, 'stored'>>

const ofTenant = async function* (
  { keeper }: WatchdogParts,
  { namespace, tenant }: Tenancy,
  before: number,
): AsyncGenerator<Found> {
  for (let after: WatchedPlace | undefined; ; ) {
    const rows = await keeper.recurrences({ namespace, tenant }, after, before, SLICE)
    for (const { id, dueAt, stored } of rows) if (stored) yield { namespace, tenant, id, dueAt, stored }
    after = rows.at(-1)
    if (after === undefined || rows.length < SLICE) return
  }
}

const each = async function* (parts: WatchdogParts, before: number): AsyncGenerator<Found> {
  for (let of = await parts.keeper.tenantAfter(NOBODY); of; of = await parts.keeper.tenantAfter(of))
    yield* ofTenant(parts, of, before)
}

const replan = async (
  { engine, log }: WatchdogParts,
  { namespace, tenant, id }: ExecutionRef,
  event: { readonly id: string; readonly payload: JsonObject },
): Promise<boolean> => {
  try {
    const ref = { namespace, tenant, id }
    const { applied } = await engine.advancing.ask(ref, { type: RECURRENCE_EVENTS.replan, ...event })
    return applied
  } catch (error) {
    log.error('a recurrence could not be planned anew', {
      event: 'recurring.replan_error',
      namespace,
      tenant,
      recurring_id: id,
      error: messageOf(error),
    })
    return false
  }
}

/** Looks at all of them; answers how many were planned anew. */
export const mendOverdue = async (parts: WatchdogParts): Promise<number> => {
  const { engine, clock, log } = parts
  const before = clock.now() - OVERDUE_MS
  let mended = 0
  for await (const { namespace, tenant, id, dueAt, stored } of each(parts, before)) {
    const { nextAt, through } = progressOf(stored.execution)
    // A timer that is lost is missed when it would have been due.
    if (dueAt === null && nextAt !== null && nextAt >= before) continue
    const payload = { reason: 'overdue', nextAt }
    if (!(await replan(parts, { namespace, tenant, id }, { id: `overdue/${nextAt ?? through}`, payload })))
      continue
    mended += 1
    log.warn('a recurrence was overdue, and was planned anew', {
      event: 'recurring.overdue',
      namespace,
      tenant,
      recurring_id: id,
      next_execution_at: nextAt === null ? null : new Date(nextAt).toISOString(),
      has_timer: dueAt !== null,
    })
    const at = clock.now()
    const overdue = { namespace, tenant, id, nextAt, hasTimer: dueAt !== null }
    const alert = overdueAlert(overdue, at, WINDOW_MS)
    await engine.commit({ namespace, tenant, at, control: [{ kind: 'alert_raise', alert }] })
  }
  return mended
}

/** What a recurrence should do next by the rules of this process; undefined where those are not known here. */
const nextBy = (coded: Coded, { stored }: Required<Pick<Watched, 'stored'>>): number | null | undefined => {
  const settings = settingsOf(coded, stored.execution)
  if (settings['cron'] === undefined) return undefined
  const { schedule, endsAt = Number.POSITIVE_INFINITY } = dataRecurrence.ruleOf(settings)
  const next = schedule.next(progressOf(stored.execution).through)
  return next !== undefined && next < endsAt ? next : null
}

/** Once for every change of the rules, by whoever opens the store first; answers how many were planned anew. */
export const followZones = async (parts: WatchdogParts, rules: string): Promise<number> => {
  const { keeper, coded, log } = parts
  const before = await keeper.zoneRules()
  if (before === rules) return 0
  let moved = 0
  if (before !== undefined)
    for await (const row of each(parts, Number.MAX_SAFE_INTEGER)) {
      const { nextAt } = progressOf(row.stored.execution)
      const next = nextBy(coded, row)
      if (next === undefined || next === nextAt) continue
      const payload = { reason: 'zone_rules', from: before, to: rules, nextAt }
      if (!(await replan(parts, row, { id: `zones/${rules}/${nextAt}`, payload }))) continue
      moved += 1
      log.info('a recurrence was planned anew: the rules of its zone have changed', {
        event: 'recurring.replan',
        namespace: row.namespace,
        tenant: row.tenant,
        recurring_id: row.id,
        from: before,
        to: rules,
      })
    }
  await keeper.setZoneRules(rules)
  return moved
}
