import { describe, expect, it } from 'vitest'
import { OPERATORS } from './condition/compile.ts'
import { checkCondition, compileCondition, evaluate } from './condition.ts'
import type { Json } from './json.ts'
import { scopeOf } from './template/scope.ts'

const scope = scopeOf({
  execution: { id: 'l_882', state: 'active', variables: { tier: 'gold', tags: [], items: [{ sku: 'a' }] } },
  event: { id: 'evt_1', type: 'payment.late', payload: { days: 6, sku: 'a' } },
  now: Date.UTC(2026, 10, 16),
  extra: { observed: { version: 3 }, desired: { version: 3 } },
})

describe('F-035: a condition', () => {
  it.each<[Json, boolean]>([
    [{ '>': [{ var: 'message.payload.days' }, 5] }, true],
    [{ '>': [{ var: 'event.data.days' }, 6] }, false],
    [{ '==': [{ var: 'variables.tier' }, 'gold'] }, true],
    [{ '==': [{ var: 'execution.variables.tier' }, { var: 'context.tier' }] }, true],
    [{ '!': { var: 'subject.timelineReceived' } }, true],
    [{ '==': [{ var: 'observed.version' }, { var: 'desired.version' }] }, true],
    [{ '<': [{ var: 'now' }, '2026-12-01'] }, true],
    [
      { some: [{ var: 'variables.items' }, { '==': [{ var: 'sku' }, { var: '../../event.payload.sku' }] }] },
      true,
    ],
    [{ var: 'variables.tags' }, false],
    [{ var: 'variables' }, true],
    [{ var: 'zzz' }, false],
    [true, true],
    [false, false],
    [0, false],
    [null, false],
    [{}, false],
    ['{">": [{"var": "event.payload.days"}, 5]}', true],
    ['true', true],
    [' null ', false],
    ['"text"', true],
  ])('%j', (rule, holds) => {
    expect(evaluate(compileCondition(rule), scope)).toBe(holds)
  })

  it('S28: a prototype is never reached', () => {
    for (const path of [
      'execution.constructor.name',
      'constructor',
      '__proto__',
      'variables.tags.map',
      'toString',
    ])
      expect(evaluate(compileCondition({ '===': [{ var: path }, null] }), scope)).toBe(true)
    expect(evaluate(compileCondition({ missing: ['constructor'] }), scope)).toBe(true)
  })

  it('S28: an object of many keys cannot hide its cost at the end', () => {
    const big = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1]))
    expect(() => evaluate(compileCondition({ var: 'big' }), { big })).toThrow(
      expect.objectContaining({ code: 'condition_limit_exceeded' }),
    )
  })
})

describe('compiling', () => {
  it('happens once, by identity and by text up to 1,024 characters', () => {
    const rule = { '!': false }
    expect(compileCondition(rule)).toBe(compileCondition(rule))
    expect(compileCondition('{"!":0}')).toBe(compileCondition('{"!":0}'))
    const longest = '{"!":0}'.padEnd(1024)
    expect(compileCondition(longest)).toBe(compileCondition(longest))
    expect(compileCondition(`${longest} `)).not.toBe(compileCondition(`${longest} `))
    expect(evaluate(compileCondition(`${longest} `), {})).toBe(true)
  })

  it.each([
    [{ and: [true, { '>=<': [1, 2] }] }, 'there is no operator ">=<"', 'and.1', '>='],
    [{ vra: 'x' }, 'there is no operator "vra"', '', 'var'],
    [{ log: 'x' }, 'there is no operator "log"', '', undefined],
    [{ if: [{ constructor: [] }] }, 'there is no operator "constructor"', 'if.0', undefined],
    [JSON.parse('{"__proto__": 1}'), 'there is no operator "__proto__"', '', undefined],
    [{ map: [[1], { upper: 'x' }] }, 'there is no operator "upper"', 'map.1', undefined],
  ])('S28: %j is refused', (rule, message, path, suggestion) => {
    expect(() => compileCondition(rule as Json)).toThrow(
      expect.objectContaining({
        code: 'invalid_condition',
        message,
        details: {
          path,
          expected: `one of ${[...OPERATORS.keys()].join(' ')}`,
          ...(suggestion !== undefined && { suggestion }),
        },
      }),
    )
  })

  it.each<[Json, string, string, string]>([
    [
      { '!': [{ and: [], or: [] }] },
      'an object with 2 keys is no rule',
      '!.0',
      'one operator with its arguments',
    ],
    [{ '<': 5 }, '"<" cannot use these arguments', '<', 'a list of two or more'],
    [{ '==': [1] }, '"==" cannot use these arguments', '==', 'a list of two or more'],
    [{ '===': { var: 'x' } }, '"===" cannot use these arguments', '===', 'a list of two or more'],
    [{ map: [[1]] }, '"map" cannot use these arguments', 'map', 'a list, then what to do with an item'],
    [
      { '!': { some: { var: 'x' } } },
      '"some" cannot use these arguments',
      '!.some',
      'a list, then what to do with an item',
    ],
    ['{"a":', '"{"a":" is not JSON', '', 'a JSONLogic rule, as data or as JSON text'],
    ['', '"" is not JSON', '', 'a JSONLogic rule, as data or as JSON text'],
    [
      `x${'y'.repeat(80)}`,
      `"x${'y'.repeat(79)}…" is not JSON`,
      '',
      'a JSONLogic rule, as data or as JSON text',
    ],
  ])('%j is refused', (rule, message, path, expected) => {
    expect(() => compileCondition(rule)).toThrow(
      expect.objectContaining({ code: 'invalid_condition', message, details: { path, expected } }),
    )
  })
})

describe('checking', () => {
  const known = { variables: { tier: true, items: true }, event: { payload: true } } as const

  it('finds nothing wrong with what is known', () => {
    const rule = {
      and: [
        { '==': [{ var: ['variables.tier', { var: 'variables.items' }] }, 'gold'] },
        { some: [{ var: 'event.payload.list' }, { '>': [{ var: 'anything' }, { var: '../../zzz' }] }] },
        { '!!': { var: '' } },
        { '!!': { var: { cat: ['a', 'b'] } } },
      ],
    }
    expect(checkCondition(rule, known)).toEqual([])
    expect(checkCondition(rule, ['variables', 'event'])).toEqual([])
    expect(checkCondition(true, [])).toEqual([])
  })

  it('finds every name that would quietly read as null', () => {
    const rule = { and: [{ var: 'variables.teir' }, { or: [{ var: ['evnt.payload.x', { var: 'zzzzz' }] }] }] }
    expect(checkCondition(JSON.stringify(rule), known)).toEqual([
      {
        code: 'unknown_variable',
        path: 'and.0.var',
        message: '"variables.teir": there is no "teir" in variables',
        suggestion: 'variables.tier',
      },
      { code: 'unknown_variable', path: 'and.1.or.0.var.1.var', message: '"zzzzz": there is no "zzzzz"' },
      {
        code: 'unknown_variable',
        path: 'and.1.or.0.var',
        message: '"evnt.payload.x": there is no "evnt"',
        suggestion: 'event',
      },
    ])
  })

  it('reports a rule that cannot be compiled', () => {
    expect(checkCondition({ an: [] }, known)).toMatchObject([
      { code: 'invalid_condition', path: '', message: 'there is no operator "an"', suggestion: 'and' },
    ])
    expect(checkCondition('{', known)).toMatchObject([{ code: 'invalid_condition', path: '' }])
  })
})
