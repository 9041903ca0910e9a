// KERNEL §2, row by row: events, states, timers.
import { describe, expect, it } from 'vitest'
import { begin, compile, DAY, event, NOW, send, started, webhook } from '../../../test/machines/bed.ts'

describe('an event the state does not take', () => {
  const machine = compile({
    states: {
      a: { on: { go: { to: 'b', condition: { '>': [{ var: 'message.payload.days' }, 5] } } } },
      b: {},
    },
  })

  it('with no transition: no_transition, nothing changes', () => {
    const before = started(machine)
    const decision = send(machine, before, event('stop'))
    expect(decision).toEqual({
      applied: false,
      reason: 'no_transition',
      execution: before,
      actions: [],
      timers: [],
      cancel: { timers: [], actions: [] },
      raised: [],
      history: {
        type: 'event.ignored',
        data: { event: { id: 'evt_stop', type: 'stop' }, reason: 'no_transition' },
      },
    })
  })

  it('before the start: no_transition', () => {
    const blank = { ...started(machine), state: null }
    expect(send(machine, blank, event('go', { days: 6 }))).toMatchObject({
      applied: false,
      reason: 'no_transition',
    })
  })

  it('with a guard that is false: guard_false', () => {
    expect(send(machine, started(machine), event('go', { days: 5 }))).toMatchObject({
      applied: false,
      reason: 'guard_false',
      execution: { state: 'a' },
    })
    expect(send(machine, started(machine), event('go', { days: 6 })).execution.state).toBe('b')
  })

  it('several transitions: the first whose guard holds', () => {
    const choice = compile({
      states: {
        a: {
          on: {
            go: [
              { to: 'b', condition: { '>': [{ var: 'event.payload.n' }, 10] } },
              { to: 'c', condition: { '>': [{ var: 'event.payload.n' }, 5] } },
              { to: 'd' },
            ],
          },
        },
        b: {},
        c: {},
        d: {},
      },
    })
    const went = (n: number) => send(choice, started(choice), event('go', { n })).execution.state
    expect([went(11), went(6), went(1)]).toEqual(['b', 'c', 'd'])
  })
})

describe('entering a state', () => {
  const machine = compile({
    states: {
      a: { enter: webhook, on: { again: 'a', stay: { to: 'a', internal: true, set: { n: 2 } }, go: 'b' } },
      b: { enter: [webhook, webhook, { ...webhook, name: 'last' }], on: { back: 'a' } },
    },
    actions: [
      { actionId: 'tell', type: 'email', triggerState: 'b', config: {} },
      { actionId: 'off', type: 'email', triggerState: 'b', config: {}, enabled: false },
      { actionId: 'other', type: 'email', triggerState: 'a', config: {} },
      { actionId: 'daily', type: 'email', triggerState: 'b', config: {}, schedule: '0 9 * * *' },
    ],
  })

  it('on start: the initial state asks for its actions, with keys of the first visit', () => {
    const decision = begin(machine, { n: 1 })
    expect(decision.applied).toBe(true)
    expect(decision.execution).toMatchObject({
      state: 'a',
      status: 'active',
      visits: { a: 1 },
      variables: { n: 1 },
    })
    expect(decision.actions.map((action) => action.stepKey)).toEqual(['l_882/a/webhook', 'l_882/a/other'])
    expect(decision.actions[0]).toMatchObject({
      status: 'queued',
      config: { url: 'https://crm.example/l_882' },
    })
    expect(decision.history).toEqual({
      type: 'execution.transitioned',
      isOrdered: true,
      data: {
        from: null,
        to: 'a',
        visit: 1,
        event: { id: 'evt_execution.started', type: 'execution.started' },
        actions: [
          { name: 'webhook', type: 'webhook', status: 'queued' },
          { name: 'other', type: 'email', status: 'queued' },
        ],
        timers: [],
      },
    })
  })

  it('F-032: its enter requests and every enabled action whose triggerState it is; a scheduled one recurs instead', () => {
    const { actions } = send(machine, started(machine), event('go'))
    expect(actions.map((action) => action.name)).toEqual(['webhook', 'webhook#2', 'last', 'tell'])
  })

  it('again: the visit number is in the key', () => {
    const second = send(machine, started(machine), event('again'))
    expect(second.execution.visits).toEqual({ a: 2 })
    expect(second.actions.map((action) => action.stepKey)).toEqual(['l_882/a/webhook~2', 'l_882/a/other~2'])
  })

  it('an internal transition only assigns', () => {
    const decision = send(machine, started(machine, { n: 1 }), event('stay'))
    expect(decision).toMatchObject({ applied: true, actions: [], timers: [], raised: [] })
    expect(decision.execution).toMatchObject({ state: 'a', visits: { a: 1 }, variables: { n: 2 } })
    expect(decision.history).toEqual({
      type: 'execution.updated',
      data: { event: { id: 'evt_stay', type: 'stay' }, variables: ['n'] },
    })
  })

  it('an internal transition without changes is recorded all the same', () => {
    const quiet = compile({ states: { a: { on: { noop: { internal: true } } } } })
    const decision = send(quiet, started(quiet, { n: 1 }), event('noop'))
    expect(decision.execution.variables).toEqual({ n: 1 })
    expect(decision.history.data['variables']).toEqual([])
  })

  it('a second start changes nothing', () => {
    const before = started(machine)
    expect(send(machine, before, event('execution.started'))).toMatchObject({
      applied: false,
      execution: before,
    })
  })
})

describe('timers', () => {
  const machine = compile({
    states: {
      a: {
        after: { '30d': 'b', '1h': { to: 'a', condition: { var: 'variables.loop' } } },
        on: { go: 'b', a: 'a' },
      },
      b: { final: true },
    },
  })

  it('are armed on entry, due from now', () => {
    const { timers, execution } = begin(machine)
    expect(timers).toEqual([
      {
        key: 'a/after/30d',
        dueAt: NOW + 30 * DAY,
        event: {
          id: 'a/after/30d',
          type: 'timer.fired',
          payload: { after: '30d', state: 'a' },
          at: NOW + 30 * DAY,
          timer: 'a/after/30d',
        },
      },
      expect.objectContaining({ key: 'a/after/1h', dueAt: NOW + 3_600_000 }),
    ])
    expect(execution.pending.timers).toEqual(['a/after/30d', 'a/after/1h'])
  })

  it('fire as an event of their own', () => {
    const { timers, execution } = begin(machine)
    const later = send(machine, execution, timers[0]!.event, NOW + 30 * DAY)
    expect(later.execution).toMatchObject({ state: 'b', status: 'completed' })
    expect(later.cancel.timers).toEqual(['a/after/30d', 'a/after/1h'])
  })

  it('with a false guard change nothing', () => {
    const { timers, execution } = begin(machine)
    expect(send(machine, execution, timers[1]!.event)).toMatchObject({
      applied: false,
      reason: 'guard_false',
    })
  })

  it('of a visit that was left are stale', () => {
    const first = begin(machine)
    const second = send(machine, first.execution, event('a'))
    expect(second.cancel.timers).toEqual(['a/after/30d', 'a/after/1h'])
    expect(second.timers.map(({ key }) => key)).toEqual(['a/after/30d~2', 'a/after/1h~2'])
    expect(send(machine, second.execution, first.timers[0]!.event)).toMatchObject({
      applied: false,
      reason: 'stale_timer',
    })
    expect(send(machine, second.execution, event('timer.fired'))).toMatchObject({ reason: 'stale_timer' })
  })

  it('that a newer definition no longer has find no transition', () => {
    const { timers, execution } = begin(machine)
    const newer = compile({ states: { a: {} } })
    expect(send(newer, execution, timers[0]!.event)).toMatchObject({
      applied: false,
      reason: 'no_transition',
    })
  })
})

describe('leaving a state', () => {
  const machine = compile({
    states: {
      a: {
        enter: [
          { ...webhook, cancelOnExit: true, delay: '1h' },
          { ...webhook, name: 'stays' },
        ],
        on: { go: 'b' },
      },
      b: {},
    },
  })

  it('cancels what asked for it; other queued actions go on', () => {
    const first = begin(machine)
    expect(first.execution.pending.actions).toEqual(['l_882/a/webhook'])
    const left = send(machine, first.execution, event('go'))
    expect(left.cancel).toEqual({ timers: [], actions: ['l_882/a/webhook'] })
    expect(left.execution.pending).toEqual({ timers: [], actions: [] })
  })
})
