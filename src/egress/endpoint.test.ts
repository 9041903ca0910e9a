import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveEndpoint } from './endpoint.ts'

const BASE = 'https://api.example.com/v1'

describe('S17: an endpoint extends the base URL', () => {
  it.each([
    [BASE, '/messages', `${BASE}/messages`],
    [BASE, 'messages', `${BASE}/messages`],
    [`${BASE}/`, '/messages?page=2', `${BASE}/messages?page=2`],
    [BASE, '', BASE],
    [BASE, '?page=2', `${BASE}?page=2`],
    [BASE, '/a/./b', `${BASE}/a/b`],
    [BASE, '/a#part', `${BASE}/a`],
    [BASE, '/users:batch', `${BASE}/users:batch`],
    [BASE, '/@evil.example', `${BASE}/@evil.example`],
    [BASE, '@evil.example', `${BASE}/@evil.example`],
    [BASE, '.evil.example', `${BASE}/.evil.example`],
    [BASE, '/a?to=https://x.example//../', `${BASE}/a?to=https://x.example//../`],
    [BASE, '/a..b/...', `${BASE}/a..b/...`],
    ['https://api.example.com', 'a', 'https://api.example.com/a'],
    ['https://api.example.com/', '', 'https://api.example.com/'],
    ['http://api.example.com:8080', ':80', 'http://api.example.com:8080/:80'],
  ])('%s + %j', (base, endpoint, url) => {
    expect(resolveEndpoint(base, endpoint)).toBe(url)
  })

  it.each([
    ...[
      'http://evil.example',
      'https://api.example.com/v1',
      'HTTPS://x',
      'javascript:x',
      'users:batch',
      'file:///x',
    ],
    ...['//evil.example', '///evil.example', '\\\\evil.example', '/\\evil.example', '\\evil', 'a\\b'],
    ...[
      '..',
      '../x',
      '/../x',
      '/a/../../x',
      '/a/..',
      '/%2e%2e/x',
      '/.%2E/x',
      '/%2e./x',
      '/..%2fx',
      '/..%5Cx',
      '/a%2f..%2fx',
    ],
    ...[' //evil.example', '\t//evil.example', '/a\r\nb', '/a\0', '/a ', '\u00a0/a'],
  ])('refuses %j', (endpoint) => {
    expect(() => resolveEndpoint(BASE, endpoint)).toThrow(
      expect.objectContaining({ code: 'path_must_be_relative' }),
    )
  })

  it.each(['https://api.example.com/?key=1', 'https://api.example.com/#x', 'ftp://x/', 'https://u:p@x/'])(
    'refuses the base %s',
    (base) => {
      expect(() => resolveEndpoint(base, '/a')).toThrow(
        expect.objectContaining({ code: 'destination_forbidden' }),
      )
    },
  )

  it('whatever it is given, the result is below the base or there is none', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '//',
      '@',
      ':',
      '?',
      '#',
      'a',
      'http:',
      ' ',
      '\t',
      '[',
      '%',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (endpoint) => {
          let url: string
          try {
            url = resolveEndpoint(BASE, endpoint)
          } catch (error) {
            expect(error).toMatchObject({
              code: expect.stringMatching(
                /^(path_must_be_relative|destination_forbidden|template_value_forbidden)$/,
              ),
            })
            return
          }
          expect(url).toMatch(/^https:\/\/api\.example\.com\/v1(?:[/?]|$)/)
          expect(new URL(url).pathname).toMatch(/^\/v1(?:\/|$)/)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
