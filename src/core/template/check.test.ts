import { describe, expect, it } from 'vitest'
import type { Json } from '../json.ts'
import { checkTemplate } from './check.ts'

const ROOTS = ['execution', 'variables', 'event', 'now']

describe('checking a template', () => {
  it.each<[Json]>([
    ['plain'],
    [5],
    [{ a: ['{{execution.variables.x}}', '{{now | upper}}', 'Bearer {{secrets.x}}'] }],
    ["{{ event.payload.at | date: 'D MMMM', variables.zone }}"],
    ['{{ "literal" }} {{ 5 | number: 2 }}'],
  ])('%j has no problems', (template) => {
    expect(checkTemplate(template, ROOTS)).toEqual([])
  })

  it('reports everything at once, in order, and throws nothing', () => {
    const template = {
      a: '{{exection.id}} {{ now | uper }}',
      b: ['ok {{now}}', '{{ unclosed'],
      c: { d: "{{ zzz | date: 'yyyy', qqq.zone }}" },
      e: '{{secrets.a.b}}',
    }
    expect(checkTemplate(template, ROOTS)).toEqual([
      {
        code: 'unknown_variable',
        path: 'a',
        message: '"{{exection.id}}": there is no "exection"',
        suggestion: 'execution',
      },
      {
        code: 'invalid_template',
        path: 'a',
        message: '"{{ now | uper }}": there is no filter "uper"',
        offset: 25,
        expected: expect.stringContaining('one of capitalize, '),
        suggestion: 'upper',
      },
      {
        code: 'invalid_template',
        path: 'b.1',
        message: '"{{ unclosed" is not closed',
        offset: 0,
        expected: '}} at its end, or {{ "{{" }} to print two braces',
      },
      {
        code: 'unknown_variable',
        path: 'c.d',
        message: `"{{ zzz | date: 'yyyy', qqq.zone }}": there is no "zzz"`,
      },
      {
        code: 'unknown_variable',
        path: 'c.d',
        message: `"{{ zzz | date: 'yyyy', qqq.zone }}": there is no "qqq"`,
      },
      {
        code: 'invalid_template',
        path: 'c.d',
        message: `"{{ zzz | date: 'yyyy', qqq.zone }}": date cannot use this argument`,
        offset: 9,
        expected: 'tokens such as D MMMM YYYY HH:mm, and other text in [brackets]',
      },
      {
        code: 'invalid_template',
        path: 'e',
        message: '"{{secrets.a.b}}": a secret has one plain name',
        offset: 0,
        expected: '{{secrets.name}}',
      },
    ])
  })

  it('goes on after a key that cannot be', () => {
    expect(checkTemplate(JSON.parse('{"__proto__":"{{a}}","b":"{{c}}"}'), ROOTS)).toMatchObject([
      { code: 'invalid_template', path: '' },
      { code: 'unknown_variable', path: '__proto__' },
      { code: 'unknown_variable', path: 'b' },
    ])
  })

  it('ends with a limit', () => {
    const deep = (levels: number): Json => (levels === 0 ? '{{zzz}}' : [deep(levels - 1)])
    expect(checkTemplate(['{{zzz}}', deep(64)], ROOTS).map(({ code }) => code)).toEqual([
      'unknown_variable',
      'template_limit_exceeded',
    ])
    expect(checkTemplate('x'.repeat(65_537), ROOTS)).toEqual([
      {
        code: 'template_limit_exceeded',
        path: '',
        message: 'a template of 65537 characters is too long',
        expected: 'at most 65536',
      },
    ])
  })
})

describe('with a tree of names', () => {
  const known = {
    execution: { id: true, variables: { name: true, address: { city: true } } },
    extra: true,
  } as const

  it.each([
    ['{{execution.id}}'],
    ['{{execution.variables}}'],
    ['{{execution.variables.address.city}}'],
    ['{{execution.variables.name.anything.below[0]}}'],
    ['{{extra}}'],
    ['{{extra.x.y}}'],
  ])('%s is known', (template) => {
    expect(checkTemplate(template, known)).toEqual([])
  })

  it.each([
    ['{{execution.variables.nme}}', 'there is no "nme" in execution.variables', 'execution.variables.name'],
    [
      "{{execution.variables.adress.city | default: 'x'}}",
      'there is no "adress" in execution.variables',
      'execution.variables.address',
    ],
    ['{{exta.x}}', 'there is no "exta"', 'extra'],
  ])('%s is not, even with a default', (template, what, suggestion) => {
    expect(checkTemplate(template, known)).toEqual([
      { code: 'unknown_variable', path: '', message: `"${template}": ${what}`, suggestion },
    ])
  })

  it('S24: no name comes from a prototype', () => {
    expect(checkTemplate('{{constructor.name}}', known)).toHaveLength(1)
    expect(checkTemplate('{{execution.toString}}', known)).toHaveLength(1)
    expect(checkTemplate('{{__proto__}}', [])).toHaveLength(1)
  })
})
