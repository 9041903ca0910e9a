import { describe, expect, it } from 'vitest'
import { mockRunner } from './mock.ts'
import { type MockConfig, type TestContext, testAction } from './test-action.ts'

const base = { actionId: 'tell', type: 'email', triggerState: 's', config: { to: 'ada' } }
const adviceFor = async (change: object, context?: TestContext, mocks?: MockConfig) =>
  (await testAction({ ...base, ...change }, context, mocks)).recommendations

const policy = { retryPolicy: { maxAttempts: 3 } }

describe('F-110: recommendations', () => {
  it('an action with nothing wrong gets none', async () => {
    expect(await adviceFor({})).toEqual([])
  })

  it.each([
    ['charge_card', 'api_call'],
    ['refundDeposit', 'webhook'],
    ['tell', 'blockchain_mint'],
    ['send-payout', 'api_call'],
  ])('retry_policy_missing: %s of type %s moves money', async (actionId, type) => {
    const [advice] = await adviceFor({ actionId, type })
    expect(advice).toMatchObject({ code: 'retry_policy_missing', path: 'retryPolicy' })
    expect(advice!.text).toContain('tries 3 times')
    expect(await adviceFor({ actionId, type, ...policy })).toEqual([])
  })

  it('retry_policy_missing: a payload is no payment', async () => {
    expect(await adviceFor({ actionId: 'send_payload' })).toEqual([])
  })

  it('timeout_beyond_lease', async () => {
    expect(await adviceFor({ timeout: '2m' })).toMatchObject([
      { code: 'timeout_beyond_lease', path: 'timeout', text: expect.stringContaining('2m') },
    ])
    expect(await adviceFor({ timeout: '30s' })).toEqual([])
  })

  it.each(['sms', 'slack', 'docusign_envelope', 'blockchain_mint'])('may_repeat: %s', async (type) => {
    const advice = await adviceFor({ type, delivery: 'at_least_once', ...policy })
    expect(advice).toMatchObject([{ code: 'may_repeat', path: 'delivery' }])
    expect(await adviceFor({ type, ...policy })).toEqual([])
  })

  it('may_repeat: an email has a key its provider honours', async () => {
    expect(await adviceFor({ delivery: 'at_least_once' })).toEqual([])
  })

  it('secret_in_sight: in an address or a text, not in a header', async () => {
    const config = {
      url: 'https://x.example/{{secrets.key}}',
      headers: { Authorization: 'Bearer {{secrets.key}}' },
    }
    expect(await adviceFor({ type: 'webhook', config })).toMatchObject([
      { code: 'secret_in_sight', path: 'config.url' },
    ])
  })

  it('secret_written_out: what looks like one, and is neither empty nor a reference', async () => {
    const config = {
      auth: [{ clientSecret: 'abc', clientId: 'me', password: '' }],
      tokenURI: 'ipfs://1',
      apiKey: '{{secrets.key}}',
    }
    expect(await adviceFor({ config })).toMatchObject([
      { code: 'secret_written_out', path: 'config.auth.0.clientSecret' },
    ])
  })

  it('empty_value: a placeholder that renders to nothing', async () => {
    const config = { to: '{{variables.email}}', cc: ['{{variables.copy}}'], note: '' }
    const context = { variables: { email: '', copy: null } }
    expect(await adviceFor({ config }, context)).toMatchObject([
      { code: 'empty_value', path: 'config.to', text: expect.stringContaining('{{variables.email}}') },
      { code: 'empty_value', path: 'config.cc.0' },
    ])
    expect(await adviceFor({ config }, { variables: { email: 'a', copy: 'b' } })).toEqual([])
    expect(await adviceFor({ config, condition: false }, context)).toEqual([])
  })

  it('expires_before_retry: of no more use when it would be tried again', async () => {
    const retryPolicy = { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: '1m' }
    expect(await adviceFor({ retryPolicy, expiresAfter: '30s' })).toMatchObject([
      { code: 'expires_before_retry', path: 'expiresAfter', text: expect.stringContaining('30s') },
    ])
    expect(await adviceFor({ retryPolicy, expiresAfter: '2m' })).toEqual([])
    expect(await adviceFor({ retryPolicy: { maxAttempts: 1 }, expiresAfter: '30s' })).toEqual([])
  })

  it('error_not_listed: a list that leaves out what happened', async () => {
    const failing = (error: string) => ({ mocks: { email: { fail: { error } } } })
    const retryPolicy = { maxAttempts: 3, retryableErrors: ['rate_limit'] }
    expect(await adviceFor({ retryPolicy }, {}, failing('service_unavailable'))).toMatchObject([
      { code: 'error_not_listed', text: expect.stringContaining('at attempt 1 of 3') },
    ])
    expect(await adviceFor({ retryPolicy }, {}, failing('authentication_failed'))).toEqual([])
    expect(await adviceFor({ retryPolicy }, {}, failing('rate_limit'))).toEqual([])
    expect(await adviceFor(policy, {}, failing('authentication_failed'))).toEqual([])
  })

  it('disabled', async () => {
    expect(await adviceFor({ enabled: false })).toMatchObject([{ code: 'disabled', path: 'enabled' }])
    expect(await adviceFor({ enabled: true })).toEqual([])
  })

  it('unknown_type: nobody checked its config', async () => {
    expect(await adviceFor({ type: 'pager' })).toMatchObject([{ code: 'unknown_type', path: 'type' }])
    expect(await adviceFor({ type: 'pager' }, {}, { runners: [mockRunner('pager')] })).toEqual([])
  })

  it('says all of them at once', async () => {
    const advice = await adviceFor({ type: 'sms', delivery: 'at_least_once', timeout: '1m', enabled: false })
    expect(advice.map(({ code }) => code)).toEqual(['timeout_beyond_lease', 'may_repeat', 'disabled'])
  })
})
