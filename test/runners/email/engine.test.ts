import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { linkActions } from '../../../src/definitions/link-actions.ts'
import { type ParsedAction, type ParsedMachine, parseDefinitions } from '../../../src/definitions/parse.ts'
import { machine, Pawl, secret } from '../../../src/index.ts'
import { createEmail, type EmailDeps } from '../../../src/runners/email/email.ts'
import { templatesIn } from '../../../src/runners/email/templates.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import { openMailEgress, serveMail, smtpAt } from './bed.ts'
import { drop, serveScript } from './scripted.ts'
import { API_KEY, serveSendgrid } from './sendgrid-server.ts'

// The runner inside the engine: definitions as people load them, secrets from the environment, real servers.

const START = '2026-01-05T09:00:00.000Z'
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const open = async (
  definitions: NonNullable<Parameters<typeof Pawl.open>[0]['definitions']>,
  deps: Partial<EmailDeps>,
  env: Readonly<Record<string, string>> = {},
) => {
  const email = createEmail({ egress: openMailEgress(), providers: {}, outbox: createOutbox(), ...deps })
  const pawl = await Pawl.open({
    store: 'sqlite::memory:',
    clock: `virtual:${START}`,
    egress: { allow: ['127.0.0.0/8'] },
    secrets: { env },
    definitions,
    runners: [email],
    log: () => {},
  })
  closers.push(pawl.close)
  return pawl
}

const VARIABLES: JsonObject = {
  landlordEmail: 'ada@example.com',
  tenantName: 'Grace',
  propertyAddress: '1 High St',
}
const SKELETON = `
kind: machine
id: lease
initial: active
states:
  active: { on: { notice: notice_received } }
  notice_received: { on: { email_sent: done, action.failed: stuck } }
  done: { final: true }
  stuck: {}
`
const machineIn = (yaml: string): ParsedMachine =>
  parseDefinitions(yaml, { file: 'lease.yaml' }).definitions[0] as ParsedMachine
const fixture = (): ParsedMachine => {
  const file = new URL('../../definitions/fixtures/send_termination_notice.json', import.meta.url)
  const action = parseDefinitions(readFileSync(file, 'utf8'), { file: 'f.json' })
    .definitions[0] as ParsedAction
  return linkActions([machineIn(SKELETON)], [action]).machines[0]!
}

const run = async (pawl: Pawl, payload: JsonObject = { terminationDate: '2026-12-31' }, event = 'notice') => {
  await pawl.start('lease', { id: 'l_1', variables: VARIABLES })
  await pawl.send('l_1', event, payload)
  await pawl.advance({ by: '7d' })
  const { data: actions } = await pawl.actions.list({ execution: 'l_1' })
  return { state: (await pawl.executions.get('l_1'))?.state, action: actions[0]! }
}

describe('the email runner in the engine', () => {
  it('F-011: send_termination_notice runs as it is written, with a template of SendGrid', async () => {
    const server = await serveSendgrid()
    const sendgrid = { baseUrl: server.baseUrl, from: 'noreply@pawl.example' }
    const pawl = await open(
      [fixture()],
      { providers: { sendgrid } },
      { PAWL_SECRET_SENDGRID_API_KEY: API_KEY },
    )
    const { state, action } = await run(pawl)
    expect(state).toBe('done')
    expect(server.mails).toMatchObject([
      {
        personalizations: [
          {
            to: [{ email: 'ada@example.com' }],
            cc: [{ email: 'legal@company.com' }],
            dynamic_template_data: {
              tenantName: 'Grace',
              terminationDate: '2026-12-31',
              propertyAddress: '1 High St',
            },
          },
        ],
        template_id: 'termination_notice_template',
        custom_args: { pawl_key: action.idempotencyKey },
      },
    ])
    expect(JSON.stringify(await pawl.actions.get(action.id))).not.toContain(API_KEY)
  })

  it('F-011: and in the demo, where nothing is sent', async () => {
    const outbox = createOutbox()
    const pawl = await open([fixture()], { outbox, defaultProvider: 'sandbox' })
    expect((await run(pawl)).state).toBe('done')
    expect(await outbox.list({ namespace: 'default', tenant: 'default' })).toHaveLength(1)
  })

  it('the example of its page', async () => {
    const page = readFileSync(new URL('../../../docs/runners/email.md', import.meta.url), 'utf8')
    const [, yaml] = /^```yaml\n(.*?)^```$/ms.exec(page)!
    const [, html] = /^```liquid\n(.*?)\n```$/ms.exec(page)!
    const server = await serveMail()
    const templates = templatesIn({ termination_notice: { subject: 'Notice of {{ tenant }}', html: html! } })
    const pawl = await open([machineIn(yaml!)], { templates, providers: { smtp: smtpAt(server) } })
    expect((await run(pawl, { terminationDate: '2026-12-31' }, 'notice.received')).state).toBe('terminating')
    expect(server.deliveries).toMatchObject([
      {
        to: ['ada@example.com', 'legal@company.com'],
        mail: {
          subject: 'Notice of Grace',
          date: START,
          text: 'Dear landlord, Grace moves out on 31 December 2026.\n',
        },
      },
    ])
  })

  it('a mail whose fate is unknown is sent again with the same Message-ID; under at_most_once it waits', async () => {
    let count = 0
    const server = await serveScript({ dot: (socket) => (count++ === 0 ? drop(socket) : '250 OK') })
    const providers = { smtp: { ...smtpAt(server), startTls: 'never' as const } }
    const egress = openMailEgress()
    const email = createEmail({ egress, providers, outbox: createOutbox() })
    const once = machine({
      id: 'lease',
      uses: [email],
      initial: 'a',
      states: {
        a: { enter: () => email({ to: 'a@b.example', subject: 'x', text: 'y' }), on: { email_sent: 'b' } },
        b: {},
      },
    })
    const pawl = await open([once], { egress, providers })
    await pawl.start(once, { id: 'l_1' })
    await pawl.advance({ by: '1h' })
    const ids = server.heard.filter((line) => line.startsWith('Message-ID'))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)

    count = 0
    const { id } = await pawl.dispatch(
      email({ to: 'a@b.example', subject: 'x', text: 'y' }, { delivery: 'at_most_once' }),
    )
    await pawl.advance({ by: '1h' })
    expect((await pawl.actions.get(id))?.status).toBe('review')
    expect(server.mails()).toBe(3)
  })

  it('S44: a password from a secret is in nothing that is kept', async () => {
    const password = 'correct horse battery'
    const server = await serveScript({ AUTH: (_, line) => `535 5.7.8 ${line} ${password}` })
    const providers = { smtp: { ...smtpAt(server), startTls: 'never' as const, user: 'ada' } }
    const egress = openMailEgress()
    const email = createEmail({ egress, providers, outbox: createOutbox() })
    const pawl = await open([], { egress, providers }, { PAWL_SECRET_MINE: password })
    const { id } = await pawl.dispatch(
      email({ to: 'a@b.example', subject: 'x', text: 'y', auth: { password: secret('mine') } }),
    )
    await pawl.advance({ by: '1h' })
    const kept = JSON.stringify(await pawl.actions.get(id))
    expect(kept).toContain('authentication_failed')
    expect(kept).not.toContain('horse')
    expect(kept).not.toContain(Buffer.from(`\0ada\0${password}`).toString('base64').slice(0, 20))
  })
})
