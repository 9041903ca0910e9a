import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileCondition, evaluate } from '../condition.ts'
import { PawlError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { OPERATORS } from './compile.ts'

const prototypes = (): unknown =>
  [Object.prototype, Array.prototype, String.prototype, Number.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map((key) => [key, Reflect.getOwnPropertyDescriptor(prototype, key)]),
  )

/** True, false, or the PawlError's own words; anything else is thrown on. */
const outcome = (rule: Json, data: JsonObject): boolean | string => {
  try {
    return evaluate(compileCondition(rule), data)
  } catch (error) {
    if (!(error instanceof PawlError)) throw error
    return `${error.code} ${error.message} ${JSON.stringify(error.details)}`
  }
}

const NAMES = [
  'a',
  'b',
  'list',
  '',
  '0',
  'constructor',
  '__proto__',
  'length',
  'toString',
  'current',
  'accumulator',
]
const path = fc
  .array(fc.constantFrom(...NAMES, '..', '\\'), { maxLength: 4 })
  .chain((parts) => fc.constantFrom(parts.join('.'), `../${parts.join('.')}`, `../../${parts.join('.')}`))
const scalar = fc.oneof(path, fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e308, 'x', '12', '🙂'))

const rules = fc.letrec<{ rule: Json }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.record({ var: path }),
    fc.array(tie('rule'), { maxLength: 3 }),
    fc
      .tuple(
        fc.constantFrom(...OPERATORS.keys(), 'log', 'constructor'),
        fc.oneof(fc.array(tie('rule'), { maxLength: 4 }), tie('rule')),
      )
      .map(([operator, argument]) => ({ [operator]: argument })),
  ),
})).rule

const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.constant('sk_canary'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 4 })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value

describe('S28, H4: any rule over any data', () => {
  it('is true, false or a PawlError, the same each time, and changes nothing', () => {
    const before = prototypes()
    fc.assert(
      fc.property(rules, values, values, (rule, a, list) => {
        const data = { a, list, constructor: a }
        const [ruleText, dataText] = [JSON.stringify(rule), JSON.stringify(data)]
        const first = outcome(rule, data)
        return (
          first === outcome(structuredClone(rule), structuredClone(data)) &&
          JSON.stringify(rule) === ruleText &&
          JSON.stringify(data) === dataText &&
          (typeof first === 'boolean' || !first.includes('canary'))
        )
      }),
      { numRuns: 10_000 },
    )
    expect(prototypes()).toEqual(before)
  }, 60_000)

  it('is the same as data and as text', () => {
    fc.assert(
      fc.property(rules, values, (rule, a) => {
        fc.pre(typeof rule !== 'string')
        return outcome(rule, { a }) === outcome(JSON.stringify(rule), { a })
      }),
      { numRuns: 2_000 },
    )
  }, 60_000)

  it('reads only what is own', () => {
    const inherited = fc.constantFrom(
      ...Object.getOwnPropertyNames(Object.prototype),
      'prototype',
      'map',
      'at',
    )
    const start = fc.constantFrom('', 'a.', 'a.list.', 'text.', 'a.list.0.')
    const data = { a: { list: [{}] }, text: 'x' }
    fc.assert(
      fc.property(start, fc.array(inherited, { minLength: 1, maxLength: 3 }), (root, names) => {
        const target = root + names.join('.')
        return (
          outcome({ '===': [{ var: target }, null] }, data) === true &&
          outcome({ '===': [{ var: [{ cat: [target] }, 'none'] }, 'none'] }, data) === true &&
          outcome({ missing: [target] }, data) === true
        )
      }),
      { numRuns: 10_000 },
    )
  }, 60_000)
})
