import { describe, expect, it } from 'vitest'
import { PawlError } from '../errors.ts'
import { type Operand, parse } from './parse.ts'

const path = (...segments: readonly string[]): Operand => ({ kind: 'path', segments })
const literal = (value: string | number | boolean | null): Operand => ({ kind: 'literal', value })
const headOf = (text: string): unknown => (parse(text)[0] as { head?: unknown }).head

const refusal = (text: string): { code: string; message: string; offset?: number; expected?: string } => {
  try {
    parse(text)
  } catch (error) {
    const { code, message, details } = error as PawlError
    expect(error).toBeInstanceOf(PawlError)
    return { code, message, ...details } as ReturnType<typeof refusal>
  }
  throw new Error(`accepted: ${text}`)
}

describe('text and placeholders', () => {
  it.each([
    ['', []],
    ['plain', ['plain']],
    ['a } b }} c { d', ['a } b }} c { d']],
    ['{"json":{"b":1}}', ['{"json":{"b":1}}']],
  ])('%j has no placeholder', (text, texts) => {
    expect(parse(text)).toEqual(texts.map((part) => ({ kind: 'text', text: part })))
  })

  it('keeps what stands before, between and after, with offsets', () => {
    expect(parse('a{{b}}c{{ d }}{{e}}f')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'expression', source: '{{b}}', offset: 1, head: path('b'), calls: [] },
      { kind: 'text', text: 'c' },
      { kind: 'expression', source: '{{ d }}', offset: 7, head: path('d'), calls: [] },
      { kind: 'expression', source: '{{e}}', offset: 14, head: path('e'), calls: [] },
      { kind: 'text', text: 'f' },
    ])
  })

  it('lets a brace follow a placeholder', () => {
    expect(parse('{"a":{{b}}}').at(-1)).toEqual({ kind: 'text', text: '}' })
  })
})

describe('heads', () => {
  it.each([
    ['{{execution.variables.x}}', path('execution', 'variables', 'x')],
    ['{{\n\t a.b \r}}', path('a', 'b')],
    ['{{a.0.b}}', path('a', '0', 'b')],
    ['{{a[0][12].b}}', path('a', '0', '12', 'b')],
    [`{{a["b c"]['d.e']}}`, path('a', 'b c', 'd.e')],
    ['{{a["7"]}}', path('a', '7')],
    ['{{a[""]}}', path('a', '')],
    ['{{a["say \\"x\\""]}}', path('a', 'say "x"')],
    ['{{größe.naïve-key_1.$x}}', path('größe', 'naïve-key_1', '$x')],
    ['{{true.x}}', path('true', 'x')],
    ['{{truex}}', path('truex')],
    ['{{-x}}', path('-x')],
    ['{{true}}', literal(true)],
    ['{{false}}', literal(false)],
    ['{{null}}', literal(null)],
    ['{{0}}', literal(0)],
    ['{{-12.50}}', literal(-12.5)],
    ['{{ "{{" }}', literal('{{')],
    [`{{ '}}' }}`, literal('}}')],
    ['{{""}}', literal('')],
    [`{{'it\\'s "so" \\\\ \\n'}}`, literal(`it's "so" \\ n`)],
    ['{{"two\nlines"}}', literal('two\nlines')],
    ['{{"\\\n"}}', literal('\n')],
  ])('%j', (text, head) => {
    expect(headOf(text)).toEqual(head)
  })
})

describe('filters', () => {
  it('reads names and arguments', () => {
    expect(parse(`{{ a | b | c: 1, "x", d.e ,null|f:-1}}`)).toEqual([
      {
        kind: 'expression',
        source: `{{ a | b | c: 1, "x", d.e ,null|f:-1}}`,
        offset: 0,
        head: path('a'),
        calls: [
          { filter: 'b', args: [], offset: 7 },
          { filter: 'c', args: [literal(1), literal('x'), path('d', 'e'), literal(null)], offset: 11 },
          { filter: 'f', args: [literal(-1)], offset: 32 },
        ],
      },
    ])
  })

  it('takes ten filters, not eleven', () => {
    expect(parse(`{{a${'|b'.repeat(10)}}}`)).toHaveLength(1)
    expect(refusal(`x{{a${'|b'.repeat(11)}}}`)).toEqual({
      code: 'template_limit_exceeded',
      message: `"{{a${'|b'.repeat(11)}}}" has 11 filters`,
      offset: 1,
      expected: 'at most 10',
    })
  })
})

describe('secrets', () => {
  it.each(['{{secrets.crm_api-token2}}', '{{  secrets.crm_api-token2 }}', '{{secrets["crm_api-token2"]}}'])(
    'X-05: %s is a reference',
    (text) => {
      expect(parse(text)).toEqual([
        { kind: 'secret', name: 'crm_api-token2', text: '{{secrets.crm_api-token2}}' },
      ])
    },
  )

  it.each([
    ['a{{secrets.x|upper}}', '"{{secrets.x|upper}}": a secret takes no filters'],
    ['a{{secrets}}', '"{{secrets}}": a secret has one plain name'],
    ['a{{secrets.a.b}}', '"{{secrets.a.b}}": a secret has one plain name'],
    ['a{{secrets["a b"]}}', '"{{secrets["a b"]}}": a secret has one plain name'],
    ['a{{secrets[""]}}', '"{{secrets[""]}}": a secret has one plain name'],
    ['a{{b|c:secrets.x }}', '"{{b|c:secrets.x": a secret cannot be the argument of a filter'],
  ])('%s is refused', (text, message) => {
    expect(refusal(text)).toEqual({
      code: 'invalid_template',
      message,
      offset: 1,
      expected: '{{secrets.name}}',
    })
  })

  it('only as a root: a field of that name is data', () => {
    expect(headOf('{{a.secrets}}')).toEqual(path('a', 'secrets'))
    expect(parse('{{"secrets.x"}}')[0]).toMatchObject({ head: literal('secrets.x') })
  })
})

const NAME = 'a name such as execution.id, a text in quotes or a number'
const KEY = 'an index or a key in quotes, then ]'

describe('syntax errors', () => {
  it.each([
    ['ab {{}}', 5, '}}', NAME],
    ['ab {{ }}', 6, '}}', NAME],
    ['{{ | x }}', 3, '| x }}', NAME],
    ['{{{a}}}', 2, '{a}}}', NAME],
    ['{{ (a) }}', 3, '(a) }}', NAME],
    ["{{ 'abc }}", 3, "'abc }}", NAME],
    ['{{ "abc\\" }}', 3, '"abc\\" }}', NAME],
    ['{{ a | }}', 7, '}}', 'the name of a filter'],
    ['{{ a || b }}', 6, '| b }}', 'the name of a filter'],
    ['{{ a | b: }}', 10, '}}', NAME],
    ['{{ a | b: 1, }}', 13, '}}', NAME],
    ['{{ a | b 1 }}', 9, '1 }}', '}}'],
    ['{{ a b }}', 5, 'b }}', '}}'],
    ['{{ 5x }}', 4, 'x }}', '}}'],
    ['{{ 1.x }}', 4, '.x }}', '}}'],
    ['{{ a. b }}', 5, ' b }}', 'a name after the dot'],
    ['{{ a..b }}', 5, '.b }}', 'a name after the dot'],
    ['{{ a[b] }}', 5, 'b] }}', KEY],
    ['{{ a[] }}', 5, '] }}', KEY],
    ['{{ a[0 }}', 6, ' }}', KEY],
    ['{{ a["b" }}', 8, ' }}', KEY],
    ['{{ a } }}', 5, '} }}', '}}'],
    ['{{#if x}}', 6, 'x}}', '}}'],
  ])('%s', (text, offset, at, expected) => {
    const source = text.slice(text.indexOf('{{'))
    expect(refusal(text)).toEqual({
      code: 'invalid_template',
      message: `"${source}" cannot be read at "${at}"`,
      offset,
      expected,
    })
  })

  it.each([
    '{{',
    '{{ ',
    '{{ a',
    '{{ a ',
    '{{ a.',
    '{{ a | ',
    '{{ a | b',
    '{{ a | b: ',
    '{{ a | b: 1,',
    '{{ a[',
  ])('ab %s is not closed', (text) => {
    expect(refusal(`ab ${text}`)).toEqual({
      code: 'invalid_template',
      message: `"${text}" is not closed`,
      offset: 3,
      expected: '}} at its end, or {{ "{{" }} to print two braces',
    })
  })

  it('cuts what it quotes', () => {
    expect(refusal(`{{${'x'.repeat(100)} y`).message).toBe(`"{{${'x'.repeat(78)}…" cannot be read at "y"`)
  })
})

describe('length', () => {
  it('takes 64 Ki characters, not one more', () => {
    expect(parse('x'.repeat(65_536))).toHaveLength(1)
    expect(refusal('x'.repeat(65_537))).toEqual({
      code: 'template_limit_exceeded',
      message: 'a template of 65537 characters is too long',
      expected: 'at most 65536',
    })
  })

  it.each([
    ['{{a}}'.repeat(13_000), 13_000],
    [`{{"${'\\"'.repeat(30_000)}"}}`, 1],
    [`{{a${'.b'.repeat(30_000)}}}`, 1],
  ])('reads each character once', (text, parts) => {
    expect(parse(text)).toHaveLength(parts)
  })

  it.each([
    '{{"'.padEnd(65_000, 'x'),
    `{{"${'\\"'.repeat(32_000)}`,
    '{'.repeat(65_000),
    '{{a|'.repeat(16_000),
  ])('S29: refuses without going back', (text) => {
    expect(refusal(text).code).toBe('invalid_template')
  })
})
