import { describe, expect, it } from 'vitest'
import { failureOf, MAIL, openBed, serveMail, smtpAt } from './bed.ts'
import { drop, type Script, serveScript, silence } from './scripted.ts'

/** One attempt at a server that follows this script, in plain text. */
const attemptAt = async (
  script: Script,
  { signal, to = ['ada@example.com'] }: { signal?: AbortSignal; to?: string[] } = {},
) => {
  const server = await serveScript(script)
  const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
  const performed = await attempt({ ...MAIL, to }, signal ? { signal } : {})
  return { server, failure: failureOf(performed), performed }
}

describe('what a mail server says', () => {
  const permanent = true
  it.each<[string, Script, object]>([
    [
      'refuses us',
      { greeting: '554 no service' },
      { error: { type: 'authorization_failed', retryable: false }, permanent },
    ],
    [
      'is busy',
      { greeting: '421 later' },
      { error: { type: 'temporary_failure', code: 'SMTP_421', retryable: true } },
    ],
    [
      'has no EHLO',
      { EHLO: '502 no' },
      { error: { type: 'authorization_failed', details: { stage: 'hello', reply: 502 } } },
    ],
    [
      'wants a login',
      { MAIL: '530 5.7.0 log in' },
      { error: { type: 'authentication_failed', retryable: false } },
    ],
    [
      'refuses the sender',
      { MAIL: '550 5.1.8 who?' },
      { error: { type: 'malformed_request', code: 'SMTP_550' }, permanent },
    ],
    ['refuses so much', { MAIL: '552 too much' }, { error: { type: 'malformed_request', code: 'SMTP_552' } }],
    [
      'F-072: knows no such mailbox',
      { RCPT: '550 5.1.1 no such user' },
      {
        error: {
          type: 'invalid_configuration',
          code: 'INVALID_EMAIL',
          retryable: false,
          details: { status: '5.1.1' },
        },
        permanent,
      },
    ],
    [
      'has a policy',
      { RCPT: '550 5.7.1 blocked' },
      { error: { type: 'authorization_failed', code: 'SMTP_550' }, permanent },
    ],
    [
      'is greylisting',
      { RCPT: '451 4.7.1 come back' },
      { error: { type: 'temporary_failure', retryable: true } },
    ],
    [
      'has a full disk',
      { DATA: '452 4.3.1 full' },
      { error: { type: 'temporary_failure', details: { stage: 'data' } } },
    ],
    [
      'refuses the content',
      { dot: '554 5.6.0 spam' },
      { error: { type: 'malformed_request', code: 'SMTP_554' }, permanent },
    ],
    ['has another code', { MAIL: '299 odd' }, { error: { type: 'temporary_failure' } }],
  ])('%s', async (_, script, expected) => {
    const { failure, server } = await attemptAt(script)
    expect(failure).toMatchObject({ effect: 'none', ...expected })
    expect(server.mails()).toBe('dot' in script ? 1 : 0)
  })

  it('after the final dot a reply in the 400s, or silence, says nothing about the mail', async () => {
    const { failure } = await attemptAt({ dot: '451 4.3.0 lost patience' })
    expect(failure).toMatchObject({
      error: { type: 'temporary_failure', retryable: true },
      effect: 'unknown',
    })
    const dropped = await attemptAt({ dot: drop })
    expect(dropped.failure).toMatchObject({
      error: { type: 'network_error', retryable: true },
      effect: 'unknown',
    })
  })

  it('is quoted, short and in one line', async () => {
    const { failure } = await attemptAt({
      RCPT: `550-5.1.1 no\u0007 such\r\n550 5.1.1 ${'user '.repeat(200)}`,
    })
    expect(failure).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^the mail server refused a recipient: 550 5\.1\.1 no such 5\.1\.1 user [ -~]*$/,
        ),
      },
    })
    expect((failure as { error: { message: string } }).error.message.length).toBeLessThan(250)
  })

  it('a mail goes to all recipients or to none', async () => {
    const refuse = (_: unknown, line: string): string => (line.includes('bob') ? '550 no bob' : '250 OK')
    const { failure, server } = await attemptAt(
      { RCPT: refuse },
      { to: ['ada@bücher.example', 'bob@b.example', 'c@d.example'] },
    )
    expect(failure).toMatchObject({ error: { code: 'INVALID_EMAIL' }, effect: 'none' })
    expect(server.heard.filter((line) => /^(RCPT|DATA)/.test(line))).toEqual([
      'RCPT TO:<ada@xn--bcher-kva.example>',
      'RCPT TO:<bob@b.example>',
    ])
    await expect.poll(() => server.heard.at(-1)).toBe('QUIT')
  })

  it('says how large the mail is to a server that wants to know', async () => {
    const { server } = await attemptAt({})
    const [, size] = /^MAIL FROM:<noreply@pawl\.example> SIZE=(\d+)$/.exec(server.heard[1]!) ?? []
    const content = server.heard.slice(server.heard.indexOf('DATA') + 1, server.heard.indexOf('.'))
    expect(`${content.join('\r\n')}\r\n`).toHaveLength(Number(size))
    const terse = await attemptAt({ EHLO: '250 mail.example' })
    expect(terse.server.heard[1]).toBe('MAIL FROM:<noreply@pawl.example>')
  })
})

describe('a mail server that fails', () => {
  it.each<[string, Script, string]>([
    ['hangs up at once', { greeting: (socket) => void socket.end() as undefined }, 'greeting'],
    ['drops before the recipients', { RCPT: drop }, 'recipient'],
    ['drops at DATA', { DATA: drop }, 'data'],
    ['speaks another language', { greeting: 'HTTP/1.1 400 Bad Request' }, 'greeting'],
    ['says a code that is none', { greeting: '999 hello' }, 'greeting'],
    [
      'never ends its line',
      { greeting: (socket) => void socket.write('2'.repeat(70_000)) as undefined },
      'greeting',
    ],
    ['never ends its reply', { EHLO: '250-x\r\n'.repeat(10_000) }, 'hello'],
  ])('%s: nothing was sent', async (_, script, stage) => {
    const { failure, server } = await attemptAt(script)
    expect(failure).toMatchObject({
      error: { type: 'network_error', retryable: true, details: { stage } },
      effect: 'none',
    })
    expect(server.mails()).toBe(0)
    await expect.poll(() => server.open()).toBe(0)
  })

  it('drops in the middle of the content: it cannot have delivered', async () => {
    const server = await serveScript({ content: drop })
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
    // More than the buffers of both ends take: the dot is still far away.
    const templates = {
      get: async () => ({ subject: 'x', text: `{% for i in (1..1000) %}${'x'.repeat(1000)}\n{% endfor %}` }),
    }
    const big = openBed({ templates, providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
    const { text: _, subject: __, ...config } = MAIL
    const attachments = Array.from({ length: 20 }, (___, n) => ({
      filename: `${n}`,
      text: 'y'.repeat(1_000_000),
    }))
    expect(failureOf(await big.attempt({ ...config, template: 'big', attachments }))).toMatchObject({
      error: { type: 'network_error', details: { stage: 'content' } },
      effect: 'none',
    })
    expect(server.mails()).toBe(0)
    expect(failureOf(await attempt(MAIL))).toMatchObject({ effect: expect.stringMatching(/none|unknown/) })
  })

  it.each<[string, Script, string]>([
    ['greeting', { greeting: silence }, 'none'],
    ['sender', { MAIL: silence }, 'none'],
    ['data', { DATA: silence }, 'none'],
    ['content', { dot: silence }, 'unknown'],
  ])('is silent at the stage %s until the attempt is stopped', async (stage, script, effect) => {
    const server = await serveScript(script)
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
    const controller = new AbortController()
    const running = attempt(MAIL, { signal: controller.signal })
    const verb = { greeting: '', sender: 'MAIL', data: 'DATA', content: '.' }[stage]!
    await expect.poll(() => server.connections()).toBe(1)
    await expect.poll(() => verb === '' || server.heard.some((line) => line.startsWith(verb))).toBe(true)
    controller.abort(new DOMException('the attempt took longer than its timeout', 'TimeoutError'))
    expect(failureOf(await running)).toMatchObject({ error: { type: 'timeout', details: { stage } }, effect })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('is not there, or nowhere', async () => {
    const { attempt } = openBed({ providers: { smtp: { host: '127.0.0.1', port: 1, from: 'a@b.example' } } })
    expect(failureOf(await attempt(MAIL))).toMatchObject({ error: { type: 'network_error' }, effect: 'none' })
    const stopped = await attempt(MAIL, { signal: AbortSignal.abort(new DOMException('stop', 'AbortError')) })
    expect(failureOf(stopped)).toMatchObject({ effect: 'none' })
  })

  it('sends plain text after it agreed to TLS (CVE-2011-0411)', async () => {
    const server = await serveScript({
      EHLO: '250-mail.example\r\n250 STARTTLS',
      STARTTLS: '220 go ahead\r\n250 injected',
    })
    const { attempt } = openBed({ providers: { smtp: smtpAt(server) } })
    expect(failureOf(await attempt(MAIL))).toMatchObject({
      error: { type: 'network_error', details: { stage: 'starttls' } },
      effect: 'none',
    })
    const refusing = await serveScript({ EHLO: '250-mail.example\r\n250 STARTTLS', STARTTLS: '454 not now' })
    expect(failureOf(await openBed({ providers: { smtp: smtpAt(refusing) } }).attempt(MAIL))).toMatchObject({
      error: { type: 'temporary_failure', details: { stage: 'starttls' } },
    })
  })

  it('closed a kept connection: the mail goes over a new one, once', async () => {
    for (const RSET of [
      '421 too long',
      drop,
      (socket: { end: () => void }) => void socket.end() as undefined,
    ]) {
      const server = await serveScript({ RSET })
      const { attempt } = openBed({ providers: { smtp: { ...smtpAt(server), startTls: 'never' } } })
      await attempt(MAIL)
      expect((await attempt(MAIL)).outcome.kind).toBe('succeeded')
      expect([server.connections(), server.mails()]).toEqual([2, 2])
    }
    const closing = await serveScript()
    const { attempt } = openBed({ providers: { smtp: { ...smtpAt(closing), startTls: 'never' } } })
    await attempt(MAIL)
    for (const socket of closing.sockets) socket.destroy()
    await expect.poll(() => closing.open()).toBe(0)
    expect((await attempt(MAIL)).outcome.kind).toBe('succeeded')
    expect([closing.connections(), closing.mails()]).toEqual([2, 2])
  })
})

describe('S44: credentials', () => {
  const password = 'correct horse battery'
  const SPELLINGS = [password, Buffer.from(password), Buffer.from(`\0ada\0${password}`)].map((each) =>
    typeof each === 'string' ? each : each.toString('base64').replace(/=+$/, ''),
  )

  it('are in nothing that is thrown, even when the server says them', async () => {
    const echo = (_: unknown, line: string): string => `535 5.7.8 ${line} or ${password}, is wrong`
    const later = `550 5.1.1 ${SPELLINGS.join(' ')} ${encodeURIComponent(password)}`
    for (const script of [{ AUTH: echo }, { RCPT: later }, { dot: later }] as Script[]) {
      const server = await serveScript(script)
      const { attempt } = openBed({
        providers: { smtp: { ...smtpAt(server), startTls: 'never', user: 'ada', password } },
      })
      const said = JSON.stringify(await attempt(MAIL))
      expect(said).toContain('"failed"')
      for (const spelling of SPELLINGS) expect(said).not.toContain(spelling)
      expect(said).not.toContain('battery')
    }
  })

  it('that are too short to be searched for silence the server', async () => {
    const server = await serveScript({ RCPT: '550 5.1.1 abc' })
    const { attempt } = openBed({
      providers: { smtp: { ...smtpAt(server), startTls: 'never', user: 'ada', password: 'abc' } },
    })
    expect(failureOf(await attempt(MAIL))).toMatchObject({
      error: { message: 'the mail server refused a recipient: 550' },
    })
  })

  it('that are wrong are authentication_failed, for good', async () => {
    const server = await serveMail({ authOptional: false })
    const smtp = { ...smtpAt(server), user: 'ada', password: 'wrong password' }
    expect(failureOf(await openBed({ providers: { smtp } }).attempt(MAIL))).toMatchObject({
      error: {
        type: 'authentication_failed',
        retryable: false,
        code: 'SMTP_535',
        details: { stage: 'login' },
      },
      effect: 'none',
    })
  })

  it('are given to no server that takes neither PLAIN nor LOGIN', async () => {
    const server = await serveScript({ EHLO: '250-mail.example\r\n250 AUTH CRAM-MD5' })
    const { attempt } = openBed({
      providers: { smtp: { ...smtpAt(server), startTls: 'never', user: 'ada', password } },
    })
    expect(failureOf(await attempt(MAIL))).toMatchObject({
      error: { type: 'invalid_configuration' },
      effect: 'none',
    })
    expect(server.heard.some((line) => line.startsWith('AUTH'))).toBe(false)
  })
})
