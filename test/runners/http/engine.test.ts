import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OAuth2Server } from 'oauth2-mock-server'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { linkActions } from '../../../src/definitions/link-actions.ts'
import {
  loadDefinition,
  type ParsedAction,
  type ParsedMachine,
  parseDefinitions,
} from '../../../src/definitions/parse.ts'
import { machine, Pawl, type PawlOptions, secret } from '../../../src/index.ts'
import { builtInRunners } from '../../../src/runners/built-in.ts'
import { createDelay } from '../../../src/runners/delay.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import { createWebhook } from '../../../src/runners/webhook/webhook.ts'
import { only, settle } from '../../engine/spies.ts'
import { json, type Received, type Reply, receiver } from './bed.ts'

// The runners inside the engine: definitions as people load them, secrets from the environment, real servers.

const START = '2026-01-05T09:00:00.000Z'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const open = async (options: Partial<PawlOptions>) => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-runners-'))
  const lines: string[] = []
  const pawl = await Pawl.open({
    store: `sqlite:${join(folder, 'pawl.db')}`,
    clock: `virtual:${START}`,
    egress: { allow: ['127.0.0.0/8'] },
    log: (...line) => void lines.push(JSON.stringify(line)),
    ...options,
  })
  closers.push(() => rmSync(folder, { recursive: true }), pawl.close)
  /** Every byte that was kept of it. */
  const kept = () =>
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join()
  return { pawl, lines, kept }
}

const fixture = (name: string): ParsedAction => {
  const file = new URL(`../../definitions/fixtures/${name}.json`, import.meta.url)
  return parseDefinitions(readFileSync(file, 'utf8'), { file: name }).definitions[0] as ParsedAction
}

/** A machine whose only event asks for the action, and which ends with what comes of it. */
const machineOf = (name: string, event: string): ParsedMachine => {
  const action = fixture(name)
  const state = action.data.triggerState!
  const { definitions } = loadDefinition({
    kind: 'machine',
    id: 'case',
    initial: 'waiting',
    states: {
      waiting: { on: { go: state } },
      [state]: { on: { [event]: 'done', 'action.failed': 'failed' } },
      done: { final: true },
      failed: { final: true },
    },
  })
  return linkActions(definitions as ParsedMachine[], [action]).machines[0]!
}

const tokenServer = async () => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('ES256')
  await server.start(0, '127.0.0.1')
  closers.push(() => server.stop())
  const issued: string[] = []
  server.service.on(
    'beforeResponse',
    ({ body }) => void issued.push(String((body as JsonObject)['access_token'])),
  )
  return { issued, url: `http://127.0.0.1:${server.address().port}/token` }
}

describe('the actions of F-013 and F-014, verbatim', () => {
  const crm = async (reply: (received: Received, count: number) => Reply) => {
    const server = await receiver(reply)
    const opened = await open({
      definitions: [machineOf('notify_crm_system', 'webhook_called')],
      runners: builtInRunners({ outbox: createOutbox() }),
      secrets: { env: { PAWL_SECRET_CRM_API_TOKEN: 'canary-token' } },
    })
    const variables = { crmWebhookUrl: `${server.url}/hook`, applicantId: 'a_1' }
    await opened.pawl.start('case', { id: 'run_1', variables })
    await opened.pawl.send('run_1', 'go')
    return { ...server, ...opened, stateOf: async () => (await opened.pawl.executions.get('run_1'))?.state }
  }

  it('F-013: notify_crm_system is delivered, and its machine goes on', async () => {
    const { pawl, received, stateOf } = await crm(() => json({ ok: true }, 202))
    await settle(pawl)
    const { idempotencyKey } = await only(pawl)
    expect(received).toMatchObject([
      {
        method: 'POST',
        path: '/hook',
        headers: {
          authorization: 'Bearer canary-token',
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
      },
    ])
    expect(JSON.parse(received[0]!.body)).toEqual({
      event: 'application_approved',
      applicantId: 'a_1',
      approvalDate: START,
      executionId: 'run_1',
    })
    expect(await stateOf()).toBe('done')
    expect(await only(pawl)).toMatchObject({
      status: 'succeeded',
      result: { statusCode: 202, data: { ok: true } },
    })
  })

  it('promise 2: after a failure the same key and the same bytes; Retry-After is obeyed', async () => {
    const { pawl, received, stateOf } = await crm((_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '20' } } : json({}),
    )
    await pawl.advance({ by: '19s' })
    expect(received).toHaveLength(1)
    await pawl.advance({ by: '2s' })
    expect(received).toHaveLength(2)
    const [first, second] = received
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp'])).toBe(
      20,
    )
    expect(await stateOf()).toBe('done')
  })

  it('X-04: a status outside of its list is an error, tried five times by its policy', async () => {
    const { pawl, received, stateOf } = await crm(() => ({ status: 204 }))
    await pawl.advance({ by: '1h' })
    expect(received).toHaveLength(5)
    expect(await stateOf()).toBe('failed')
    expect(await only(pawl)).toMatchObject({
      status: 'dead',
      error: { type: 'unknown_error', code: 'HTTP_204' },
    })
  })

  it('410: one delivery, then a dead letter that says why', async () => {
    const { pawl, received } = await crm(() => ({ status: 410 }))
    await pawl.advance({ by: '1h' })
    expect(received).toHaveLength(1)
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'not_found' } })
  })

  it('F-014, F-015: update_external_database gets a token and is sent; neither token nor secret is kept', async () => {
    const token = await tokenServer()
    const db = await receiver(({ headers, body }, count) =>
      // A provider that sends back what it should not, at first in a refusal.
      json({ headers, body, why: headers.authorization }, count === 1 ? 500 : 200),
    )
    const { pawl, lines, kept } = await open({
      definitions: [machineOf('update_external_database', 'api_called')],
      runners: builtInRunners({
        outbox: createOutbox(),
        services: { external_db: { baseUrl: `${db.url}/base` } },
      }),
      secrets: {
        env: {
          PAWL_SECRET_EXTERNAL_DB_TOKEN_URL: `${token.url}?canary-url`,
          PAWL_SECRET_EXTERNAL_DB_CLIENT_ID: 'canary-client',
          PAWL_SECRET_EXTERNAL_DB_CLIENT_SECRET: 'canary-password',
        },
      },
    })
    await pawl.start('case', { id: 'run_1', variables: { recordId: 'r_1' } })
    await pawl.send('run_1', 'go', { score: 7 })
    await pawl.advance({ by: '1m' })
    expect(db.received).toMatchObject(
      [1, 2].map(() => ({
        method: 'PUT',
        path: '/base/api/v1/records/r_1',
        headers: { authorization: `Bearer ${token.issued[0]}` },
      })),
    )
    expect(JSON.parse(db.received[0]!.body)).toEqual({
      status: 'validated',
      validatedAt: START,
      validationDetails: { score: 7 },
    })
    expect(token.issued).toHaveLength(1)
    expect(await pawl.executions.get('run_1')).toMatchObject({ state: 'done' })
    const action = await only(pawl)
    expect(action).toMatchObject({ status: 'succeeded', attempts: [{ error: { code: 'HTTP_500' } }, {}] })
    const shown = JSON.stringify([action, await pawl.executions.history('run_1'), lines])
    expect(shown).toContain('‹secret:access_token›')
    for (const text of [shown, kept()]) {
      expect(text).not.toContain('canary')
      for (const part of token.issued[0]!.split('.')) expect(text).not.toContain(part)
    }
  })
})

describe('from code', () => {
  it('S43: a signing secret is named, filled in for the attempt, and verified by the receiver', async () => {
    const { url, received } = await receiver(() => ({}))
    const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const webhook = createWebhook({ outbox: createOutbox() })
    const { pawl, kept } = await open({
      clock: 'real',
      runners: [webhook],
      secrets: { env: { PAWL_SECRET_CRM_SIGNING: whsec } },
    })
    const stop = await pawl.work()
    await pawl.dispatch(webhook({ url, payload: { a: 1 }, signing: { secret: secret('crm_signing') } }))
    await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
    await stop()
    const { body, headers } = received[0]!
    expect(new Webhook(whsec).verify(body, headers as Record<string, string>)).toEqual({ a: 1 })
    expect(kept()).not.toContain(whsec.slice(6, 40))
    expect(() => webhook({ url: secret('crm_signing') })).toThrow(
      expect.objectContaining({ code: 'secret_not_allowed_here' }),
    )
  })

  it.each(['not a url', 'file:///etc/passwd', 'http://10.0.0.1/'])(
    'S12, S18: a URL that is %s ends the action at once, and nothing was sent',
    async (url) => {
      const webhook = createWebhook({ outbox: createOutbox() })
      const { pawl } = await open({ runners: [webhook] })
      await pawl.dispatch(webhook({ url }, { delivery: 'at_most_once' }))
      await settle(pawl)
      // Were its effect unknown, it would be in review.
      expect(await only(pawl)).toMatchObject({ status: 'dead', error: { type: 'destination_forbidden' } })
    },
  )

  it('F-076: the machine hears of the delivery', async () => {
    const { url } = await receiver(() => ({ ...json({ id: 7 }, 201), headers: {} }))
    const webhook = createWebhook({ outbox: createOutbox() })
    const heard: unknown[] = []
    const teller = machine({
      id: 'teller',
      uses: [webhook],
      initial: 'telling',
      states: {
        telling: {
          enter: () => webhook({ url, payload: { a: [1] } }, { name: 'tell' }),
          on: { webhook_called: { to: 'told', when: ({ event }) => heard.push(event.payload) > 0 } },
        },
        told: { final: true },
      },
    })
    const { pawl } = await open({ definitions: [teller], runners: [webhook] })
    await pawl.start(teller, { id: 't', variables: {} })
    await settle(pawl)
    expect(heard).toEqual([
      {
        url,
        method: 'POST',
        statusCode: 201,
        responseTime: 0,
        actionId: 'tell',
        result: { statusCode: 201, headers: expect.any(Object), data: { id: 7 } },
      },
    ])
  })

  it('a delay waits in the store, and elapses exactly once', async () => {
    const delay = createDelay()
    const seen: unknown[] = []
    const patient = machine({
      id: 'patient',
      uses: [delay],
      initial: 'waiting',
      states: {
        waiting: {
          enter: () => delay({}, { delay: '30d', name: 'cooling_off' }),
          on: {
            delay_elapsed: {
              to: 'done',
              of: 'cooling_off',
              when: ({ event }) => seen.push(event.payload.elapsedAt) > 0,
            },
          },
        },
        done: { final: true },
      },
    })
    const { pawl } = await open({ definitions: [patient], runners: [delay] })
    await pawl.start(patient, { id: 'p', variables: {} })
    await pawl.advance({ by: '29d' })
    expect(await pawl.executions.get('p')).toMatchObject({ state: 'waiting' })
    await pawl.advance({ by: '60d' })
    expect(await pawl.executions.get('p')).toMatchObject({ state: 'done', status: 'completed' })
    expect(seen).toEqual(['2026-02-04T09:00:00.000Z'])
    expect(await only(pawl)).toMatchObject({
      attempts: [{ number: 1, outcome: 'succeeded' }],
      maxAttempts: 1,
    })
  })
})
