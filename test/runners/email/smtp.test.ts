import { describe, expect, it } from 'vitest'
import { openDialogue } from '../../../src/runners/email/smtp-dialogue.ts'
import { failureOf, KEY, MAIL, NOW, openBed, openMailEgress, serveMail, smtpAt } from './bed.ts'
import { serveScript } from './scripted.ts'

describe('a mail by SMTP', () => {
  it('F-070, F-071: arrives whole, over STARTTLS, and is told of', async () => {
    const server = await serveMail()
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), cost: 2 } } })
    const { outcome, metadata, costEstimate } = await attempt({
      ...MAIL,
      to: [{ address: 'ada@example.com', name: 'Ada, "Countess" of Lovelace' }, 'charles@bücher.example'],
      cc: ['grace@example.com', 'ADA@example.com'],
      bcc: ['secret@example.com'],
      replyTo: 'Zoë <zoe@example.com>',
      subject:
        'Grüße 🎉 of a subject that is too long for one line of a header, and so is folded into several',
      text: 'One\n.two begins with a dot\n..three\nFrom four\n.',
      html: '<p>Größe</p>',
      headers: { 'X-Campaign': 'späth', 'List-Unsubscribe': '<https://example.com/u>' },
      attachments: [
        { filename: 'ä b.txt', contentType: 'text/plain', text: 'größe' },
        { filename: 'x.bin', content: Buffer.from([0, 255, 13, 10, 46]).toString('base64') },
      ],
    })
    const recipients = [
      'ada@example.com',
      'charles@xn--bcher-kva.example',
      'grace@example.com',
      'secret@example.com',
    ]
    const result = { messageId: `<${KEY}@pawl.example>`, recipients, template: null }
    expect(outcome).toEqual({ kind: 'succeeded', result, event: { type: 'email_sent', payload: result } })
    expect(metadata).toEqual({ provider: 'smtp', templateUsed: null })
    expect(costEstimate).toBe(8)
    const [{ from, to, raw, mail, session } = expect.fail('nothing arrived')] = server.deliveries
    expect({ from, to, secure: session.secure }).toEqual({
      from: 'noreply@pawl.example',
      // The server's library shows domains as people read them; on the wire they are ASCII (smtp-faults.test.ts).
      to: recipients.map((each) => each.replace('xn--bcher-kva', 'bücher')),
      secure: true,
    })
    expect(raw).not.toContain('secret@example.com')
    expect(mail).toMatchObject({
      messageId: `<${KEY}@pawl.example>`,
      date: '2026-01-05T09:00:00.000Z',
      from: { name: 'Pawl', address: 'noreply@pawl.example' },
      to: [
        { name: 'Ada, "Countess" of Lovelace', address: 'ada@example.com' },
        { name: '', address: 'charles@xn--bcher-kva.example' },
      ],
      cc: [{ name: '', address: 'grace@example.com' }],
      replyTo: [{ name: 'Zoë', address: 'zoe@example.com' }],
      subject:
        'Grüße 🎉 of a subject that is too long for one line of a header, and so is folded into several',
      html: '<p>Größe</p>\n',
    })
    expect(mail.text?.trimEnd()).toBe('One\n.two begins with a dot\n..three\nFrom four\n.')
    expect(mail.headers.find(({ key }) => key === 'x-campaign')?.value).toBe('=?UTF-8?Q?sp=C3=A4th?=')
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['ä b.txt', 'text/plain'],
      ['x.bin', 'application/octet-stream'],
    ])
    expect(mail.attachments.map(({ content }) => [...Buffer.from(content as ArrayBuffer)])).toEqual([
      [...Buffer.from('größe')],
      [0, 255, 13, 10, 46],
    ])
    expect(raw.split('\r\n').every((line) => line.length <= 998 && !/[\r\n]/.test(line))).toBe(true)
  })

  it('KERNEL §2: is the same bytes at every attempt, but for the Date; and that too, when it is given', async () => {
    const server = await serveMail()
    const { attempt } = openBed({ providers: { smtp: smtpAt(server) } })
    const config = { ...MAIL, html: '<b>x</b>', attachments: [{ filename: 'a', text: 'b' }] }
    const fixed = { ...config, date: '2026-01-05T10:00:00+01:00' }
    for (const [each, timestamp] of [
      [config, NOW],
      [config, NOW + 60_000],
      [fixed, NOW],
      [fixed, NOW + 60_000],
    ] as const)
      await attempt(each, { timestamp })
    const [first, second, third, fourth] = server.deliveries.map(({ raw }) => raw)
    expect(second).not.toBe(first)
    expect(second?.replace('09:01:00', '09:00:00')).toBe(first)
    expect(third).toBe(first)
    expect(fourth).toBe(first)
    expect(third).toContain('Date: Mon, 05 Jan 2026 09:00:00 +0000\r\n')
  })

  it('derives the text from the HTML, and its Message-ID from any key', async () => {
    const server = await serveMail()
    const { attempt } = openBed({ providers: { smtp: smtpAt(server) } })
    const { text: _, ...html } = { ...MAIL, html: '<p>Hi <a href="https://x.example">Ada</a></p>' }
    await attempt(html, { key: 'l_1/état <b>@x' })
    const [delivery] = server.deliveries
    expect(delivery?.mail.text?.trim()).toBe('Hi Ada (https://x.example)')
    expect(delivery?.mail.messageId).toMatch(/^<[0-9a-f]{32}@pawl\.example>$/)
  })

  it.each(['PLAIN', 'LOGIN'])(
    'logs in by AUTH %s, with the password of the config, the provider or a secret',
    async (method) => {
      const server = await serveMail({ authOptional: false, authMethods: [method] })
      const smtp = { ...smtpAt(server), user: 'ada' }
      const password = 'correct horse'
      const known = openBed({ providers: { smtp: { ...smtp, password } } })
      const secret = openBed({ providers: { smtp } })
      const own = openBed({ providers: { smtp: { ...smtp, user: 'bob', password: 'wrong password' } } })
      await known.attempt(MAIL)
      await secret.attempt(MAIL, { secrets: { smtp_password: password } })
      await own.attempt({ ...MAIL, auth: { user: 'ada', password } })
      expect(server.deliveries.map(({ session }) => session.user)).toEqual(['ada', 'ada', 'ada'])
      expect(secret.email.getRequiredPermissions()).toEqual([
        { kind: 'egress', value: `mail.example:${server.port}` },
        { kind: 'secret', value: 'smtp_password' },
      ])
    },
  )

  it('speaks TLS from the first byte when it is told to', async () => {
    const server = await serveMail({ secure: true })
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), secure: true } } })
    expect((await attempt(MAIL)).outcome.kind).toBe('succeeded')
    expect(server.deliveries[0]?.session.secure).toBe(true)
  })

  it('sends in plain text only when it is told to', async () => {
    const server = await serveMail({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const strict = openBed({ providers: { smtp: smtpAt(server) } })
    expect(failureOf(await strict.attempt(MAIL))).toMatchObject({
      error: {
        type: 'invalid_configuration',
        message: 'the mail server offers no STARTTLS; nothing was sent to it',
      },
      effect: 'none',
      permanent: true,
    })
    const relaxed = openBed({ providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
    expect((await relaxed.attempt(MAIL)).outcome.kind).toBe('succeeded')
    expect(server.deliveries).toHaveLength(1)
  })

  it('S15: goes through the guarded door', async () => {
    const server = await serveMail()
    const closed = openBed({ egress: openMailEgress({ allow: [] }), providers: { smtp: smtpAt(server) } })
    expect(failureOf(await closed.attempt(MAIL))).toMatchObject({
      error: { type: 'destination_forbidden', retryable: false },
      effect: 'none',
    })
    expect(server.connections()).toBe(0)
  })

  it('does not trust a certificate of another name, or of nobody', async () => {
    const server = await serveMail()
    const other = openBed({ providers: { smtp: { ...smtpAt(server), host: 'other.example' } } })
    const nobody = openBed({
      egress: openMailEgress({ ca: [] }),
      providers: { smtp: smtpAt(server) },
    })
    for (const bed of [other, nobody])
      expect(failureOf(await bed.attempt(MAIL))).toMatchObject({
        error: { type: 'network_error', retryable: true, details: { stage: 'starttls' } },
        effect: 'none',
      })
    expect(server.deliveries).toHaveLength(0)
  })
})

describe('connections', () => {
  it('are kept for the next mail, for one login each', async () => {
    const server = await serveMail()
    const smtp = { ...smtpAt(server), user: 'ada', password: 'correct horse' }
    const { attempt } = openBed({ providers: { smtp } })
    for (let count = 0; count < 30; count++) await attempt(MAIL)
    expect(server.deliveries).toHaveLength(30)
    expect(server.connections()).toBe(1)
    const { user: _, password: __, ...nobody } = smtp
    await openBed({ providers: { smtp: nobody } }).attempt(MAIL)
    await attempt({ ...MAIL, auth: { password: 'wrong password' } })
    expect(server.connections()).toBe(3)
    expect(server.deliveries).toHaveLength(31)
  })

  it('are no more than allowed; who comes later waits, and may stop waiting', async () => {
    let open = 0
    let most = 0
    const server = await serveMail({
      onConnect: (_session, done) => {
        most = Math.max(most, ++open)
        done()
      },
      onClose: () => {
        open--
      },
    })
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), connections: 2 } } })
    const impatient = new AbortController()
    const waiting = Array.from({ length: 12 }, () => attempt(MAIL))
    const stopped = attempt(MAIL, { signal: impatient.signal })
    impatient.abort(new DOMException('the attempt took longer than its timeout', 'TimeoutError'))
    expect(failureOf(await stopped)).toMatchObject({
      effect: 'none',
      error: { details: { stage: 'connect' } },
    })
    expect((await Promise.all(waiting)).every(({ outcome }) => outcome.kind === 'succeeded')).toBe(true)
    expect(server.deliveries).toHaveLength(12)
    expect(most).toBe(2)
  })

  it('that nobody uses are closed in time, and hold up no process', async () => {
    const server = await serveScript()
    const call = { signal: new AbortController().signal, now: () => NOW, words: () => '' }
    const at = { host: 'mail.example', port: server.port, tls: 'none' as const }
    const dialogue = await openDialogue(openMailEgress(), at, call)
    const gone = new Promise<void>((resolve) => dialogue.rest(20, resolve))
    await gone
    await expect.poll(() => server.open()).toBe(0)
    expect(await dialogue.isAlive(call)).toBe(false)
  })
})
