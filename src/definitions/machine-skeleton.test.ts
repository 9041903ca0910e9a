import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PawlError } from '../core/errors.ts'
import { blankExecution } from '../core/execution.ts'
import { adopt } from '../core/triggers/machine.ts'
import { runner } from '../runners/runner.ts'
import { machine } from './machine.ts'
import type { Problem } from './problem.ts'

const notify = runner({ type: 'notify', config: z.object({}), event: 'notified', execute: () => null })
const go = z.object({})

describe('the version', () => {
  const hash = (change: object, states: object = { a: { on: { go: 'b' } }, b: {} }) =>
    machine({ id: 'x', events: { go }, initial: 'a', states, ...change } as never).hash

  it('is of the skeleton: functions, schemas, prose and the order of keys are not in it', () => {
    const said = hash({}, { a: { enter: () => null, on: { go: { to: 'b', when: () => true } } }, b: {} })
    const other = hash(
      { description: 'changed', variables: z.object({}), events: { go: z.object({ n: z.number() }) } },
      {
        b: { description: 'changed' },
        a: { on: { go: { when: () => false, to: 'b' } }, enter: () => notify({}) },
      },
    )
    expect(other).toBe(said)
  })

  it.each([
    ['a state', {}, { a: { on: { go: 'b' } }, b: {}, c: {} }],
    ['a target', {}, { a: { on: { go: 'a' } }, b: {} }],
    ['a timer', {}, { a: { on: { go: 'b' }, after: { '1d': 'b' } }, b: {} }],
    ['a condition', {}, { a: { on: { go: { to: 'b', condition: { var: 'variables.n' } } } }, b: {} }],
    ['a guard where there was none', {}, { a: { on: { go: { to: 'b', when: () => true } } }, b: {} }],
    ['a final state', {}, { a: { on: { go: 'b' } }, b: { final: true } }],
    ['an event', { events: { go, stop: go } }, undefined],
    ['a runner', { uses: [notify] }, undefined],
    ['the version', { version: '2' }, undefined],
    ['the initial state', { initial: 'b' }, undefined],
    ['onActionDead', { onActionDead: 'fail' }, undefined],
    ['the id', { id: 'y' }, undefined],
  ])('%s changes it', (_, change, states) => {
    expect(hash(change, states)).not.toBe(hash({}))
  })

  it('is followed by running executions unless they are pinned', () => {
    const made = (versions?: 'follow' | 'pin') =>
      machine({ id: 'x', ...(versions && { versions }), initial: 'a', states: { a: {} } })
    const old = {
      ...blankExecution({
        id: 'x_1',
        namespace: 'default',
        tenant: 'default',
        kind: 'machine',
        definition: 'x',
        definitionHash: 'an older one',
      }),
      state: 'a',
    }
    expect([made(), made('follow'), made('pin')].map((each) => adopt(each, old))).toEqual([
      'moved',
      'moved',
      'pinned',
    ])
    expect(adopt(made(), { ...old, state: 'gone' })).toBe('incompatible')
    expect(adopt(made(), { ...old, definitionHash: made().hash })).toBe('same')
  })
})

const refusal = (definition: unknown): PawlError => {
  try {
    machine(definition as Parameters<typeof machine>[0])
  } catch (failure) {
    if (failure instanceof PawlError) return failure
    throw failure
  }
  throw new Error('it was accepted')
}

const pathsOf = (definition: unknown): readonly string[] =>
  (refusal(definition).details['problems'] as readonly Problem[]).map(({ path }) => path)

/** One state with this in it, in a machine that is otherwise right. */
const withState = (state: unknown): object => ({
  id: 'x',
  events: { go },
  initial: 'a',
  states: { a: state },
})

describe('what the compiler refuses is refused for JavaScript too', () => {
  it('everything at once, with places and suggestions', () => {
    const wrong = refusal({
      id: 'lease',
      initial: 'actve',
      events: { go },
      states: {
        active: { on: { go: { too: 'ended' }, gone: 'ended' }, after: { '1mo': 'endd' } },
        ended: {},
      },
    })
    expect(wrong.code).toBe('invalid_definition')
    expect(wrong.message).toBe(
      [
        'the machine lease cannot be used',
        '✕ states.active.on.go.too  “too” is not a known key',
        '    expected  one of to, of, internal, when, condition, set',
        '    did you mean  to',
        '✕ states.active.on.gone  the machine has no event “gone”',
        '    expected  one of go, action.succeeded, action.failed',
        '✕ initial  “actve” is not a state of this machine',
        '    expected  one of active, ended',
        '    did you mean  active',
        '✕ states.active.after.1mo  “1mo” cannot be counted: a month is not a number of days',
        '    expected  days or weeks, such as 30d or 4w',
        '✕ states.active.after.1mo  “endd” is not a state of this machine',
        '    expected  one of active, ended',
        '    did you mean  ended',
      ].join('\n'),
    )
    expect(wrong.details.path).toBe('states.active.on.go.too')
  })

  it.each([
    ['nothing', undefined, ['id', 'initial', 'states']],
    ['no object', 'lease', ['id', 'initial', 'states']],
    ['a key of another vocabulary', { ...withState({}), context: {} }, ['context']],
    ['a key of files alone', { ...withState({}), actions: [] }, ['actions']],
    ['a state that is no object', withState('final'), ['states.a']],
    ['an unknown key of a state', withState({ entr: () => null }), ['states.a.entr']],
    ['enter that is a request', withState({ enter: notify({}) }), ['states.a.enter']],
    ['on that is no object', withState({ on: ['go'] }), ['states.a.on']],
    ['a transition that is a number', withState({ on: { go: 7 } }), ['states.a.on.go']],
    ['a list with a text in it', withState({ on: { go: [{ to: 'a' }, 'a'] } }), ['states.a.on.go.1']],
    [
      'a guard that is no function',
      withState({ on: { go: { to: 'a', when: true } } }),
      ['states.a.on.go.when'],
    ],
    [
      'set that is no function',
      withState({ after: { '1d': [{ to: 'a', set: { n: 1 } }] } }),
      ['states.a.after.1d.0.set'],
    ],
    ['a transition that leads nowhere', withState({ on: { go: { when: () => true } } }), ['states.a.on.go']],
    [
      'an internal transition without set',
      withState({ on: { go: { internal: true } } }),
      ['states.a.on.go.internal'],
    ],
    [
      'a condition that is a function',
      withState({ on: { go: { to: 'a', condition: () => true } } }),
      ['states.a.on.go.condition'],
    ],
    [
      'a condition that is no rule',
      withState({ on: { go: { to: 'a', condition: { no_such: [] } } } }),
      ['states.a.on.go.condition'],
    ],
    [
      'a transition behind one that always holds',
      withState({ on: { go: [{ to: 'a' }, { to: 'a' }] } }),
      ['states.a.on.go.1'],
    ],
    ['an event of the engine in on', withState({ on: { 'timer.fired': 'a' } }), ['states.a.on.timer.fired']],
    ['a final state that is left', withState({ final: true, on: { go: 'a' } }), ['states.a.on']],
    ['events that are a list', { ...withState({}), events: [go] }, ['events']],
    ['an event without a schema', { ...withState({}), events: { go: 'anything' } }, ['events.go']],
    [
      'an event of the engine',
      { ...withState({}), events: { 'action.failed': go } },
      ['events.action.failed'],
    ],
    ['variables without a schema', { ...withState({}), variables: { n: 0 } }, ['variables']],
    ['a version that is a number', { ...withState({}), version: 2 }, ['version']],
    ['versions of another word', { ...withState({}), versions: 'pinned' }, ['versions']],
    ['uses that is no list', { ...withState({}), uses: notify }, ['uses']],
    ['uses of something else', { ...withState({}), uses: ['notify', () => null] }, ['uses.0', 'uses.1']],
    ['two runners of one type', { ...withState({}), uses: [notify, notify] }, ['uses.1']],
    [
      'an event that is also a result',
      { ...withState({}), uses: [notify], events: { notified: go } },
      ['events.notified'],
    ],
  ])('%s', (_, definition, paths) => {
    expect(pathsOf(definition)).toEqual(paths)
  })

  it('a guard in code is a guard: what stands behind it can be reached', () => {
    const on = { go: [{ to: 'a', when: () => false }, { to: 'a' }] }
    expect(() => machine(withState({ on }) as never)).not.toThrow()
  })

  it('X-14: what is undefined is not there', () => {
    const on = { go: { to: 'a', when: undefined, of: undefined } }
    expect(() =>
      machine({ ...withState({ on, after: undefined }), variables: undefined } as never),
    ).not.toThrow()
  })

  it('a state nobody leads to is not refused: people write it first and the way to it later', () => {
    expect(() => machine({ id: 'x', initial: 'a', states: { a: {}, b: {} } })).not.toThrow()
  })
})
