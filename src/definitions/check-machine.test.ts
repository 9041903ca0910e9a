import { describe, expect, it } from 'vitest'
import { checkMachine } from './check-machine.ts'
import type { LooseMachine, LooseState } from './loose.ts'

// What is right: the wrong ones are in test/definitions/bad/, each with its text.

const machine = (active: LooseState, more: LooseMachine = {}): LooseMachine => ({
  kind: 'machine',
  id: 'lease',
  initial: 'active',
  states: { active: { ...active, on: { leave: 'done', ...active.on } }, done: { final: true } },
  ...more,
})
const told = (checked: LooseMachine) =>
  checkMachine(checked).map(({ path, message }) => `${path}: ${message}`)
const NEVER = 'this transition is never taken: one before it has no condition'
const condition = { '==': [1, 1] }

describe('a machine that makes sense', () => {
  it.each<[string, LooseState, LooseMachine?]>([
    [
      'an internal transition that names its own state',
      { on: { x: { internal: true, to: 'active', set: { a: 1 } } } },
    ],
    ['a transition to the same state', { on: { x: 'active' } }],
    [
      'results of actions',
      { on: { 'action.failed': 'done', 'action.succeeded': 'done', email_sent: 'done' } },
    ],
    ['a state without a way out', {}, { states: { active: { on: { leave: 'stuck' } }, stuck: {} } }],
    [
      'a final state that asks for an action',
      {},
      {
        states: {
          active: { on: { leave: 'end' } },
          end: { final: true, enter: { type: 'email', config: {} } },
        },
      },
    ],
    [
      'variables beside the described ones, where the schema leaves room',
      { on: { x: { internal: true, set: { other: '{{variables.another}}' } } } },
      { variables: { type: 'object', properties: { a: { type: 'string' } } } },
    ],
    [
      'the aliases of names',
      {
        enter: {
          type: 'email',
          config: [
            '{{context.a}}',
            '{{subject.a}}',
            '{{event.data.a}}',
            '{{message.payload.a}}',
            '{{event.payload}}',
            '{{execution.state}}',
            '{{now}}',
          ],
        },
      },
    ],
    [
      'a condition written as JSON text',
      { on: { x: { to: 'done', condition: '{">":[{"var":"event.payload.days"},5]}' } } },
    ],
    ['a window by name', { enter: { type: 'sms', config: {}, window: 'office-hours' } }],
    [
      'zero, where zero means something',
      {
        enter: {
          type: 'sms',
          config: {},
          delay: 0,
          priority: 0,
          retryPolicy: { maxRetries: 0, baseDelay: 0 },
        },
      },
    ],
    [
      'dedup while active',
      {
        enter: {
          type: 'sms',
          config: {},
          dedup: { key: '{{execution.id}}', while: 'active' },
          limit: { key: 'a', concurrency: 1 },
        },
      },
    ],
    [
      'a result that only a declared event does not name',
      { on: { email_sent: 'done' } },
      { events: { leave: { type: 'object' } } },
    ],
  ])('%s', (_, active, more) => expect(told(machine(active, more))).toEqual([]))

  it('is told nothing about parts that were refused before', () => {
    expect(checkMachine({ initial: undefined, states: { a: undefined }, actions: [undefined] })).toEqual([])
    expect(checkMachine({})).toEqual([])
    expect(checkMachine({ initial: 'a', actions: [{ triggerState: 'b', config: {} }] })).toEqual([])
  })
})

describe('transitions of one event', () => {
  const transitions = (list: readonly object[]) =>
    told(machine({ on: { x: list } }, { actions: [action('one'), action('two')] }))
  const action = (actionId: string) => ({ actionId, type: 'email', triggerState: 'active', config: {} })

  it.each<[string, readonly object[], readonly string[]]>([
    [
      'all but the last have a condition',
      [{ to: 'done', condition }, { to: 'active', condition }, { to: 'done' }],
      [],
    ],
    [
      'the last has one too',
      [
        { to: 'done', condition },
        { to: 'active', condition },
      ],
      [],
    ],
    ['one of each action', [{ to: 'done', of: 'one' }, { to: 'active', of: 'two' }, { to: 'active' }], []],
    [
      'behind one without a condition',
      [{ to: 'done' }, { to: 'active', condition }],
      [`states.active.on.x.1: ${NEVER}`],
    ],
    [
      'behind one for every action',
      [{ to: 'done' }, { to: 'active', of: 'one' }],
      [`states.active.on.x.1: ${NEVER}`],
    ],
    [
      'behind one for the same action',
      [
        { to: 'done', of: 'one' },
        { to: 'active', of: 'one', condition },
      ],
      [`states.active.on.x.1: ${NEVER}`],
    ],
  ])('%s', (_, list, problems) => expect(transitions(list)).toEqual(problems))
})
