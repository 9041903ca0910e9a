import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { compileRule, OPERATORS } from './compile.ts'
import { FUEL } from './rule.ts'

const DATA: Json = {
  a: 1,
  b: { c: 2, list: [10, 20], 'x.y': 'dotted' },
  text: 'pineapple',
  empty: '',
  nothing: null,
  no: false,
  list: [1, 2, 3],
  people: [
    { name: 'Ada', age: 36 },
    { name: 'Bob', age: 15 },
  ],
  limit: 18,
  single: { key: null },
}

const run = (rule: Json, data: Json = DATA): Json => compileRule(rule).rule({ data, tank: { left: FUEL } })

const fails = (rule: Json, operator: string, path: string, expected: string): void => {
  expect(() => run(rule)).toThrow(
    expect.objectContaining({
      code: 'condition_failed',
      message: expect.stringContaining(`"${operator}" `),
      details: { path, expected },
    }),
  )
}

describe('F-035: reading data', () => {
  it.each<[Json, Json]>([
    [{ var: 'a' }, 1],
    [{ var: ['a'] }, 1],
    [{ var: 'b.c' }, 2],
    [{ var: 'b.list.1' }, 20],
    [{ var: 'list.length' }, 3],
    [{ var: 'b.x\\.y' }, 'dotted'],
    [{ var: 'zzz' }, null],
    [{ var: 'zzz.y' }, null],
    [{ var: ['zzz', 7] }, 7],
    [{ var: ['zzz', { var: 'a' }] }, 1],
    [{ var: ['nothing', 7] }, null],
    [{ var: ['no', 7] }, false],
    [{ var: '' }, DATA],
    [{ var: null }, DATA],
    [{ var: [] }, DATA],
    [{ var: { cat: ['b.', 'c'] } }, 2],
    [{ var: [{ cat: ['zz', 'z'] }, 5] }, 5],
    [{ var: { var: 'nothing' } }, DATA],
    [{ missing: ['a', 'z', 'b.c', 'b.z'] }, ['z', 'b.z']],
    [{ missing: 'z' }, ['z']],
    [{ missing: [] }, []],
    [{ missing: ['nothing', 'empty'] }, []],
    [{ missing: { merge: ['z', ['a', 'y']] } }, ['z', 'y']],
    [{ missing_some: [1, ['a', 'z']] }, []],
    [{ missing_some: [2, ['a', 'z']] }, ['z']],
    [{ missing_some: [3, ['a', 'b.c', 'z']] }, ['z']],
    [{ missing_some: [] }, []],
    [{ '===': [{ var: 'execution.constructor.name' }, null] }, true],
  ])('%j', (rule, value) => {
    expect(run(rule)).toEqual(value)
  })

  it('takes an index into a list', () => {
    expect(run({ var: 1 }, ['a', 'b'])).toBe('b')
    expect(run({ var: 0 }, ['a', 'b'])).toBe('a')
    expect(run({ var: { '+': [] } }, ['a', 'b'])).toBe('a')
    expect(run({ var: '' }, 5)).toBe(5)
  })

  it('reads a path with every kind of backslash', () => {
    expect(run({ var: 'a\\.b.c\\\\.d\\e' }, { 'a.b': { 'c\\': { 'd\\e': 1 } } })).toBe(1)
  })

  it('refuses a path that is none', () => {
    fails({ var: { var: 'list' } }, 'var', 'var', 'a text or a number')
    fails({ missing: [{ var: 'b' }] }, 'missing', 'missing', 'a text or a number')
    fails({ missing_some: [1, 5] }, 'missing_some', 'missing_some', 'a list')
  })
})

describe('choosing', () => {
  it.each<[Json, Json]>([
    [{ if: [true, 'yes', 'no'] }, 'yes'],
    [{ if: [false, 'yes', 'no'] }, 'no'],
    [{ if: [false, 'yes'] }, null],
    [{ if: [false, 1, false, 2, 3] }, 3],
    [{ if: [false, 1, true, 2, 3] }, 2],
    [{ if: [{ var: 'a' }] }, 1],
    [{ if: { var: 'a' } }, 1],
    [{ if: [] }, null],
    [{ '?:': [0, 1, 2] }, 2],
    [{ if: [[], 1, 2] }, 2],
    [{ if: [{}, 1, 2] }, 2],
    [{ if: [['x'], 1, 2] }, 1],
    [{ if: [{ var: 'b' }, 1, 2] }, 1],
    [{ if: [{ var: 'people.0' }, 1, 2] }, 1],
    [{ if: [{ var: 'single' }, 1, 2] }, 1],
    [{ if: ['0', 1, 2] }, 1],
    [{ if: ['', 1, 2] }, 2],
    [{ and: [1, 'x', 3] }, 3],
    [{ and: [1, '', { '/': [1, 0] }] }, ''],
    [{ and: [] }, null],
    [{ and: { var: 'a' } }, 1],
    [{ or: [0, '', 'x', { '/': [1, 0] }] }, 'x'],
    [{ or: [0, false] }, false],
    [{ or: [] }, null],
    [{ '!': [true] }, false],
    [{ '!': false }, true],
    [{ '!': { var: 'list' } }, false],
    [{ '!': [[]] }, true],
    [{ '!': [] }, true],
    [{ '!!': [[]] }, false],
    [{ '!!': { var: 'zzz' } }, false],
    [{ '!!': 'x' }, true],
  ])('%j', (rule, value) => {
    expect(run(rule)).toEqual(value)
  })
})

describe('comparing', () => {
  it.each<[Json, boolean]>([
    [{ '==': [1, '1'] }, true],
    [{ '==': ['1', '1.0'] }, false],
    [{ '==': [0, null] }, true],
    [{ '==': [null, null] }, true],
    [{ '==': ['', null] }, false],
    [{ '==': [true, 1] }, true],
    [{ '==': ['open', 5] }, false],
    [{ '==': [{ var: 'b' }, null] }, false],
    [{ '==': [{ var: 'b' }, { var: 'b' }] }, true],
    [{ '==': [[], []] }, false],
    [{ '==': [1, 1, 1] }, true],
    [{ '==': [1, 1, 2] }, false],
    [{ '!=': [1, 2] }, true],
    [{ '!=': ['a', 'a'] }, false],
    [{ '!=': [{ var: 'list' }, null] }, true],
    [{ '!=': [{ var: 'list' }, { var: 'list' }] }, false],
    [{ '===': [1, '1'] }, false],
    [{ '===': [null, 0] }, false],
    [{ '===': ['a', 'a', 'a'] }, true],
    [{ '!==': [1, '1'] }, true],
    [{ '!==': ['a', 'a'] }, false],
    [{ '<': [1, 2] }, true],
    [{ '<': [2, 2] }, false],
    [{ '<': [1, 2, 3] }, true],
    [{ '<': [1, 3, 2] }, false],
    [{ '<': ['10', 9] }, false],
    [{ '<': ['10', '9'] }, true],
    [{ '<': [null, 1] }, true],
    [{ '<': [null, '1'] }, true],
    [{ '<=': [2, 2] }, true],
    [{ '<=': [3, 2] }, false],
    [{ '>': [3, 2] }, true],
    [{ '>': [2, 2] }, false],
    [{ '>=': [2, 2] }, true],
    [{ '>=': [1, 2] }, false],
    [{ '>': ['2026-05-10', '2026-05-09'] }, true],
    [{ '<': [2, 1, { '/': [1, 0] }] }, false],
  ])('%j', (rule, value) => {
    expect(run(rule)).toBe(value)
  })

  it('fails where there is no order', () => {
    const expected = 'two texts or two numbers'
    fails({ '<': ['open', 5] }, '<', '<', expected)
    fails({ and: [true, { '>=': [5, { var: 'b' }] }] }, '>=', 'and.1.>=', expected)
    fails({ '>': [[1], 0] }, '>', '>', expected)
  })
})

describe('arithmetic', () => {
  it.each<[Json, number]>([
    [{ '+': [1, '2', true, null] }, 4],
    [{ '+': [] }, 0],
    [{ '+': '3.5' }, 3.5],
    [{ '+': { var: 'list' } }, 6],
    [{ '*': [2, 3, 4] }, 24],
    [{ '*': [] }, 1],
    [{ '-': [5, 2, 1] }, 2],
    [{ '-': [5] }, -5],
    [{ '-': 5 }, -5],
    [{ '/': [12, 2, 3] }, 2],
    [{ '/': [4] }, 0.25],
    [{ '%': [7, 4] }, 3],
    [{ '%': [17, 10, 4] }, 3],
    [{ max: [1, 3, 2] }, 3],
    [{ min: [2, 1, 3] }, 1],
    [{ max: { var: 'list' } }, 3],
  ])('%j', (rule, value) => {
    expect(run(rule)).toBe(value)
  })

  it('fails where there is no number', () => {
    const expected = 'numbers, and no division by zero'
    for (const rule of [
      ['x', 1],
      [[1], 2],
      [{ var: 'b' }, 1],
      [1e308, 1e308],
    ])
      fails({ '+': rule as Json }, '+', '+', expected)
    for (const rule of [[1, 0], [1, null], [1, ''], [0, 0], [0], [1, '0']])
      fails({ '/': rule as Json }, '/', '/', expected)
    fails({ '%': [1, 0] }, '%', '%', expected)
    fails({ max: [1, '2'] }, 'max', 'max', expected)
    fails({ min: [true, 1] }, 'min', 'min', expected)
  })

  it('fails without arguments', () => {
    fails({ '-': [] }, '-', '-', 'at least 1')
    fails({ '/': [] }, '/', '/', 'at least 1')
    fails({ max: [] }, 'max', 'max', 'at least 1')
    fails({ min: [] }, 'min', 'min', 'at least 1')
    fails({ '%': [5] }, '%', '%', 'at least 2')
  })
})

describe('lists', () => {
  it.each<[Json, Json]>([
    [{ map: [{ var: 'list' }, { '*': [{ var: '' }, 2] }] }, [2, 4, 6]],
    [{ map: [{ var: 'people' }, { var: 'name' }] }, ['Ada', 'Bob']],
    [{ map: [{ var: 'list' }, 'x'] }, ['x', 'x', 'x']],
    [{ map: [{ var: 'zzz' }, 1] }, []],
    [{ map: [['a', 'b'], { var: '../index' }] }, [0, 1]],
    [{ map: [[1, 2], { '+': [{ var: '' }, { var: '../../limit' }] }] }, [19, 20]],
    [{ map: [[[5], [6]], { map: [{ var: '' }, { var: '../../../../a' }] }] }, [[1], [1]]],
    [{ map: [[1], { var: ['../../../index', 'out'] }] }, ['out']],
    [{ map: [[1], { var: ['../../../../a', 'out'] }] }, ['out']],
    [{ map: [[9], { var: '../iterator.0' }] }, [9]],
    [
      { filter: [{ var: 'people' }, { '>=': [{ var: 'age' }, { var: '../../limit' }] }] },
      [{ name: 'Ada', age: 36 }],
    ],
    [{ filter: [{ var: 'list' }, { '%': [{ var: '' }, 2] }] }, [1, 3]],
    [{ some: [{ var: 'list' }, { '>': [{ var: '' }, 2] }] }, true],
    [{ some: [{ var: 'list' }, { '>': [{ var: '' }, 3] }] }, false],
    [{ some: [[], true] }, false],
    [{ some: [['a', 'b'], { '===': [{ var: '../index' }, 1] }] }, true],
    [{ none: [{ var: 'list' }, { '>': [{ var: '' }, 3] }] }, true],
    [{ none: [{ var: 'list' }, { '>': [{ var: '' }, 2] }] }, false],
    [{ none: [[], true] }, true],
    [{ all: [{ var: 'list' }, { '>': [{ var: '' }, 0] }] }, true],
    [{ all: [{ var: 'list' }, { '>': [{ var: '' }, 1] }] }, false],
    [{ all: [[], true] }, false],
    [{ all: [['a', 'b'], { '<': [{ var: '../index' }, 2] }] }, true],
    [{ reduce: [{ var: 'list' }, { '+': [{ var: 'accumulator' }, { var: 'current' }] }, 10] }, 16],
    [{ reduce: [{ var: 'list' }, { '+': [{ var: 'accumulator' }, { var: 'current' }] }] }, 6],
    [{ reduce: [[], { var: 'current' }, 'start'] }, 'start'],
    [{ reduce: [[1, 2], { '+': [{ var: 'accumulator' }, { var: 'current' }] }, 0, 99] }, 3],
    [{ reduce: [[], { var: 'current' }] }, null],
    [{ reduce: [{ var: 'list' }, { var: '../../limit' }, 0] }, 18],
    [{ reduce: [['a', 'b'], { var: '../index' }, 0] }, 1],
    [{ merge: [1, [2, [3]], 'x', null] }, [1, 2, [3], 'x', null]],
    [{ merge: { var: 'list' } }, [1, 2, 3]],
    [{ merge: [] }, []],
  ])('%j', (rule, value) => {
    expect(run(rule)).toEqual(value)
  })

  it('fails on what is no list', () => {
    for (const operator of ['map', 'filter', 'some', 'none', 'all', 'reduce'])
      for (const value of ['text', 5, true, { var: 'b' }])
        fails({ [operator]: [value as Json, 1] }, operator, operator, 'a list')
  })
})

describe('texts', () => {
  it.each<[Json, Json]>([
    [{ cat: ['a', 1, true, null, 2.5] }, 'a1true2.5'],
    [{ cat: [] }, ''],
    [{ cat: 'x' }, 'x'],
    [{ cat: { var: 'list' } }, '123'],
    [{ substr: ['jsonlogic', 4] }, 'logic'],
    [{ substr: ['jsonlogic', -5] }, 'logic'],
    [{ substr: ['jsonlogic', 1, 3] }, 'son'],
    [{ substr: ['jsonlogic', 4, -2] }, 'log'],
    [{ substr: ['jsonlogic', 0, -20] }, ''],
    [{ substr: ['abc', -20] }, 'abc'],
    [{ substr: ['abc', 1, 0] }, ''],
    [{ substr: 'abc' }, 'abc'],
    [{ substr: [12345, 1, 2] }, '23'],
    [{ substr: [] }, ''],
    [{ in: ['apple', { var: 'text' }] }, true],
    [{ in: ['pear', { var: 'text' }] }, false],
    [{ in: ['Ringo', ['John', 'Ringo']] }, true],
    [{ in: [2, [1, '2']] }, false],
    [{ in: [2, { var: 'list' }] }, true],
    [{ in: [null, [1, null]] }, true],
    [{ in: [1, 'a1'] }, true],
    [{ in: [null, 'nullable'] }, false],
    [{ in: [['a'], 'a'] }, false],
    [{ in: ['a', { var: 'zzz' }] }, false],
    [{ in: ['a', ''] }, false],
    [{ in: [] }, false],
    [{ in: ['a'] }, false],
  ])('%j', (rule, value) => {
    expect(run(rule)).toEqual(value)
  })

  it('fails on what is no text', () => {
    fails({ cat: ['a', [1]] }, 'cat', 'cat', 'texts and numbers')
    fails({ cat: [{ var: 'b' }] }, 'cat', 'cat', 'texts and numbers')
    fails({ substr: [[1], 0] }, 'substr', 'substr', 'texts and numbers')
    fails({ substr: ['a', '1'] }, 'substr', 'substr', 'a text, then one or two numbers')
    fails({ substr: ['a', 1, null] }, 'substr', 'substr', 'a text, then one or two numbers')
    fails({ in: ['a', 5] }, 'in', 'in', 'a list or a text')
    fails({ in: ['a', { var: 'b' }] }, 'in', 'in', 'a list or a text')
  })
})

describe('the language', () => {
  it('is standard JSONLogic without log', () => {
    expect([...OPERATORS.keys()].join(' ')).toBe(
      'var missing missing_some if ?: and or ! !! == != === !== < <= > >= + * - / % min max ' +
        'map filter reduce all some none merge cat substr in',
    )
  })

  it.each<[Json]>([[true], [null], [5], ['text'], [[]], [{}], [[1, 'x', {}]]])(
    '%j stands for itself',
    (rule) => {
      expect(run(rule)).toBe(rule)
    },
  )

  it('evaluates what stands in a list', () => {
    expect(run([1, { var: 'a' }, [{ var: 'limit' }]])).toEqual([1, 1, [18]])
  })
})
