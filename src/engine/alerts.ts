// Owns alerts: raised in the commit of the failure they are about, told once through the tenant's channels, acknowledged by
// a person. A channel is an ordinary action of any runner, so that telling is as durable as the rest, and goes through the
// same door.

import type { ActionRequest } from '../core/action.ts'
import { planAction } from '../core/action-plan.ts'
import { alertOf, type FailedAction } from '../core/alert.ts'
import { PawlError } from '../core/errors.ts'
import { fingerprint } from '../core/fingerprint.ts'
import type { JsonObject } from '../core/json.ts'
import type { Settlement } from '../core/settle.ts'
import { scopeOf } from '../core/template/scope.ts'
import { durationMs } from '../core/time/duration.ts'
import type { ClaimedAction, Control, NewAction, Tenancy } from '../store/store.ts'
import type { AlertRow, Triage } from '../store/triage.ts'
import { type AlertChannel, requestFor } from './alert-channels.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { type Log, messageOf } from './log.ts'
import type { Chance } from './random.ts'

export interface AlertOptions {
  /** Who is told. None: alerts are rows and lines of the feed. */
  readonly channels?: readonly AlertChannel[]
  /** One alert per cause in this time, with a count. Default `1h`. */
  readonly window?: string | number
}

export interface Alerts {
  /** What its settlement must write beside it; nothing unless the failure is critical. */
  readonly raisedBy: (
    action: ClaimedAction,
    settlement: Settlement,
    attempt: number,
    /** Where in the code it failed. */
    place?: string,
  ) => readonly Control[]
  /** A commit that raises alerts for actions that are born dead. */
  readonly watching: (commit: Commit) => Commit
  /** Tells of those nobody was told of; answers how many. */
  readonly tell: (limit: number) => Promise<number>
  readonly acknowledge: (of: Tenancy, id: string, by: string) => Promise<AlertRow>
}

export interface AlertsParts {
  readonly triage: Pick<Triage, 'alert' | 'untold'>
  readonly commit: Commit
  readonly clock: Clock
  readonly chance: Chance
  readonly log: Log
}

const DEFAULT_WINDOW = '1h'
/** Marks the action that tells of an alert. */
const MARK = 'alertId'

export const createAlerts = (parts: AlertsParts, options: AlertOptions = {}): Alerts => {
  const windowMs = windowOf(options)
  const raise = (of: Tenancy, failed: Failed): readonly Control[] => {
    const alert = alertOf(toldOf(of, failed), parts.clock.now(), windowMs)
    return alert === undefined ? [] : [{ kind: 'alert_raise', alert }]
  }
  return {
    raisedBy: (action, { status, error }, attempt, place) => {
      const { id, plan, execution } = action
      if (status !== 'dead' && status !== 'review') return []
      return raise(action, { id, plan, execution, error: error!, status, attempt, place })
    },
    watching: (commit) => (member) => {
      if (!member.advance?.actions.some(isBornDead) && !member.enqueue?.some(isBornDead))
        return commit(member)
      const { advance, enqueue = [], control = [] } = member
      const born = [...(advance?.actions ?? []), ...enqueue].filter(isBornDead)
      const execution = advance?.execution.id ?? null
      const raised = born.flatMap(({ id, plan }) =>
        raise(member, { id, plan, execution, error: plan.error!, status: 'dead', attempt: 0 }),
      )
      return commit({ ...member, control: [...control, ...raised] })
    },
    tell: async (limit) => {
      const untold = await parts.triage.untold(limit)
      for (const alert of untold) await tellOf(parts, options.channels ?? [], alert)
      return untold.length
    },
    acknowledge: (of, id, by) => acknowledge(parts, of, id, by),
  }
}

const isBornDead = ({ plan }: NewAction): boolean => plan.status === 'dead'

const windowOf = ({ window = DEFAULT_WINDOW }: AlertOptions): number => {
  const windowMs = durationMs(window, 'alerts.window')
  if (windowMs >= 1000) return windowMs
  throw new PawlError('invalid_option', 'alerts cannot be counted over less than a second', {
    path: 'alerts.window',
    expected: '1h, 15m',
  })
}

const toldOf = ({ namespace, tenant }: Tenancy, { plan, error, place, ...rest }: Failed): FailedAction => {
  const { name, type, priority, metadata } = plan
  const isAlert = metadata[MARK] !== undefined
  const cause = fingerprint(type, error, place)
  return { namespace, tenant, name, type, priority, error, fingerprint: cause, isAlert, ...rest }
}

interface Failed extends Pick<NewAction, 'id' | 'plan'> {
  readonly execution: string | null
  readonly error: NonNullable<Settlement['error']>
  readonly status: 'dead' | 'review'
  readonly attempt: number
  readonly place?: string | undefined
}

/** As the feed and the channels show it: the words of the wire. */
export const alertWords = (alert: AlertRow): JsonObject => {
  const { id, type, severity, cause, count, details, firstAt, lastAt, namespace, tenant } = alert
  const at = { firstAt: new Date(firstAt).toISOString(), lastAt: new Date(lastAt).toISOString() }
  return { id, type, severity, cause, count, details, ...at, namespace, tenant }
}

/** Being told and the actions that tell are one commit; whoever comes second finds it done. */
const tellOf = async (
  { commit, clock, chance, log }: AlertsParts,
  channels: readonly AlertChannel[],
  alert: AlertRow,
): Promise<void> => {
  const { namespace, tenant } = alert
  const at = clock.now()
  const words = alertWords(alert)
  const actionOf = (request: ActionRequest): NewAction => {
    const id = chance.id('act', at)
    const name = request.options.name ?? 'alert'
    const scope = () => scopeOf({ now: at, extra: { alert: words } })
    const plan = planAction(request, { source: 'direct', stepKey: id, name, scope, now: at })
    const metadata = { ...plan.metadata, [MARK]: alert.id }
    return { id, plan: { ...plan, metadata }, source: { kind: 'direct', id } }
  }
  const enqueue = channels.flatMap((channel, index) => {
    try {
      const request = requestFor(channel, alert)
      return request === undefined ? [] : [actionOf(request)]
    } catch (error) {
      log.error('an alert channel failed, and is left out', {
        channel: index,
        alert: alert.id,
        error: messageOf(error),
      })
      return []
    }
  })
  const result = await commit({
    namespace,
    tenant,
    at,
    enqueue,
    control: [{ kind: 'alert_tell', alertId: alert.id }],
    record: [{ type: 'alert', at, data: words }],
  })
  if (result.status === 'refused') throw result.error
}

const acknowledge = async (
  { triage, commit, clock }: AlertsParts,
  of: Tenancy,
  id: string,
  by: string,
): Promise<AlertRow> => {
  const { namespace, tenant } = of
  const control = [{ kind: 'alert_acknowledge', alertId: id, by }] as const
  const result = await commit({ namespace, tenant, at: clock.now(), control })
  if (result.status === 'refused') throw result.error
  const alert = await triage.alert(of, id)
  if (alert === undefined)
    throw new PawlError('alert_not_found', `there is no alert “${id.slice(0, 80)}”`, { path: 'alert' })
  if (result.status !== 'ok')
    throw new PawlError(
      'alert_conflict',
      `the alert “${id}” was acknowledged before, by ${alert.acknowledgedBy}`,
    )
  return alert
}
