import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { CURRENCY, DIGITS, FORMAT, LENGTH, LOCALE, type Param, TEXT, ZONE } from './params.ts'

describe('arguments', () => {
  it.each<[string, Param, readonly Json[], readonly Json[]]>([
    ['a text', TEXT, ['', 'x'], [5, null, true, ['x'], {}]],
    ['a length', LENGTH, [1, 10_000], [0, 10_001, 1.5, '5', null, -1]],
    ['digits', DIGITS, [0, 20], [-1, 21, 0.5, '2']],
    ['a locale', LOCALE, ['en', 'en-GB', 'de-CH-u-nu-latn'], ['xx', 'english', '', 'e', 5]],
    ['a currency', CURRENCY, ['EUR', 'JPY'], ['eur', 'XQX', 'EURO', '', 5]],
    ['a zone', ZONE, ['Europe/London', 'UTC', 'US/Eastern'], ['BST', '+02:00', 'Europe/Londn', '', 5, null]],
    ['a format', FORMAT, ['YYYY', '', `${'D'.repeat(2)}${' '.repeat(98)}`], ['yyyy', ' '.repeat(101), 5]],
  ])('%s', (_name, param, accepted, refused) => {
    expect(accepted.map(param.accepts)).toEqual(accepted.map(() => true))
    expect(refused.map(param.accepts)).toEqual(refused.map(() => false))
  })

  it('says what whole numbers it takes', () => {
    expect([LENGTH.expected, DIGITS.expected]).toEqual([
      'a whole number from 1 to 10000',
      'a whole number from 0 to 20',
    ])
  })

  it('suggests the nearest zone', () => {
    expect(ZONE.suggest!('Europe/Londn')).toBe('Europe/London')
    expect(ZONE.suggest!('BST')).toBe('Europe/London')
    expect(ZONE.suggest!('Europe/London')).toBeUndefined()
    expect(ZONE.suggest!('qqqqqqqqqqqqqqq')).toBeUndefined()
  })
})
