import { describe, expect, it } from 'vitest'
import type { Decision } from '../decision.ts'
import type { ActionData, MachineData } from '../definition.ts'
import { startedEvent, TIMER_FIRED } from '../event.ts'
import { blankExecution, type Execution } from '../execution.ts'
import { decideMachine } from './machine.ts'
import { compileMachine } from './machine-data.ts'

const NINE = Date.parse('2026-03-02T09:00:00Z')
const minutes = (n: number): number => NINE + n * 60_000
const iso = (n: number): string => new Date(minutes(n)).toISOString()

const NUDGE: ActionData = {
  actionId: 'nudge',
  type: 'note',
  triggerState: 'waiting',
  schedule: '*/10 * * * *',
  timezone: 'UTC',
  config: { text: '{{execution.state}} {{execution_time}}' },
}

const machineOf = (actions: readonly ActionData[]): MachineData => ({
  kind: 'machine',
  id: 'order',
  initial: 'waiting',
  states: {
    waiting: { on: { paid: 'busy', again: 'waiting', noted: { internal: true, set: { seen: 'yes' } } } },
    busy: { on: { back: 'waiting', done: 'over' } },
    over: { final: true },
  },
  actions,
})

const born = blankExecution({
  id: 'o_1',
  namespace: 'n',
  tenant: 't',
  kind: 'machine',
  definition: 'order',
  definitionHash: 'h',
})

const bed = (actions: readonly ActionData[] = [NUDGE]) => {
  const decide = decideMachine(compileMachine(machineOf(actions), (variables) => variables))
  return {
    start: (now = NINE): Decision => decide(born, startedEvent('o_1', {}, now), now),
    send: (execution: Execution, type: string, now: number): Decision =>
      decide(execution, { id: `${type}/${now}`, type, payload: {}, at: now }, now),
    /** The timer of a decision, at its due time or later. */
    fire: ({ execution, timers }: Decision, now = timers[0]!.dueAt): Decision =>
      decide(execution, timers[0]!.event, now),
  }
}

describe('F-034: an action with a schedule', () => {
  it('is not asked for on entry: its next instant is a timer of the state', () => {
    const { actions, timers, execution } = bed().start()
    expect(actions).toEqual([])
    expect(timers.map(({ dueAt }) => dueAt)).toEqual([minutes(10)])
    expect(execution.pending.timers).toEqual([timers[0]!.key])
  })

  it('recurs while the execution is in its state: action and next timer are one decision', () => {
    const { start, fire } = bed()
    const first = fire(start())
    expect(first.actions).toMatchObject([
      {
        name: 'nudge',
        stepKey: `o_1/waiting/nudge/${iso(10)}`,
        dueAt: minutes(10),
        config: { text: `waiting ${iso(10)}` },
        metadata: { _recurring_dispatch: 'true', _recurring_id: 'o_1/nudge' },
      },
    ])
    expect(first.timers.map(({ dueAt }) => dueAt)).toEqual([minutes(20)])
    expect(first.execution).toMatchObject({ state: 'waiting', visits: { waiting: 1 } })
    expect(first.execution.pending.timers).toEqual([first.timers[0]!.key])
    expect(fire(first).actions).toMatchObject([{ dueAt: minutes(20) }])
  })

  it('X-11: decided twice, its action has the same id; another instant, another', () => {
    const { start, fire } = bed()
    const begun = start()
    const first = fire(begun)
    expect(fire(begun, minutes(10.5)).actionIds).toEqual(first.actionIds)
    expect(fire(first).actionIds).not.toEqual(first.actionIds)
  })

  it('leaving the state ends it, and its timer is stale; a second visit begins anew under a key of its own', () => {
    const { start, send, fire } = bed()
    const begun = start()
    const left = send(begun.execution, 'paid', minutes(5))
    expect(left.cancel.timers).toEqual([begun.timers[0]!.key])
    expect(left.execution.pending.timers).toEqual([])
    expect(fire({ ...left, timers: begun.timers })).toMatchObject({ applied: false, reason: 'stale_timer' })
    const again = send(left.execution, 'back', minutes(12))
    expect(fire(again).actions[0]!.stepKey).toBe(`o_1/waiting/nudge/${iso(20)}~2`)
  })

  it('R-026: missed by more than a minute it is told and not done; the next one is still to come', () => {
    const { start, fire } = bed()
    const late = fire(start(), minutes(35))
    expect(late.actions).toEqual([])
    expect(late.history).toMatchObject({
      type: 'execution.updated',
      data: {
        every: 'nudge',
        occurrences: [10, 20, 30].map((n) => ({ at: minutes(n), fate: 'skipped', reason: 'missed' })),
      },
    })
    expect(late.timers.map(({ dueAt }) => dueAt)).toEqual([minutes(40)])
  })

  it('a delay of its own counts from the firing; cancelOnExit holds for each', () => {
    const { start, send, fire } = bed([{ ...NUDGE, delay: '1h', cancelOnExit: true }])
    const first = fire(start())
    expect(first.actions[0]!.dueAt).toBe(minutes(70))
    expect(send(first.execution, 'paid', minutes(12)).cancel.actions).toEqual([first.actions[0]!.stepKey])
  })

  it('one that cannot be rendered is a dead letter the machine hears of, and the next one comes', () => {
    const { start, fire } = bed([{ ...NUDGE, config: { text: '{{nobody.knows}}' } }])
    const first = fire(start())
    expect(first.actions[0]!.status).toBe('dead')
    expect(first.raised).toMatchObject([{ type: 'action.failed', action: { name: 'nudge', ended: 'dead' } }])
    expect(first.timers).toHaveLength(1)
  })

  it('enabled: false never, a schedule that ran out no more; UTC where no zone is named', () => {
    expect(bed([{ ...NUDGE, enabled: false }]).start().timers).toEqual([])
    const { timezone: _, ...nowhere } = NUDGE
    const once = bed([{ ...nowhere, schedule: '0 30 9 2 3 * 2026' }])
    const begun = once.start()
    expect(begun.timers.map(({ dueAt }) => dueAt)).toEqual([minutes(30)])
    expect(once.fire(begun)).toMatchObject({ applied: true, timers: [] })
  })

  it('one that a newer version has no longer is ignored', () => {
    const begun = bed().start()
    expect(bed([]).fire(begun)).toMatchObject({ applied: false, reason: 'no_transition' })
    const lost = { ...begun, execution: { ...begun.execution, state: 'gone' } }
    expect(bed().fire(lost)).toMatchObject({ applied: false, reason: 'no_transition' })
  })
})

describe('F-034: a schedule without a state', () => {
  const { triggerState: _, ...always } = NUDGE
  const { start, send, fire } = bed([always])

  it('recurs from the start to the end, whatever the state', () => {
    const begun = start()
    const moved = send(begun.execution, 'paid', minutes(5))
    expect(moved.cancel.timers).toEqual([])
    expect(moved.execution.pending.timers).toEqual([begun.timers[0]!.key])
    const first = fire({ ...moved, timers: begun.timers })
    expect(first.actions).toMatchObject([
      { stepKey: `o_1//nudge/${iso(10)}`, config: { text: `busy ${iso(10)}` } },
    ])
    const over = send(first.execution, 'done', minutes(12))
    expect(over.cancel.timers).toEqual([first.timers[0]!.key])
    expect(over.execution).toMatchObject({ status: 'completed', pending: { timers: [] } })
  })

  it('an event that changes only variables leaves it alone; a timer of another kind finds no repetition', () => {
    const begun = start()
    const noted = send(begun.execution, 'noted', minutes(1))
    expect(noted.execution.pending).toEqual(begun.execution.pending)
    const key = begun.timers[0]!.key
    const bare = { id: 'x', type: TIMER_FIRED, payload: {}, at: NINE, timer: key }
    expect(send(begun.execution, 'again', minutes(1)).execution.pending.timers).toEqual([key])
    const decide = decideMachine(compileMachine(machineOf([always]), (variables) => variables))
    expect(decide(begun.execution, bare, minutes(10))).toMatchObject({ reason: 'no_transition' })
  })
})
