import { describe, expect, it } from 'vitest'
import type { ActionPlan } from './action.ts'
import { BREAKER_DEFAULTS } from './breaker.ts'
import { limitsOn, parseLimits } from './limit-settings.ts'

const plan = (over: Partial<ActionPlan> = {}): ActionPlan => ({ type: 'email', ...over }) as ActionPlan

describe('parseLimits', () => {
  it('reads what is written, with defaults for what is not', () => {
    const settingsOf = parseLimits({
      email: {
        rate: '10/s',
        concurrency: 5,
        quota: '1000/day',
        zone: 'Europe/Berlin',
        per: 'tenant',
        onFull: 'drop',
        bulkhead: 8,
        breaker: true,
      },
    })
    expect(settingsOf('email')).toEqual({
      rate: { count: 10, windowMs: 1000 },
      concurrency: 5,
      quota: { count: 1000, period: 'day', zone: 'Europe/Berlin' },
      isPerTenant: true,
      onFull: 'drop',
      bulkhead: 8,
      breaker: BREAKER_DEFAULTS,
    })
    expect(settingsOf('sms')).toEqual({ isPerTenant: false, onFull: 'wait' })
    expect([settingsOf.hasBulkheads, parseLimits({ a: {} }).hasBulkheads]).toEqual([true, false])
  })

  it('* is for every type, and an entry of its own overrules what it names', () => {
    const settingsOf = parseLimits({ '*': { bulkhead: 4, breaker: true }, email: { breaker: false } })
    expect(settingsOf('sms')).toEqual({
      isPerTenant: false,
      onFull: 'wait',
      bulkhead: 4,
      breaker: BREAKER_DEFAULTS,
    })
    expect(settingsOf('email')).toEqual({ isPerTenant: false, onFull: 'wait', bulkhead: 4 })
  })

  it('a breaker as it is written', () => {
    const breaker = { failures: 3, ratio: 0, window: '1m', coolDown: 500, probes: 2 }
    expect(parseLimits({ a: { breaker } })('a').breaker).toEqual({
      failures: 3,
      ratio: 0,
      windowMs: 60_000,
      coolDownMs: 500,
      probes: 2,
    })
    expect(parseLimits({ a: { breaker: {} } })('a').breaker).toEqual(BREAKER_DEFAULTS)
  })

  it.each([
    ['limits.a', 5],
    ['limits.a', null],
    ['limits.a.rates', { rates: '10/s' }],
    ['limits.a.rate', { rate: 'fast' }],
    ['limits.a.rate', { rate: 10 }],
    ['limits.a.concurrency', { concurrency: 0 }],
    ['limits.a.concurrency', { concurrency: 1.5 }],
    ['limits.a.concurrency', { concurrency: 1_000_001 }],
    ['limits.a.bulkhead', { bulkhead: '8' }],
    ['limits.a.quota', { quota: '5/week' }],
    ['limits.a.quota.zone', { quota: '5/day', zone: 'Mars' }],
    ['limits.a.per', { per: 'user' }],
    ['limits.a.onFull', { onFull: 'reject' }],
    ['limits.a.breaker', { breaker: 'on' }],
    ['limits.a.breaker', { breaker: [] }],
    ['limits.a.breaker.ratio', { breaker: { ratio: 1.1 } }],
    ['limits.a.breaker.ratio', { breaker: { ratio: -0.1 } }],
    ['limits.a.breaker.failures', { breaker: { failures: 0 } }],
    ['limits.a.breaker.probes', { breaker: { probes: {} } }],
    ['limits.a.breaker.cooldown', { breaker: { cooldown: '1m' } }],
  ])('refuses, at %s, %j', (path, input) => {
    const parse = () => parseLimits({ a: input as never })
    expect(parse).toThrow(expect.objectContaining({ details: expect.objectContaining({ path }) }))
  })

  it('suggests what was meant', () => {
    const suggestion = (input: object): unknown => {
      try {
        return parseLimits({ a: input as never })
      } catch (error) {
        return (error as { readonly details: { readonly suggestion?: string } }).details.suggestion
      }
    }
    expect([suggestion({ rates: '1/s' }), suggestion({ onFull: 'dropp' }), suggestion({ zzz: 1 })]).toEqual([
      'rate',
      'drop',
      undefined,
    ])
  })
})

describe('limitsOn', () => {
  const settings = parseLimits({
    email: { rate: '10/s', concurrency: 5, quota: '9/day' },
    sms: { bulkhead: 3, breaker: true },
    task: { concurrency: 1 },
  })

  it('an action without limits has none', () => {
    expect([limitsOn(plan({ type: 'sms' }), settings('sms')), limitsOn(plan(), settings('x'))]).toEqual([
      [],
      [],
    ])
  })

  it('its own, for its tenant alone, then its type’s, for all', () => {
    const own = limitsOn(plan({ limit: { key: 'to/ada', rate: '1/s' } }), settings('email'))
    expect(own).toEqual([
      {
        key: 'key:to/ada',
        name: 'to/ada',
        isPerTenant: true,
        onFull: 'wait',
        rate: { count: 1, windowMs: 1000 },
      },
      {
        key: 'type:email',
        name: 'email',
        isPerTenant: false,
        onFull: 'wait',
        rate: { count: 10, windowMs: 1000 },
        concurrency: 5,
        quota: { count: 9, period: 'day', zone: 'UTC' },
      },
    ])
    const other = plan({ type: 'task', limit: { key: 'k', concurrency: 2, onFull: 'drop' } })
    expect(limitsOn(other, settings('task'))).toEqual([
      { key: 'key:k', name: 'k', isPerTenant: true, onFull: 'drop', concurrency: 2 },
      { key: 'type:task', name: 'task', isPerTenant: false, onFull: 'wait', concurrency: 1 },
    ])
  })

  it('M-11: with a key each service, recipient … has its own; those without one share', () => {
    const keyed = parseLimits({
      api_call: { rate: '5/s', key: '{{config.service}}/{{metadata.region | default: "eu"}}' },
    })
    const named = (config: unknown, metadata = {}) =>
      limitsOn(plan({ type: 'api_call', config, metadata } as never), keyed('api_call')).map(
        ({ key, name }) => [key, name],
      )
    expect(named({ service: 'crm' })).toEqual([['type:api_call/crm/eu', 'api_call/crm/eu']])
    expect(named({ service: 'crm' }, { region: 'us' })).toEqual([['type:api_call/crm/us', 'api_call/crm/us']])
    expect(named({})).toEqual([['type:api_call/', 'api_call/']])
    expect(named({ service: `${'x'.repeat(199)}👋` })).toEqual([
      [`type:api_call/${'x'.repeat(199)}\uFFFD`, `api_call/${'x'.repeat(199)}\uFFFD`],
    ])
  })

  it.each([
    ['', 'limits.a.key'],
    [5, 'limits.a.key'],
    ['{{event.payload.to}}', 'limits.a.key'],
    ['{{config.to', 'limits.a.key'],
  ])('a key that cannot be made is refused: %s', (key, path) => {
    expect(() => parseLimits({ a: { rate: '1/s', key: key as never } })).toThrow(
      expect.objectContaining({ code: 'invalid_option', details: expect.objectContaining({ path }) }),
    )
  })

  it('a name that was meant is suggested', () => {
    expect(() => parseLimits({ a: { rate: '1/s', key: '{{confg.to}}' } })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ suggestion: 'config' }) }),
    )
  })

  it.each([
    ['limit.rate', { key: 'k', rate: 'often' }],
    ['limit.rate', { key: 'k', rate: 3 }],
    ['limit.concurrency', { key: 'k', concurrency: -1 }],
  ])('what cannot be meant is refused, at %s', (path, limit) => {
    expect(() => limitsOn(plan({ limit: limit as never }), settings('x'))).toThrow(
      expect.objectContaining({ code: 'invalid_option', details: expect.objectContaining({ path }) }),
    )
  })
})
