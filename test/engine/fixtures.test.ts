import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { delayBefore, PRESETS, waits } from '../../src/core/retry.ts'
import { linkActions } from '../../src/definitions/link-actions.ts'
import {
  loadDefinition,
  type ParsedAction,
  type ParsedMachine,
  parseDefinitions,
} from '../../src/definitions/parse.ts'
import { type Pawl, retryable } from '../../src/index.ts'
import { at, NOW, onEachShared, onEachStore } from './bed.ts'
import { type Call, historyOf, only, settle, spy } from './spies.ts'

// The six actions of F-011…F-017, from their files to their ends, through runners of those types.

const folder = new URL('../definitions/fixtures/', import.meta.url)
const actions = readdirSync(folder).flatMap(
  (file) =>
    parseDefinitions(readFileSync(new URL(file, folder), 'utf8'), { file }).definitions as ParsedAction[],
)

const SECRETS: Readonly<Record<string, string>> = {
  certificate_contract_address: 'canary-contract',
  crm_api_token: 'canary-token',
  external_db_token_url: 'canary-url',
  external_db_client_id: 'canary-client',
  external_db_client_secret: 'canary-password',
}
const env = Object.fromEntries(
  Object.entries(SECRETS).map(([name, value]) => [`PAWL_SECRET_${name.toUpperCase()}`, value]),
)

const VARIABLES = {
  landlordEmail: 'ada@example.com',
  tenantName: 'Grace',
  tenantPhone: '+4912345',
  tenantEmail: 'grace@example.com',
  propertyAddress: '1 High St',
  propertyId: 'p_1',
  crmWebhookUrl: 'https://crm.example/hook',
  applicantId: 'a_1',
  recordId: 'r_1',
  contractTemplateId: 't_1',
  signerEmail: 'sig@example.com',
  signerName: 'Sig',
  recipientAddress: '0xabc',
  certificateMetadataUri: 'ipfs://x',
}

/** state, event, payload, type of the action, event of its runner, what fails first, config as the runner sees it. */
const CASES = [
  [
    'F-011',
    'notice_received',
    { terminationDate: '2026-12-31' },
    'email',
    'email_sent',
    'rate_limit',
    { to: 'ada@example.com', cc: ['legal@company.com'], variables: { terminationDate: '2026-12-31' } },
  ],
  [
    'F-012',
    'payment_overdue',
    {},
    'sms',
    'sms_sent',
    'rate_limit',
    { to: '+4912345', message: 'Payment overdue for 1 High St. Please contact us immediately.' },
  ],
  [
    'F-013',
    'application_approved',
    {},
    'webhook',
    'webhook_delivered',
    'service_unavailable',
    {
      url: 'https://crm.example/hook',
      headers: { Authorization: 'Bearer canary-token' },
      payload: { approvalDate: '2026-01-05T09:00:00.000Z', executionId: 'run_1' },
    },
  ],
  [
    'F-014, F-015',
    'data_validated',
    { score: 7 },
    'api_call',
    'api_called',
    'network_error',
    {
      endpoint: '/api/v1/records/r_1',
      authentication: {
        tokenEndpoint: 'canary-url',
        clientId: 'canary-client',
        clientSecret: 'canary-password',
      },
      payload: { validationDetails: { score: 7 } },
    },
  ],
  [
    'F-016',
    'contract_ready',
    {},
    'docusign_envelope',
    'envelope_sent',
    'temporary_failure',
    {
      templateId: 't_1',
      recipients: [{ email: 'sig@example.com', role: 'signer' }],
      customFields: { executionId: 'run_1', propertyId: 'p_1' },
    },
  ],
  [
    'F-017',
    'certification_complete',
    { certificateHash: '0xhash' },
    'blockchain_mint',
    'minted',
    'gas_price_too_low',
    {
      contractAddress: 'canary-contract',
      parameters: { to: '0xabc', certificateData: '0xhash' },
      gasLimit: 200000,
      gasPrice: 'auto',
    },
  ],
] as const

const machineOf = (): ParsedMachine => {
  const waiting = Object.fromEntries(CASES.map(([, state]) => [`go.${state}`, state]))
  const states = Object.fromEntries(
    CASES.map(([, state, , , event]) => [state, { on: { [event]: 'done', 'action.failed': 'failed' } }]),
  )
  const { definitions } = loadDefinition({
    kind: 'machine',
    id: 'everything',
    initial: 'waiting',
    states: { waiting: { on: waiting }, ...states, done: { final: true }, failed: {} },
  })
  return linkActions(definitions as ParsedMachine[], actions).machines[0]!
}

const runnersOf = (act: (call: Call) => unknown) =>
  CASES.map(([, , , type, event]) => spy(type, act, { event, reconcile: () => undefined }))

const policyOf = (type: string) => {
  const found = actions.find(({ data }) => data.type === type)!.data.retryPolicy as Parameters<
    typeof waits
  >[0] & {
    backoffDelay?: number
  }
  if (found === undefined) return PRESETS.default
  const { backoffDelay, ...policy } = found
  return backoffDelay === undefined ? policy : { ...policy, baseDelay: backoffDelay }
}

onEachStore('the six actions', (bed) => {
  const begin = async (act: (call: Call) => unknown) => {
    const runners = runnersOf(act)
    const pawl = await bed.open({ definitions: [machineOf()], runners, secrets: { env } })
    await pawl.start('everything', { id: 'run_1', variables: VARIABLES })
    return { pawl, callsOf: (type: string) => runners.find((runner) => runner.type === type)!.calls }
  }
  const stateOf = async (pawl: Pawl) => (await pawl.executions.get('run_1'))!.state

  it.each(CASES)(
    '%s: %s runs with its config rendered, and its machine goes on',
    async (_, state, payload, type, __, ___, config) => {
      const { pawl, callsOf } = await begin(() => ({ ok: true }))
      await pawl.send('run_1', `go.${state}`, payload)
      await settle(pawl)
      expect(callsOf(type)).toHaveLength(1)
      expect(callsOf(type)[0]!.config).toMatchObject(config)
      expect(await stateOf(pawl)).toBe('done')
      expect(await pawl.executions.get('run_1')).toMatchObject({ status: 'completed' })
    },
  )

  it.each(CASES)(
    '%s: %s is retried at the instants of its policy, then its machine hears that it failed',
    async (_, state, payload, type, __, error) => {
      const { pawl, callsOf } = await begin(() => {
        throw retryable(error, 'not now')
      })
      await pawl.send('run_1', `go.${state}`, payload)
      await pawl.advance({ by: '1d' })
      const { stepKey } = await only(pawl)
      const policy = policyOf(type)
      const delays = waits(policy, stepKey)
      const instants = [
        0,
        ...delays.map((_, index) => delays.slice(0, index + 1).reduce((sum, ms) => sum + ms, 0)),
      ]
      expect(callsOf(type).map((call) => call.at - NOW)).toEqual(instants)
      expect(instants).toHaveLength(policy.maxAttempts)
      expect(instants[1]).toBe(delayBefore(policy, 1, stepKey))
      expect(await stateOf(pawl)).toBe('failed')
    },
  )

  it('F-011: what its policy does not list is not retried', async () => {
    const { pawl, callsOf } = await begin(() => {
      throw retryable('service_unavailable', 'down')
    })
    await pawl.send('run_1', 'go.notice_received', { terminationDate: 'x' })
    await pawl.advance({ by: '1d' })
    expect(callsOf('email')).toHaveLength(1)
    expect(await stateOf(pawl)).toBe('failed')
  })

  it('F-001: the five stages of a transition, in their order, all in the audit', async () => {
    const { pawl } = await begin(({ attempt }) => {
      if (attempt === 1) throw retryable('rate_limit', 'slow down')
      return { messageId: 'm_1' }
    })
    await pawl.send('run_1', 'go.notice_received', { terminationDate: '2026-12-31' }, { id: 'evt_1' })
    const queued = await only(pawl)
    expect(queued).toMatchObject({
      shown: 'ready',
      name: 'send_termination_notice',
      source: { kind: 'machine', id: 'everything' },
    })
    await pawl.advance({ by: '1h' })
    const { data } = await pawl.executions.history('run_1')
    expect(data.map(({ type, data: told }) => ({ type, ...told }))).toMatchObject([
      { type: 'execution.transitioned', to: 'waiting' },
      // State transition and action trigger.
      {
        type: 'execution.transitioned',
        from: 'waiting',
        to: 'notice_received',
        event: { id: 'evt_1' },
        actions: [{ id: queued.id, name: 'send_termination_notice', status: 'queued' }],
      },
      // Result event, with the settlement it came from.
      {
        type: 'execution.transitioned',
        from: 'notice_received',
        to: 'done',
        event: { type: 'email_sent' },
        settled: { action: queued.id, status: 'succeeded', attempt: 2 },
      },
    ])
    // Action queue and runner.
    expect(await only(pawl)).toMatchObject({
      status: 'succeeded',
      attempts: [
        { number: 1, outcome: 'failed', error: { type: 'rate_limit' }, startedAt: at(0) },
        { number: 2, outcome: 'succeeded', startedAt: at(1000) },
      ],
      result: { messageId: 'm_1' },
    })
  })

  it('F-041: the result event carries the fields of the result, the action and the result itself', async () => {
    const seen: unknown[] = []
    const { machine } = await import('../../src/index.ts')
    const mail = spy('mail', () => ({ messageId: 'm_1' }), { event: 'email_sent' })
    const listener = machine({
      id: 'listener',
      uses: [mail],
      initial: 'a',
      states: {
        a: {
          enter: () => mail({}, { name: 'hello' }),
          on: { email_sent: { to: 'b', of: 'hello', when: ({ event }) => seen.push(event.payload) > 0 } },
        },
        b: {},
      },
    })
    const pawl = await bed.open({ definitions: [listener], runners: [mail] })
    await pawl.start(listener, { id: 'l', variables: {} })
    await settle(pawl)
    expect(seen[0]).toEqual({ messageId: 'm_1', actionId: 'hello', result: { messageId: 'm_1' } })
    expect(await historyOf(pawl, 'l')).toHaveLength(2)
  })
})

onEachShared('secrets', (bed) => {
  it.each(['succeeds', 'fails', 'echoes'])('are filled in in the runner only, when it %s', async (how) => {
    const runners = runnersOf(({ config, ctx }) => {
      ctx.log.warn(`sending ${JSON.stringify(config)}`, { config })
      if (how === 'fails') throw new Error(`refused: ${JSON.stringify(config)}`)
      return how === 'echoes' ? { echo: config } : { ok: true }
    })
    const pawl = await bed.open({ definitions: [machineOf()], runners, secrets: { env } })
    for (const [, state, payload] of CASES) {
      await pawl.start('everything', { id: `run_${state}`, variables: VARIABLES })
      await pawl.send(`run_${state}`, `go.${state}`, payload)
    }
    await pawl.advance({ by: '1h' })
    const seen = runners.flatMap(({ calls }) => calls.map(({ config }) => JSON.stringify(config))).join()
    for (const secret of Object.values(SECRETS)) expect(seen).toContain(secret)
    const shown = await Promise.all(
      (await pawl.actions.list({}, { limit: 250 })).data.map(({ id }) => pawl.actions.get(id)),
    )
    const groups = await pawl.actions.groups()
    expect(JSON.stringify([shown, groups, bed.lines])).not.toContain('canary')
    expect(await bed.dump()).not.toContain('canary')
    expect(bed.lines.some(({ message }) => message.startsWith('sending'))).toBe(true)
    expect(JSON.stringify(shown)).toContain('{{secrets.crm_api_token}}')
  })

  it('a secret that is not there: the action says which, nothing is sent, and it is tried again by policy', async () => {
    const runners = runnersOf(() => null)
    const pawl = await bed.open({ definitions: [machineOf()], runners, secrets: { env: {} } })
    await pawl.start('everything', { id: 'run_1', variables: VARIABLES })
    await pawl.send('run_1', 'go.application_approved')
    await pawl.advance({ by: '1h' })
    expect(runners.flatMap(({ calls }) => calls)).toEqual([])
    const action = await only(pawl)
    expect(action).toMatchObject({ status: 'dead' })
    expect(action.error!.message).toContain('crm_api_token')
  })
})
