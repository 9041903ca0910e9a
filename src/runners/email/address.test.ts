import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActionFailure } from '../../core/action-error.ts'
import { readAddress, readMailbox, withoutRepeats } from './address.ts'

const failureOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    return (error as ActionFailure).failure
  }
  return undefined
}

describe('an address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace+news@Example.COM', 'Ada.Lovelace+news@example.com'],
    ["o'neil@example.co.uk", "o'neil@example.co.uk"],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    ['a-b_c=d/e?f^g~h*i#j$k&l@b-c.example', 'a-b_c=d/e?f^g~h*i#j$k&l@b-c.example'],
    ['1@2.example3', '1@2.example3'],
  ])('%s is read as %s', (text, address) => {
    expect(readAddress(text, 'to')).toBe(address)
  })

  const domain = (length: number): string => `${'a.'.repeat(length / 2 - 1)}bc`
  it('has at most 254 characters, counted in ASCII', () => {
    const longest = `${'l'.repeat(64)}@${domain(189 - 1)}a`
    expect(readAddress(longest, 'to')).toHaveLength(254)
    expect(failureOf(() => readAddress(`${longest}a`, 'to'))?.error.code).toBe('INVALID_EMAIL')
    const folded = `${'l'.repeat(64)}@${'ü.'.repeat(24)}example`
    expect(folded.length).toBeLessThan(254)
    expect(failureOf(() => readAddress(folded, 'to'))?.error.code).toBe('INVALID_EMAIL')
  })

  /** S22: what other readers take for an address, or for another one than is meant. */
  const ATTACKS = [
    ...[
      '',
      '@',
      'a',
      'a@',
      '@b.example',
      'a@b',
      'a@localhost',
      'a b@c.example',
      ' a@b.example',
      'a@b.example ',
    ],
    // Quoted local parts: nodemailer before 7.0.7 sent the first to evil.example.
    ...[
      '"a@evil.example x"@good.example',
      '"a"@good.example',
      '"a\\"@evil.example"@good.example',
      "'a'b@@c.example",
    ],
    ...['a@evil.example@good.example', 'a@evil.example,b@good.example', 'a@evil.example;b@good.example'],
    ...[
      'a@good.example,',
      '<a@good.example>',
      '<<a@good.example>>',
      'a <b@c.example> <d@e.example>',
      'x<a@b.example',
    ],
    // Routes, old and older.
    ...[
      '@relay.example:a@b.example',
      'a%evil.example@good.example',
      'evil.example!a@good.example',
      'a|b@c.example',
    ],
    // Groups, nested, which took a parser's time (CVE-2025-14874); comments; folding.
    ...[
      'g:a@b.example;',
      'g:g:g:g:;;;;',
      `${'g:'.repeat(10_000)}a@b.example`,
      'a(c)@b.example',
      'a@(c)b.example',
    ],
    ...['a@b(c).example', '(((((a@b.example', 'a. b@c.example', 'a\\@b@c.example', 'a@b.example (comment)'],
    // Address literals and numbers in disguise.
    ...[
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      'a@127.0.0.1',
      'a@0x7f.1',
      'a@2130706433',
      'a@①②⑦.0.0.1',
      'a@1.2.3.4',
    ],
    // Dots and hyphens.
    ...['.a@b.example', 'a.@b.example', 'a..b@c.example', 'a@.b.example', 'a@b..example', 'a@b.example.'],
    ...['a@-b.example', 'a@b-.example', 'a@b_c.example', 'a@b.123', `a@${'x'.repeat(64)}.example`],
    // What a URL, a shell, a template or a parameter would read.
    ...[
      'a@b.example:25',
      'a@b.example/',
      'a@b.example?c',
      'a@b.example#c',
      'a@b%2eexample',
      'a@b.example\\c',
    ],
    ...[
      'a@b.example> SIZE=1',
      'a@b.example>,<c@d.example',
      '{{x}}@b.example',
      '`id`@b.example',
      'a{b}@c.example',
    ],
    // Letters beyond ASCII before the @; invisible ones; full-width signs.
    ...[
      'ä@b.example',
      'аda@b.example',
      'a\u200b@b.example',
      'a@exa\u00admple.com',
      'a@b\u200b.example',
      'a＠b.example',
    ],
    ...[
      'a@b。example',
      // A letter that folds to parentheses.
      'a@⑴.example',
      `${'l'.repeat(65)}@b.example`,
    ],
  ]
  it.each(ATTACKS)('S22: %s is none', (text) => {
    const failure = failureOf(() => readAddress(text, 'to'))
    expect(failure).toMatchObject({ effect: 'none', permanent: true, error: { retryable: false } })
    expect(failure?.error.message.length).toBeLessThan(300)
  })

  it.each([
    'a\r\nBcc: x@y.example@b.example',
    'a@b.example\n',
    'a\0@b.example',
    'a@b.example\u2028',
    'a\t@b.example',
  ])('S21: %j is a value that no header may have', (text) => {
    expect(failureOf(() => readAddress(text, 'to'))?.error).toMatchObject({
      type: 'template_value_forbidden',
      details: { path: 'to' },
    })
  })

  it('F-072: is refused as INVALID_EMAIL, for good', () => {
    expect(failureOf(() => readAddress('nobody', 'cc.1'))?.error).toEqual({
      type: 'invalid_configuration',
      message: '“nobody” is no mail address: it has no part before an @ (at cc.1)',
      retryable: false,
      code: 'INVALID_EMAIL',
      details: { path: 'cc.1' },
    })
  })

  it('S22: whatever is read holds nothing that SMTP or a header would read', () => {
    const signs = fc.constantFrom(...'ab1.@"<>(),:;\\[]%! \t\r\n\0{}|`+-_üア。＠\u200b'.split(''))
    const text = fc.oneof(
      fc.string({ unit: signs, maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.tuple(text, text).map(([a, b]) => `${a}@${b}.example`),
        ),
        (given) => {
          let read: string
          try {
            read = readAddress(given, 'to')
          } catch (error) {
            expect((error as ActionFailure).failure.effect).toBe('none')
            return
          }
          expect(read).toMatch(/^[A-Za-z0-9#$&'*+/=?^_~.-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/)
          expect(read.length).toBeLessThanOrEqual(254)
          expect(readAddress(read, 'to')).toBe(read)
        },
      ),
      { numRuns: 20_000 },
    )
  })
})

describe('a mailbox', () => {
  it.each([
    ['ada@example.com', { address: 'ada@example.com' }],
    ['Ada Lovelace <ada@example.com>', { address: 'ada@example.com', name: 'Ada Lovelace' }],
    ['Zoë <zoe@bücher.example>', { address: 'zoe@xn--bcher-kva.example', name: 'Zoë' }],
    [{ address: 'ada@example.com' }, { address: 'ada@example.com' }],
    [{ address: 'ada@example.com', name: '' }, { address: 'ada@example.com' }],
    [
      { address: 'ada@example.com', name: 'Lovelace, Ada "x" <y@z.example>' },
      { address: 'ada@example.com', name: 'Lovelace, Ada "x" <y@z.example>' },
    ],
  ])('%j', (input, mailbox) => {
    expect(readMailbox(input, 'to')).toEqual(mailbox)
  })

  it.each([
    'a@evil.example <b@good.example>',
    'A, B <b@good.example>',
    '"A" <b@good.example>',
    'A <b@good.example>, C <c@good.example>',
    'A<b@good.example>',
    'A <b@good.example> ',
    'A <b@good.example',
    '<b@good.example>',
    { address: 'A <b@good.example>' },
    { address: 'b@good.example', name: 'A\r\nBcc: c@d.example' },
    { address: 'b@good.example', name: 'A'.repeat(101) },
  ])('S22: %j is none', (input) => {
    expect(failureOf(() => readMailbox(input, 'to'))).toMatchObject({ effect: 'none', permanent: true })
  })

  it('stands in one list, the first', () => {
    const [ada, grace] = [{ address: 'ada@example.com' }, { address: 'grace@example.com' }]
    const shout = { address: 'ADA@example.com', name: 'Ada' }
    expect(withoutRepeats([ada, shout], [shout, grace], [grace, ada])).toEqual([[ada], [grace], []])
  })
})
