import { describe, expect, it } from 'vitest'
import { quote, written } from './shown.ts'

describe('a quoted text', () => {
  it.each([
    ['short', '"short"'],
    ['x'.repeat(80), `"${'x'.repeat(80)}"`],
    ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
    ['', '""'],
  ])('%s', (text, shown) => {
    expect(quote(text)).toBe(shown)
  })
})

describe('a written path', () => {
  it.each([
    [[], ''],
    [['execution'], 'execution'],
    [['execution', 'variables', '0', 'first-name'], 'execution.variables.0.first-name'],
    [['a', 'first name', 'b'], 'a["first name"].b'],
    [['a', 'dotted.name'], 'a["dotted.name"]'],
    [['a', ''], 'a[""]'],
    [['a', 'say "\\"'], 'a["say \\"\\\\\\""]'],
    [['?:', '0'], '["?:"].0'],
  ])('%j is %s', (segments, shown) => {
    expect(written(segments)).toBe(shown)
  })
})
