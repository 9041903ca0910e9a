import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertOneLine } from './one-line.ts'

const refused = (text: string): boolean => {
  try {
    assertOneLine(text, 'headers.X-Name')
    return false
  } catch {
    return true
  }
}

describe('S21: one line of text', () => {
  it.each(['', 'plain', 'Grüße 😀 "quoted" \u2028', ' '])('%j is', (text) => {
    expect(refused(text)).toBe(false)
  })

  it.each(['a\r\nBcc: x@y', '\n', 'a\u0000', '\tx', 'x\u007f', '\u0085'])('%j is not', (text) => {
    expect(refused(text)).toBe(true)
  })

  it('is refused by place and offset, never by value', () => {
    expect(() => assertOneLine('canary\r\n', 'headers.X-Name')).toThrow(
      expect.objectContaining({
        code: 'template_value_forbidden',
        message: 'headers.X-Name holds a line break or control character',
        details: { path: 'headers.X-Name', offset: 6, expected: 'one line of text' },
      }),
    )
  })

  it('of 100,000 values none with a break gets through', () => {
    const unit = fc.constantFrom('\r', '\n', '\0', 'a', ':', ' ', 'é', '😀')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => refused(text) === /[\r\n\0]/.test(text)),
      { numRuns: 100_000 },
    )
  }, 60_000)
})
