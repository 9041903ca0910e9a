import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, MAX_JSON_LENGTH } from '../json.ts'
import { MAX_WORK } from './meter.ts'
import { render } from './render.ts'

const limit = (message: string, path: string): unknown =>
  expect.objectContaining({ code: 'template_limit_exceeded', message, details: { path } })

const TOO_LONG = 'the template renders to more than 262144 characters of JSON'
const TOO_DEEP = 'the template renders to more than 64 levels'
const TOO_MUCH = 'the filters of the template read more than 1048576 characters'

const nested = (levels: number, inside: Json): Json =>
  levels === 0 ? inside : { a: nested(levels - 1, inside) }

/** Renders `template` beside a text that fills the rest, exactly or with one character too many. */
const fill = (template: Json, scope: Record<string, Json>, over: number): Json => {
  const length = JSON.stringify([render(template, scope).value, '']).length
  return render([template, '{{pad}}'], { ...scope, pad: 'x'.repeat(MAX_JSON_LENGTH - length + over) }).value
}

const expectExact = (template: Json, scope: Record<string, Json>): void => {
  expect(JSON.stringify(fill(template, scope, 0))).toHaveLength(MAX_JSON_LENGTH)
  expect(() => fill(template, scope, 1)).toThrow(limit(TOO_LONG, '1'))
}

describe('the length of what is rendered', () => {
  it.each<[string, Json]>([
    ['a text', 'plain'],
    ['an escaped text', '"\\\n\u0000\u0080é😀\ud800'],
    ['the empty text', ''],
    ['an empty list', []],
    ['an empty object', {}],
    ['numbers', [0, -1.5, 1e21, 1e-7]],
    ['words', [true, false, null]],
    ['keys', { a: 1, 'b"': { '': 'c' }, '\n': [1, 2, [3]] }],
  ])('counts %s as its JSON, fixed or filled in', (_name, value) => {
    expectExact(value, {})
    expectExact('{{v}}', { v: value })
    expectExact({ k: ['{{v}}', '{{v}}'] }, { v: value })
    expectExact('a "{{v}}" \n {{v}}', { v: value })
  })

  it('counts a reference to a secret as it is shown', () => {
    expectExact('Bearer {{ secrets.crm }}!', {})
  })

  it('counts any JSON exactly', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('{{'))
    const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(json, word, (value, text) => {
        expectExact({ [text]: [`${text}{{v}}`, '{{v}}'] }, { v: value })
      }),
      { numRuns: 20 },
    )
  }, 60_000)

  it('stops a template whose fixed text alone is too long', () => {
    const texts = Array.from({ length: 4 }, () => 'x'.repeat(65_532))
    expect(JSON.stringify([...texts.slice(1), 'x'.repeat(65_535)])).toHaveLength(MAX_JSON_LENGTH)
    expect(render([...texts.slice(1), 'x'.repeat(65_535)], {}).value).toHaveLength(4)
    expect(() => render([...texts.slice(1), 'x'.repeat(65_536)], {})).toThrow(limit(TOO_LONG, '3'))
  })

  it('stops before a small template becomes a large text', () => {
    const scope = { v: 'x'.repeat(MAX_JSON_LENGTH - 2), list: Array.from({ length: 100_000 }, () => 1) }
    expect(() => render('{{v}}'.repeat(13_000), scope)).toThrow(limit(TOO_LONG, ''))
    expect(() => render({ a: { b: '{{list}} {{list}}' } }, scope)).toThrow(limit(TOO_LONG, 'a.b'))
    expect(() => render(['{{list}}', '{{list}}'], scope)).toThrow(limit(TOO_LONG, '1'))
  })
})

describe('the depth of what is rendered', () => {
  it('takes 64 levels of template, not 65', () => {
    expect(render(nested(64, 'x'), {}).value).toEqual(nested(64, 'x'))
    expect(() => render(nested(65, 'x'), {})).toThrow(
      expect.objectContaining({ code: 'template_limit_exceeded', message: TOO_DEEP }),
    )
  })

  it.each([
    [0, 64],
    [1, 63],
    [63, 1],
    [64, 0],
  ])('%d levels of template leave room for %d of a value', (template, value) => {
    const rendered = (levels: number): Json =>
      render(nested(template, '{{v}}'), { v: nested(levels, 1) }).value
    expect(rendered(value)).toEqual(nested(64, 1))
    expect(() => rendered(value + 1)).toThrow(
      expect.objectContaining({ code: 'template_limit_exceeded', message: TOO_DEEP }),
    )
  })

  it('counts lists like objects', () => {
    const list = (levels: number): Json => (levels === 0 ? '{{v}}' : [list(levels - 1)])
    expect(JSON.stringify(render(list(63), { v: [1] }).value)).toBe(`${'['.repeat(64)}1${']'.repeat(64)}`)
    expect(() => render(list(63), { v: [[]] })).toThrow(TOO_DEEP)
  })

  it('says where', () => {
    expect(() => render({ a: ['{{v}}'] }, { v: nested(63, 1) })).toThrow(limit(TOO_DEEP, 'a.0'))
  })

  it('ends on a value that holds itself', () => {
    const loop: Record<string, Json> = {}
    loop['self'] = loop
    expect(() => render('{{loop}}', { loop })).toThrow(limit(TOO_DEEP, ''))
  })
})

describe('the work of filters', () => {
  const sizes = (count: number): string => '{{ v | size }}'.repeat(count)
  const scope = {
    v: 'x'.repeat(MAX_JSON_LENGTH),
    list: Array.from({ length: MAX_JSON_LENGTH }, () => 0),
    object: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, 0])),
    one: 'x',
    number: 5,
  }

  it('is four times the length of a payload, not one character more', () => {
    expect(MAX_WORK).toBe(1_048_576)
    expect(render(sizes(4), scope).value).toBe('262144'.repeat(4))
    expect(() => render(`${sizes(4)}{{ one | size }}`, scope)).toThrow(limit(TOO_MUCH, ''))
  })

  it('counts the items of a list, and the members of an object', () => {
    expect(render('{{list|size}}'.repeat(4), scope).value).toBe('262144'.repeat(4))
    expect(() => render(`${'{{list|size}}'.repeat(4)}{{one|size}}`, scope)).toThrow(limit(TOO_MUCH, ''))
    expect(render(`${'{{object|size}}'.repeat(1048)}`, scope).value).toHaveLength(4 * 1048)
    expect(() => render(`${'{{object|size}}'.repeat(1049)}`, scope)).toThrow(limit(TOO_MUCH, ''))
  })

  it('counts nothing for a number', () => {
    expect(render(`${sizes(4)}{{ number | number: 0 }}`, scope).value).toBe(`${'262144'.repeat(4)}5`)
    expect(() => render(`${sizes(4)}{{ number | number: 0 }}{{ one | size }}`, scope)).toThrow()
  })

  it('counts the separators of a join, and what each filter hands to the next', () => {
    // 4 items, 4 separators charged in advance, 3 handed on: 4 + 7 × 149,796.
    const joined = (length: number): Json =>
      render('{{ list | join: between | size }}', { list: ['', '', '', ''], between: '-'.repeat(length) })
        .value
    expect(joined(149_796)).toBe(3 * 149_796)
    expect(() => joined(149_797)).toThrow(limit(TOO_MUCH, ''))
  })

  it.each([
    ['{{ v | json | json | json | json | json | json | json | json | json | json }}', '"'.repeat(60_000)],
    ['{{ v | url | url | url | url | url | url | url | url | url | url }}', '%'.repeat(60_000)],
  ])('stops %s', (template, v) => {
    expect(() => render(template, { v })).toThrow(limit(TOO_MUCH, ''))
  })

  it('stops a join before it is made', () => {
    const v = Array.from({ length: 100_000 }, () => 'x')
    const between = '-'.repeat(65_000)
    expect(() => render({ a: '{{ v | join: between }}' }, { v, between })).toThrow(limit(TOO_MUCH, 'a'))
  })
})
