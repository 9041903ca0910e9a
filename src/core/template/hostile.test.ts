import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PawlError } from '../errors.ts'
import type { Json } from '../json.ts'
import { checkTemplate } from './check.ts'
import { FILTERS } from './filters.ts'
import { render } from './render.ts'
import { scopeOf } from './scope.ts'

const scope = scopeOf({
  execution: {
    id: 'x',
    variables: { a: { b: [1, 'two', null] }, text: 'sk_live_canary', when: '2026-05-09' },
  },
  event: { id: 'e', type: 't', payload: { deep: { er: true } } },
  now: 0,
})

/** Every own property of the prototypes that a path could reach. */
const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map((key) => [key, Reflect.getOwnPropertyDescriptor(prototype, key)]),
  )

interface Outcome {
  readonly value?: Json
  readonly refused?: string
}

/** The value, or the PawlError's own words; anything else is thrown on. */
const outcome = (template: Json): Outcome => {
  try {
    return { value: render(template, scope).value }
  } catch (error) {
    if (!(error instanceof PawlError)) throw error
    return { refused: `${error.code} ${error.message} ${JSON.stringify(error.details)}` }
  }
}

const isUnknown = ({ refused }: Outcome): boolean => refused?.startsWith('unknown_variable ') === true

const INHERITED = [
  ...['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'],
  ...[
    '__defineGetter__',
    '__defineSetter__',
    '__lookupGetter__',
    '__lookupSetter__',
    'call',
    'apply',
    'bind',
  ],
  ...['map', 'filter', 'reduce', 'concat', 'at', 'toFixed', 'charAt', 'then', 'arguments', 'caller'],
]

describe('S24: hostile paths', () => {
  it.each([
    '{{constructor.constructor}}',
    '{{__proto__}}',
    '{{execution.prototype}}',
    '{{variables.a.b.map}}',
  ])('%s is an unknown variable', (template) => {
    expect(outcome(template).refused).toMatch(/^unknown_variable /)
  })

  it('of 10,000 not one reaches a prototype, and no prototype changes', () => {
    const before = prototypes()
    const start = fc.constantFrom(
      '',
      'execution',
      'variables',
      'event',
      'variables.a',
      'variables.a.b',
      'now',
    )
    const hop = fc.constantFrom(...INHERITED)
    const notation = fc.constantFrom(
      (name: string) => `.${name}`,
      (name: string) => `["${name}"]`,
    )
    const hops = fc.array(fc.tuple(notation, hop), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(start, hops, hop, (root, [...steps], first) => {
        const path = steps.reduce((text, [write, name]) => text + write(name), root === '' ? first : root)
        return (
          isUnknown(outcome(`{{${path}}}`)) &&
          isUnknown(outcome(`a {{${path}}} b`)) &&
          outcome(`{{${path} | default: "none"}}`).value === 'none'
        )
      }),
      { numRuns: 10_000 },
    )
    expect(prototypes()).toEqual(before)
  }, 60_000)
})

describe('H4: any template', () => {
  const token = fc.constantFrom(
    ...[
      '{{',
      '}}',
      '{',
      '}',
      '|',
      ':',
      ',',
      '.',
      '[',
      ']',
      '"',
      "'",
      '\\',
      ' ',
      '\n',
      '0',
      '-1',
      '2.5',
      'null',
    ],
    ...[
      'variables',
      'a',
      'b',
      'text',
      'when',
      'secrets',
      'execution',
      'id',
      'event.payload',
      'now',
      '__proto__',
    ],
    ...['D MMMM', 'Europe/London', "', '", ...FILTERS.keys()],
  )
  const text = fc.oneof(
    fc.array(token, { maxLength: 14 }).map((tokens) => tokens.join('')),
    fc.array(token, { maxLength: 10 }).map((tokens) => `{{${tokens.join('')}}}`),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const template = fc.letrec<{ node: Json }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constantFrom(null, 5, true),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b c', 'constructor', '/', '~'), tie('node'), { maxKeys: 3 }),
    ),
  })).node

  it('renders or is refused with a PawlError, the same each time, and changes nothing', () => {
    const before = prototypes()
    const data = JSON.stringify(scope)
    fc.assert(
      fc.property(template, (value) => {
        const source = JSON.stringify(value)
        const first = outcome(value)
        const second = outcome(structuredClone(value))
        return (
          JSON.stringify(second) === JSON.stringify(first) &&
          JSON.stringify(value) === source &&
          first.refused?.includes('canary') !== true
        )
      }),
      { numRuns: 10_000 },
    )
    expect(JSON.stringify(scope)).toBe(data)
    expect(prototypes()).toEqual(before)
  }, 60_000)

  it('what the check finds without fault fails at most for its values', () => {
    const roots = Object.keys(scope)
    fc.assert(
      fc.property(template, (value) => {
        const { refused } = outcome(value)
        const only = refused === undefined || /^(unknown_variable|template_value_forbidden)/.test(refused)
        return checkTemplate(value, roots).length > 0 || only
      }),
      { numRuns: 5_000 },
    )
  }, 60_000)
})
