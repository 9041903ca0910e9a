import { describe, expect, it } from 'vitest'
import type { ActionPlan } from './action.ts'
import { type Decide, type Decision, ignored, updated } from './decision.ts'
import type { Event } from './event.ts'
import { blankExecution, type Execution } from './execution.ts'
import { fold } from './fold.ts'

const execution = blankExecution({
  id: 'e',
  namespace: 'n',
  tenant: 't',
  kind: 'machine',
  definition: 'd',
  definitionHash: 'h',
})
const event = (id: string, type = 'go'): Event => ({ id, type, payload: null, at: 1 })
const plan = (stepKey: string, status: ActionPlan['status'] = 'queued'): ActionPlan =>
  ({ name: stepKey, type: 'x', stepKey, status }) as unknown as ActionPlan
const timer = (key: string) => ({ key, dueAt: 9, event: event(key) })
const counting = () => {
  let count = 0
  return () => `act_${++count}`
}
const moved = (before: Execution, to: string, more: Partial<Decision> = {}): Decision => ({
  ...updated({ ...before, state: to }, { type: 'execution.transitioned', data: { to } }),
  ...more,
})
const run = (decide: Decide, events: readonly Event[]) =>
  fold(decide, execution, events, { now: 5, draw: counting() })

describe('several events, one step', () => {
  it('each event sees what the one before it made, and one now', () => {
    const seen: unknown[] = []
    const folded = run(
      (before, { id }, now) => {
        seen.push([before.state, now])
        return moved(before, id)
      },
      [event('a'), event('b')],
    )
    expect(seen).toEqual([
      [null, 5],
      ['a', 5],
    ])
    expect(folded.execution.state).toBe('b')
    expect(folded.steps.map((step) => [step.event.id, step.applied])).toEqual([
      ['a', true],
      ['b', true],
    ])
    expect(folded.rest).toEqual([])
  })

  it('none, or one that cannot be decided: the execution as it was', () => {
    const nothing = { execution, actions: [], timers: [], cancel: { timers: [], actions: [] }, steps: [] }
    expect(run(() => moved(execution, 's'), [])).toMatchObject({ ...nothing, rest: [] })
    const thrown = new Error('no')
    const refuse: Decide = () => {
      throw thrown
    }
    expect(run(refuse, [event('a'), event('b')])).toMatchObject({
      ...nothing,
      rest: [event('a'), event('b')],
      failure: { thrown },
    })
  })

  it('names actions, in the plan and in the history alike', () => {
    const folded = run(
      (before) =>
        moved(before, 's', {
          actions: [plan('one'), plan('two')],
          history: {
            type: 'execution.transitioned',
            data: { to: 's', actions: [{ name: 'one' }, { name: 'two' }] },
          },
        }),
      [event('a')],
    )
    expect(folded.actions.map(({ id, plan: { stepKey } }) => [id, stepKey])).toEqual([
      ['act_1', 'one'],
      ['act_2', 'two'],
    ])
    expect(folded.steps[0]!.history.data['actions']).toEqual([
      { id: 'act_1', name: 'one' },
      { id: 'act_2', name: 'two' },
    ])
  })

  it('says why an event changed nothing', () => {
    const folded = run((before, each) => ignored(before, each, 'guard_false'), [event('a')])
    expect(folded.steps[0]).toMatchObject({ applied: false, reason: 'guard_false' })
  })
})

it('F1: what is asked for and taken back in one fold was never there', () => {
  const folded = run(
    (before, { id }) =>
      id === 'enter'
        ? moved(before, 's', {
            timers: [timer('t1'), timer('t2')],
            actions: [plan('kept'), plan('gone'), plan('born dead', 'dead')],
          })
        : moved(before, 'next', { cancel: { timers: ['t1', 'old'], actions: ['gone', 'born dead', 'old'] } }),
    [event('enter'), event('leave')],
  )
  expect(folded.timers.map(({ key }) => key)).toEqual(['t2'])
  expect(folded.actions.map(({ plan: { stepKey, status } }) => [stepKey, status])).toEqual([
    ['kept', 'queued'],
    ['gone', 'skipped'],
    ['born dead', 'dead'],
  ])
  expect(folded.actions[1]!.plan.error?.type).toBe('cancelled')
  expect(folded.cancel).toEqual({ timers: ['t1', 'old'], actions: ['gone', 'born dead', 'old'] })
})

it('F2: a decider that throws leaves its event and the later ones, and what was decided before stands', () => {
  const thrown = new Error('no')
  const folded = run(
    (before, { id }) => {
      if (id === 'b') throw thrown
      return moved(before, id)
    },
    [event('a'), event('b'), event('c')],
  )
  expect(folded.execution.state).toBe('a')
  expect(folded.rest.map(({ id }) => id)).toEqual(['b', 'c'])
  expect(folded.failure).toEqual({ thrown })
})

it('what a decision raises comes before the next event, and without end it is cut', () => {
  const order = run(
    (before, { id }) => moved(before, id, id === 'a' ? { raised: [event('a1')] } : {}),
    [event('a'), event('b')],
  )
  expect(order.steps.map((step) => step.event.id)).toEqual(['a', 'a1', 'b'])
  const endless = run((before, { id }) => moved(before, id, { raised: [event(`${id}+`)] }), [event('a')])
  expect(endless.steps).toHaveLength(51)
  expect(endless.rest).toHaveLength(1)
  expect(endless.failure).toBeUndefined()
})
