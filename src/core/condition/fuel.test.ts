import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { compileRule } from './compile.ts'

/** The steps a rule takes. */
const steps = (rule: Json, data: Json = {}): number => {
  const tank = { left: 10_000 }
  compileRule(rule).rule({ data, tank })
  return 10_000 - tank.left
}

const ones = (length: number): Json => Array.from({ length }, () => 1)

describe('S28: the fuel that is burnt', () => {
  it.each<[string, number, Json, Json]>([
    ['nothing for a literal', 0, [1, 'x'], {}],
    ['one for an operator', 1, { and: [1, 2] }, {}],
    ['one for a var and one for each part of its path', 4, { var: 'a.b.c' }, {}],
    [
      'the path of what is read inside, and one per item',
      1 + 2 + 3 + 3,
      { map: [{ var: 'l' }, { var: '' }] },
      { l: ones(3) },
    ],
    [
      'an item even when nothing is done with it',
      1 + 2 + 3,
      { filter: [{ var: 'l' }, true] },
      { l: ones(3) },
    ],
    ['the items until it is decided', 1 + 2 + 1, { some: [{ var: 'l' }, true] }, { l: ones(3) }],
    ['the items of all', 1 + 2 + 3, { all: [{ var: 'l' }, true] }, { l: ones(3) }],
    ['the items of reduce', 1 + 2 + 2, { reduce: [{ var: 'l' }, 0] }, { l: ones(3) }],
    [
      'every item of a merged list',
      1 + 2 + 2 + 7,
      { merge: [{ var: 'l' }, { var: 'l' }, 5] },
      { l: ones(3) },
    ],
    ['every number', 1 + 2 + 3, { '+': { var: 'l' } }, { l: ones(3) }],
    ['every piece of a text', 1 + 2, { cat: ['a', 'b'] }, {}],
    ['every path that may be missing', 1 + 2 + 3, { missing: ['a', 'b.c'] }, {}],
    ['what may be missing, again', 1 + 1 + 1, { missing_some: [1, ['a']] }, {}],
    [
      '256 characters of a text that is written',
      1 + 2 + 2 + 2 + 4,
      { cat: [{ var: 't' }, { var: 't' }] },
      { t: 'x'.repeat(512) },
    ],
    ['256 characters that are cut', 1 + 2 + 1, { substr: [{ var: 't' }, 1] }, { t: 'x'.repeat(511) }],
    ['256 characters that are compared', 1 + 2 + 2, { '==': [{ var: 't' }, 'y'] }, { t: 'x'.repeat(512) }],
    [
      '256 characters that are compared strictly',
      1 + 2 + 2,
      { '===': [{ var: 't' }, 'y'] },
      { t: 'x'.repeat(512) },
    ],
    [
      '256 characters that are read as a number',
      1 + 2 + 2,
      { '<': [{ var: 't' }, 5] },
      { t: '1'.repeat(512) },
    ],
    ['256 characters of a path', 1 + 2 + 1 + 2, { var: { var: 't' } }, { t: 'x'.repeat(512) }],
    ['1,024 comparisons in a list', 1 + 2 + 1, { in: [0, { var: 'l' }] }, { l: ones(2047) }],
    [
      '1,024 comparisons in a text',
      1 + 2 + 20,
      { in: ['y'.repeat(10), { var: 't' }] },
      { t: 'x'.repeat(2048) },
    ],
    [
      '4 keys of an object that is asked for its truth',
      1 + 2 + 1,
      { '!': { var: 'o' } },
      { o: Object.fromEntries(Array.from({ length: 7 }, (_, index) => [index, 1])) },
    ],
  ])('%s', (_what, burnt, rule, data) => {
    expect(steps(rule, data)).toBe(burnt)
  })
})

const refused = (rule: Json, data: Json = {}): void => {
  expect(() => steps(rule, data)).toThrow(
    expect.objectContaining({
      code: 'condition_limit_exceeded',
      message: 'the condition takes more than 10000 steps',
      details: { expected: 'a smaller rule, or shorter lists and texts' },
    }),
  )
}

describe('S28: bombs', () => {
  const double = (operator: string): Json => ({
    [operator]: [{ var: 'accumulator' }, { var: 'accumulator' }],
  })

  it('takes 10,000 steps and not one more', () => {
    expect(steps({ all: [{ var: 'l' }, true] }, { l: ones(9997) })).toBe(10_000)
    refused({ all: [{ var: 'l' }, true] }, { l: ones(9998) })
  })

  it.each<[string, Json]>([
    ['a list that doubles', { reduce: [ones(60), double('merge'), [1]] }],
    ['a text that doubles', { reduce: [ones(60), double('cat'), 'xx'] }],
    ['iterations in iterations', { map: [ones(100), { map: [ones(100), { map: [ones(100), 1] }] }] }],
    ['a sum in an iteration', { map: [ones(200), { '+': ones(200) }] }],
  ])('stops %s', (_what, rule) => {
    refused(rule)
  })

  it.each<[string, Json, Json]>([
    ['a long list', { some: [{ var: 'l' }, { '>': [{ var: '' }, 1] }] }, { l: ones(100_000) }],
    ['a long list of numbers', { max: { var: 'l' } }, { l: ones(100_000) }],
    ['a long list of paths', { missing: { var: 'l' } }, { l: ones(100_000) }],
    ['a long list of texts', { cat: { var: 'l' } }, { l: ones(100_000) }],
    [
      'a needle in a haystack',
      { in: [{ var: 'n' }, { var: 'h' }] },
      { n: `${'a'.repeat(32_768)}b${'a'.repeat(32_768)}`, h: 'a'.repeat(262_144) },
    ],
    ['a path of many parts', { var: { var: 'p' } }, { p: 'a.'.repeat(10_000) }],
  ])('stops %s', (_what, rule, data) => {
    refused(rule, data)
  })
})
