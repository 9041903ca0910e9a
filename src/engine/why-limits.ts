// Owns the words for what limits do to a queued action: which of them it waits for, until when, and what to do. It reads
// the same rows the gate writes.

import type { ActionPlan } from '../core/action.ts'
import { type BreakerState, CLOSED } from '../core/breaker.ts'
import { type Applied, limitsOn, type SettingsOf } from '../core/limit-settings.ts'
import { EVERYONE, LINE_COUNTED, type Limits } from '../store/limits.ts'
import type { ActionRow } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { breakerRef } from './breaker.ts'

export interface Reason {
  readonly code: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly until?: number
}

export interface WhyLimitParts {
  readonly limits: Limits
  readonly settingsOf: SettingsOf
}

const UNITS: ReadonlyMap<number, string> = new Map([
  [1000, 's'],
  [60_000, 'm'],
  [3_600_000, 'h'],
  [86_400_000, 'd'],
])

/** The limit of the action that a hold names; none when it was changed since. */
const namedBy = (hold: string, plan: ActionPlan, settingsOf: SettingsOf): Applied | undefined => {
  const name = hold.slice(hold.indexOf(':') + 1)
  try {
    return limitsOn(plan, settingsOf(plan.type)).find((applied) => applied.name.startsWith(name))
  } catch {
    return undefined
  }
}

const rateText = (applied: Applied | undefined, name: string): string => {
  const rate = applied?.rate && ` (${applied.rate.count}/${UNITS.get(applied.rate.windowMs)})`
  return `the rate of “${name}”${rate ?? ''} is used up; it goes when its turn comes, or raise the rate`
}

const quotaText = (applied: Applied | undefined, name: string): string => {
  const quota = applied?.quota && ` (${applied.quota.count} a ${applied.quota.period})`
  return `the quota of “${name}”${quota ?? ''} is used up; it goes in the next period, or raise the quota`
}

const placeText = async (
  { limits }: WhyLimitParts,
  of: Tenancy,
  row: ActionRow,
  name: string,
  applied: Applied | undefined,
): Promise<string> => {
  const start = `“${name}” lets only ${applied?.concurrency ?? 'so many'} run at a time`
  if (applied === undefined) return `${start}; it is called when one of them ends`
  const scope = applied.isPerTenant ? { namespace: of.namespace, tenant: of.tenant } : EVERYONE
  const { held, before } = await limits.line({ ...scope, key: applied.key }, row.id)
  const count = before >= LINE_COUNTED ? `${before} or more` : before
  return `${start}: ${held} run and ${count} wait before it; it is called when one of them ends`
}

const WINDOW = 'its delivery window is closed; it waits until that opens'
const SUSPECT =
  'its worker was lost while it ran: few such actions run at a time, those lost again one by one; look whether it ends its process'

/** What the row itself says. */
export const heldReason = async (
  parts: WhyLimitParts,
  of: Tenancy,
  row: ActionRow,
  hold: string,
): Promise<Reason> => {
  const code = hold.slice(0, Math.max(0, hold.indexOf(':'))) || hold
  const name = hold.slice(code.length + 1)
  const applied = namedBy(hold, row.plan, parts.settingsOf)
  const until = row.dueAt
  switch (code) {
    case 'window':
      return { code, text: WINDOW, until }
    case 'suspect':
      return { code, text: SUSPECT, until }
    case 'rate':
      return { code, text: rateText(applied, name), until }
    case 'quota':
      return { code, text: quotaText(applied, name), until }
    case 'concurrency':
      return { code, text: await placeText(parts, of, row, name, applied), until }
    case 'breaker':
      return { code, text: breakerText(name), until }
    case 'retry_after':
      return { code, text: patienceText(name), until }
    default:
      return { code, text: `it is held: ${hold}`, until }
  }
}

const breakerText = (name: string): string =>
  `“${name}” failed too often: it is left alone, then tried with a probe; look at the provider`

const patienceText = (name: string): string => `“${name}” asked to be left alone for a while (Retry-After)`

/** What its provider's breaker says, of which the row may know nothing: its lane is not offered. */
export const providerReasons = async (
  { limits }: WhyLimitParts,
  of: Tenancy,
  row: ActionRow,
  now: number,
): Promise<readonly Reason[]> => {
  const ref = breakerRef(of, row.plan)
  const [kept] = (await limits.read([ref], { now })).states
  const { until, cause }: BreakerState = { ...CLOSED, ...kept!.state }
  const name = ref.key.slice('breaker:'.length)
  if (cause === 'failures' && until > 0)
    return [{ code: 'breaker', text: breakerText(name), until: Math.max(until, now) }]
  return until > now ? [{ code: 'retry_after', text: patienceText(name), until }] : []
}

/** What may keep a due action from a slot although nothing is wrong. */
export const slotText = ({ type }: ActionPlan, settingsOf: SettingsOf): string => {
  const { bulkhead } = settingsOf(type)
  return bulkhead === undefined
    ? 'it is due and waits for a free slot'
    : `it is due and waits for a free slot; at most ${bulkhead} of type “${type}” run in one process`
}
