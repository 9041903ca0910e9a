// Owns what this process knows of providers that are left alone: breakers that are not closed, and those that asked for
// patience. It reads them once a second, reports what it sees, and lets through what core says may go. A provider nobody
// complains about costs nothing.

import type { ActionPlan } from '../core/action.ts'
import {
  BREAKER_DEFAULTS,
  type BreakerSettings,
  type BreakerState,
  breakerIdleAt,
  CLOSED,
  type Judgement,
  joined,
  judge,
  type Report,
  reported,
  roomOf,
} from '../core/breaker.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { SettingsOf } from '../core/limit-settings.ts'
import type { Outcome } from '../core/settle.ts'
import type { LimitRef, Limits } from '../store/limits.ts'
import type { ClaimedAction, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createDesk, nameOf, type Swap } from './limits-desk.ts'
import { type Log, messageOf } from './log.ts'

export interface BreakerParts {
  readonly limits: Limits
  readonly settingsOf: SettingsOf
  readonly clock: Clock
  readonly log: Log
}

export interface Breakers {
  /** Looks at the store when the last look is a second old. */
  readonly refresh: () => Promise<void>
  readonly isAnyShut: () => boolean
  readonly isShut: (of: Tenancy, plan: ActionPlan) => boolean
  readonly pass: (action: ClaimedAction) => Promise<Judgement>
  readonly over: (action: ClaimedAction, outcome: Outcome) => Promise<void>
  /** Nobody counts how actions of this type end, and this one has nothing to say to its provider's others. */
  readonly isSilent: (plan: ActionPlan, outcome: Outcome) => boolean
  /** Of all actions of a type that name no provider. */
  readonly room: (of: Tenancy, type: string) => number
}

const LOOK_MS = 1000
const KNOWN = 1000
const COUNTED = 10_000
const GO: Judgement = { kind: 'go' }

/** A provider that cannot be reached or is not well; what it refuses for a reason is no sign of that. */
const SIGNS: ReadonlySet<string> = new Set([
  'timeout',
  'network_error',
  'service_unavailable',
  'network_congestion',
])
const IMPATIENT: ReadonlySet<string> = new Set(['rate_limit', 'service_unavailable'])

const hostOf = (url: unknown): string | undefined =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined

/** The provider an action speaks to, as far as its config says so. */
const providerOf = ({ config }: ActionPlan): string | undefined => {
  if (!isObject(config)) return undefined
  const named = config['provider'] ?? config['service']
  return typeof named === 'string' ? named : hostOf(config['url'])
}

const keyFor = (type: string, provider?: string): string =>
  provider === undefined ? `breaker:${type}` : `breaker:${type}/${provider}`

/** The key of the breaker an action belongs to. */
export const breakerKeyOf = (plan: ActionPlan): string => keyFor(plan.type, providerOf(plan))

export const breakerRef = ({ namespace, tenant }: Tenancy, plan: ActionPlan): LimitRef => ({
  namespace,
  tenant,
  key: breakerKeyOf(plan),
})

const reportOf = (outcome: Outcome): Report => {
  if (outcome.kind === 'timed_out') return { failed: 1, passed: 0, refused: 0 }
  if (outcome.kind !== 'failed')
    return { failed: 0, passed: outcome.kind === 'succeeded' ? 1 : 0, refused: 0 }
  const { error, retryAfterMs = 0 } = outcome.failure
  const failed = SIGNS.has(error.type) ? 1 : 0
  const isPatient = retryAfterMs > 0 && IMPATIENT.has(error.type)
  return { failed, passed: 1 - failed, refused: 1, ...(isPatient && { retryAfterMs }) }
}

const sum = (reports: readonly Report[]): Report => {
  const waits = reports.flatMap(({ retryAfterMs }) => retryAfterMs ?? [])
  return {
    failed: reports.reduce((all, { failed }) => all + failed, 0),
    passed: reports.reduce((all, { passed }) => all + passed, 0),
    refused: waits.length,
    ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
  }
}

const stateFrom = (kept: JsonObject | undefined): BreakerState => ({ ...CLOSED, ...kept })

const written = (state: BreakerState, settings: BreakerSettings) => ({
  state: { ...state },
  idleAt: Math.ceil(breakerIdleAt(state, settings)),
  shut: state.until > 0,
})

/** What is known to be shut. */
const createKnown = ({ limits, clock, log }: BreakerParts) => {
  let shut = new Map<string, BreakerState>()
  let lookedAt = Number.NEGATIVE_INFINITY
  return {
    isAny: (): boolean => shut.size > 0,
    get: (ref: LimitRef): BreakerState | undefined => (shut.size === 0 ? undefined : shut.get(nameOf(ref))),
    learn: (ref: LimitRef, state: BreakerState): void => {
      if (state.until > 0) shut.set(nameOf(ref), state)
      else shut.delete(nameOf(ref))
    },
    refresh: async (): Promise<void> => {
      const now = clock.monotonic()
      if (now - lookedAt < LOOK_MS) return
      lookedAt = now
      try {
        const rows = await limits.shut(KNOWN, clock.clocks())
        shut = new Map(rows.map((row) => [nameOf(row), stateFrom(row.state)]))
      } catch (error) {
        log.warn('the breakers could not be read', { error: messageOf(error) })
      }
    },
  }
}

type KnownShut = ReturnType<typeof createKnown>

/** Asked about a provider that is known to be shut. */
const createJudging = (
  { clock }: BreakerParts,
  swap: Swap,
  known: KnownShut,
  settingsFor: (ref: LimitRef) => BreakerSettings | undefined,
) =>
  createDesk<string, Judgement>(clock, async (ref, keys) => {
    const settings = settingsFor(ref) ?? BREAKER_DEFAULTS
    const { answer } = await swap(ref, (kept, now) => {
      const before = stateFrom(kept)
      let state = before
      const judged = keys.map((key) => {
        const judgement = judge(state, settings, key, now)
        if (judgement.kind === 'probe') state = judgement.state
        // Who comes back while they are let go one by one is counted already.
        if (judgement.kind === 'wait' && judgement.cause === 'retry_after' && now < state.until)
          state = joined(state)
        return judgement
      })
      return { ...(state !== before && { next: written(state, settings) }), answer: { judged, state } }
    })
    known.learn(ref, answer.state)
    return answer.judged
  })

/** What was seen, told to all. */
const createReporting = (
  { clock, log }: BreakerParts,
  swap: Swap,
  known: KnownShut,
  settingsFor: (ref: LimitRef) => BreakerSettings | undefined,
) =>
  createDesk<Report, undefined>(clock, async (ref, reports) => {
    const settings = settingsFor(ref)
    const { answer } = await swap(ref, (kept, now) => {
      const before = stateFrom(kept)
      const state = reported(before, settings, sum(reports), now)
      const next = written(state, settings ?? BREAKER_DEFAULTS)
      return { ...(state !== before && { next }), answer: { before, state } }
    })
    const { before, state } = answer
    known.learn(ref, state)
    if (before.until === 0 && state.until > 0)
      log.warn('a provider is left alone for a while', {
        breaker: ref.key,
        cause: state.cause,
        until: new Date(state.until).toISOString(),
      })
    if (before.until > 0 && state.until === 0) log.info('a provider is well again', { breaker: ref.key })
    return reports.map(() => undefined)
  })

export const createBreakers = (parts: BreakerParts, swap: Swap): Breakers => {
  const { clock, settingsOf } = parts
  const known = createKnown(parts)
  const successes = new Map<string, number>()
  const settingsFor = (ref: LimitRef): BreakerSettings | undefined =>
    settingsOf(ref.key.slice('breaker:'.length).split('/')[0]!).breaker
  const judging = createJudging(parts, swap, known, settingsFor)
  const reporting = createReporting(parts, swap, known, settingsFor)

  return {
    refresh: known.refresh,
    isAnyShut: known.isAny,
    isShut: (of, plan) => known.isAny() && known.get(breakerRef(of, plan)) !== undefined,
    room: ({ namespace, tenant }, type) => {
      const ref = { namespace, tenant, key: keyFor(type) }
      const state = known.get(ref)
      if (state === undefined) return Number.POSITIVE_INFINITY
      return roomOf(state, settingsFor(ref) ?? BREAKER_DEFAULTS, clock.now())
    },
    isSilent: ({ type }, { kind }) =>
      kind === 'succeeded' && !known.isAny() && settingsOf(type).breaker === undefined,
    pass: async (action) => {
      await known.refresh()
      if (!known.isAny()) return GO
      const ref = breakerRef(action, action.plan)
      return known.get(ref) === undefined ? GO : judging(ref, action.plan.stepKey)
    },
    over: async (action, outcome) => {
      const ref = breakerRef(action, action.plan)
      const report = reportOf(outcome)
      const isNews = report.failed > 0 || report.retryAfterMs !== undefined || known.get(ref) !== undefined
      if (settingsFor(ref) === undefined && report.retryAfterMs === undefined && known.get(ref) === undefined)
        return
      const name = nameOf(ref)
      if (!isNews) {
        if (successes.size > COUNTED) successes.clear()
        successes.set(name, (successes.get(name) ?? 0) + report.passed)
        return
      }
      const passed = report.passed + (successes.get(name) ?? 0)
      successes.delete(name)
      await reporting(ref, { ...report, passed })
    },
  }
}
