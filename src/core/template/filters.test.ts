import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { FILTERS } from './filters.ts'
import { render } from './render.ts'

const filtered = (value: Json, filters: string): Json => render(`{{ v | ${filters} }}`, { v: value }).value

const NBSP = '\u00a0'

describe('filters', () => {
  it.each<[Json, string, Json]>([
    ['straße ß', 'upper', 'STRASSE SS'],
    ['ÀB', 'lower', 'àb'],
    ['ada LOVELACE', 'capitalize', 'Ada LOVELACE'],
    ['éa', 'capitalize', 'Éa'],
    ['𐐨x', 'capitalize', '𐐀x'],
    ['', 'capitalize', ''],
    ['  a b \n', 'trim', 'a b'],
    [{ a: [1, null], b: 'x' }, 'json', '{"a":[1,null],"b":"x"}'],
    [null, 'json', 'null'],
    ['x', 'json', '"x"'],
    [['a', 1, null, true, { b: 2 }], "join: ', '", 'a, 1, , true, {"b":2}'],
    [['a', 'b'], "join: ''", 'ab'],
    [[], "join: ','", ''],
    [['a', 'b'], 'first', 'a'],
    [['a', 'b', 'c'], 'last', 'c'],
    [[0, false], 'first', 0],
    [[0, false], 'last', false],
    [[''], 'first', ''],
    [[], 'first', null],
    [[], 'last', null],
    [[{ a: 1 }], 'first', { a: 1 }],
    ['añ😀', 'size', 3],
    ['', 'size', 0],
    [[1, 2], 'size', 2],
    [{ a: 1, b: 2, c: 3 }, 'size', 3],
    ['abcdef', 'truncate: 6', 'abcdef'],
    ['abcdef', 'truncate: 5', 'abcd…'],
    ['abcdef', 'truncate: 1', '…'],
    ['a', 'truncate: 1', 'a'],
    ['😀😀😀', 'truncate: 2', '😀…'],
    ['a b/ü&=', 'url', 'a%20b%2F%C3%BC%26%3D'],
    [5, 'url', '5'],
    [false, 'url', 'false'],
    [1234.5, 'number: 2', '1,234.50'],
    [1234.5, "number: 2, 'de-DE'", '1.234,50'],
    [1234.5, 'number: 0', '1,235'],
    [0.1, 'number: 20', '0.10000000000000000000'],
    [-5, 'number: 0', '-5'],
    ['1234.5', 'number: 2', '1,234.50'],
    ['-12345678901234567890.12', 'number: 2', '-12,345,678,901,234,567,890.12'],
    [1234.5, "currency: 'EUR'", '€1,234.50'],
    [1234.5, "currency: 'EUR', 'en-GB'", '€1,234.50'],
    [1234.5, "currency: 'EUR', 'de-DE'", `1.234,50${NBSP}€`],
    [1234.5, "currency: 'JPY', 'en-US'", '¥1,235'],
    ['12.10', "currency: 'GBP'", '£12.10'],
    [null, "default: 'x'", 'x'],
    ['', "default: 'x'", ''],
    [0, "default: 'x'", 0],
    [false, "default: 'x'", false],
    [null, 'default: 5', 5],
    [null, 'default: null', null],
    [[], "first | default: 'none'", 'none'],
    [' ada ', 'trim | capitalize | truncate: 2', 'A…'],
  ])('%j | %s', (value, filters, result) => {
    expect(filtered(value, filters)).toEqual(result)
  })

  it('takes arguments from variables', () => {
    const scope = { amount: 5, settings: { code: 'CHF', locale: 'de-CH', other: null } }
    expect(render('{{ amount | currency: settings.code, settings.locale }}', scope).value).toBe(
      `CHF${NBSP}5.00`,
    )
    expect(render('{{ settings.other | default: amount }}', scope).value).toBe(5)
  })

  it('truncates to as many as 10,000', () => {
    expect(filtered('x'.repeat(10_001), 'truncate: 10000 | size')).toBe(10_000)
  })

  it('has these, in the order in which errors list them', () => {
    expect([...FILTERS.keys()].join(' ')).toBe(
      'capitalize currency date default first join json last lower number size trim truncate upper url',
    )
  })
})

const TAKES = {
  text: 'a text',
  list: 'a list',
  number: 'a number',
  sized: 'a text, a list or an object',
  url: 'a well-formed text, a number or a boolean',
}

describe('a value that a filter cannot use', () => {
  it.each<[Json, string, string]>([
    [5, 'upper', TAKES.text],
    [null, 'lower', TAKES.text],
    [['a'], 'capitalize', TAKES.text],
    [true, 'trim', TAKES.text],
    [5, 'truncate: 3', TAKES.text],
    ['abc', 'first', TAKES.list],
    [{ 0: 'a' }, 'last', TAKES.list],
    ['abc', "join: ','", TAKES.list],
    [5, 'size', TAKES.sized],
    [null, 'size', TAKES.sized],
    [true, 'size', TAKES.sized],
    ['12,5', 'number: 1', TAKES.number],
    ['', 'number: 1', TAKES.number],
    ['1e5', 'number: 1', TAKES.number],
    [' 1', 'number: 1', TAKES.number],
    ['1'.repeat(31), 'number: 1', TAKES.number],
    [true, 'number: 1', TAKES.number],
    [null, "currency: 'EUR'", TAKES.number],
    [[1], "currency: 'EUR'", TAKES.number],
    [null, 'url', TAKES.url],
    [['a'], 'url', TAKES.url],
    [{ a: 1 }, 'url', TAKES.url],
    ['\ud800', 'url', TAKES.url],
  ])('%j | %s', (value, filters, expected) => {
    const name = /^\w+/.exec(filters)![0]
    expect(() => render({ a: [`{{ v | ${filters} }}`] }, { v: value })).toThrow(
      expect.objectContaining({
        code: 'template_value_forbidden',
        message: `"{{ v | ${filters} }}": ${name} cannot use this value`,
        details: { path: 'a.0', expected },
      }),
    )
  })
})

it('says what it takes, for the reference page also where it takes anything', () => {
  expect(FILTERS.get('json')).toMatchObject({ takes: 'anything', params: [] })
  expect(FILTERS.get('default')).toMatchObject({ takes: 'anything', params: [{ expected: 'anything' }] })
})

it('a list that would read as a date is no date', () => {
  expect(() => filtered(['2026-03-28T09:00:00Z'], "date: 'YYYY', 'UTC'")).toThrow('date')
})
