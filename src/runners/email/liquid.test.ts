import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { ActionFailure } from '../../core/action-error.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Kind, renderLiquid } from './liquid.ts'

const render = (source: string, variables: JsonObject = {}, kind: Kind = 'text'): string =>
  renderLiquid(kind, source, variables, 'template x')

const codeOf = (source: string, variables: JsonObject = {}): string | undefined => {
  try {
    render(source, variables)
  } catch (error) {
    const { failure } = error as ActionFailure
    expect(failure).toMatchObject({
      effect: 'none',
      permanent: true,
      error: { type: 'invalid_configuration' },
    })
    return failure.error.code
  }
  return undefined
}

const fingerprint = (): string =>
  JSON.stringify(
    [Object.prototype, Array.prototype, String.prototype, Function.prototype].map((each) =>
      Reflect.ownKeys(each).map(String),
    ),
  )
const before = fingerprint()
afterEach(() => expect(fingerprint()).toBe(before))

describe('a template', () => {
  it.each([
    ['Hello {{ name }}!', { name: 'Ada' }, 'Hello Ada!'],
    ['{% for i in items %}{{ i.n }},{% endfor %}', { items: [{ n: 1 }, { n: 2 }] }, '1,2,'],
    ['{% if vip %}yes{% else %}no{% endif %}', {}, 'no'],
    ['{{ nick | default: "friend" }}', {}, 'friend'],
    ['{{ "2026-05-09T23:30:00+02:00" | date: "%Y-%m-%d %H:%M" }}', {}, '2026-05-09 21:30'],
    ['{{ at | date: "%-d %B %Y" }}', { at: '2026-05-09' }, '9 May 2026'],
    ['{{ items.size }} {{ items.first }}', { items: ['a', 'b'] }, '2 a'],
  ])('%s', (source, variables, text) => {
    expect(render(source, variables)).toBe(text)
  })

  it('escapes what comes into HTML, and nothing in text', () => {
    const variables = { name: `<b onclick="x">'&` }
    expect(render('<p>{{ name }}</p>', variables, 'html')).toBe(
      '<p>&lt;b onclick=&#34;x&#34;&gt;&#39;&amp;</p>',
    )
    expect(render('{{ name | raw }}', variables, 'html')).toBe(variables.name)
    expect(render('{{ name }}', variables)).toBe(variables.name)
  })

  it('S26: is never made of a value', () => {
    expect(render('{{ a }}', { a: '{{ b }}{% if true %}x{% endif %}', b: 'secret' })).toBe(
      '{{ b }}{% if true %}x{% endif %}',
    )
  })

  it.each([
    ['{{ missing }}', 'unknown_variable'],
    ['{{ a.b.c }}', 'unknown_variable'],
    ['{% if %}', 'invalid_template'],
    ['{{ a | no_such_filter }}', 'invalid_template'],
    ['{% include "x" %}', 'invalid_template'],
    ['{% render "/etc/passwd" %}', 'invalid_template'],
    ['{% layout "x" %}', 'invalid_template'],
    ['{{ l | sample }}', 'invalid_template'],
    ['{{ "now" | date: "%s" }}', 'invalid_template'],
    ['{{ "today" | date_to_xmlschema }}', 'invalid_template'],
    ['{% for i in (1..100000000) %}x{% endfor %}', 'template_limit_exceeded'],
    [
      '{% assign s = "aaaa" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}',
      'template_limit_exceeded',
    ],
    [`${'x'.repeat(256 * 1024)}y`, 'template_limit_exceeded'],
    [`{% for i in (1..2000) %}${'x'.repeat(600)}{% endfor %}`, 'template_limit_exceeded'],
    [
      '{% for a in (1..999) %}{% for b in (1..999) %}{% for c in (1..999) %}{% endfor %}{% endfor %}{% endfor %}',
      'template_limit_exceeded',
    ],
  ])('%#: is refused as it should be', (source, code) => {
    expect(codeOf(source, { a: {}, l: [1, 2] })).toBe(code)
  })

  it.each(['include', 'render', 'layout', 'block'])('knows no %s, which would read another', (tag) => {
    expect(() => render(`{% ${tag} "x" %}`)).toThrow(`tag "${tag}" not found`)
  })

  it('its refusal says what and where, and quotes nothing of the data', () => {
    expect(() => render('{{ a }}\n{{ b.x }}', { a: 'hush', b: {} })).toThrow(
      'undefined variable: b.x, line:2, col:4 (at template x)',
    )
  })

  it('S24: reaches own properties only, by 10,000 hostile paths', () => {
    const word = fc.constantFrom(
      ...[
        'constructor',
        '__proto__',
        'prototype',
        'toString',
        'valueOf',
        'hasOwnProperty',
        '__defineGetter__',
      ],
      ...['__lookupSetter__', 'call', 'apply', 'bind', 'caller', 'length', 'at', 'map', 'name', 'mainModule'],
    )
    const step = fc.oneof(
      word.map((key) => `.${key}`),
      word.map((key) => `["${key}"]`),
      fc.constantFrom('[0]', '.first', '.last', '[a]', '[key]'),
    )
    const root = fc.constantFrom('a', 's', 'l', 'n', 'globalThis', 'process', 'this')
    const path = fc.tuple(root, fc.array(step, { minLength: 1, maxLength: 5 }))
    const variables = { a: {}, s: 'text', l: [[], {}], n: 1, key: 'constructor' }
    fc.assert(
      fc.property(
        path,
        fc.constantFrom('', ' | json', ' | map: "constructor"', ' | where: "__proto__"'),
        ([from, steps], filter) => {
          try {
            // A list's own length is no secret, and neither are its members.
            expect(render(`{{ ${from}${steps.join('')}${filter} }}`, variables)).not.toMatch(
              /function|native|=>|Proto/,
            )
          } catch (error) {
            expect((error as ActionFailure).failure?.error.type).toBe('invalid_configuration')
          }
        },
      ),
      { numRuns: 10_000 },
    )
  })

  it('S24: cannot assign into a prototype', () => {
    render('{% assign __proto__ = "x" %}{% capture constructor %}y{% endcapture %}{% increment toString %}')
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})
