import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { createBudget } from './limits.ts'
import { offsetOf } from './marks.ts'
import { readYaml } from './read-yaml.ts'
import { untilStopped } from './rejections.ts'

const read = (text: string) => {
  const budget = createBudget()
  const documents = untilStopped(() => readYaml(text, budget)) ?? []
  return {
    values: documents.map(({ value }) => value),
    marks: documents.map(({ mark }) => mark),
    messages: budget.rejections.map(({ problem }) => `${problem.path}: ${problem.message}`),
  }
}

describe('reading YAML', () => {
  it('reads what was written, whatever the words look like', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('on', 'yes', 'null', '~', '1', '2026-01-01', '<<'),
    )
    const value = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        word,
        fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(word, tie('node'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).node
    fc.assert(
      fc.property(value, (node) => {
        const text = stringify({ root: node }, { aliasDuplicateObjects: false, version: '1.2' })
        if (/\0|__proto__|^\s*(- )*<<:/m.test(text)) return
        expect(read(text)).toMatchObject({ messages: [], values: [{ root: node }] })
      }),
    )
  })

  it('keeps words, dates and times as text: YAML 1.2, core schema', () => {
    const text = 'on: yes\nno: off\nwhen: 2026-03-28T09:00:00Z\nday: 2026-03-28\ntime: 09:00\nversion: 1.10.0'
    expect(read(text).values).toEqual([
      {
        on: 'yes',
        no: 'off',
        when: '2026-03-28T09:00:00Z',
        day: '2026-03-28',
        time: '09:00',
        version: '1.10.0',
      },
    ])
  })

  it('reads keys as text', () => {
    expect(read('30: a\ntrue: b\nnull: c').values).toEqual([{ 30: 'a', true: 'b', null: 'c' }])
  })

  it('reads the documents between --- lines and leaves out the empty ones', () => {
    expect(read('---\na: 1\n---\n# nothing\n---\nb: 2\n...\n---\n').values).toEqual([{ a: 1 }, { b: 2 }])
  })

  it('writes aliases out, with the places of their anchors', () => {
    const text = 'base: &b { x: [1] }\nuse: *b'
    const { values, marks, messages } = read(text)
    expect(messages).toEqual([])
    expect(values).toEqual([{ base: { x: [1] }, use: { x: [1] } }])
    expect(text.slice(offsetOf(marks[0]!, ['use', 'x', 0], 'value'))).toMatch(/^1\]/)
    expect(text.slice(offsetOf(marks[0]!, ['use'], 'key'))).toBe('use: *b')
  })

  it('an anchor means the last value it was given', () => {
    expect(read('- &a 1\n- *a\n- &a [*a]\n- *a').values).toEqual([[1, 1, [1], [1]]])
  })

  it.each([
    ['S31: a value that contains itself', 'a: &a [*a]', ['a.0: no anchor above is called “a”']],
    [
      'S31: an alias that is too deep',
      deepAlias(40),
      [expect.stringContaining('nested more than 64 levels deep')],
    ],
    ['S31: equal keys', 'a: 1\nb: { c: 1, c: 2 }', ['b.c: the key “c” stands here twice']],
    ['S31: __proto__', '__proto__: 1', ['__proto__: “__proto__” cannot be a key']],
    ['S31: half a surrogate pair', 'a: "\\ud83d"', ['a: the text holds half of a surrogate pair']],
    ['S31: NUL', 'a: "\\0"', ['a: the text holds a NUL character']],
    ['S31: an integer beyond 2^53', 'a: 9007199254740993', ['a: the number is too large to be kept exactly']],
    [
      'S31: not a number',
      'a: [.nan, -.inf]',
      ['a.0: the number is not finite', 'a.1: the number is not finite'],
    ],
    ['S31: a tag on a scalar', 'a: !!str 5', ['a: the value carries the tag “!!str”']],
    ['S31: a tag on a list', 'a: !!set [b]', ['a: the value carries the tag “!!set”']],
    ['S31: a tag on a key', '!!str a: 5', ['a: the value carries the tag “!!str”']],
    ['S31: a tag without a name', 'a: ! 5', ['a: the value carries the tag “!”']],
    ['S31: a merge key', 'b: &b { x: 1 }\na: { <<: *b }', ['a.<<: merge keys are not supported']],
    ['S31: a directive', '%YAML 1.1\n---\na: on', [': “%YAML 1.1” changes how YAML is read']],
    ['S31: too deep', '- '.repeat(65), [expect.stringContaining('nested more than 64 levels deep')]],
  ])('%s', (_, text, messages) => {
    expect(read(text)).toMatchObject({ messages, values: [] })
  })

  it('a quoted << is a key like any other', () => {
    expect(read('"<<": 1').values).toEqual([{ '<<': 1 }])
  })

  it('S31: 64 levels are not too deep, also through an alias', () => {
    expect(read(`${'- '.repeat(63)}[1]`).messages).toEqual([])
    expect(read(deepAlias(31)).messages).toEqual([])
  })

  it('S31: a megabyte of brackets is refused for its depth, where the depth is too great', () => {
    const budget = createBudget()
    untilStopped(() => readYaml('['.repeat(1_000_000), budget))
    expect(budget.rejections).toMatchObject([
      { offset: 65, problem: { message: 'this is nested more than 64 levels deep' } },
    ])
  })

  it('leaves out only the document that is wrong', () => {
    const { values, messages } = read('a: 1\n---\nb: [\n---\nc: 1\nc: 2\n---\nd: 4\n')
    expect(values).toEqual([{ a: 1 }, { d: 4 }])
    expect(messages).toHaveLength(2)
  })

  it.each([
    ['commas', '['.concat(','.repeat(1_000_000))],
    ['braces', '}'.repeat(1_000_000)],
    ['brackets', '['.repeat(1_000_000)],
    ['documents', '---\n'.repeat(250_000)],
    ['keys', Array.from({ length: 80_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['directives', '%\n'.repeat(500_000)],
    ['aliases', `- &a 1\n${'- *a\n'.repeat(200_000)}`],
    ['question marks', '? '.repeat(500_000)],
  ])('S31: a megabyte of %s ends in one problem', (_, text) => {
    expect(read(text).messages).toHaveLength(1)
  })
})

function deepAlias(levels: number): string {
  return `a: &a ${'['.repeat(levels)}${']'.repeat(levels)}\nb: ${'['.repeat(levels)}*a${']'.repeat(levels)}`
}
