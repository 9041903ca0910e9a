// Owns the gate every attempt passes before its runner begins: the breaker of its provider, the rates, the places and the
// quotas of its limits. What may not go now waits as a queued row that says why (`hold`), is dropped, or makes way. What
// has no limit passes without a question to the store.

import type { ActionPlan } from '../core/action.ts'
import { spread } from '../core/hash.ts'
import type { RoomsOf } from '../core/limit-rooms.ts'
import { type Applied, limitsOn, type SettingsOf } from '../core/limit-settings.ts'
import type { LaneIndex } from '../core/planner.ts'
import type { Outcome } from '../core/settle.ts'
import { EVERYONE, LINE_COUNTED, type LimitRef, type Limits } from '../store/limits.ts'
import type { ClaimedAction, Tenancy } from '../store/store.ts'
import { type Breakers, breakerKeyOf, createBreakers } from './breaker.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { createSwap } from './limits-desk.ts'
import { createPlaces, type Places } from './limits-places.ts'
import { type Asker, createQuotas, createRates, type Refusal, type Slots } from './limits-rate.ts'
import { type Log, messageOf } from './log.ts'
import type { Chance } from './random.ts'

export interface GateParts {
  readonly limits: Limits
  readonly settingsOf: SettingsOf
  readonly clock: Clock
  readonly chance: Chance
  readonly commit: Commit
  readonly log: Log
}

export type Verdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'hold'; readonly waitMs: number; readonly hold: string }
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'cancel' }

export interface Gate {
  readonly pass: (action: ClaimedAction) => Promise<Verdict>
  /**
   * The attempt is over, or never began: what it held is free, and what came of it is known. Undefined: it held nothing, and
   * nobody is to be told.
   */
  readonly over: (action: ClaimedAction, outcome: Outcome | undefined) => Promise<void> | undefined
  /** Nothing is known that could hold it up: it may start without having been claimed. */
  readonly isFree: (of: Tenancy, plan: ActionPlan) => boolean
  /** How much room lanes have, given what this process runs; undefined: all they want. */
  readonly rooms: (lanes: LaneIndex, inFlight: ReadonlyMap<number, number>) => RoomsOf | undefined
  readonly refresh: () => Promise<void>
}

const GO: Verdict = { kind: 'go' }
/** Who waits for a place looks again by itself: seldom, and the more seldom the longer the line is. */
const LOOK_MS = 2000
const PER_WAITING_MS = 50
const LONG_LINE_MS = 600_000
/** Those a new period lets go do not come all in its first moment. */
const PERIOD_SPREAD_MS = 60_000
const MANY = Number.MAX_SAFE_INTEGER

const typeOf = (laneType: string): string => laneType.split('@')[0]!

const refFor = ({ namespace, tenant }: Tenancy, { isPerTenant, key }: Applied): LimitRef => ({
  ...(isPerTenant ? { namespace, tenant } : EVERYONE),
  key,
})

const lookAgainMs = (waiting: number, key: string): number => {
  const ms = waiting >= LINE_COUNTED ? LONG_LINE_MS : Math.max(LOOK_MS, waiting * PER_WAITING_MS)
  return Math.ceil(ms * (0.75 + 0.5 * spread(key)))
}

interface Stages {
  readonly parts: GateParts
  readonly breakers: Breakers
  readonly rates: ReturnType<typeof createRates>
  readonly quota: (asker: Asker) => Promise<Refusal>
  readonly places: Places
}

export const createGate = (parts: GateParts): Gate => {
  const swap = createSwap(parts)
  const breakers = createBreakers(parts, swap)
  const places = createPlaces(parts)
  const stages: Stages = {
    parts,
    breakers,
    places,
    rates: createRates(swap, parts.clock),
    quota: createQuotas(swap, parts.clock),
  }
  return {
    pass: async (action) => (await passBreaker(stages, action)) ?? (await passLimits(stages, action)) ?? GO,
    over: (action, outcome) => {
      const isSilent = outcome === undefined || breakers.isSilent(action.plan, outcome)
      return places.isAnyHeld() || !isSilent ? report(stages, action, outcome) : undefined
    },
    isFree: (of, plan) => !isLimited(plan, parts.settingsOf(plan.type)) && !breakers.isShut(of, plan),
    rooms: (lanes, inFlight) =>
      parts.settingsOf.hasBulkheads || breakers.isAnyShut() ? roomsBy(stages, lanes, inFlight) : undefined,
    refresh: breakers.refresh,
  }
}

const isLimited = (
  { limit }: ActionPlan,
  { rate, concurrency, quota, bulkhead }: ReturnType<SettingsOf>,
): boolean =>
  limit !== undefined ||
  rate !== undefined ||
  concurrency !== undefined ||
  quota !== undefined ||
  bulkhead !== undefined

const report = async (
  { places, breakers, parts }: Stages,
  action: ClaimedAction,
  outcome: Outcome | undefined,
): Promise<void> => {
  try {
    await places.giveBack(action)
    if (outcome !== undefined) await breakers.over(action, outcome)
  } catch (error) {
    parts.log.warn('an outcome could not be reported', { action: action.id, error: messageOf(error) })
  }
}

const roomsBy = (
  { parts, breakers }: Stages,
  lanes: LaneIndex,
  inFlight: ReadonlyMap<number, number>,
): RoomsOf => {
  const running = new Map<string, number>()
  for (const [id, count] of inFlight) {
    const type = typeOf(lanes.get(id)?.type ?? '')
    running.set(type, (running.get(type) ?? 0) + count)
  }
  return (lane) => {
    const type = typeOf(lane.type)
    const { bulkhead } = parts.settingsOf(type)
    const room = breakers.room(lane, type)
    return [
      ...(bulkhead === undefined ? [] : [{ key: type, room: bulkhead - (running.get(type) ?? 0) }]),
      ...(room === Number.POSITIVE_INFINITY
        ? []
        : [{ key: `${lane.namespace}/${lane.tenant}/${type}`, room }]),
    ]
  }
}

const passBreaker = async (
  { breakers, parts }: Stages,
  action: ClaimedAction,
): Promise<Verdict | undefined> => {
  const judgement = await breakers.pass(action)
  if (judgement.kind !== 'wait') return undefined
  const { until, cause } = judgement
  const name = breakerKeyOf(action.plan).slice('breaker:'.length)
  const hold = `${cause === 'failures' ? 'breaker' : 'retry_after'}:${name}`
  return { kind: 'hold', waitMs: until - parts.clock.now(), hold }
}

/** When the second says no, the slot of the first is lost: that is to be the cheaper one. */
const fastestFirst = (a: Asker, b: Asker): number => distanceMs(a) - distanceMs(b)
const distanceMs = ({ applied: { rate } }: Asker): number => rate!.windowMs / rate!.count

/**
 * A slot is the cheapest to lose, so it is asked for first; what a quota counts has nearly begun, so it comes last. When
 * the slot has passed meanwhile, another is asked for.
 */
const passLimits = async (stages: Stages, action: ClaimedAction): Promise<Verdict | undefined> => {
  const { plan, dueAt } = action
  const limits = limitsOn(plan, stages.parts.settingsOf(plan.type))
  const askers = limits.map((applied) => ({
    applied,
    ref: refFor(action, applied),
    isBack: dueAt > plan.dueAt,
  }))
  const rated = askers.filter(({ applied }) => applied.rate !== undefined).toSorted(fastestFirst)
  const slots: Slots = new Map()
  const slow = await stages.rates.acquire(rated, slots, false)
  if (slow !== undefined) return refused(stages, action, slow.asker, 'rate', slow.waitMs)
  const full = await passPlaces(stages, action, askers)
  if (full !== undefined) return full
  const late = rated.length === 0 ? undefined : await stages.rates.renew(rated, slots)
  return late && refused(stages, action, late.asker, 'rate', late.waitMs)
}

const passPlaces = async (
  stages: Stages,
  action: ClaimedAction,
  askers: readonly Asker[],
): Promise<Verdict | undefined> => {
  for (const asker of askers) {
    const full = await takePlace(stages, action, asker)
    if (full !== undefined) return full
  }
  for (const asker of askers.filter(({ applied }) => applied.quota !== undefined)) {
    const spent = await stages.quota(asker)
    const later = spread(action.plan.stepKey) * PERIOD_SPREAD_MS
    if (spent !== undefined) return refused(stages, action, asker, 'quota', Math.ceil(spent.waitMs + later))
  }
  return undefined
}

const takePlace = async (
  stages: Stages,
  action: ClaimedAction,
  asker: Asker,
): Promise<Verdict | undefined> => {
  const { applied, ref } = asker
  const { concurrency, onFull } = applied
  // Who may be made to give way has to be found in a line, also where only the rate is limited.
  if (concurrency === undefined && onFull !== 'cancel_oldest') return undefined
  const waiting = await stages.places.take(ref, concurrency ?? MANY, action, onFull !== 'drop')
  if (waiting === undefined) return undefined
  return refused(stages, action, asker, 'concurrency', lookAgainMs(waiting, action.plan.stepKey))
}

const refused = async (
  { places }: Stages,
  action: ClaimedAction,
  { applied, ref }: Asker,
  what: 'rate' | 'concurrency' | 'quota',
  waitMs: number,
): Promise<Verdict> => {
  const reason = `the ${what} of “${applied.name.slice(0, 80)}” is used up`
  if (applied.onFull === 'drop') return { kind: 'drop', reason }
  if (
    applied.onFull === 'cancel_oldest' &&
    (await places.makeWay(ref, action, `${reason}, and a newer one came`))
  )
    return { kind: 'cancel' }
  return { kind: 'hold', waitMs, hold: `${what}:${applied.name.slice(0, 200)}` }
}
