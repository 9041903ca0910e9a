import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { notify } from '../../test/kit/lease.ts'
import { permanent } from '../core/action-error.ts'
import { perform } from '../runners/perform.ts'
import { runner } from '../runners/runner.ts'
import type { Double } from './double.ts'
import { mockRunner, watched } from './mock.ts'
import { offlineContext } from './offline-context.ts'

const contextOf = (attempt = 1, timeoutMs = 60_000) =>
  offlineContext({ stepKey: 'l_1/a/b', timeoutMs }, { attempt, at: 0, secretOf: (name) => name })

const performed = (mock: Double, config: unknown = { to: 'ada', text: 'hi' }, attempt = 1) =>
  perform(mock, { config: config as never, delivery: 'at_least_once', ctx: contextOf(attempt) })

describe('a mock of a type', () => {
  it.each([
    ['email', { to: 'a@x.co', cc: ['b@x.co'], template: 't' }, 'email_sent'],
    ['sms', { to: '+44' }, 'sms_sent'],
    ['webhook', {}, 'webhook_called'],
    ['api_call', {}, 'api_called'],
    ['docusign_envelope', {}, 'envelope_sent'],
    ['blockchain_mint', {}, 'token_minted'],
    ['slack', {}, 'slack_posted'],
    ['database', {}, 'database_executed'],
    ['notification', {}, 'notification_sent'],
    ['task', {}, 'task_created'],
    ['delay', {}, 'delay_elapsed'],
    ['of my own', 7, 'action.succeeded'],
  ])('F-110: %s succeeds and tells its own event', async (type, config, event) => {
    const { outcome } = await performed(mockRunner(type), config)
    expect(outcome).toMatchObject({ kind: 'succeeded', event: { type: event } })
  })

  it('F-071: an email names its recipients and template', async () => {
    const { outcome } = await performed(mockRunner('email'), { to: 'a@x.co', cc: ['b@x.co'], template: 't' })
    expect(outcome).toMatchObject({
      result: { messageId: 'msg_1', recipients: ['a@x.co', 'b@x.co'], template: 't' },
    })
    expect(await performed(mockRunner('email'), {})).toMatchObject({
      outcome: { result: { recipients: [] } },
    })
  })
})

describe('what a mock does', () => {
  it('succeed: returns what it is told to', async () => {
    const mock = mockRunner(notify, { succeed: { id: 'm7' } })
    expect((await performed(mock)).outcome).toMatchObject({ kind: 'succeeded', result: { id: 'm7' } })
  })

  it('respond: is asked for each call, with its config and context', async () => {
    const mock = mockRunner(notify, { respond: ({ config, ctx }) => ({ id: `${config.to}${ctx.attempt}` }) })
    expect((await performed(mock, undefined, 3)).outcome).toMatchObject({ result: { id: 'ada3' } })
  })

  it('fail: so many times, then it succeeds', async () => {
    const mock = mockRunner(notify, { succeed: { id: 'm' }, fail: { times: 2, error: 'rate_limit' } })
    const kinds = []
    for (let count = 0; count < 3; count++) kinds.push((await performed(mock)).outcome.kind)
    expect(kinds).toEqual(['failed', 'failed', 'succeeded'])
  })

  it('fail: for ever, unless it is told how often', async () => {
    const mock = mockRunner(notify, { fail: { error: permanent('quota_exceeded', 'no more') } })
    for (let count = 0; count < 5; count++)
      expect((await performed(mock)).outcome).toMatchObject({
        failure: { error: { type: 'quota_exceeded', message: 'no more' }, permanent: true },
      })
  })

  it.each([
    ['rate_limit', true],
    ['authentication_failed', false],
    ['a word of my own', true],
  ])('fail: %s is retryable as that type is', async (error, retryable) => {
    const { outcome } = await performed(mockRunner(notify, { fail: { error } }))
    expect(outcome).toMatchObject({ failure: { error: { type: error, retryable } } })
  })

  it('delay: answers later, or to its signal alone', async () => {
    expect((await performed(mockRunner('email', { delay: 1 }))).outcome.kind).toBe('succeeded')
    const mock = mockRunner('email', { delay: Number.POSITIVE_INFINITY })
    const ctx = contextOf(1, 1)
    const { outcome } = await perform(mock, { config: {}, delivery: 'at_least_once', ctx })
    expect(outcome).toMatchObject({ kind: 'failed', failure: { error: { type: 'timeout' } } })
    const again = await perform(mock, { config: {}, delivery: 'at_least_once', ctx })
    expect(again.outcome.kind).toBe('failed')
  })

  it('refuses a delay that is none, where it is given', () => {
    expect(() => mockRunner('email', { delay: 'soon' as '1s' })).toThrow(
      expect.objectContaining({
        code: 'invalid_duration',
        details: expect.objectContaining({ path: 'delay' }),
      }),
    )
  })
})

describe('a mock of a runner keeps what the runner is', () => {
  it('refuses the config it would refuse', async () => {
    const mock = mockRunner(notify)
    expect((await performed(mock, { to: 7 })).outcome).toMatchObject({
      failure: { error: { type: 'invalid_configuration' } },
    })
    expect(mock.interactions).toEqual([])
    expect(mock.validateConfig({}).isValid).toBe(false)
    expect(mock.getRequiredPermissions()).toEqual([])
  })

  it('finds a result that does not fit', async () => {
    const mock = mockRunner(notify, { succeed: { id: 7 } as never })
    expect((await performed(mock)).outcome).toMatchObject({ failure: { error: { type: 'invalid_result' } } })
  })

  it('is typed by it', () => {
    mockRunner(notify, { respond: ({ config }) => ({ id: config.text satisfies string }) })
    // @ts-expect-error the result is { id: string }
    mockRunner(notify, { succeed: { sid: 'x' } })
    // @ts-expect-error there is no such member in its config
    mockRunner(notify, { respond: ({ config }) => ({ id: config.subject }) })
    expect(mockRunner(notify).type).toBe('notify')
  })
})

describe('what is recorded', () => {
  it('config, key, attempt and time of each call, and how it ended', async () => {
    const mock = mockRunner(notify, { succeed: { id: 'm' }, fail: { times: 1, error: 'rate_limit' } })
    await performed(mock)
    await performed(mock, undefined, 2)
    const call = {
      type: 'notify',
      config: { to: 'ada', text: 'hi' },
      key: expect.stringMatching(/^key_/),
      stepKey: 'l_1/a/b',
      at: '1970-01-01T00:00:00.000Z',
    }
    expect(mock.interactions).toEqual([
      { ...call, attempt: 1, outcome: 'failed', error: expect.objectContaining({ type: 'rate_limit' }) },
      { ...call, attempt: 2, outcome: 'succeeded', result: { id: 'm' } },
    ])
  })

  it('B1: a call that has not ended is seen too', () => {
    const mock = mockRunner('email', { respond: () => new Promise(() => undefined) })
    void performed(mock)
    expect(mock.interactions).toMatchObject([{ outcome: 'unanswered' }])
  })

  it('of a real runner that is only watched', async () => {
    const spy = watched(notify)
    expect((await performed(spy)).outcome).toMatchObject({ result: { id: 'real' } })
    expect(spy.interactions).toMatchObject([{ outcome: 'succeeded', result: { id: 'real' } }])
    expect(watched(spy)).toBe(spy)
  })
})

describe('B2: reconcile', () => {
  const reconciled = (mock: Double, attempt: number) =>
    perform(mock, { config: {}, delivery: 'reconcile', ctx: contextOf(attempt) })

  it('a mock of a type finds what an earlier attempt did', async () => {
    const mock = mockRunner('slack')
    expect((await reconciled(mock, 2)).outcome.kind).toBe('succeeded')
    expect((await reconciled(mock, 3)).outcome.kind).toBe('succeeded')
    expect(mock.interactions).toHaveLength(1)
  })

  it('a runner that cannot reconcile cannot as a mock either', async () => {
    const mock = mockRunner(notify)
    const { outcome } = await perform(mock, {
      config: { to: 'a', text: 'b' },
      delivery: 'reconcile',
      ctx: contextOf(2),
    })
    expect(outcome).toMatchObject({ failure: { error: { message: expect.stringContaining('reconcile') } } })
  })

  it('one that is only watched asks its own provider', async () => {
    const asked = runner({
      type: 'asked',
      config: z.object({}),
      execute: () => ({ from: 'execute' }),
      reconcile: () => ({ from: 'reconcile' }),
    })
    const { outcome } = await reconciled(watched(asked), 2)
    expect(outcome).toMatchObject({ result: { from: 'reconcile' } })
  })
})
