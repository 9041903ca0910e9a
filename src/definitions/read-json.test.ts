import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget } from './limits.ts'
import { offsetOf } from './marks.ts'
import { readJson } from './read-json.ts'
import { untilStopped } from './rejections.ts'

const read = (text: string) => {
  const budget = createBudget()
  const documents = untilStopped(() => readJson(text, budget)) ?? []
  return { documents, messages: budget.rejections.map(({ problem }) => problem.message) }
}

/** Any JSON within S31. */
const json = fc.jsonValue({ maxDepth: 5, noUnicodeString: false }).filter((value) => {
  const text = JSON.stringify(value)
  return !/\\u0000|\\ud[89a-f]|__proto__/i.test(text)
})

describe('reading JSON', () => {
  it('S31: reads exactly what JSON.parse reads, however it is spaced', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t', '\r\n'), (value, indent) => {
        const text = JSON.stringify(value, null, indent === '\r\n' ? 2 : indent)
        const { documents, messages } = read(indent === '\r\n' ? text.replaceAll('\n', '\r\n') : text)
        const isExact = !/(?<![\d.eE+-])-?\d{17,}(?![\d.eE])/.test(text)
        if (!isExact) return
        expect(messages).toEqual([])
        expect(documents[0]!.value).toEqual(JSON.parse(text))
      }),
    )
  })

  it('agrees with JSON.parse on what is JSON at all', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '.5',
        'e3',
        'true',
        'null',
        'nul',
        ' ',
        '\n',
        '\\',
      ],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        const { documents, messages } = read(text)
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {
          expect(messages).not.toHaveLength(0)
          return
        }
        if (messages.length === 0) expect(documents[0]!.value).toEqual(parsed)
        else expect(messages.join()).toMatch(/twice|too large|finite/)
      }),
      { numRuns: 2000 },
    )
  })

  it('knows where every part stands', () => {
    const text = '\uFEFF{ "a": [10, { "b\\n": true }] }'
    const { mark, value } = read(text).documents[0]!
    expect(value).toEqual({ a: [10, { 'b\n': true }] })
    const at = (path: (string | number)[], point: 'key' | 'value') => text.slice(offsetOf(mark, path, point))
    expect(at([], 'value')).toMatch(/^\{ "a"/)
    expect(at(['a'], 'key')).toMatch(/^"a"/)
    expect(at(['a'], 'value')).toMatch(/^\[10/)
    expect(at(['a', 0], 'value')).toMatch(/^10,/)
    expect(at(['a', '1', 'b\n'], 'key')).toMatch(/^"b\\n"/)
    expect(at(['a', 1, 'b\n'], 'value')).toMatch(/^true/)
    expect(at(['a', 1, 'missing'], 'value')).toMatch(/^\{ "b/)
    expect(at(['a', 1, 'b\n', 'deeper'], 'value')).toMatch(/^"b\\n"/)
  })

  it.each([
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, []],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, ['this is nested more than 64 levels deep']],
    ['2^53 - 1', '9007199254740991', []],
    ['2^53', '9007199254740992', ['the number is too large to be kept exactly']],
    ['a large number with an exponent', '1e300', []],
    ['-0', '-0', []],
    ['1e999', '[1e999]', ['the number is not finite']],
    ['a pair of surrogates', '"\\ud83d\\ude00"', []],
    ['half a pair', '"\\ude00"', ['the text holds half of a surrogate pair']],
    ['half a pair in a key', '{"\\ud83d":1}', ['the text holds half of a surrogate pair']],
    ['NUL', '"\\u0000"', ['the text holds a NUL character']],
    ['__proto__', '{"__proto__":1}', ['“__proto__” cannot be a key']],
    ['equal keys, one escaped', '{"a":1,"\\u0061":2}', ['the key “a” stands here twice']],
  ])('S31: %s', (_, text, messages) => {
    const result = read(text)
    expect(result.messages).toEqual(messages)
    expect(result.documents).toHaveLength(messages.length === 0 ? 1 : 0)
  })

  it('S31: takes ten thousand keys and refuses one more', () => {
    const object = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`
    expect(read(object(10_000)).messages).toEqual([])
    expect(read(object(10_001)).messages).toEqual(['there are more than 10000 keys'])
  })

  it('never makes a prototype of what it reads', () => {
    read('{"__proto__":{"polluted":true}}')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  it('says what may follow, after an opening brace and after a comma', () => {
    const expected = (text: string) => {
      const budget = createBudget()
      untilStopped(() => readJson(text, budget))
      return budget.rejections[0]!.problem.expected
    }
    expect(expected('{ a: 1 }')).toBe('a key in double quotes, or }')
    expect(expected('{ "b": 1, a: 1 }')).toBe('a key in double quotes')
  })

  it('does not take a defect for a stop', () => {
    const defect = new TypeError('x is not a function')
    expect(() =>
      untilStopped(() => {
        throw defect
      }),
    ).toThrow(defect)
  })

  it('stops after a hundred rejections', () => {
    const { messages } = read(`[${'"\\u0000",'.repeat(5000)}0]`)
    expect(messages).toHaveLength(101)
    expect(messages.at(-1)).toBe('there is more to correct, but reading stops here')
  })
})
