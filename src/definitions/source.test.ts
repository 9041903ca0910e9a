import { describe, expect, it } from 'vitest'
import { problem } from './problem.ts'
import { readSource } from './source.ts'

describe('a text with definitions', () => {
  it.each([
    ['a.json', '{"a":1}', 'json'],
    ['a.JSON', 'a: 1', 'refused as JSON'],
    ['a.yaml', '{a: 1}', 'yaml'],
    ['a.yml', 'a: 1', 'yaml'],
    ['request', '\uFEFF \n{"a":1}', 'json'],
    ['request', 'a: 1', 'yaml'],
    ['request', '{a: 1}', 'refused as JSON'],
  ])('%s holding %j is read as %s', (file, text, as) => {
    const { documents, problems } = readSource(text, file)
    expect(documents.map(({ value }) => value)).toEqual(as === 'refused as JSON' ? [] : [{ a: 1 }])
    expect(problems).toHaveLength(as === 'refused as JSON' ? 1 : 0)
  })

  it('the format that is given wins over the name', () => {
    expect(readSource('a: 1', 'a.json', 'yaml').documents).toHaveLength(1)
  })

  it('places a problem by line and column from 1, also after CRLF', () => {
    const [document] = readSource('a:\r\n  b: 1\r\n  c: [x, y]\r\n', 'f.yaml').documents
    const place = (at: (string | number)[], point: 'key' | 'value') => {
      const { file, line, column } = document!.place(problem(at, 'wrong', { point }))
      return `${file}:${line}:${column}`
    }
    expect(place([], 'value')).toBe('f.yaml:1:1')
    expect(place(['a', 'b'], 'key')).toBe('f.yaml:2:3')
    expect(place(['a', 'b'], 'value')).toBe('f.yaml:2:6')
    expect(place(['a', 'c', 1], 'value')).toBe('f.yaml:3:10')
    expect(place(['a', 'missing'], 'value')).toBe('f.yaml:1:1')
  })

  it('places the end of a text that ends too early', () => {
    expect(readSource('{\n  "a": ', 'f.json').problems).toMatchObject([
      { line: 2, column: 8, message: 'the text ends too early', code: 'json_rejected' },
    ])
  })

  it.each(['', ' \n\t', '# only a comment', '---\n---\n'])('%j holds no definition', (text) => {
    expect(readSource(text, 'f.yaml').problems).toMatchObject([{ message: 'the file holds no definition' }])
  })

  it('S30: reads a mebibyte and refuses more', () => {
    const text = (length: number) => `"${'x'.repeat(length - 2)}"`
    expect(readSource(text(1024 * 1024), 'f.json').problems).toEqual([])
    expect(readSource(text(1024 * 1024 + 1), 'f.json').problems).toMatchObject([
      { code: 'payload_too_large', message: 'the text is 1048577 characters long', line: 1, column: 1 },
    ])
  })
})
