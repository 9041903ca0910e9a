import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startedEvent } from '../core/event.ts'
import { blankExecution } from '../core/execution.ts'
import { decideMachine } from '../core/triggers/machine.ts'
import { machine } from './machine.ts'

const T0 = Date.UTC(2026, 0, 5, 9)

/** Starts a machine of these states, written without a compiler, and sends it `go`. */
const walk = (states: object) => {
  const made = machine({ id: 'x', events: { go: z.object({}) }, initial: 'a', states } as never)
  const blank = blankExecution({
    id: 'x_1',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: 'x',
    definitionHash: made.hash,
  })
  const decide = decideMachine(made)
  const { execution } = decide(blank, startedEvent('x_1', {}, T0), T0)
  return decide(execution, { id: 'evt_1', type: 'go', payload: {}, at: T0 }, T0).execution
}

describe('an answer that the compiler would have refused fails the decision, and says where', () => {
  it.each([
    [
      'an async guard',
      { a: { on: { go: { to: 'a', when: async () => true } } } },
      'x.a.on.go.when',
      'a promise',
    ],
    [
      'a guard that returns an object',
      { a: { on: { go: { to: 'a', when: () => ({}) } } } },
      'x.a.on.go.when',
      'an object',
    ],
    [
      'an async set',
      { a: { on: { go: [{ to: 'a', set: async () => ({}) }] } } },
      'x.a.on.go.set',
      'a promise',
    ],
    [
      'a set that returns a list',
      { a: { on: { go: { to: 'a', set: () => ['n'] } } } },
      'x.a.on.go.set',
      'an object',
    ],
    [
      'a set that returns nothing',
      { a: { on: { go: { to: 'a', set: () => undefined } } } },
      'x.a.on.go.set',
      '“undefined”',
    ],
    ['an async enter', { a: { enter: async () => null } }, 'x.a.enter', 'a promise'],
    ['an enter that returns a text', { a: { enter: () => 'notify' } }, 'x.a.enter', '“notify”'],
    ['an enter that returns a runner', { a: { enter: () => () => null } }, 'x.a.enter', '“() => null”'],
    ['an enter that returns a list with a number', { a: { enter: () => [null, 7] } }, 'x.a.enter', '“7”'],
    ['an enter that returns data', { a: { enter: () => ({ type: 'notify' }) } }, 'x.a.enter', 'an object'],
  ])('%s', (_, states, path, shown) => {
    expect(() => walk(states)).toThrow(
      expect.objectContaining({
        code: 'decide_failed',
        message: `${path} returned ${shown}`,
        details: { path, expected: expect.any(String) },
      }),
    )
  })

  it.each([
    [1, 'b'],
    ['yes', 'b'],
    [0, 'a'],
    ['', 'a'],
    [undefined, 'a'],
    [null, 'a'],
  ])('a guard that returns %j is read as JavaScript reads it', (said, state) => {
    expect(walk({ a: { on: { go: { to: 'b', when: () => said } } }, b: {} }).state).toBe(state)
  })
})

it('names that objects are born with are names like others', () => {
  const states = {
    a: { on: { go: 'constructor' } },
    constructor: { on: { go: { to: 'a', when: () => true } } },
  }
  expect(walk(states)).toMatchObject({ state: 'constructor', visits: { a: 1, constructor: 1 } })
})
