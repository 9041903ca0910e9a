import { describe, expect, it } from 'vitest'
import type { Decision } from '../decision.ts'
import { type Event, startedEvent, TIMER_FIRED } from '../event.ts'
import { blankExecution, type Execution } from '../execution.ts'
import type { JsonObject } from '../json.ts'
import { decideRecurrence, progressOf, RECURRENCE_EVENTS } from './recurrence.ts'
import { dataRecurrence } from './recurrence-data.ts'

const decide = decideRecurrence(dataRecurrence)
const at = (text: string): number => Date.parse(text)
const NINE = at('2026-03-02T09:00:00Z')
const minutes = (n: number): number => NINE + n * 60_000
const BASE: JsonObject = {
  cron: '*/5 * * * *',
  timezone: 'UTC',
  do: { type: 'note', config: { text: 'hi' } },
}

const born = blankExecution({
  id: 'rec',
  namespace: 'n',
  tenant: 't',
  kind: 'recurrence',
  definition: 'recurrence',
  definitionHash: 'recurrence-1',
})
const start = (settings: JsonObject = {}, now = NINE): Decision =>
  decide(born, startedEvent('rec', { ...BASE, ...settings }, now), now)

const timer = (execution: Execution, now: number): Decision => {
  const key = execution.pending.timers[0] ?? 'none'
  return decide(execution, { id: key, type: TIMER_FIRED, payload: {}, at: now, timer: key }, now)
}
const ask = (execution: Execution, type: string, now: number, payload: JsonObject = {}): Decision =>
  decide(execution, { id: `ask/${type}/${now}`, type, payload, at: now }, now)
const ended = (
  execution: Execution,
  id: string,
  how: NonNullable<Event['action']>['ended'],
  now = minutes(6),
): Decision =>
  decide(
    execution,
    { id: `${id}/1`, type: 'x', payload: {}, at: now, action: { id, name: 'note', ended: how } },
    now,
  )

describe('a recurrence begins', () => {
  it('R-005: with its next occurrence as its one timer', () => {
    const { execution, timers, actions, occurrences } = start()
    expect(execution).toMatchObject({ state: 'scheduled', status: 'active' })
    expect(timers.map(({ dueAt }) => dueAt)).toEqual([minutes(5)])
    expect(execution.pending.timers).toEqual([timers[0]!.key])
    expect([actions, occurrences]).toEqual([[], []])
    expect(progressOf(execution)).toMatchObject({ enabled: true, nextAt: minutes(5), fired: 0 })
  })

  it('disabled: without a timer', () => {
    const { execution, timers } = start({ enabled: false })
    expect(execution.state).toBe('disabled')
    expect(timers).toEqual([])
    expect(progressOf(execution).nextAt).toBeNull()
  })

  it('once: a second beginning changes nothing', () => {
    const { execution } = start()
    expect(decide(execution, startedEvent('rec', BASE, NINE), NINE)).toMatchObject({
      reason: 'no_transition',
    })
  })

  it('R-041: not when it never fires again', () => {
    expect(() => start({ cron: '0 0 0 1 1 * 2020' })).toThrow('never fires')
  })
})

describe('an occurrence is due', () => {
  it('F10: occurrence, action and next timer are one decision', () => {
    const { execution, actions, actionIds, occurrences, timers, cancel } = timer(
      start().execution,
      minutes(5),
    )
    expect(actions).toMatchObject([
      { name: 'note', type: 'note', stepKey: 'rec/2026-03-02T09:05:00.000Z', dueAt: minutes(5) },
    ])
    expect(occurrences).toEqual([{ at: minutes(5), fate: 'fired', action: actionIds![0] }])
    expect(timers.map(({ dueAt }) => dueAt)).toEqual([minutes(10)])
    expect(cancel.timers).toEqual([`next/${minutes(5)}`])
    expect(progressOf(execution)).toMatchObject({
      fired: 1,
      lastAt: minutes(5),
      lastRunAt: minutes(5),
      open: actionIds,
      through: minutes(5),
    })
  })

  it('R3: decided twice, its action has the same id; another occurrence, another tenant: another', () => {
    const { execution } = start()
    const once = timer(execution, minutes(5))
    expect(timer(execution, minutes(5.5)).actionIds).toEqual(once.actionIds)
    expect(timer(once.execution, minutes(10)).actionIds).not.toEqual(once.actionIds)
    expect(timer({ ...execution, tenant: 'other' }, minutes(5)).actionIds).not.toEqual(once.actionIds)
  })

  it('a timer of an older plan is stale', () => {
    const { execution } = start()
    const stale = { id: 'x', type: TIMER_FIRED, payload: {}, at: NINE, timer: 'next/1' }
    expect(decide(execution, stale, minutes(5))).toMatchObject({ applied: false, reason: 'stale_timer' })
    const { timer: _, ...nameless } = stale
    expect(decide(execution, nameless, minutes(5))).toMatchObject({ reason: 'stale_timer' })
  })

  it('fired early by another clock, nothing is due and the same timer stands', () => {
    const { actions, timers } = timer(start().execution, minutes(4))
    expect(actions).toEqual([])
    expect(timers.map(({ dueAt }) => dueAt)).toEqual([minutes(5)])
  })

  it('F25: a clock that went back fires nothing again', () => {
    const { execution } = timer(start().execution, minutes(5))
    const { actions, execution: after } = ask(execution, RECURRENCE_EVENTS.replan, minutes(1))
    expect(actions).toEqual([])
    expect(progressOf(after)).toMatchObject({ through: minutes(5), nextAt: minutes(10) })
  })

  it('jitter: due within it, the same for the same occurrence; a delay of its own wins', () => {
    const { execution } = start({ jitter: '60s' })
    const [action] = timer(execution, minutes(5)).actions
    expect(action!.dueAt).toBeGreaterThan(minutes(5))
    expect(action!.dueAt).toBeLessThan(minutes(6))
    const delayed = start({ jitter: '60s', do: { type: 'note', config: {}, delay: '1h' } })
    expect(timer(delayed.execution, minutes(5)).actions[0]!.dueAt).toBe(minutes(65))
  })

  it('R-004: its template sees the recurrence and the instant', () => {
    const { execution } = start({
      do: {
        type: 'note',
        config: { text: '{{execution_time}} after {{previous_at}}' },
        name: 'digest',
        dedup: { key: '{{recurring_id}}:{{execution_time}}', for: '24h' },
      },
    })
    const first = timer(execution, minutes(5))
    expect(first.actions[0]).toMatchObject({
      name: 'digest',
      config: { text: '2026-03-02T09:05:00.000Z after ' },
      dedup: { key: 'rec:2026-03-02T09:05:00.000Z' },
    })
    expect(timer(first.execution, minutes(10)).actions[0]!.config).toEqual({
      text: '2026-03-02T09:10:00.000Z after 2026-03-02T09:05:00.000Z',
    })
  })

  it('one that cannot be rendered is a dead letter the recurrence hears of', () => {
    const { execution } = start({ do: { type: 'note', config: { text: '{{nobody.knows}}' } } })
    const { actions, raised, execution: after } = timer(execution, minutes(5))
    expect(actions[0]!.status).toBe('dead')
    expect(progressOf(after).open).toEqual([])
    expect(progressOf(decide(after, raised[0]!, minutes(5)).execution)).toMatchObject({ failed: 1 })
  })

  it('nothing to do: skipped, and told so', () => {
    const nothing = decideRecurrence({ ...dataRecurrence, request: () => null })
    const { execution } = start()
    const key = execution.pending.timers[0]!
    const { occurrences, actions } = nothing(
      execution,
      { id: key, type: TIMER_FIRED, payload: {}, at: minutes(5), timer: key },
      minutes(5),
    )
    expect(occurrences).toEqual([{ at: minutes(5), fate: 'skipped', reason: 'nothing_to_do' }])
    expect(actions).toEqual([])
  })
})

describe('runs that overlap', () => {
  it('skip: while one is under way, the next is told as skipped', () => {
    const first = timer(start({ overlap: 'skip' }).execution, minutes(5))
    const second = timer(first.execution, minutes(10))
    expect(second.occurrences).toEqual([{ at: minutes(10), fate: 'skipped', reason: 'overlap' }])
    const over = ended(second.execution, first.actionIds![0]!, 'cancelled')
    expect(timer(over.execution, minutes(15)).actions).toHaveLength(1)
  })

  it('cancel_previous: the one before is cancelled by the same decision', () => {
    const first = timer(start({ overlap: 'cancel_previous' }).execution, minutes(5))
    expect(first.cancel.actions).toEqual([])
    const second = timer(first.execution, minutes(10))
    expect(second.cancel.actions).toEqual([first.actions[0]!.stepKey])
    // Cancelled before it ran, it will not be heard of again.
    expect(progressOf(second.execution).open).toEqual(second.actionIds)
  })

  it('cancel_previous: of several that fire at once only the last is to run', () => {
    const settings = {
      overlap: 'cancel_previous',
      misfire: 'all',
      do: { type: 'note', config: { to: '{{when}}' } },
    }
    const { actions, actionIds, execution } = timer(
      start({ ...settings, do: BASE['do']! }).execution,
      minutes(15),
    )
    expect(actions.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'queued'])
    expect(actions[0]!.error).toMatchObject({ type: 'cancelled', retryable: false })
    expect(progressOf(execution).open).toEqual(actionIds!.slice(-1))
    const dead = timer(start(settings).execution, minutes(15))
    expect(dead.actions.map(({ status }) => status)).toEqual(['dead', 'dead', 'dead'])
  })

  it('allow: any number, of which the newest are remembered', () => {
    let { execution } = start({ cron: '* * * * * *' })
    for (let n = 1; n <= 150; n++) execution = timer(execution, NINE + n * 1000).execution
    expect(progressOf(execution)).toMatchObject({ fired: 150 })
    expect(progressOf(execution).open).toHaveLength(100)
  })
})

describe('how its actions end', () => {
  const fired = timer(start({ pauseAfterFailures: 2 }).execution, minutes(5))
  const [id] = fired.actionIds!

  it('X-08: outcomes are counted apart from firings', () => {
    const { execution, timers, cancel } = ended(fired.execution, id!, 'succeeded')
    expect(progressOf(execution)).toMatchObject({ fired: 1, succeeded: 1, failed: 0, open: [] })
    expect([timers, cancel.timers]).toEqual([[], []])
    expect(progressOf(ended(fired.execution, id!, 'review').execution)).toMatchObject({ failed: 1 })
    expect(progressOf(ended(fired.execution, id!, 'skipped').execution)).toMatchObject({
      failed: 0,
      open: [],
    })
  })

  it('pauseAfterFailures: that many in a row switch it off and say why; resuming begins anew', () => {
    const once = ended(fired.execution, id!, 'dead')
    expect(progressOf(once.execution).enabled).toBe(true)
    const twice = ended(once.execution, 'other', 'dead')
    expect(progressOf(twice.execution)).toMatchObject({
      enabled: false,
      nextAt: null,
      error: 'paused after 2 failures in a row',
    })
    expect(twice.history).toMatchObject({ type: 'recurrence.paused' })
    expect(progressOf(ended(twice.execution, 'third', 'dead').execution)).toMatchObject({ failed: 3 })
    const again = ask(twice.execution, RECURRENCE_EVENTS.resume, minutes(7))
    expect(progressOf(again.execution)).toMatchObject({ enabled: true, failedInRow: 0, error: null })
    const between = ended(ended(once.execution, 'a', 'succeeded').execution, 'b', 'dead')
    expect(progressOf(between.execution).enabled).toBe(true)
  })
})

describe('what people ask', () => {
  it('X-09: pause takes the next away, resume computes it from now, and what fell between is told', () => {
    const paused = ask(start().execution, RECURRENCE_EVENTS.pause, minutes(1))
    expect(paused.cancel.timers).toEqual([`next/${minutes(5)}`])
    expect(progressOf(paused.execution)).toMatchObject({ enabled: false, nextAt: null })
    const resumed = ask(paused.execution, RECURRENCE_EVENTS.resume, minutes(12))
    expect(resumed.occurrences).toEqual([
      { at: minutes(5), fate: 'skipped', reason: 'paused' },
      { at: minutes(10), fate: 'skipped', reason: 'paused' },
    ])
    expect(progressOf(resumed.execution)).toMatchObject({ enabled: true, nextAt: minutes(15), fired: 0 })
  })

  it('R-035: a change of cron or zone is planned from now; null takes a setting away', () => {
    const { execution } = start({ description: 'old', endsAt: minutes(60) })
    const changed = ask(execution, RECURRENCE_EVENTS.change, minutes(1), {
      cron: '30 * * * *',
      description: null,
      endsAt: null,
    })
    expect(changed.timers.map(({ dueAt }) => dueAt)).toEqual([minutes(30)])
    expect(progressOf(changed.execution).settings).toEqual({ ...BASE, cron: '30 * * * *' })
  })

  it('a change that leaves the next where it was leaves its timer alone', () => {
    const { timers, cancel } = ask(start().execution, RECURRENCE_EVENTS.change, minutes(1), {
      description: 'new',
    })
    expect([timers, cancel.timers]).toEqual([[], []])
  })

  it('a change that is no rule is refused; one that switches it off may never fire', () => {
    const { execution } = start()
    expect(() => ask(execution, RECURRENCE_EVENTS.change, NINE, { timezone: 'Nowhere/Land' })).toThrow(
      'Nowhere',
    )
    expect(() => ask(execution, RECURRENCE_EVENTS.change, NINE, { cron: '0 0 0 1 1 * 2020' })).toThrow(
      'never',
    )
    const off = ask(execution, RECURRENCE_EVENTS.change, NINE, { cron: '0 0 0 1 1 * 2020', enabled: false })
    expect(progressOf(off.execution)).toMatchObject({ enabled: false, nextAt: null })
  })

  it('run now: an extra one, with a key of its own; the schedule goes on as it was', () => {
    const { execution } = start({ overlap: 'skip' })
    const run = ask(execution, RECURRENCE_EVENTS.runNow, minutes(5))
    expect(run.occurrences).toMatchObject([{ at: minutes(5) + 1, fate: 'fired', reason: 'run_now' }])
    expect(progressOf(run.execution)).toMatchObject({ fired: 1, lastAt: null, lastRunAt: minutes(5) + 1 })
    expect(run.actions[0]!.stepKey).not.toBe(timer(execution, minutes(5)).actions[0]!.stepKey)
    expect(run.timers).toEqual([])
    const between = ask(execution, RECURRENCE_EVENTS.runNow, minutes(3))
    expect(between.occurrences).toMatchObject([{ at: minutes(3), reason: 'run_now' }])
    const again = ask(between.execution, RECURRENCE_EVENTS.runNow, minutes(3))
    expect(again.occurrences).toMatchObject([{ at: minutes(3) + 1, reason: 'run_now' }])
    const back = ask(again.execution, RECURRENCE_EVENTS.runNow, minutes(2))
    expect(back.occurrences).toMatchObject([{ at: minutes(3) + 2, reason: 'run_now' }])
    expect(back.actions[0]!.dueAt).toBe(minutes(2))
  })

  it('skip next: told as asked, and the one after is next', () => {
    const { execution, occurrences } = ask(start().execution, RECURRENCE_EVENTS.skipNext, minutes(1))
    expect(occurrences).toEqual([{ at: minutes(5), fate: 'skipped', reason: 'asked' }])
    expect(progressOf(execution).nextAt).toBe(minutes(10))
    const off = start({ enabled: false }).execution
    expect(ask(off, RECURRENCE_EVENTS.skipNext, minutes(1))).toMatchObject({ applied: false })
  })

  it('backfill: an occurrence of the past, under the key it would have had', () => {
    const { execution } = start({}, minutes(30))
    const filled = ask(execution, RECURRENCE_EVENTS.backfill, minutes(31), { at: minutes(5) })
    expect(filled.occurrences).toMatchObject([{ at: minutes(5), fate: 'fired', reason: 'backfill' }])
    expect(filled.actions[0]!.stepKey).toBe('rec/2026-03-02T09:05:00.000Z')
    for (const wrong of [minutes(6), minutes(35), 'x'])
      expect(ask(execution, RECURRENCE_EVENTS.backfill, minutes(31), { at: wrong })).toMatchObject({
        applied: false,
      })
  })

  it('backfill: of an entry that told of several the first is filled, and the others are told anew', () => {
    const { execution } = start({}, minutes(30))
    const left = [{ at: minutes(10), fate: 'skipped', reason: 'missed', until: minutes(20), count: 3 }]
    const filled = ask(execution, RECURRENCE_EVENTS.backfill, minutes(31), { at: minutes(5), left })
    expect(filled.occurrences).toMatchObject([{ at: minutes(5), fate: 'fired' }, ...left])
    expect(filled.actions).toHaveLength(1)
  })

  it('anything else changes nothing; so does what has ended or stands still', () => {
    const { execution } = start()
    expect(ask(execution, 'hello', NINE)).toMatchObject({ reason: 'no_transition' })
    expect(ask({ ...execution, status: 'cancelled' }, 'hello', NINE)).toMatchObject({ reason: 'ended' })
    expect(ask({ ...execution, status: 'paused' }, 'hello', NINE)).toMatchObject({ reason: 'paused' })
  })
})

describe('its end', () => {
  it('R-046: its end is over for every machine once one has seen it', () => {
    const { execution } = timer(start({ endsAt: minutes(4) }).execution, minutes(4))
    const resumed = ask(execution, RECURRENCE_EVENTS.resume, minutes(3))
    expect(resumed.execution.state).toBe('disabled')
    expect(resumed.timers).toEqual([])
  })

  it('R-046: nothing fires at or after endsAt, and then it is switched off', () => {
    const { execution } = start({ endsAt: minutes(10) })
    const last = timer(execution, minutes(5))
    expect(progressOf(last.execution)).toMatchObject({ enabled: true, nextAt: null, fired: 1 })
    expect(last.timers.map(({ dueAt }) => dueAt)).toEqual([minutes(10)])
    const over = timer(last.execution, minutes(10))
    expect(over.occurrences).toEqual([{ at: minutes(10), fate: 'skipped', reason: 'ended' }])
    expect(progressOf(over.execution)).toMatchObject({ enabled: false, nextAt: null })
    expect(over.timers).toEqual([])
  })

  it('maxExecutions: the last one switches it off', () => {
    const first = timer(start({ maxExecutions: 2, misfire: 'all' }).execution, minutes(5))
    const late = timer(first.execution, minutes(16.5))
    expect(late.occurrences!.map(({ fate }) => fate)).toEqual(['fired', 'skipped'])
    expect(progressOf(late.execution)).toMatchObject({ enabled: false, fired: 2, nextAt: null })
  })

  it('R-041: one that runs out is switched off and says why', () => {
    const { execution } = start({ cron: '0 5 9 2 3 * 2026' })
    const { execution: after } = timer(execution, minutes(5))
    expect(progressOf(after)).toMatchObject({ enabled: false, error: '“0 5 9 2 3 * 2026” never fires again' })
  })
})

it('R-063: a year of weekdays at nine in New York: 261 firings, each at nine by the clock there', () => {
  const begin = at('2026-01-01T00:00:00Z')
  let { execution } = start({ cron: '0 9 * * MON-FRI', timezone: 'America/New_York' }, begin)
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
  let fired = 0
  for (let next = progressOf(execution).nextAt!; next < at('2027-01-01T05:00:00Z'); ) {
    const decision = timer(execution, next)
    fired += decision.actions.length
    expect(local.format(next)).toBe('09:00')
    execution = decision.execution
    next = progressOf(execution).nextAt!
  }
  expect(fired).toBe(261)
})
