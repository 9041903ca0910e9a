import { describe, expect, it } from 'vitest'
import { definitionHash } from '../core/definition.ts'
import { PawlError } from '../core/errors.ts'
import { loadDefinition, type ParsedMachine, parseDefinitions } from './parse.ts'

const machine = {
  kind: 'machine',
  id: 'lease',
  initial: 'active',
  variables: {
    type: 'object',
    properties: { days: { type: 'integer', default: 0 } },
    additionalProperties: false,
  },
  events: {
    'payment.made': { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  },
  states: { active: { on: { 'payment.made': 'done' } }, done: { final: true } },
}
const action = { actionId: 'notify', type: 'email', triggerState: 'active', config: {} }

const only = (value: unknown) => {
  const { definitions, problems } = loadDefinition(value)
  expect(problems).toEqual([])
  expect(definitions).toHaveLength(1)
  return definitions[0]!
}
const problemsOf = (value: unknown) =>
  loadDefinition(value).problems.map(({ path, message, severity }) => `${severity} ${path}: ${message}`)

describe('a definition', () => {
  it('is its content: same hash from JSON, YAML and a value, whatever the order and the schema beside it', () => {
    const { kind, id, ...rest } = machine
    const fromJson = parseDefinitions(JSON.stringify({ $schema: 'x', ...rest, id, kind }), { file: 'a.json' })
    const fromYaml = parseDefinitions(JSON.stringify(machine), { file: 'a.yaml' })
    const hash = definitionHash(machine)
    expect(fromJson.definitions[0]).toMatchObject({ kind: 'machine', id: 'lease', hash, data: machine })
    expect(fromYaml.definitions[0]!.hash).toBe(hash)
    expect((only(machine) as ParsedMachine).machine.hash).toBe(hash)
  })

  it('X-14: nothing is filled in, 0 stays 0 and an absent member absent', () => {
    expect(only({ ...action, delay: 0, enabled: undefined }).data).toEqual({ ...action, delay: 0 })
  })

  it('is an action by its actionId or by its kind, with one hash', () => {
    expect(only({ kind: 'action', ...action })).toEqual(only(action))
    expect(only(action)).toMatchObject({
      kind: 'action',
      id: 'notify',
      hash: definitionHash(action),
      data: action,
    })
  })

  it('brings the checks of its variables and of the payloads of its events', () => {
    const parsed = only(machine) as ParsedMachine
    expect(parsed.machine.checkVariables({})).toEqual({ days: 0 })
    expect(() => parsed.machine.checkVariables({ dys: 1 })).toThrow(PawlError)
    const check = parsed.payloads.get('payment.made')!
    expect(check({ amount: 5 })).toEqual({ amount: 5 })
    expect(() => check({})).toThrow(
      expect.objectContaining({ code: 'event_invalid', message: 'payload.amount: “amount” is missing' }),
    )
  })

  it('with a warning loads, with an error does not', () => {
    const orphaned = { ...machine, states: { ...machine.states, orphan: {} } }
    expect(loadDefinition(orphaned).definitions).toHaveLength(1)
    expect(problemsOf(orphaned)).toEqual(['warning states.orphan: no transition leads to “orphan”'])
    expect(loadDefinition({ ...machine, initial: 'nowhere' }).definitions).toEqual([])
  })

  it('the problems of one text come in order of place', () => {
    const text = 'kind: machine\nstates: { a: { on: { x: c } } }\ninitial: b\nversions: 5\nidd: lease\n'
    const { problems } = parseDefinitions(text, { file: 'a.yaml' })
    expect(problems.map(({ line, path }) => `${line} ${path}`)).toEqual([
      '2 states.a.on.x',
      '3 initial',
      '4 versions',
      '5 idd',
    ])
  })

  it('from a program is complete in itself: `of` must name an action it has', () => {
    const waiting = (of: string) => ({
      ...machine,
      events: undefined,
      states: {
        active: { enter: { type: 'email', config: {} }, on: { email_sent: { to: 'done', of } } },
        done: { final: true },
      },
    })
    expect(problemsOf(waiting('email'))).toEqual([])
    expect(problemsOf(waiting('email#2'))).toEqual([])
    expect(problemsOf(waiting('emial'))).toEqual([
      'error states.active.on.email_sent.of: “emial” is not an action of this machine',
    ])
    expect(parseDefinitions(JSON.stringify(waiting('emial')), { file: 'a.json' }).problems).toEqual([])
  })
})

describe('a value from a program', () => {
  class Machine {
    kind = 'machine'
  }
  const cyclic: Record<string, unknown> = { ...action }
  cyclic['config'] = cyclic

  it.each([
    ['nothing', undefined, 'error : a value of type undefined is not JSON'],
    [
      'a function',
      { ...action, config: { run: () => 1 } },
      'error config.run: a value of type function is not JSON',
    ],
    ['a big integer', { ...action, priority: 5n }, 'error priority: a value of type bigint is not JSON'],
    ['NaN', { ...action, priority: Number.NaN }, 'error priority: the number is not finite'],
    ['2^53', { ...action, delay: 2 ** 53 }, 'error delay: the number is too large to be kept exactly'],
    [
      'half a pair',
      { ...action, summary: '\ud800' },
      'error summary: the text holds half of a surrogate pair',
    ],
    ['an object of a class', new Machine(), 'error : an object of a class is not JSON'],
    ['a date', { ...action, createdAt: new Date(0) }, 'error createdAt: an object of a class is not JSON'],
    ['a map', { ...action, config: new Map() }, 'error config: an object of a class is not JSON'],
    ['__proto__', JSON.parse('{"__proto__":1}'), 'error __proto__: “__proto__” cannot be a key'],
    [
      'a hole in a list',
      { ...action, tags: Array(1) },
      'error tags.0: a value of type undefined is not JSON',
    ],
  ])('S31: %s is refused', (_, value, told) => expect(problemsOf(value)).toEqual([told]))

  it('S31: one that contains itself is refused for its depth', () => {
    expect(problemsOf(cyclic)).toEqual([expect.stringMatching(/nested more than 64 levels deep$/)])
  })

  it('is copied: changing it later changes nothing', () => {
    const config = { to: 'a@example.com' }
    const parsed = only({ ...action, config })
    config.to = 'b@example.com'
    expect(parsed.data).toMatchObject({ config: { to: 'a@example.com' } })
  })
})

describe('hostile definitions', () => {
  it('a machine with thousands of wrong targets is told a hundred times, not thousands', () => {
    const name = (index: number) => `${'state'.repeat(12)}${index}`
    const states = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [name(index), { on: { next: `${name(index)}x` } }]),
    )
    const { problems } = loadDefinition({ kind: 'machine', id: 'big', initial: name(0), states })
    expect(problems).toHaveLength(100)
  })

  it('unknown keys by the thousand are told a hundred times', () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`retryPolic${index}`, 1]))
    expect(loadDefinition({ ...action, ...keys }).problems).toHaveLength(100)
  })

  it('requests by the thousand, inside alternatives, are told a hundred times', () => {
    const enter = Array.from({ length: 3000 }, () => ({ typ: 'email' }))
    const { problems } = loadDefinition({ kind: 'machine', id: 'm', initial: 'a', states: { a: { enter } } })
    expect(problems.length).toBeLessThanOrEqual(100)
  })

  it('documents by the thousand are read until enough was told', () => {
    const text = 'a: 1\n---\n'.repeat(3000)
    expect(parseDefinitions(text, { file: 'a.yaml' }).problems).toHaveLength(201)
  })

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('a state may be called %s', (name) => {
    const states = { [name]: { on: { go: 'end' } }, end: { final: true } }
    expect(problemsOf({ kind: 'machine', id: 'm', initial: name, states })).toEqual([])
    expect(
      problemsOf({ kind: 'machine', id: 'm', initial: 'end', states: { end: { on: { go: name } } } }),
    ).toEqual([`error states.end.on.go: “${name}” is not a state of this machine`])
  })
})

describe('a recurrence', () => {
  const digest = {
    kind: 'recurrence',
    id: 'weekday-digest',
    cron: '0 9 * * MON-FRI',
    timezone: 'Europe/London',
    overlap: 'skip',
    catchUp: 'none',
    action: {
      type: 'email',
      config: { to: 'team@example.com', template: 'digest' },
      dedupKey: '{{recurring_id}}/{{execution_time}}',
    },
  }

  it('is the same content in either word, from JSON and from YAML', () => {
    const hash = definitionHash(digest)
    expect(only(digest)).toEqual({ kind: 'recurrence', id: 'weekday-digest', hash, data: digest })
    expect(only({ $schema: 'x', ...digest, kind: 'recurring' })).toMatchObject({ hash, data: digest })
    const yaml = `kind: recurring
id: weekday-digest
cron: "0 9 * * MON-FRI"
timezone: Europe/London
overlap: skip
catchUp: none
action: { type: email, config: { to: team@example.com, template: digest }, dedupKey: "{{recurring_id}}/{{execution_time}}" }`
    expect(parseDefinitions(yaml, { file: 'a.yaml' })).toMatchObject({
      problems: [],
      definitions: [{ kind: 'recurrence', hash }],
    })
  })

  it('its zone is never guessed, and what its action names is what an occurrence has', () => {
    const { timezone: _, ...nowhere } = digest
    expect(problemsOf(nowhere)).toEqual(['error timezone: “timezone” is missing'])
    expect(problemsOf({ ...digest, action: { type: 'email', config: '{{execution.id}}' } })).toEqual([
      'error action.config: "{{execution.id}}": there is no "execution"',
    ])
    const names =
      '{{recurring_id}} {{execution_time}} {{scheduled_at}} {{previous_at}} {{now}} {{secrets.key}}'
    expect(problemsOf({ ...digest, action: { type: 'email', config: names } })).toEqual([])
  })
})
