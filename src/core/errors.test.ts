import { describe, expect, it } from 'vitest'
import { EDGE_REGISTRY } from './edge-errors.ts'
import { type ErrorCode, type ErrorDetails, explain, PawlError, REGISTRY } from './errors.ts'

const STATUSES = [
  ...[400, 401, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 421, 422, 429, 431],
  ...[500, 501, 502, 503, 504, 507],
]
const CODES = Object.keys(REGISTRY) as ErrorCode[]

describe('the registry', () => {
  it('is sorted, so that a new code has one place', () => {
    const edge = Object.keys(EDGE_REGISTRY)
    const others = CODES.filter((code) => !edge.includes(code))
    expect(edge).toEqual(edge.toSorted())
    expect(others).toEqual(others.toSorted())
    expect(CODES.length).toBeGreaterThan(20)
  })

  it.each(CODES)('%s has a status, an exit code and a sentence of help', (code) => {
    const { http, exit, retryable, help } = REGISTRY[code]
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(STATUSES).toContain(http)
    // 126 and above mean something to the shell.
    expect(exit).toBeGreaterThanOrEqual(1)
    expect(exit).toBeLessThan(126)
    expect(help).toMatch(/^[A-Z].*\.$/)
    // 409 and 422 say that the request must change; only these say come again.
    if (retryable) expect([429, 500, 502, 503, 504, 507]).toContain(http)
  })

  it('gives the same exit code for the same kind of refusal', () => {
    for (const code of CODES) if (REGISTRY[code].http === 422) expect(REGISTRY[code].exit).toBe(2)
    expect(REGISTRY.definition_incompatible).toMatchObject({ http: 409, exit: 6 })
    expect(REGISTRY.decide_failed).toMatchObject({ http: 500, exit: 1 })
    expect(REGISTRY.payload_too_large).toMatchObject({ http: 413, exit: 2 })
  })
})

describe('PawlError', () => {
  it('is an Error with a code, a message and details', () => {
    const error = new PawlError('invalid_cron', '"* * *" has three fields', { path: 'schedule' })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'PawlError', code: 'invalid_cron', details: { path: 'schedule' } })
    expect(error.message).toBe('"* * *" has three fields')
    expect(String(error)).toBe('PawlError: "* * *" has three fields')
    expect(error.stack).toContain('errors.test.ts')
  })

  it('has empty details unless given, and a cause only when given', () => {
    const plain = new PawlError('decide_failed', 'no')
    expect(plain.details).toEqual({})
    expect(Object.hasOwn(plain, 'cause')).toBe(false)
    const cause = new TypeError('x is undefined')
    expect(new PawlError('decide_failed', 'no', {}, cause).cause).toBe(cause)
    expect(new PawlError('decide_failed', 'no', {}, null).cause).toBe(null)
  })
})

describe('explain', () => {
  it.each<[ErrorDetails, string]>([
    [{}, 'there is no state "actve"'],
    [{ expected: 'a state' }, 'there is no state "actve"; expected a state'],
    [{ suggestion: 'active' }, 'there is no state "actve"; did you mean active?'],
    [
      { path: 'initial', expected: 'a state', suggestion: 'active' },
      'there is no state "actve"; expected a state; did you mean active?',
    ],
  ])('%j', (details, text) => {
    expect(explain(new PawlError('invalid_definition', 'there is no state "actve"', details))).toBe(text)
  })
})
