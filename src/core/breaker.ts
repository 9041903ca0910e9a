// Owns the breaker of a provider, as pure data: when too much of what is tried fails it opens, after a while it lets a few
// probes through, and what they bring closes it or opens it for longer. It also keeps the patience a provider asked for
// (Retry-After), whether or not a breaker is wanted.
// B1  Only `failures` of a window, and at least `ratio` of all it saw, open it: one bad call among many does not.
// B2  While half-open at most `probes` are under way; one that never answered is forgotten after PROBE_MS.
// B3  Who waited comes back spread over a time that grows with their number, not all at once.

import { spread } from './hash.ts'
import { MAX_RETRY_AFTER_MS } from './retry-after.ts'

export interface BreakerSettings {
  /** Failures within the window that open it. */
  readonly failures: number
  /** Of everything tried within the window, from 0 to 1. */
  readonly ratio: number
  readonly windowMs: number
  /** How long it stays open the first time; twice as long each time a probe fails, up to COOL_DOWN_MAX_MS. */
  readonly coolDownMs: number
  readonly probes: number
}

export const BREAKER_DEFAULTS: BreakerSettings = {
  failures: 10,
  ratio: 0.5,
  windowMs: 30_000,
  coolDownMs: 30_000,
  probes: 1,
}

export interface BreakerState {
  /** What the window saw, and when it began. */
  readonly from: number
  readonly failed: number
  readonly passed: number
  /** Nothing goes before this. 0: it is closed. */
  readonly until: number
  readonly cause: 'failures' | 'retry_after'
  /** How often it opened without closing in between. */
  readonly trips: number
  /** When the probes under way began. */
  readonly probes: readonly number[]
  /** How many are known to wait for a provider that asked for patience. */
  readonly herd: number
}

export const CLOSED: BreakerState = {
  from: 0,
  failed: 0,
  passed: 0,
  until: 0,
  cause: 'failures',
  trips: 0,
  probes: [],
  herd: 0,
}

export type Judgement =
  | { readonly kind: 'go' }
  | { readonly kind: 'probe'; readonly state: BreakerState }
  | { readonly kind: 'wait'; readonly until: number; readonly cause: BreakerState['cause'] }

/** What one process saw since it last said so. */
export interface Report {
  readonly failed: number
  readonly passed: number
  /** The longest a provider asked for, and how often one did. */
  readonly retryAfterMs?: number
  readonly refused: number
}

const COOL_DOWN_MAX_MS = 600_000
export const PROBE_MS = 60_000
/** Who finds the probes taken looks again after this, and up to as long again. */
const NEXT_LOOK_MS = 1000
const PER_HEAD_MS = 20
const SPREAD_MAX_MS = 60_000

const spreadMsOf = ({ herd }: BreakerState): number =>
  Math.min(Math.max(0, herd - 1) * PER_HEAD_MS, SPREAD_MAX_MS)

const under = ({ probes }: BreakerState, now: number): readonly number[] =>
  probes.filter((at) => at <= now && now - at < PROBE_MS)

/** After this it says nothing any more. */
export const breakerIdleAt = (state: BreakerState, { windowMs }: BreakerSettings): number => {
  if (state.until === 0) return state.from + windowMs
  // Half-open it stays until a probe says something, however long that takes.
  if (state.cause === 'failures') return state.until + 24 * 60 * PROBE_MS
  return state.until + spreadMsOf(state)
}

/** May this one go? `key` says where in the herd it stands. */
export const judge = (
  state: BreakerState,
  settings: BreakerSettings,
  key: string,
  now: number,
): Judgement => {
  const { until, cause } = state
  if (until === 0) return { kind: 'go' }
  if (cause === 'retry_after') {
    const turn = Math.ceil(until + spread(key) * spreadMsOf(state))
    return now >= turn ? { kind: 'go' } : { kind: 'wait', until: turn, cause }
  }
  if (now < until) return { kind: 'wait', until: Math.ceil(until + spread(key) * NEXT_LOOK_MS), cause }
  const probes = under(state, now)
  if (probes.length >= settings.probes)
    return { kind: 'wait', until: Math.ceil(now + NEXT_LOOK_MS * (1 + spread(key))), cause }
  return { kind: 'probe', state: { ...state, probes: [...probes, now] } }
}

/** How many more may start now, as far as is known: what a lane may be offered. */
export const roomOf = (state: BreakerState, settings: BreakerSettings, now: number): number => {
  if (state.until === 0) return Number.POSITIVE_INFINITY
  if (now < state.until) return 0
  return state.cause === 'retry_after'
    ? Number.POSITIVE_INFINITY
    : Math.max(0, settings.probes - under(state, now).length)
}

const opened = (state: BreakerState, { coolDownMs }: BreakerSettings, now: number): BreakerState => ({
  ...CLOSED,
  trips: state.trips + 1,
  until: now + Math.min(coolDownMs * 2 ** state.trips, COOL_DOWN_MAX_MS),
})

const patient = (state: BreakerState, askedMs: number, refused: number, now: number): BreakerState => {
  const until = now + Math.min(askedMs, MAX_RETRY_AFTER_MS)
  // Those refused together belong to one herd, also when the last of them is late.
  const isSame = state.cause === 'retry_after' && now < state.until + spreadMsOf(state)
  return {
    ...CLOSED,
    cause: 'retry_after',
    until: isSame ? Math.max(state.until, until) : until,
    herd: (isSame ? state.herd : 0) + refused,
  }
}

/** What is kept after a report. Without settings only patience is. */
export const reported = (
  state: BreakerState,
  settings: BreakerSettings | undefined,
  report: Report,
  now: number,
): BreakerState => {
  const isTripped = state.until > 0 && state.cause === 'failures'
  if (isTripped)
    return settings === undefined || now < state.until ? state : probed(state, settings, report, now)
  if (report.retryAfterMs !== undefined) return patient(state, report.retryAfterMs, report.refused, now)
  return settings === undefined || now < state.until ? state : counted(state, settings, report, now)
}

/** Half-open: what its probes brought. */
const probed = (
  state: BreakerState,
  settings: BreakerSettings,
  { failed, passed }: Report,
  now: number,
): BreakerState => {
  if (failed > 0) return opened(state, settings, now)
  return passed > 0 ? CLOSED : state
}

const counted = (
  state: BreakerState,
  settings: BreakerSettings,
  { failed, passed }: Report,
  now: number,
): BreakerState => {
  const isFresh = state.from > now - settings.windowMs && state.from <= now
  const seen = {
    ...CLOSED,
    from: isFresh ? state.from : now,
    failed: (isFresh ? state.failed : 0) + failed,
    passed: (isFresh ? state.passed : 0) + passed,
  }
  const isBad =
    seen.failed >= settings.failures && seen.failed >= settings.ratio * (seen.failed + seen.passed)
  return isBad ? opened(seen, settings, now) : seen
}

/** One more waits for the provider: those who do come back over a longer time. */
export const joined = (state: BreakerState): BreakerState => ({ ...state, herd: state.herd + 1 })
