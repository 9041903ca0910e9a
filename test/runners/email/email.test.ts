import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { templateFolder } from '../../../src/config/template-folder.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { secret } from '../../../src/index.ts'
import { emailConfig } from '../../../src/runners/email/config.ts'
import { renderEmail } from '../../../src/runners/email/render-email.ts'
import { templateFiles, templatesIn } from '../../../src/runners/email/templates.ts'
import { failureOf, KEY, MAIL, NOW, openBed, serveMail, smtpAt } from './bed.ts'

const TEMPLATES = templatesIn({
  welcome: {
    subject: 'Welcome, {{ name }}\n',
    html: '<p>Hello <b>{{ name }}</b></p>',
  },
  notice: { subject: 'Notice', text: 'Until {{ until }}', html: '<p>Until {{ until }}</p>' },
  bare: { html: '<p>x</p>' },
  plain: { subject: 'Plain', text: '<{{ name }}>' },
  empty: { subject: 'Empty' },
})
const { provider: _, subject: __, text: ___, ...TO } = MAIL

describe('a template', () => {
  const rendered = (config: JsonObject) =>
    renderEmail(emailConfig.parse({ ...TO, ...config }), { templates: TEMPLATES, from: 'a@b.example' })

  it('gives subject, HTML and text; values are escaped in HTML only', async () => {
    const email = await rendered({ template: 'welcome', variables: { name: 'Ada & <Co>' } })
    expect(email).toEqual({
      from: { address: 'a@b.example' },
      to: [{ address: 'ada@example.com' }],
      cc: [],
      bcc: [],
      template: 'welcome',
      subject: 'Welcome, Ada & <Co>',
      html: '<p>Hello <b>Ada &amp; &lt;Co&gt;</b></p>',
      text: 'Hello Ada & <Co>',
      attachments: [],
      headers: {},
    })
    expect(
      await rendered({ template: 'notice', variables: { until: 'May' }, subject: 'Mine' }),
    ).toMatchObject({
      subject: 'Mine',
      text: 'Until May',
    })
    expect(await rendered({ template: 'plain', variables: { name: 'x' } })).not.toHaveProperty('html')
  })

  it('S26: html, text and subject of a config are no templates', async () => {
    const text = '{{ name }} {% include "x" %}'
    expect(await rendered({ subject: text, html: text, text, variables: { name: 'Ada' } })).toMatchObject({
      subject: text,
      html: text,
      text,
    })
  })

  it('S21: a value cannot break out of the subject', async () => {
    const { attempt } = openBed({ templates: TEMPLATES })
    const variables = { name: 'Ada\r\nBcc: eve@evil.example' }
    expect(
      failureOf(await attempt({ ...TO, provider: 'sandbox', template: 'welcome', variables })),
    ).toMatchObject({
      error: { type: 'template_value_forbidden', retryable: false, details: { path: 'subject' } },
      effect: 'none',
      permanent: true,
    })
  })

  it('that is not there is said, with the nearest; so is a mail without subject or sender', async () => {
    const server = await serveMail()
    const { from: ____, ...nobody } = smtpAt(server)
    const { attempt } = openBed({ templates: TEMPLATES, providers: { smtp: { ...nobody } } })
    expect(failureOf(await attempt({ ...TO, template: 'welcom' }))).toMatchObject({
      error: { code: 'template_not_found', message: expect.stringContaining('did you mean welcome?') },
      effect: 'none',
    })
    expect(failureOf(await attempt({ ...TO, template: 'bare' }))).toMatchObject({
      error: { details: { path: 'subject' } },
    })
    expect(failureOf(await attempt({ ...TO, template: 'constructor' }))).toMatchObject({
      error: { code: 'template_not_found' },
    })
    expect(failureOf(await attempt(MAIL))).toMatchObject({
      error: { code: 'INVALID_EMAIL', details: { path: 'from' } },
    })
    expect(failureOf(await attempt({ ...TO, template: 'empty' }))).toMatchObject({
      error: { code: 'invalid_template', message: expect.stringContaining('has neither html nor text') },
    })
    expect(server.connections()).toBe(0)
  })

  it('may be files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-templates-'))
    writeFileSync(join(folder, 'hello.subject.liquid'), 'Hello {{ name }}\n')
    writeFileSync(join(folder, 'hello.html.liquid'), '<p>Hi {{ name }}</p>')
    const asked: string[] = []
    const { read, files } = templateFolder(folder)
    const templates = templateFiles({
      files,
      read: (file) => {
        asked.push(file)
        return read(file)
      },
    })
    const of = { namespace: 'default', tenant: 'acme' }
    expect(await templates.get('hello', of)).toEqual({
      subject: 'Hello {{ name }}\n',
      html: '<p>Hi {{ name }}</p>',
    })
    expect(await templates.get('other', of)).toBeUndefined()
    expect(await templates.get('hello/other', of)).toBeUndefined()
    expect(await templates.names?.(of)).toEqual(['hello'])
    asked.length = 0
    for (const name of ['../hello', '/etc/passwd', 'a/../b', 'a//b', 'a\\b', '.hidden', 'a\0', '', 'a b'])
      expect(await templates.get(name, of)).toBeUndefined()
    expect(asked).toEqual([])
    rmSync(folder, { recursive: true })
  })
})

describe('X-22: the sandbox', () => {
  it('sends nothing, and keeps what would have been sent', async () => {
    const { attempt, outbox } = openBed({ templates: TEMPLATES })
    const auth = { password: 'correct horse', apiKey: 'SG.secret' }
    const { outcome, metadata } = await attempt({
      ...TO,
      provider: 'sandbox',
      template: 'welcome',
      variables: { name: 'Ada' },
      date: '2026-01-05T09:00:00Z',
      auth,
    })
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      result: { messageId: `<${KEY}@sandbox.invalid>`, recipients: ['ada@example.com'], template: 'welcome' },
    })
    expect(metadata).toEqual({ provider: 'sandbox', templateUsed: 'welcome' })
    const entries = await outbox.list({ namespace: 'default', tenant: 'acme' }, 'email')
    expect(entries).toEqual([
      {
        at: NOW,
        namespace: 'default',
        tenant: 'acme',
        type: 'email',
        key: KEY,
        content: expect.objectContaining({
          subject: 'Welcome, Ada',
          text: 'Hello Ada',
          date: '2026-01-05T09:00:00Z',
        }),
      },
    ])
    for (const value of Object.values(auth)) expect(JSON.stringify(entries)).not.toContain(value)
  })

  it('keeps the name and the data of a template that is not here', async () => {
    const { attempt, outbox } = openBed()
    await attempt({ ...TO, provider: 'sandbox', template: 'd-1', variables: { a: 1 } })
    expect(await outbox.list({ namespace: 'default', tenant: 'acme' })).toMatchObject([
      { content: { template: 'd-1', unrendered: { a: 1 } } },
    ])
  })

  it('refuses what every provider refuses', async () => {
    const { attempt, outbox } = openBed()
    expect(failureOf(await attempt({ ...MAIL, provider: 'sandbox', to: 'nobody' }))).toMatchObject({
      error: { code: 'INVALID_EMAIL' },
    })
    expect(await outbox.list({ namespace: 'default', tenant: 'acme' })).toEqual([])
  })
})

describe('the provider', () => {
  const { provider: ______, ...unnamed } = MAIL
  const chosen = async (config: Json, deps: Parameters<typeof openBed>[0]) => {
    const performed = await openBed(deps).attempt(config)
    return performed.outcome.kind === 'succeeded' ? performed.metadata['provider'] : failureOf(performed)
  }

  it('is the one that is named, or the default, or the only one', async () => {
    const server = await serveMail()
    const smtp = smtpAt(server)
    expect(await chosen(unnamed, { providers: { smtp } })).toBe('smtp')
    expect(await chosen(unnamed, { providers: { smtp }, defaultProvider: 'sandbox' })).toBe('sandbox')
    expect(await chosen(MAIL, { providers: { smtp }, defaultProvider: 'sandbox' })).toBe('smtp')
    expect(await chosen({ ...MAIL, provider: 'sandbox' }, { providers: { smtp } })).toBe('sandbox')
    // Nothing could be sent, and whoever runs it asked for the sandbox.
    expect(await chosen(MAIL, { defaultProvider: 'sandbox' })).toBe('sandbox')
  })

  it('is never the sandbox unasked', async () => {
    const refused = {
      error: { type: 'invalid_configuration', code: 'provider_not_configured', retryable: false },
    }
    expect(await chosen(MAIL, {})).toMatchObject(refused)
    expect(await chosen(unnamed, {})).toMatchObject(refused)
    expect(
      await chosen(unnamed, { providers: { smtp: { host: 'mail.example' }, sendgrid: {} } }),
    ).toMatchObject(refused)
  })

  it('S27: a secret stands in auth, and nowhere else', () => {
    const { email } = openBed()
    expect(email({ ...MAIL, auth: { password: secret('smtp_password') } }).secrets).toMatchObject([
      { pointer: '/auth/password', name: 'smtp_password' },
    ])
    for (const config of [
      { ...MAIL, subject: secret('x') },
      { ...MAIL, text: secret('x') },
      { ...MAIL, headers: { 'X-A': secret('x') } },
      { ...MAIL, to: secret('x') },
    ])
      expect(() => email(config)).toThrow(expect.objectContaining({ code: 'secret_not_allowed_here' }))
  })
})

describe('F-043, X-15: a config', () => {
  const { email } = openBed()
  const problems = (config: Json) =>
    email.validateConfig(config).errors.map(({ path, message }) => `${path}: ${message}`)

  it.each<[string, JsonObject]>([
    [
      'with placeholders',
      { ...TO, to: '{{execution.variables.email}}', template: 't', variables: { a: '{{now}}' } },
    ],
    ['with a placeholder in an address', { ...MAIL, to: '{{variables.name}}@example.com' }],
    [
      'with all of it',
      { ...MAIL, cc: ['a@b.example'], attachments: [{ filename: 'a', text: '' }], headers: { 'X-A': 'b' } },
    ],
    [
      'F-011',
      JSON.parse(
        readFileSync(
          new URL('../../definitions/fixtures/send_termination_notice.json', import.meta.url),
          'utf8',
        ),
      ).config,
    ],
  ])('%s is taken', (_, config) => {
    expect(email.validateConfig(config)).toEqual({ isValid: true, errors: [] })
  })

  it.each<[JsonObject, string]>([
    [{ ...MAIL, to: 'nobody' }, 'to.0: “nobody” is no mail address'],
    [{ ...MAIL, to: [] }, 'to: '],
    [{ ...MAIL, to: Array(51).fill('a@b.example') }, 'to: '],
    [{ ...MAIL, cc: 'a@b.example' }, 'cc: '],
    [{ ...MAIL, bcc: ['"a@evil.example x"@good.example'] }, 'bcc.0: '],
    [{ ...MAIL, from: 'a@evil.example <b@good.example>' }, 'from: '],
    [{ ...MAIL, replyTo: 'x' }, 'replyTo: '],
    [{ ...MAIL, subject: 'a\nBcc: b@c.example' }, 'subject: a line break'],
    [{ ...MAIL, headers: { Bcc: 'b@c.example' } }, 'headers: a header that cannot be set'],
    [{ ...MAIL, template: 'x' }, 'template: expected either a template, or html and text'],
    [{ provider: 'smtp', to: 'a@b.example', subject: 'x' }, 'template: expected either'],
    [{ ...MAIL, vars: {} }, ': “vars” is not a known key: the data of a template is variables'],
    [{ ...MAIL, reply_to: 'x' }, ': “reply_to” is not a known key; did you mean replyTo?'],
    [{ ...MAIL, provider: 'mailgun' }, 'provider: '],
    [
      { ...MAIL, attachments: [{ filename: 'a', text: 'x', content: 'eA==' }] },
      'attachments.0: expected either content',
    ],
    [
      { ...MAIL, attachments: [{ filename: 'a', content: 'no base64!' }] },
      'attachments.0.content: expected base64',
    ],
    [
      { ...MAIL, attachments: [{ filename: '../a', text: '' }] },
      'attachments.0.filename: a name with a folder',
    ],
    [{ ...MAIL, attachments: [{ filename: 'a\r\nb', text: '' }] }, 'attachments.0.filename: a line break'],
    [
      { ...MAIL, attachments: [{ filename: 'a', text: '', contentType: 'text/html; x=y' }] },
      'attachments.0.contentType: ',
    ],
    [
      { ...MAIL, attachments: [{ filename: 'a', text: '', contentType: 'message/rfc822' }] },
      'attachments.0.contentType: ',
    ],
    [{ ...MAIL, date: 'tomorrow' }, 'date: '],
  ])('%# is refused, and said where', (config, message) => {
    const [first = '', ...rest] = problems(config)
    expect(first.slice(0, message.length)).toBe(message)
    expect(rest).toEqual([])
  })

  it('has at most 50 recipients in all', async () => {
    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, n) => `${name}${n}@b.example`)
    const { attempt } = openBed()
    const config = { ...MAIL, provider: 'sandbox', to: many(20, 'to'), cc: many(20, 'cc') }
    expect((await attempt({ ...config, bcc: many(10, 'bcc') })).outcome.kind).toBe('succeeded')
    expect(failureOf(await attempt({ ...config, bcc: many(11, 'bcc') }))).toMatchObject({
      error: { code: 'INVALID_EMAIL', message: expect.stringContaining('51 recipients') },
    })
  })

  it('F-044: that does not fit is refused at run, too, and not retried', async () => {
    expect(failureOf(await openBed().attempt({ to: 1 }))).toMatchObject({
      error: { type: 'invalid_configuration', retryable: false },
      effect: 'none',
    })
  })
})
