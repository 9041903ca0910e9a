// Owns the second trigger: a recurrence's `decide`. A recurrence is an execution whose timer is its next occurrence; when
// that is due, the occurrences, their actions and the next timer are one decision, and so one commit. Pure.
// R1  What a schedule says up to `through` has its fate; nothing before it is ever fired again but by a backfill.

import { type Decide, ignored } from '../decision.ts'
import { type Event, STARTED, TIMER_FIRED } from '../event.ts'
import { type Execution, hasEnded } from '../execution.ts'
import type { Json, JsonObject } from '../json.ts'
import { assertFires } from '../time/cron/schedule.ts'
import { fatesOf, type Occurrence, skipped } from './occurrences.ts'
import { type Change, type Progress, type Recurrence, type Rule, stepped } from './recurrence-run.ts'

/** What people and the library ask of a running recurrence. */
export const RECURRENCE_EVENTS = {
  pause: 'recurrence.pause',
  resume: 'recurrence.resume',
  runNow: 'recurrence.run_now',
  skipNext: 'recurrence.skip_next',
  backfill: 'recurrence.backfill',
  change: 'recurrence.change',
  replan: 'recurrence.replan',
} as const

const BEGUN = {
  nextAt: null,
  lastAt: null,
  lastRunAt: null,
  fired: 0,
  succeeded: 0,
  failed: 0,
  failedInRow: 0,
  open: [],
  error: null,
}

export const progressOf = ({ variables }: Execution): Progress => variables as unknown as Progress

export const decideRecurrence =
  (recurrence: Recurrence): Decide =>
  (execution, event, now) => {
    if (hasEnded(execution)) return ignored(execution, event, 'ended')
    if (execution.status === 'paused') return ignored(execution, event, 'paused')
    if (event.type === TIMER_FIRED && !execution.pending.timers.includes(event.timer ?? ''))
      return ignored(execution, event, 'stale_timer')
    const change = changeOf(recurrence, execution, event, now)
    return change === undefined
      ? ignored(execution, event, 'no_transition')
      : stepped(recurrence, execution, event, change, now)
  }

const changeOf = (
  recurrence: Recurrence,
  execution: Execution,
  event: Event,
  now: number,
): Change | undefined => {
  if (event.type === STARTED) return execution.state === null ? started(recurrence, event, now) : undefined
  const progress = progressOf(execution)
  if (event.action !== undefined) return heard(recurrence, progress, event.action)
  return asked(recurrence.ruleOf(progress.settings), recurrence, progress, event, now)
}

const started = ({ ruleOf }: Recurrence, { payload }: Event, now: number): Change => {
  const { enabled = true, ...settings } = payload as JsonObject
  assertFires(ruleOf(settings).schedule, now)
  return {
    type: 'recurrence.started',
    progress: { ...BEGUN, settings, enabled: enabled !== false, through: now },
  }
}

const asked = (
  rule: Rule,
  recurrence: Recurrence,
  progress: Progress,
  { type, payload }: Event,
  now: number,
): Change | undefined => {
  switch (type) {
    case TIMER_FIRED:
      return { type: 'recurrence.fired', ...upToNow(rule, progress, now) }
    case RECURRENCE_EVENTS.replan:
      return { type: 'recurrence.planned', ...upToNow(rule, progress, now) }
    case RECURRENCE_EVENTS.pause:
    case RECURRENCE_EVENTS.resume:
      return changed(rule, recurrence, progress, { enabled: type === RECURRENCE_EVENTS.resume }, now)
    case RECURRENCE_EVENTS.change:
      return changed(rule, recurrence, progress, payload as JsonObject, now)
    case RECURRENCE_EVENTS.runNow:
      return ranNow(rule, progress, now)
    case RECURRENCE_EVENTS.skipNext:
      return skippedNext(progress)
    case RECURRENCE_EVENTS.backfill:
      return backfilled(rule, progress, payload as unknown as Fill)
    default:
      return undefined
  }
}

/** Everything that is due gets its fate; while it stands still, that fate is to be skipped. */
const upToNow = (
  rule: Rule,
  progress: Progress,
  now: number,
): Required<Pick<Change, 'progress' | 'occurrences'>> => {
  const { enabled, through } = progress
  const to = Math.max(through, now)
  const occurrences = enabled
    ? fatesOf({ ...rule, through, now: to })
    : skipped(rule.schedule, through, to, 'paused')
  return { progress: { ...progress, through: to }, occurrences }
}

/** Null takes a setting away. What was due before the change is told under the rule that was in force. */
const changed = (
  rule: Rule,
  { ruleOf }: Recurrence,
  before: Progress,
  { enabled, ...changes }: JsonObject,
  now: number,
): Change => {
  const { progress, occurrences } = upToNow(rule, before, now)
  const merged = Object.entries({ ...progress.settings, ...changes }).filter(([, value]) => value !== null)
  const settings = Object.fromEntries(merged)
  const isOn = enabled === undefined ? progress.enabled : enabled === true
  if (isOn) assertFires(ruleOf(settings).schedule, now)
  const failing = isOn && !before.enabled ? { failedInRow: 0 } : {}
  return {
    type: 'recurrence.changed',
    progress: { ...progress, ...failing, settings, enabled: isOn, error: null },
    occurrences,
  }
}

/** One more: its instant is nobody else's, neither of the schedule nor of one that ran in the same millisecond. */
const ranNow = ({ schedule }: Rule, progress: Progress, now: number): Change => {
  const free = Math.max(now, (progress.lastRunAt ?? 0) + 1)
  const at = schedule.previous(free + 1) === free ? free + 1 : free
  return { type: 'recurrence.fired', progress, occurrences: [{ at, fate: 'fired', reason: 'run_now' }] }
}

const skippedNext = (progress: Progress): Change | undefined => {
  const { nextAt } = progress
  if (nextAt === null) return undefined
  return {
    type: 'recurrence.skipped',
    progress: { ...progress, through: nextAt },
    occurrences: [{ at: nextAt, fate: 'skipped', reason: 'asked' }],
  }
}

interface Fill {
  readonly at?: Json
  readonly left?: readonly Occurrence[]
}

/**
 * Only what the schedule names, and only where it has already been: the rest is still to come by itself. Where one entry told
 * of several and this is its first, `left` tells of the others.
 */
const backfilled = ({ schedule }: Rule, progress: Progress, { at, left = [] }: Fill): Change | undefined => {
  if (typeof at !== 'number' || at > progress.through || schedule.previous(at + 1) !== at) return undefined
  const filled: Occurrence = { at, fate: 'fired', reason: 'backfill' }
  return { type: 'recurrence.fired', progress, occurrences: [filled, ...left] }
}

/** How an action of it ended. */
const heard = (
  { ruleOf }: Recurrence,
  before: Progress,
  { id, ended }: NonNullable<Event['action']>,
): Change => {
  const progress = { ...before, open: before.open.filter((each) => each !== id) }
  const type = 'recurrence.heard'
  if (ended === 'succeeded')
    return { type, progress: { ...progress, succeeded: progress.succeeded + 1, failedInRow: 0 } }
  if (ended !== 'dead' && ended !== 'review') return { type, progress }
  const failedInRow = progress.failedInRow + 1
  const told = { ...progress, failed: progress.failed + 1, failedInRow }
  const { pauseAfterFailures = Number.POSITIVE_INFINITY } = ruleOf(progress.settings)
  if (failedInRow < pauseAfterFailures || !before.enabled) return { type, progress: told }
  const error = `paused after ${failedInRow} failures in a row`
  return { type: 'recurrence.paused', progress: { ...told, enabled: false, error } }
}
