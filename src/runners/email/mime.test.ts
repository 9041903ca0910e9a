import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { composeMime, messageIdOf, type WholeEmail } from './mime.ts'

const STAMP = { key: 'key_abc', date: 0 }
const mail = (given: Partial<WholeEmail>): WholeEmail => ({
  from: { address: 'a@b.example' },
  to: [{ address: 'c@d.example' }],
  cc: [],
  bcc: [{ address: 'hidden@d.example' }],
  subject: 'x',
  text: 'y',
  attachments: [],
  headers: {},
  ...given,
})

/** One line of a header, as header-text.ts lets it through. */
const line = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...'aZ9 ,;:<>"=?_@()äß🎉日'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  })
  .map((text) =>
    text
      .replace(/[\p{C}\u2028\u2029]/gu, '')
      .trim()
      .replace(/\s+/g, ' '),
  )
const body = fc.string({
  unit: fc.constantFrom('a', '.', '\n', '\n.', 'From ', '=', 'ü', '🎉', ' ', 'x'.repeat(1200)),
})

describe('the bytes of a mail', () => {
  it('are ASCII, in lines that every server takes, and are read back as they were meant', async () => {
    await fc.assert(
      fc.asyncProperty(line, line, body, body, async (subject, name, text, html) => {
        const email = mail({ subject, text, html, to: [{ address: 'c@d.example', name }] })
        const raw = (await composeMime(email, STAMP)).toString('latin1')
        expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/)
        expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998)
        expect(raw.match(/^(To|From|Subject|Message-ID|Date|Bcc|Cc):/gm)).toEqual(
          ['From:', 'To:', 'Subject:', 'Message-ID:', 'Date:'].filter(
            (each) => subject !== '' || each !== 'Subject:',
          ),
        )
        const read = await PostalMime.parse(raw)
        expect(read.subject ?? '').toBe(subject)
        expect(read.to?.[0]).toMatchObject({ address: 'c@d.example' })
        if (text !== '') expect(read.text?.trimEnd()).toBe(text.trimEnd())
      }),
      { numRuns: 500 },
    )
  })

  it('have no line that is too long, whatever is long', async () => {
    const long = `${'x'.repeat(900)} ${'y'.repeat(900)}`
    const raw = await composeMime(
      mail({
        subject: long,
        text: long,
        html: long,
        headers: { 'X-Long': long, References: `<${'r'.repeat(200)}@x.example> `.repeat(9).trim() },
        attachments: [
          {
            filename: `${'f'.repeat(250)}.txt`,
            contentType: 'text/plain',
            content: Buffer.from(long).toString('base64'),
          },
        ],
      }),
      STAMP,
    )
    expect(
      Math.max(
        ...raw
          .toString()
          .split('\r\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(998)
    expect((await PostalMime.parse(raw)).subject).toBe(long)
  })

  it('are the same every time, and say nothing of blind copies', async () => {
    const email = mail({
      html: '<p>x</p>',
      attachments: [{ filename: 'a', contentType: 'a/b', content: 'eA==' }],
    })
    const [first, second] = [await composeMime(email, STAMP), await composeMime(email, STAMP)]
    expect(second.equals(first)).toBe(true)
    expect(first.toString()).not.toContain('hidden')
  })

  it('read nothing but what is given', async () => {
    const raw = await composeMime(
      mail({ text: 'file:///etc/passwd', html: '<img src="data:image/png;base64,eA==">' }),
      STAMP,
    )
    expect((await PostalMime.parse(raw)).text).toContain('file:///etc/passwd')
  })
})

it('a Message-ID is made of the key and the domain of the sender', () => {
  const from = { address: 'a@b.example' }
  expect(messageIdOf('key_abc', from)).toBe('<key_abc@b.example>')
  expect(messageIdOf('a/b', from)).toMatch(/^<[0-9a-f]{32}@b\.example>$/)
  expect(messageIdOf('a/b', from)).not.toBe(messageIdOf('a/c', from))
  expect(messageIdOf('x>\r\n', from)).toMatch(/^<[0-9a-f]{32}@b\.example>$/)
})
