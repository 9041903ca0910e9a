import { describe, expect, it } from 'vitest'
import { assertDestination, parseHosts } from './destination.ts'
import type { Secret } from './secret.ts'

const bound = (...hosts: readonly string[]): Secret => ({
  name: 'crm_token',
  value: 'canary-value',
  from: 'store',
  version: '1',
  hosts,
})

describe('the hosts of a secret', () => {
  it.each([
    ['API.Example.com', 'api.example.com'],
    ['api.example.com.', 'api.example.com'],
    ['api.example.com:8443', 'api.example.com:8443'],
    ['api.example.com:443', 'api.example.com:443'],
    ['*.example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]:80', '[::1]:80'],
  ])('%s is kept as %s', (host, kept) => {
    expect(parseHosts([host])).toEqual([kept])
  })

  it.each([
    'https://api.example.com',
    'api.example.com/path',
    'user@api.example.com',
    'api.*.com',
    '*',
    '*.com',
    '*.0.0.1',
    '',
    'a b',
    'a\nb.com',
    'x.com:99999',
    'x.com?y',
    'x.com#y',
    'x%2ecom',
  ])('%j is none', (host) => {
    expect(() => parseHosts([host])).toThrow(expect.objectContaining({ code: 'secret_invalid' }))
  })

  it('some, each once, and not too many', () => {
    expect(parseHosts(['a.com', 'A.com', 'b.com'])).toEqual(['a.com', 'b.com'])
    for (const count of [0, 33])
      expect(() => parseHosts(Array.from({ length: count }, (_, at) => `h${at}.com`))).toThrow(
        `${count} hosts are not possible`,
      )
  })
})

describe('S20: a secret goes to its hosts alone', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    ['api.example.com', 'API.EXAMPLE.COM'],
    ['api.example.com', 'api.example.com.'],
    ['api.example.com', 'api.example.com:8443'],
    ['api.example.com:443', 'api.example.com:443'],
    ['*.example.com', 'api.example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['127.0.0.1', '2130706433'],
  ])('bound to %s, sent to %s', (host, to) => {
    expect(() => assertDestination([bound('other.example', host)], to)).not.toThrow()
  })

  it.each([
    ['api.example.com', 'evil.com'],
    ['api.example.com', 'api.example.com.evil.com'],
    ['api.example.com', 'xapi.example.com'],
    ['api.example.com', 'sub.api.example.com'],
    ['api.example.com:443', 'api.example.com:8443'],
    ['api.example.com:443', 'api.example.com'],
    ['*.example.com', 'example.com'],
    ['*.example.com', 'evilexample.com'],
    ['api.example.com', 'evil.com#api.example.com'],
    ['api.example.com', 'api.example.com@evil.com'],
    ['api.example.com', 'evil.com/api.example.com'],
    ['api.example.com', ''],
    ['not a host', 'not a host'],
  ])('bound to %s, not to %j', (host, to) => {
    expect(() => assertDestination([bound(host)], to)).toThrow(
      expect.objectContaining({
        code: 'secret_destination_mismatch',
        message: `the secret crm_token may not be sent to "${to}"`,
        details: { expected: host },
      }),
    )
  })

  it('one that is bound to nothing goes anywhere; every bound one is checked', () => {
    const { hosts: _, ...free } = bound()
    expect(() => assertDestination([free], 'evil.com')).not.toThrow()
    expect(() => assertDestination([free, bound('a.com')], 'b.com')).toThrow('crm_token')
    expect(() => assertDestination([], 'b.com')).not.toThrow()
  })
})
