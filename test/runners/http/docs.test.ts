import { readFileSync } from 'node:fs'
import { OAuth2Server } from 'oauth2-mock-server'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { type ParsedMachine, parseDefinitions } from '../../../src/definitions/parse.ts'
import { Pawl } from '../../../src/index.ts'
import { builtInRunners } from '../../../src/runners/built-in.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import { json, receiver } from './bed.ts'

// The examples of the pages, as they stand there.

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** What is sent is dated by the engine: a real receiver of signatures wants the present. */
const NOW = new Date().toISOString()

const exampleOf = (page: string): ParsedMachine => {
  const text = readFileSync(new URL(`../../../docs/runners/${page}.md`, import.meta.url), 'utf8')
  const [, example] = /^```yaml\n(.*?)^```$/ms.exec(text)!
  return parseDefinitions(example!, { file: `${page}.yaml` }).definitions[0] as ParsedMachine
}

interface Given {
  readonly variables?: JsonObject
  readonly env?: Readonly<Record<string, string>>
  readonly services?: Parameters<typeof builtInRunners>[0]['services']
}

const start = async (page: string, { variables = {}, env = {}, services = {} }: Given) => {
  const example = exampleOf(page)
  const pawl = await Pawl.open({
    store: 'sqlite::memory:',
    clock: `virtual:${NOW}`,
    egress: { allow: ['127.0.0.0/8'] },
    secrets: { env },
    definitions: [example],
    runners: builtInRunners({ outbox: createOutbox(), services }),
  })
  closers.push(pawl.close)
  await pawl.start(example.machine.id, { id: 'run_1', variables })
  return { pawl, stateOf: async () => (await pawl.executions.get('run_1'))?.state }
}

it('webhook.md', async () => {
  const crm = await receiver(() => ({ status: 202 }))
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const { pawl, stateOf } = await start('webhook', {
    variables: { crmUrl: crm.url },
    env: { PAWL_SECRET_CRM_TOKEN: 'abcdef', PAWL_SECRET_CRM_SIGNING: secret },
  })
  await pawl.send('run_1', 'approve', { by: 'ada' })
  await pawl.advance({ by: '1m' })
  const [{ body, headers }] = crm.received as [(typeof crm.received)[number]]
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
    type: 'application.approved',
    data: { id: 'run_1', by: 'ada' },
  })
  expect(headers.authorization).toBe('Bearer abcdef')
  expect(await stateOf()).toBe('told')
})

it('api-call.md', async () => {
  const tokens = new OAuth2Server()
  await tokens.issuer.keys.generate('ES256')
  await tokens.start(0, '127.0.0.1')
  closers.push(() => tokens.stop())
  const db = await receiver(() => json({}))
  const { pawl, stateOf } = await start('api-call', {
    variables: { recordId: 'a/../b' },
    env: {
      PAWL_SECRET_EXTERNAL_DB_TOKEN_URL: `http://127.0.0.1:${tokens.address().port}/token`,
      PAWL_SECRET_EXTERNAL_DB_CLIENT_ID: 'client',
      PAWL_SECRET_EXTERNAL_DB_CLIENT_SECRET: 'password',
    },
    services: { external_db: { baseUrl: `${db.url}/v1` } },
  })
  await pawl.send('run_1', 'validate', { score: 7 })
  await pawl.advance({ by: '1m' })
  // What steps up is refused even when it is written as a value.
  expect(db.received).toEqual([])
  expect(await stateOf()).toBe('not_stored')

  await pawl.start('record', { id: 'run_2', variables: { recordId: 'a/b c' } })
  await pawl.send('run_2', 'validate', { score: 7 })
  await pawl.advance({ by: '1m' })
  expect(db.received).toMatchObject([
    { method: 'PUT', path: '/v1/records/a%2Fb%20c', body: '{"status":"validated","details":{"score":7}}' },
  ])
  expect(await pawl.executions.get('run_2')).toMatchObject({ state: 'stored' })
})

it('delay.md', async () => {
  const { pawl, stateOf } = await start('delay', {})
  await pawl.advance({ by: '13d' })
  expect(await stateOf()).toBe('signed')
  await pawl.advance({ by: '2d' })
  expect(await stateOf()).toBe('binding')
})
