// KERNEL §2, row by row: results, ends, variables, versions.
import { describe, expect, it } from 'vitest'
import { begin, compile, event, NOW, send, started, webhook } from '../../../test/machines/bed.ts'
import { succeededEvent } from '../event.ts'
import { adopt } from './machine.ts'
import { compileMachine } from './machine-data.ts'

describe('results', () => {
  const result = (name: string, type = 'email_sent') =>
    succeededEvent(
      { id: 'act_1', name, settlement: 1 },
      { ok: 1 },
      { type, payload: { messageId: 'm' } },
      NOW,
    )
  const failedResult = event('action.failed', {}, { action: { id: 'act_1', name: 'x', ended: 'dead' } })

  it('the runner event is taken where it is named', () => {
    const machine = compile({
      states: { a: { on: { email_sent: 'b', 'action.succeeded': 'c' } }, b: {}, c: {} },
    })
    expect(send(machine, started(machine), result('x')).execution.state).toBe('b')
  })

  it('a result nobody names is offered as action.succeeded', () => {
    const machine = compile({ states: { a: { on: { 'action.succeeded': 'c' } }, c: {} } })
    expect(send(machine, started(machine), result('x')).execution.state).toBe('c')
    expect(send(machine, started(machine), event('email_sent')).applied).toBe(false)
    expect(send(machine, started(machine), failedResult).applied).toBe(false)
  })

  it('`of` narrows to one action, by the name its definition gives it', () => {
    const machine = compile({
      states: { a: { on: { email_sent: { to: 'b', of: 'second' }, 'action.succeeded': 'c' } }, b: {}, c: {} },
    })
    expect(send(machine, started(machine), result('second')).execution.state).toBe('b')
    expect(send(machine, started(machine), result('first')).execution.state).toBe('c')
  })

  it('the payload is flat, so a transition can keep it', () => {
    const machine = compile({
      states: { a: { on: { email_sent: { to: 'b', set: { mail: '{{event.payload.messageId}}' } } } }, b: {} },
    })
    expect(send(machine, started(machine), result('x')).execution.variables).toEqual({ mail: 'm' })
  })

  it('a dead action is action.failed; the execution goes on', () => {
    const machine = compile({ states: { a: { on: { 'action.failed': 'stuck' } }, stuck: {} } })
    expect(send(machine, started(machine), failedResult).execution).toMatchObject({
      state: 'stuck',
      status: 'active',
    })
    const deaf = compile({})
    expect(send(deaf, started(deaf), failedResult)).toMatchObject({ applied: false, reason: 'no_transition' })
  })

  it("onActionDead: 'fail' fails it where no transition takes it", () => {
    const machine = compile({ onActionDead: 'fail', states: { a: { after: { '1d': 'a' } } } })
    const decision = send(machine, started(machine), failedResult)
    const error = { code: 'action_dead', message: 'the action x ended dead' }
    expect(decision).toMatchObject({
      applied: true,
      execution: { status: 'failed', error, pending: { timers: [], actions: [] } },
      cancel: { timers: ['a/after/1d'] },
      history: { type: 'execution.failed', data: { event: { type: 'action.failed' }, error } },
    })
    const handled = compile({ onActionDead: 'fail', states: { a: { on: { 'action.failed': 'b' } }, b: {} } })
    expect(send(handled, started(handled), failedResult).execution).toMatchObject({
      state: 'b',
      status: 'active',
    })
    expect(send(machine, started(machine), event('other'))).toMatchObject({ applied: false })
  })
})

describe('an end', () => {
  it('final: completed, timers cancelled, entry actions still asked for, later events ignored', () => {
    const machine = compile({
      states: { a: { after: { '1d': 'a' }, on: { end: 'z' } }, z: { final: true, enter: webhook } },
    })
    const ended = send(machine, started(machine), event('end'))
    expect(ended.execution).toMatchObject({ status: 'completed', state: 'z' })
    expect(ended.cancel.timers).toEqual(['a/after/1d'])
    expect(ended.actions).toHaveLength(1)
    expect(send(machine, ended.execution, event('end'))).toMatchObject({ applied: false, reason: 'ended' })
  })

  it.each(['failed', 'cancelled'] as const)('%s: nothing more is applied', (status) => {
    const machine = compile({ states: { a: { on: { go: 'a' } } } })
    expect(send(machine, { ...started(machine), status }, event('go'))).toMatchObject({ reason: 'ended' })
  })

  it('paused: the event waits', () => {
    const machine = compile({ states: { a: { on: { go: 'a' } } } })
    expect(send(machine, { ...started(machine), status: 'paused' }, event('go'))).toMatchObject({
      reason: 'paused',
    })
  })
})

describe('variables', () => {
  it('are merged one level deep', () => {
    const machine = compile({
      states: { a: { on: { go: { to: 'a', set: { x: { y: 1 }, z: '{{now}}' } } } } },
    })
    const after = send(machine, started(machine, { x: { w: 0 }, k: 1 }), event('go')).execution.variables
    expect(after).toEqual({ x: { y: 1 }, z: '2026-01-05T12:00:00.000Z', k: 1 })
  })

  it('can be patched from outside, and are checked', () => {
    const machine = compileMachine(
      { kind: 'machine', id: 'm', initial: 'a', states: { a: {} } },
      (variables) => {
        if (variables['n'] === 13) throw new Error('unlucky')
        return { ...variables, checked: true }
      },
    )
    const patched = send(machine, started(machine, { n: 1 }), event('variables.patched', { n: 2 }))
    expect(patched.execution).toMatchObject({ state: 'a', variables: { n: 2, checked: true } })
    expect(patched.history).toEqual({
      type: 'execution.updated',
      data: { event: { id: 'evt_variables.patched', type: 'variables.patched' }, variables: ['n'] },
    })
    expect(() => send(machine, patched.execution, event('variables.patched', { n: 13 }))).toThrow('unlucky')
  })

  it('stay within 256 KiB', () => {
    const machine = compile({})
    expect(() => begin(machine, { big: 'x'.repeat(256 * 1024) })).toThrow('variables')
  })
})

describe('an action that cannot be rendered', () => {
  it('is dead from the start, visible, and the machine hears of it', () => {
    const machine = compile({
      states: { a: { enter: { type: 'email', config: { to: '{{variables.landlrd}}' } } } },
    })
    const decision = begin(machine, { landlord: 'ada' })
    expect(decision.execution.state).toBe('a')
    expect(decision.actions[0]).toMatchObject({
      status: 'dead',
      error: { type: 'invalid_configuration', code: 'unknown_variable', retryable: false },
      config: { to: '{{variables.landlrd}}' },
    })
    expect(decision.raised).toEqual([
      {
        id: 'l_882/a/email/0',
        type: 'action.failed',
        payload: { actionId: 'email', error: decision.actions[0]?.error },
        at: NOW,
        action: { id: 'l_882/a/email', name: 'email', ended: 'dead' },
      },
    ])
  })
})

describe('a newer definition', () => {
  const old = compile({ states: { a: {}, b: {} } })
  const execution = started(old)
  it.each([
    ['same content', old, execution, 'same'],
    ['pinned', compile({ states: { a: {} } }), execution, 'pinned'],
    [
      'follows while its state exists',
      compile({ versions: 'follow', states: { a: {} } }),
      execution,
      'moved',
    ],
    [
      'follows before its first decision',
      compile({ versions: 'follow' }),
      { ...execution, state: null },
      'moved',
    ],
    [
      'its state is gone',
      compile({ versions: 'follow', initial: 'c', states: { c: {} } }),
      execution,
      'incompatible',
    ],
  ] as const)('%s', (_, machine, was, verdict) => {
    expect(adopt(machine, was)).toBe(verdict)
  })

  it('an execution in a state the definition lacks takes no event', () => {
    const newer = compile({ initial: 'c', states: { c: { on: { go: 'c' } } } })
    expect(send(newer, execution, event('go'))).toMatchObject({ applied: false, reason: 'no_transition' })
  })
})
