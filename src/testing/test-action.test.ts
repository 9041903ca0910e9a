import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runner } from '../runners/runner.ts'
import type { Behaviour } from './double.ts'
import { testAction } from './test-action.ts'

const folder = new URL('../../test/definitions/fixtures/', import.meta.url)
const fixture = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
const names = readdirSync(folder).map((file) => file.replace('.json', ''))

const context = {
  variables: {
    recipientAddress: '0xada',
    certificateMetadataUri: 'ipfs://1',
    crmWebhookUrl: 'https://crm.example/hook',
    applicantId: 'a_1',
    contractTemplateId: 't_1',
    signerEmail: 'ada@example.com',
    signerName: 'Ada',
    tenantName: 'Bob',
    tenantEmail: 'bob@example.com',
    tenantPhone: '+441',
    propertyId: 'p_1',
    propertyAddress: '1 Elm',
    landlordEmail: 'land@example.com',
    recordId: '7',
  },
  message: { payload: { terminationDate: '2026-12-31', certificateHash: '0x1' } },
}
const notice = fixture('send_termination_notice')

describe('F-110: testAction', () => {
  it.each(names)('the definition %s is rendered, checked and performed as it is', async (name) => {
    const tested = await testAction(fixture(name), context)
    expect(tested).toMatchObject({
      success: true,
      status: 'succeeded',
      validation: { isValid: true, errors: [] },
      result: { actionId: name, success: true, attempt: 1, runner: fixture(name).type },
      mockInteractions: [{ attempt: 1, stepKey: `exe_test/${fixture(name).triggerState}/${name}` }],
    })
    expect(JSON.stringify(tested.mockInteractions)).not.toContain('{{')
  })

  it('F-020: the config is what the provider would get, secrets in their places', async () => {
    const now = '2026-03-28T09:00:00Z'
    const secrets = { crm_api_token: 's3cret' }
    const { mockInteractions } = await testAction(fixture('notify_crm_system'), {
      ...context,
      executionId: 'app_1',
      now,
      secrets,
    })
    expect(mockInteractions[0]).toMatchObject({
      at: '2026-03-28T09:00:00.000Z',
      config: {
        url: 'https://crm.example/hook',
        headers: { Authorization: 'Bearer s3cret' },
        payload: { applicantId: 'a_1', approvalDate: '2026-03-28T09:00:00.000Z', executionId: 'app_1' },
      },
    })
    const unnamed = await testAction(fixture('notify_crm_system'), context)
    expect(unnamed.mockInteractions[0]).toMatchObject({
      config: { headers: { Authorization: 'Bearer secret:crm_api_token' } },
    })
  })

  it('F-071: the result tells its event, as a machine would get it', async () => {
    const { result } = await testAction(notice, context)
    expect(result.resultEvents).toMatchObject([
      {
        type: 'email_sent',
        payload: {
          recipients: ['land@example.com', 'legal@company.com'],
          actionId: 'send_termination_notice',
        },
        source: 'action_runner',
      },
    ])
  })

  it('is tried again by its policy, each attempt at its time, under one key', async () => {
    const mocks = { email: { fail: { times: 2, error: 'rate_limit' } } }
    const tested = await testAction(notice, context, { mocks })
    expect(tested).toMatchObject({ success: true, result: { attempt: 3 } })
    expect(tested.mockInteractions.map(({ at }) => at)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:01.000Z',
      '2026-01-01T00:00:03.000Z',
    ])
    expect(new Set(tested.mockInteractions.map(({ key }) => key)).size).toBe(1)
  })

  it('ends as it would end: dead after its attempts, or in review', async () => {
    const email = { fail: { error: 'rate_limit' } }
    expect(await testAction(notice, context, { mocks: { email } })).toMatchObject({
      success: false,
      status: 'dead',
      result: { attempt: 3, success: false, error: { type: 'rate_limit' }, resultEvents: [] },
    })
    const sms = { fail: { error: new Error('socket hang up') } }
    expect(await testAction(fixture('urgent_sms_alert'), context, { mocks: { sms } })).toMatchObject({
      status: 'review',
      result: { attempt: 1 },
    })
  })

  it('a mock of another type is not used', async () => {
    const mocks = { sms: { fail: { error: 'rate_limit' } } }
    expect((await testAction(notice, context, { mocks })).success).toBe(true)
  })

  it('expires instead of being tried too late', async () => {
    const mocks = { email: { fail: { error: 'rate_limit' } } }
    const tested = await testAction({ ...notice, expiresAfter: '500ms' }, context, { mocks })
    expect(tested).toMatchObject({ status: 'dead', result: { attempt: 1 } })
  })

  it('goes to the end of a long policy', async () => {
    const retryPolicy = { maxAttempts: 1000, backoffStrategy: 'fixed', baseDelay: 0 }
    const mocks = { email: { fail: { error: 'rate_limit' } } }
    const { mockInteractions, status } = await testAction({ ...notice, retryPolicy }, context, { mocks })
    expect([mockInteractions.length, status]).toEqual([1000, 'dead'])
  })
})

describe('F-110: validation', () => {
  it('a placeholder that leads nowhere: the action cannot be made, and nothing is performed', async () => {
    const tested = await testAction(notice, { variables: {} })
    expect(tested).toMatchObject({ success: false, status: 'invalid', mockInteractions: [] })
    expect(tested.validation).toMatchObject({
      isValid: false,
      errors: [{ path: 'config', message: expect.stringContaining('landlordEmail') }],
    })
    expect(tested.result).toMatchObject({
      success: false,
      attempt: 0,
      error: { type: 'invalid_configuration' },
    })
  })

  it('F-035: a condition that does not hold: skipped', async () => {
    const tested = await testAction({ ...notice, condition: { '==': [1, 2] } }, context)
    expect(tested).toMatchObject({ success: false, status: 'skipped', validation: { isValid: true } })
  })

  it('a runner checks the config and the mock’s results; its own code is not run', async () => {
    const email = runner({
      type: 'email',
      config: z.object({ to: z.email(), template: z.string() }),
      result: z.object({ messageId: z.string() }),
      execute: () => {
        throw new Error('not here')
      },
    })
    const mocks = { email: { succeed: { messageId: 'm' } } }
    expect((await testAction(notice, context, { runners: [email], mocks })).success).toBe(true)
    const unfit = { ...context, variables: { ...context.variables, landlordEmail: 'nobody' } }
    expect(await testAction(notice, unfit, { runners: [email], mocks })).toMatchObject({
      status: 'dead',
      validation: { isValid: false, errors: [{ path: 'to' }] },
      mockInteractions: [],
    })
    const wrong = { email: { succeed: { id: 'm' } } }
    expect(await testAction(notice, context, { runners: [email], mocks: wrong })).toMatchObject({
      result: { error: { type: 'invalid_result' } },
    })
  })

  it.each([
    [{ actionId: 'x', type: 'email', config: {} }, 'x', [{ path: 'triggerState' }]],
    [
      { ...notice, timeout: 'soon', priority: 101 },
      notice.actionId,
      [{ path: 'timeout' }, { path: 'priority' }],
    ],
    [{ kind: 'machine', id: 'm', initial: 'a', states: { a: {} } }, '', []],
    ['text', '', [{ path: '', message: expect.stringContaining('expected one definition') }]],
  ])(
    '%j is no action that could be tested: all that is wrong with it',
    async (definition, actionId, errors) => {
      const tested = await testAction(definition)
      expect(tested).toMatchObject({
        success: false,
        status: 'invalid',
        result: { actionId, success: false, attempt: 0, error: { type: 'invalid_configuration' } },
        mockInteractions: [],
        recommendations: [],
      })
      expect(tested.validation.isValid).toBe(false)
      expect(tested.validation.errors).toHaveLength(errors.length)
      expect(tested.validation.errors).toEqual(
        expect.arrayContaining(errors.map((each) => expect.objectContaining(each))),
      )
    },
  )

  it('what a definition says of state, schedule and machine does not hinder its test', async () => {
    for (const change of [{ triggerState: 'ready' }, { schedule: '0 9 * * *' }, { machine: 'lease' }])
      expect((await testAction({ ...notice, ...change }, context)).success).toBe(true)
  })

  it('the message may be of any type', async () => {
    const message = { type: 'notice', payload: { terminationDate: 'soon' } }
    const { mockInteractions } = await testAction(notice, { ...context, message })
    expect(mockInteractions).toMatchObject([{ config: { variables: { terminationDate: 'soon' } } }])
  })

  it('an attempt that takes too long is stopped by its timeout', async () => {
    const mocks = { email: { delay: Number.POSITIVE_INFINITY } }
    const definition = { ...notice, timeout: 1, retryPolicy: { maxAttempts: 1 } }
    expect(await testAction(definition, context, { mocks })).toMatchObject({
      status: 'dead',
      result: { error: { type: 'timeout' } },
    })
  })

  it('a message only the engine says is refused', async () => {
    await expect(
      testAction(notice, { ...context, message: { type: 'execution.started' } }),
    ).rejects.toMatchObject({
      name: 'PawlError',
    })
  })

  it('a mock may ask for secrets and log', async () => {
    const respond: Behaviour['respond'] = async ({ ctx }) => {
      ctx.log.info('asking')
      return { secret: await ctx.secret('key') }
    }
    const tested = await testAction(
      notice,
      { ...context, secrets: { key: 's' } },
      { mocks: { email: { respond } } },
    )
    expect(tested.result).toMatchObject({ result: { secret: 's' } })
  })

  it('there is no network', async () => {
    const respond: Behaviour['respond'] = ({ ctx }) => ctx.fetch('https://x')
    expect(await testAction(notice, context, { mocks: { email: { respond } } })).toMatchObject({
      result: { error: { code: 'destination_forbidden' } },
    })
  })
})
