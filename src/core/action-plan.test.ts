import { describe, expect, it } from 'vitest'
import type { ActionRequest, RequestOptions } from './action.ts'
import { distinctNames, type PlanContext, planAction } from './action-plan.ts'
import { scopeOf } from './template/scope.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const scope = () =>
  scopeOf({
    execution: {
      id: 'l_882',
      state: 'active',
      variables: { landlord: 'ada@example.com', evil: '{{secrets.key}}' },
    },
    event: { id: 'evt_1', type: 'go', payload: { days: 6 } },
    now: NOW,
  })
const context: PlanContext = {
  source: 'machine',
  stepKey: 'l_882/active/mail',
  name: 'mail',
  scope,
  now: NOW,
}
const plan = (
  options: RequestOptions = {},
  more: Partial<ActionRequest> = {},
  around: Partial<PlanContext> = {},
) =>
  planAction(
    { type: 'mail', config: { to: '{{variables.landlord}}' }, options, ...more },
    { ...context, ...around },
  )

describe('planAction', () => {
  it('resolves every default (KERNEL §8)', () => {
    expect(plan()).toEqual({
      name: 'mail',
      type: 'mail',
      stepKey: 'l_882/active/mail',
      status: 'queued',
      config: { to: 'ada@example.com' },
      secrets: [],
      dueAt: NOW,
      priority: 50,
      retryPolicy: {
        maxAttempts: 3,
        backoffStrategy: 'exponential',
        baseDelay: 1000,
        multiplier: 2,
        maxDelay: 300_000,
        jitter: true,
      },
      timeoutMs: 30_000,
      delivery: 'at_least_once',
      cancelOnExit: false,
      tags: [],
      metadata: {},
    })
  })

  it('takes every option, durations in words or milliseconds', () => {
    const planned = plan({
      summary: 'Notice to {{variables.landlord}}',
      delay: '5m',
      priority: 90,
      retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed', backoffDelay: 5000 },
      timeout: '10s',
      delivery: 'reconcile',
      dedup: { key: 'n/{{execution.id}}', for: '1h' },
      limit: { key: 'to/{{variables.landlord}}', rate: '10/s' },
      window: 'office',
      expiresAfter: '1d',
      cancelOnExit: true,
      runner: 'eu',
      tags: ['legal'],
      metadata: { case: 7 },
    })
    expect(planned).toMatchObject({
      summary: 'Notice to ada@example.com',
      dueAt: NOW + 300_000,
      priority: 90,
      retryPolicy: { maxAttempts: 2, backoffStrategy: 'fixed', baseDelay: 5000 },
      timeoutMs: 10_000,
      delivery: 'reconcile',
      dedup: { key: 'n/l_882', forMs: 3_600_000 },
      limit: { key: 'to/ada@example.com', rate: '10/s' },
      window: 'office',
      expiresAt: NOW + 300_000 + 86_400_000,
      cancelOnExit: true,
      runner: 'eu',
      tags: ['legal'],
      metadata: { case: 7 },
    })
  })

  it('F-033: a delay counts from now; an instant is taken as it is', () => {
    expect(plan({ delay: 1500 }).dueAt).toBe(NOW + 1500)
    expect(plan({ dueAt: '2026-03-28T09:00:00Z' }).dueAt).toBe(Date.UTC(2026, 2, 28, 9))
    expect(plan({ dueAt: NOW - 1 }).dueAt).toBe(NOW - 1)
  })

  it('a dedup key held while active has no time', () => {
    expect(plan({ dedup: { key: 'hi', while: 'active' } }).dedup).toEqual({ key: 'hi' })
  })

  it('a window can be written in place', () => {
    const window = { timezone: 'Europe/London', weekdays: 'MON-FRI', from: '09:00', to: '17:00' }
    expect(plan({ window }).window).toMatchObject({ zone: 'Europe/London' })
  })

  it.each([
    ['sms', 'at_most_once'],
    ['docusign_envelope', 'reconcile'],
    ['constructor', 'at_least_once'],
  ])('delivery of %s is %s by default', (type, delivery) => {
    expect(plan({}, { type }).delivery).toBe(delivery)
  })

  it('presets and timeouts differ by trigger (X-07, C-008)', () => {
    expect(plan({}, {}, { source: 'reconciler' })).toMatchObject({
      timeoutMs: 300_000,
      retryPolicy: { maxAttempts: 4 },
    })
    expect(plan({}, {}, { source: 'stream' }).retryPolicy.maxAttempts).toBe(6)
    expect(plan({}, { type: 'email' }, { source: 'journey' }).retryPolicy.maxAttempts).toBe(4)
  })

  it.each([-1, 101, 1.5, Number.NaN])('priority %d is refused', (priority) => {
    expect(() => plan({ priority })).toThrow(`priority ${priority} is not possible`)
  })

  it.each([0, 100])('priority %d is allowed', (priority) => {
    expect(plan({ priority }).priority).toBe(priority)
  })
})

describe('rendering (X-05)', () => {
  it('secrets stay references, with their places', () => {
    const planned = plan({}, { config: { auth: 'Bearer {{secrets.token}}' } })
    expect(planned.config).toEqual({ auth: 'Bearer {{secrets.token}}' })
    expect(planned.secrets).toEqual([{ pointer: '/auth', start: 7, end: 24, name: 'token' }])
  })

  it('S26: a value that looks like a secret stays text, without a place', () => {
    const planned = plan({}, { config: { text: '{{variables.evil}}' } })
    expect(planned.config).toEqual({ text: '{{secrets.key}}' })
    expect(planned.secrets).toEqual([])
  })

  it('what code asked for is taken as it is', () => {
    const planned = plan({ summary: '{{now}}' }, { literal: true, config: { text: '{{secrets.key}}' } })
    expect(planned).toMatchObject({ config: { text: '{{secrets.key}}' }, secrets: [], summary: '{{now}}' })
  })

  it('what cannot be rendered is dead, with its template and the reason', () => {
    const planned = plan({}, { config: { to: '{{variables.landlrd}}' } })
    expect(planned).toMatchObject({
      status: 'dead',
      config: { to: '{{variables.landlrd}}' },
      error: { type: 'invalid_configuration', code: 'unknown_variable', retryable: false },
    })
    expect(planned.error?.message).toContain('landlord')
  })

  it('an error that is not ours is not swallowed', () => {
    const config = {
      get to(): string {
        throw new TypeError('broken getter')
      },
    }
    expect(() => plan({}, { config })).toThrow(TypeError)
  })
})

describe('condition (F-035)', () => {
  it('false: skipped, with the reason', () => {
    expect(plan({ condition: { '<': [{ var: 'message.payload.days' }, 5] } })).toMatchObject({
      status: 'skipped',
      error: { type: 'condition_false', message: 'its condition did not hold', retryable: false },
    })
  })

  it('true: queued', () => {
    expect(plan({ condition: { '>': [{ var: 'message.payload.days' }, 5] } }).status).toBe('queued')
  })
})

it('names are made distinct in order', () => {
  const ask = (type: string, name?: string): ActionRequest => ({
    type,
    config: {},
    options: name ? { name } : {},
  })
  expect(
    distinctNames([ask('email'), ask('email'), ask('sms', 'tell'), ask('email', 'email'), ask('sms')]),
  ).toEqual(['email', 'email#2', 'tell', 'email#3', 'sms'])
  expect(distinctNames([ask('x'), ask('y', 'x#2'), ask('x')])).toEqual(['x', 'x#2', 'x#3'])
})
