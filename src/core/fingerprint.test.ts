import { expect, it } from 'vitest'
import { fingerprint, normaliseMessage } from './fingerprint.ts'

it.each([
  ['no user 4711 at 10.0.0.7', 'no user ‹n› at ‹n›.‹n›.‹n›.‹n›'],
  ['ada@example.org bounced', '‹address› bounced'],
  ['GET https://push.example/send?id=7 said no', 'GET ‹url› said no'],
  ['envelope 123e4567-e89b-12d3-a456-426614174000 is void', 'envelope ‹id› is void'],
  ['key act_01ARYZ6S41ZZZZZZZZZZZZZZZZ', 'key ‹id›'],
  ['field "until" of \'lease\' and “x”', 'field ‹text› of ‹text› and ‹text›'],
  ['plain words stay', 'plain words stay'],
])('%s is seen as %s', (message, seen) => {
  expect(normaliseMessage(message)).toBe(seen)
})

it('two actions with one cause share a fingerprint; another type, error, code or place does not', () => {
  const error = { type: 'rate_limit', message: 'user 1 is throttled', retryable: true }
  const same = fingerprint('email', error)
  expect(same).toMatch(/^[0-9a-f]{16}$/)
  expect(fingerprint('email', { ...error, message: 'user 2 is throttled' })).toBe(same)
  expect(fingerprint('sms', error)).not.toBe(same)
  expect(fingerprint('email', { ...error, type: 'timeout' })).not.toBe(same)
  expect(fingerprint('email', { ...error, code: 'HTTP_429' })).not.toBe(same)
  const here = fingerprint('email', error, 'send (mail.ts)')
  expect(here).not.toBe(same)
  expect(fingerprint('email', error, 'send (mail.ts)')).toBe(here)
  expect(fingerprint('email', error, 'render (mail.ts)')).not.toBe(here)
})
