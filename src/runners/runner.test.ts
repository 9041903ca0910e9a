import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PawlError } from '../core/errors.ts'
import { secret } from '../secrets/reference.ts'
import { type RunnerDefinition, runner } from './runner.ts'

const config = z.object({ to: z.string(), cc: z.array(z.string()).default([]) })
const base = { type: 'email', config, execute: async () => ({}) }

describe('calling a runner', () => {
  it('describes an action and performs nothing', () => {
    let performed = 0
    const email = runner({ ...base, execute: () => ++performed })
    expect(email({ to: 'ada' })).toEqual({ type: 'email', config: { to: 'ada' }, options: {}, literal: true })
    expect(performed).toBe(0)
  })

  it('puts the options of the call over the defaults, and those over the delivery of the runner', () => {
    const email = runner({ ...base, delivery: 'at_most_once', defaults: { timeout: '10s', priority: 10 } })
    expect(email({ to: 'ada' }).options).toEqual({ delivery: 'at_most_once', timeout: '10s', priority: 10 })
    expect(email({ to: 'ada' }, { priority: 0, delivery: 'at_least_once' }).options).toEqual({
      delivery: 'at_least_once',
      timeout: '10s',
      priority: 0,
    })
  })

  it('takes a retry policy as one whole: an absent jitter is off, not inherited', () => {
    const email = runner({ ...base, defaults: { retryPolicy: { maxAttempts: 5, jitter: true } } })
    expect(email({ to: 'ada' }, { retryPolicy: { maxAttempts: 2 } }).options.retryPolicy).toEqual({
      maxAttempts: 2,
    })
  })

  it('X-14: an option that is undefined leaves the default', () => {
    const email = runner({ ...base, defaults: { timeout: '10s' } })
    const fromJavaScript = { timeout: undefined } as unknown as { timeout: '10s' }
    expect(email({ to: 'ada' }, fromJavaScript).options).toEqual({ timeout: '10s' })
  })

  it('stores the config as JSON: undefined members are left out', () => {
    const email = runner({ ...base, config: z.object({ to: z.string(), note: z.string().optional() }) })
    expect(email({ to: 'ada', note: undefined }).config).toEqual({ to: 'ada' })
  })

  it('refuses a config that would not be read back the same', () => {
    const remind = runner({ ...base, config: z.object({ at: z.object({ due: z.date() }) }) })
    expect(() => remind({ at: { due: new Date(0) } })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: 'the config of email cannot be stored: at.due: a Date is not JSON',
        details: { path: 'config.at.due', expected: 'JSON; a date as an ISO text' },
      }),
    )
  })

  it('refuses a config above the size limit', () => {
    const email = runner(base)
    expect(() => email({ to: 'x'.repeat(300_000) })).toThrow(
      expect.objectContaining({ code: 'payload_too_large', message: expect.stringContaining('email') }),
    )
  })
})

describe('F-043: what a runner says of itself', () => {
  it('validateConfig says every error with its path, and takes what its own schema takes', () => {
    const email = runner(base)
    expect(email.validateConfig({ to: 'ada' })).toEqual({ isValid: true, errors: [] })
    expect(email.validateConfig({ cc: [1] })).toMatchObject({
      isValid: false,
      errors: [{ path: 'to' }, { path: 'cc.0' }],
    })
  })

  it('getRequiredPermissions returns what was declared', () => {
    const permissions = [{ kind: 'egress', value: 'api.mail.example' }] as const
    expect(runner({ ...base, permissions }).getRequiredPermissions()).toEqual(permissions)
    expect(runner(base).getRequiredPermissions()).toEqual([])
  })

  it('names its result event action.succeeded unless told otherwise', () => {
    expect(runner(base).event).toBe('action.succeeded')
    expect(runner({ ...base, event: 'email_sent' }).event).toBe('email_sent')
    expect(runner({ ...base, event: 'email_sent' }).type).toBe('email')
  })
})

describe('a runner that could not work is refused where it is written', () => {
  const without = (change: object) => runner({ ...base, ...change } as unknown as RunnerDefinition)

  it.each([
    [{ type: '' }, 'type', 'a runner needs a type'],
    [{ type: undefined }, 'type', 'a runner needs a type'],
    [{ config: { to: 'string' } }, 'config', 'the runner email: config is not a schema'],
    [{ result: 7 }, 'result', 'the runner email: result is not a schema'],
    [{ execute: undefined }, 'execute', 'the runner email: execute is not a function'],
    [{ event: 'timer.fired' }, 'event', 'the runner email: “timer.fired” is an event of the engine'],
    [{ event: 'action.failed' }, 'event', 'the runner email: “action.failed” is an event of the engine'],
    [
      { delivery: 'reconcile' },
      'reconcile',
      'the runner email: delivery is reconcile, but there is no reconcile()',
    ],
  ])('%j', (change, path, message) => {
    expect(() => without(change)).toThrow(
      expect.objectContaining({
        code: 'invalid_definition',
        message,
        details: { path, expected: expect.any(String) },
      }),
    )
  })

  it.each([
    [{ defaults: { retryPolicy: { backoffStrategy: 'random' } } }, 'defaults.retryPolicy.backoffStrategy'],
    [{ defaults: { timeout: '1mo' } }, 'defaults.timeout'],
    [{ defaults: { delay: -1 } }, 'defaults.delay'],
    [{ defaults: { expiresAfter: 'soon' } }, 'defaults.expiresAfter'],
  ])('%j', (change, path) => {
    expect(() => without(change)).toThrow(
      expect.objectContaining({ name: PawlError.name, details: expect.objectContaining({ path }) }),
    )
  })
})

describe('a secret in a config made by code', () => {
  const crm = runner({
    type: 'crm',
    config: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
    secrets: ['/headers/*'],
    execute: () => null,
  })

  it('is a reference in a marked place, never a value', () => {
    const authorization = secret('crm_token', { before: 'Bearer ' })
    expect(crm({ url: 'https://crm.example', headers: { authorization } })).toEqual({
      type: 'crm',
      config: { url: 'https://crm.example', headers: { authorization: 'Bearer {{secrets.crm_token}}' } },
      secrets: [{ pointer: '/headers/authorization', start: 7, end: 28, name: 'crm_token' }],
      options: {},
      literal: true,
    })
  })

  it('S27: is refused anywhere else', () => {
    expect(() => crm({ url: secret('crm_token'), headers: {} })).toThrow(
      expect.objectContaining({ code: 'secret_not_allowed_here' }),
    )
  })
})
