import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Event, startedEvent } from '../../src/core/event.ts'
import { blankExecution } from '../../src/core/execution.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { decideMachine } from '../../src/core/triggers/machine.ts'
import { linkActions } from '../../src/definitions/link-actions.ts'
import {
  loadDefinition,
  type ParsedAction,
  type ParsedMachine,
  parseDefinitions,
} from '../../src/definitions/parse.ts'

// The six actions of F-011…F-017, verbatim, and the lease of the guide, as people would load them.

const folder = (name: string) => new URL(`./${name}/`, import.meta.url)
const textOf = (name: string, file: string) => readFileSync(new URL(file, folder(name)), 'utf8')
const fixtures = readdirSync(folder('fixtures')).map((file) => ({ file, text: textOf('fixtures', file) }))

const states = {
  waiting: {
    on: {
      certified: 'certification_complete',
      approved: 'application_approved',
      ready: 'contract_ready',
      notice: 'notice_received',
      validated: 'data_validated',
      overdue: 'payment_overdue',
    },
  },
  certification_complete: {},
  application_approved: {},
  contract_ready: {},
  notice_received: {},
  data_validated: {},
  payment_overdue: {},
}

const load = () => {
  const actions = fixtures.flatMap(
    ({ file, text }) => parseDefinitions(text, { file }).definitions as ParsedAction[],
  )
  const { definitions } = loadDefinition({ kind: 'machine', id: 'everything', initial: 'waiting', states })
  return linkActions(definitions as ParsedMachine[], actions)
}

const NOW = Date.parse('2026-03-28T09:00:00Z')

/** The only action that an event of this type asks for. */
const planFor = (type: string, payload: Json, variables: JsonObject) => {
  const [{ machine }] = load().machines as [ParsedMachine]
  const decide = decideMachine(machine)
  const blank = blankExecution({
    id: 'run_1',
    namespace: 'default',
    tenant: 'default',
    kind: 'machine',
    definition: machine.id,
    definitionHash: machine.hash,
  })
  const { execution } = decide(blank, startedEvent('run_1', variables, NOW), NOW)
  const event: Event = { id: 'evt_1', type, payload, at: NOW }
  const { actions, applied } = decide(execution, event, NOW)
  expect(applied).toBe(true)
  expect(actions).toHaveLength(1)
  return actions[0]!
}

const DEFAULTS = {
  status: 'queued',
  dueAt: NOW,
  priority: 50,
  timeoutMs: 30_000,
  cancelOnExit: false,
  tags: [],
  metadata: {},
}

describe('the six actions, as they stand', () => {
  it.each(fixtures)('API: $file loads as it is', ({ file, text }) => {
    const { definitions, problems } = parseDefinitions(text, { file })
    expect(problems).toEqual([])
    expect(definitions).toMatchObject([
      { kind: 'action', id: file.replace('.json', ''), data: JSON.parse(text) },
    ])
    expect(loadDefinition(JSON.parse(text)).definitions).toMatchObject([{ hash: definitions[0]!.hash }])
  })

  it('hang onto the machine that has their states', () => {
    const { machines, problems } = load()
    expect(problems).toEqual([])
    expect(machines[0]!.data.actions).toHaveLength(6)
  })

  it('F-011: send_termination_notice', () => {
    const variables = { landlordEmail: 'ada@example.com', tenantName: 'Grace', propertyAddress: '1 High St' }
    expect(planFor('notice', { terminationDate: '2026-12-31' }, variables)).toMatchObject({
      ...DEFAULTS,
      name: 'send_termination_notice',
      type: 'email',
      stepKey: 'run_1/notice_received/send_termination_notice',
      delivery: 'at_least_once',
      config: {
        provider: 'sendgrid',
        template: 'termination_notice_template',
        to: 'ada@example.com',
        cc: ['legal@company.com'],
        variables: { tenantName: 'Grace', terminationDate: '2026-12-31', propertyAddress: '1 High St' },
      },
      retryPolicy: {
        maxAttempts: 3,
        backoffStrategy: 'exponential',
        retryableErrors: ['rate_limit', 'temporary_failure'],
      },
    })
  })

  it('F-012, X-01: urgent_sms_alert, with backoffDelay for baseDelay', () => {
    const plan = planFor('overdue', {}, { tenantPhone: '+4912345', propertyAddress: '1 High St' })
    expect(plan).toMatchObject({
      ...DEFAULTS,
      type: 'sms',
      delivery: 'at_most_once',
      config: {
        provider: 'twilio',
        to: '+4912345',
        message: 'Payment overdue for 1 High St. Please contact us immediately.',
      },
    })
    expect(plan.retryPolicy).toEqual({ maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 5000 })
  })

  it('F-013, F-021: notify_crm_system, with a secret left for the runner', () => {
    const plan = planFor('approved', {}, { crmWebhookUrl: 'https://crm.example.com', applicantId: 'a_1' })
    expect(plan).toMatchObject({
      ...DEFAULTS,
      type: 'webhook',
      config: {
        url: 'https://crm.example.com',
        headers: { Authorization: 'Bearer {{secrets.crm_api_token}}', 'Content-Type': 'application/json' },
        payload: {
          event: 'application_approved',
          applicantId: 'a_1',
          approvalDate: '2026-03-28T09:00:00.000Z',
          executionId: 'run_1',
        },
        expectedStatusCodes: [200, 201, 202],
      },
      secrets: [{ pointer: '/headers/Authorization', name: 'crm_api_token' }],
    })
    expect(plan.retryPolicy).toEqual({
      maxAttempts: 5,
      backoffStrategy: 'exponential',
      baseDelay: 1000,
      maxDelay: 30_000,
      jitter: true,
    })
  })

  it('F-014, F-015, F-022: update_external_database, with the default policy', () => {
    const payload = { rows: 3, nested: { ok: true } }
    const plan = planFor('validated', payload, { recordId: 'r/1' })
    expect(plan).toMatchObject({
      ...DEFAULTS,
      type: 'api_call',
      config: {
        endpoint: '/api/v1/records/r/1',
        method: 'PUT',
        payload: { status: 'validated', validatedAt: '2026-03-28T09:00:00.000Z', validationDetails: payload },
      },
    })
    expect(plan.secrets.map(({ name }) => name)).toEqual([
      'external_db_token_url',
      'external_db_client_id',
      'external_db_client_secret',
    ])
    expect(plan.retryPolicy).toEqual({
      maxAttempts: 3,
      backoffStrategy: 'exponential',
      baseDelay: 1000,
      multiplier: 2,
      maxDelay: 300_000,
      jitter: true,
    })
  })

  it('F-016: send_contract_for_signature', () => {
    const variables = {
      contractTemplateId: 't_1',
      signerEmail: 's@example.com',
      signerName: 'S',
      tenantName: 'T',
      tenantEmail: 't@example.com',
      propertyId: 7,
    }
    expect(planFor('ready', {}, variables)).toMatchObject({
      ...DEFAULTS,
      type: 'docusign_envelope',
      delivery: 'reconcile',
      config: {
        templateId: 't_1',
        recipients: [{ email: 's@example.com', name: 'S', role: 'signer' }],
        templateRoles: [{ roleName: 'Tenant', name: 'T', email: 't@example.com' }],
        customFields: { executionId: 'run_1', propertyId: 7 },
      },
      retryPolicy: { maxAttempts: 3, backoffStrategy: 'exponential' },
    })
  })

  it('F-017: mint_certificate_nft', () => {
    const variables = { recipientAddress: '0xabc', certificateMetadataUri: 'ipfs://x' }
    expect(planFor('certified', { certificateHash: '0xdef' }, variables)).toMatchObject({
      ...DEFAULTS,
      type: 'blockchain_mint',
      delivery: 'reconcile',
      config: {
        contractAddress: '{{secrets.certificate_contract_address}}',
        parameters: { to: '0xabc', tokenURI: 'ipfs://x', certificateData: '0xdef' },
        gasLimit: 200_000,
        gasPrice: 'auto',
      },
      secrets: [{ pointer: '/contractAddress', name: 'certificate_contract_address' }],
      retryPolicy: { retryableErrors: ['gas_price_too_low', 'network_congestion'] },
    })
  })
})

describe('the lease of the guide', () => {
  const { definitions, problems } = parseDefinitions(textOf('good', 'lease.json'), { file: 'lease.json' })
  const [lease] = definitions as [ParsedMachine]

  it('loads without a word', () => {
    expect(problems).toEqual([])
    expect(lease).toMatchObject({
      kind: 'machine',
      id: 'lease',
      machine: { initial: 'active', follow: 'pin' },
    })
    expect([...lease.machine.states.keys()]).toEqual([
      'active',
      'notice_received',
      'payment_overdue',
      'terminated',
    ])
  })

  it('is the same definition in YAML', () => {
    const yaml = parseDefinitions(textOf('good', 'lease.yaml'), { file: 'lease.yaml' })
    expect(yaml.problems).toEqual([])
    expect(yaml.definitions[0]!.hash).toBe(lease.hash)
  })
})
