import { describe, expect, it } from 'vitest'
import { linkActions } from './link-actions.ts'
import { loadDefinition, type ParsedAction, type ParsedMachine, parseDefinitions } from './parse.ts'

const machine = (id: string, states: readonly string[], more = {}) =>
  loadDefinition({
    kind: 'machine',
    id,
    initial: states[0],
    states: Object.fromEntries(
      states.map((name, index) => [
        name,
        index + 1 < states.length ? { on: { next: states[index + 1] } } : {},
      ]),
    ),
    ...more,
  }).definitions[0] as ParsedMachine
const action = (actionId: string, more = {}) =>
  loadDefinition({ actionId, type: 'email', config: {}, ...more }).definitions[0] as ParsedAction

const summary = (machines: readonly ParsedMachine[], actions: readonly ParsedAction[]) => {
  const linked = linkActions(machines, actions)
  return {
    machines: linked.machines.map(
      ({ id, data }) => `${id}: ${(data.actions ?? []).map((one) => one.actionId)}`,
    ),
    problems: linked.problems.map(({ path, message }) => `${path}: ${message}`),
  }
}

describe('actions in files of their own', () => {
  const lease = machine('lease', ['active', 'ended'])
  const loan = machine('loan', ['active', 'repaid'])

  it('hang onto the machine they name', () => {
    expect(summary([lease, loan], [action('a', { triggerState: 'active', machine: 'loan' })])).toEqual({
      machines: ['lease: ', 'loan: a'],
      problems: [],
    })
  })

  it('hang onto every machine that has their state', () => {
    const actions = [action('a', { triggerState: 'active' }), action('b', { triggerState: 'repaid' })]
    expect(summary([lease, loan], actions).machines).toEqual(['lease: a', 'loan: a,b'])
  })

  it('come after the machine’s own, and change its version', () => {
    const own = machine('lease', ['active'], {
      actions: [{ actionId: 'own', type: 'sms', triggerState: 'active', config: {} }],
    })
    const [linked] = linkActions([own], [action('a', { triggerState: 'active' })]).machines
    expect(linked!.data.actions!.map(({ actionId }) => actionId)).toEqual(['own', 'a'])
    expect(linked!.hash).not.toBe(own.hash)
    expect(linked!.machine.hash).toBe(linked!.hash)
    expect(linkActions([own], []).machines[0]!.hash).toBe(own.hash)
  })

  it('are a problem when they fit nowhere', () => {
    const actions = [
      action('a', { triggerState: 'actve' }),
      action('b', { triggerState: 'active', machine: 'laon' }),
      action('c', { schedule: '0 9 * * *' }),
    ]
    expect(summary([lease, loan], actions)).toEqual({
      machines: ['lease: ', 'loan: '],
      problems: [
        'triggerState: no machine has the state “actve”',
        'machine: no machine is called “laon”',
        'machine: it is not said which machine this action belongs to',
      ],
    })
    expect(linkActions([], [actions[0]!]).problems).toMatchObject([
      { expected: 'a machine beside the action' },
    ])
  })

  it('a scheduled action belongs to the machine it names', () => {
    const digest = action('digest', { schedule: '0 9 * * *', machine: 'lease' })
    expect(summary([lease], [digest])).toEqual({ machines: ['lease: digest'], problems: [] })
  })

  it('leave a machine out that they make wrong', () => {
    const twice = [action('a', { triggerState: 'active' }), action('a', { triggerState: 'ended' })]
    expect(summary([lease, loan], twice)).toEqual({
      machines: ['loan: a'],
      problems: ['actionId: a second action is called “a”'],
    })
  })

  it('may be what a transition waits for', () => {
    const waiting = parseDefinitions(
      'kind: machine\nid: m\ninitial: a\nstates:\n  a: { on: { email_sent: { to: b, of: notify } } }\n  b: {}\n',
      { file: 'm.yaml' },
    ).definitions as ParsedMachine[]
    expect(linkActions(waiting, [action('notify', { triggerState: 'a' })]).problems).toEqual([])
    expect(linkActions(waiting, [action('notifie', { triggerState: 'a' })]).problems).toMatchObject([
      { file: 'm.yaml', line: 5, column: 39, suggestion: 'notifie' },
    ])
  })

  it('are placed in their own file', () => {
    const [far] = parseDefinitions(
      'actionId: a\ntype: email\nconfig: {}\nmachine: lease\ntriggerState: actve\n',
      {
        file: 'far.yaml',
      },
    ).definitions as ParsedAction[]
    expect(linkActions([lease], [far!]).problems).toMatchObject([
      { file: 'far.yaml', line: 5, column: 15, path: 'triggerState', suggestion: 'active' },
    ])
  })

  it('of two machines with one id the second is left out', () => {
    expect(summary([lease, machine('lease', ['other'])], [])).toEqual({
      machines: ['lease: '],
      problems: ['id: a second machine is called “lease”'],
    })
  })
})
