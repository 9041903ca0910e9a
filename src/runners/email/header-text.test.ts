import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActionFailure } from '../../core/action-error.ts'
import { assertLine, readHeaders } from './header-text.ts'

const typeOf = (read: () => unknown): string | undefined => {
  try {
    read()
  } catch (error) {
    const { failure } = error as ActionFailure
    expect(failure).toMatchObject({ effect: 'none', permanent: true })
    return failure.error.type
  }
  return undefined
}

describe('S21: a header', () => {
  it('holds one line, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const breaks = [...text].some((sign) => /[\p{Cc}\u2028\u2029]/u.test(sign) || !sign.isWellFormed())
        expect(typeOf(() => assertLine(text, 'subject'))).toBe(
          breaks ? 'template_value_forbidden' : undefined,
        )
      }),
      { numRuns: 20_000 },
    )
  })

  it.each(['\r', '\n', '\r\n', '\0', '\u0085', '\u2028', '\u2029', '\x7f', '\t', '\ud800'])(
    'never %j',
    (sign) => {
      expect(typeOf(() => assertLine(`a${sign}b`, 'subject'))).toBe('template_value_forbidden')
    },
  )

  it('is bounded', () => {
    const words = (length: number): string => 'xxxx '.repeat(500).slice(0, length)
    expect(assertLine(words(2000), 'subject')).toHaveLength(2000)
    expect(typeOf(() => assertLine(words(2001), 'subject'))).toBe('template_value_forbidden')
    expect(assertLine(`a ${'x'.repeat(900)} b`, 'subject')).toHaveLength(904)
    expect(typeOf(() => assertLine(`a ${'x'.repeat(901)}`, 'subject'))).toBe('template_value_forbidden')
  })

  it.each(['X-Campaign', 'x-a', 'List-Unsubscribe', 'In-Reply-To', 'Auto-Submitted'])(
    '%s may be set',
    (name) => {
      expect(readHeaders({ [name]: 'v' }, 'headers')).toEqual({ [name]: 'v' })
    },
  )

  it.each([
    ...[
      'To',
      'cc',
      'Bcc',
      'From',
      'Sender',
      'Subject',
      'Reply-To',
      'Date',
      'Message-ID',
      'Return-Path',
      'Received',
    ],
    ...[
      'Content-Type',
      'Content-Transfer-Encoding',
      'MIME-Version',
      'DKIM-Signature',
      'Resent-To',
      'X-SG-ID',
    ],
    ...['X-SMTPAPI', 'x-forwarded-to', 'X-', 'X-A: b', 'X-A\r\nBcc', 'X-Ä', '', '__proto__x', ' X-A'],
  ])('%j may not', (name) => {
    expect(typeOf(() => readHeaders({ [name]: 'v' }, 'headers'))).toBe('template_value_forbidden')
  })

  it('is set once, and not too many are', () => {
    expect(typeOf(() => readHeaders({ 'X-A': '1', 'x-a': '2' }, 'headers'))).toBe('template_value_forbidden')
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, 'v']))
    expect(typeOf(() => readHeaders(many(20), 'headers'))).toBeUndefined()
    expect(typeOf(() => readHeaders(many(21), 'headers'))).toBe('template_value_forbidden')
    expect(typeOf(() => readHeaders({ 'X-A': 'a\nBcc: b@c.example' }, 'headers'))).toBe(
      'template_value_forbidden',
    )
  })
})
