import { describe, expect, it } from 'vitest'
import { type Destination, readDestination } from './destination.ts'
import { readHost } from './host.ts'

describe('S18: URLs', () => {
  it.each<[string, Partial<Destination>]>([
    ['https://api.example.com', { isSecure: true, port: 443, authority: 'api.example.com', path: '/' }],
    ['http://API.example.com:80/a?b=c#d', { port: 80, authority: 'api.example.com', path: '/a?b=c' }],
    [
      'https://example.com.:8443/',
      { port: 8443, authority: 'example.com:8443', origin: 'https://example.com:8443' },
    ],
    ['https://münchen.example/ü', { authority: 'xn--mnchen-3ya.example', path: '/%C3%BC' }],
    ['http://[2606:4700:0::1]:8080/', { authority: '[2606:4700::1]:8080', port: 8080 }],
    ['http://0x08080808/', { authority: '8.8.8.8', origin: 'http://8.8.8.8' }],
    ['http://x/a\\b'.replace('\\', '?q=\\'), { path: '/a?q=\\b' }],
  ])('%s', (url, expected) => {
    expect(readDestination(url)).toMatchObject(expected)
  })

  it.each([
    ['file:///etc/passwd', /"file:"/],
    ['gopher://x/', /"gopher:"/],
    ['data:text/plain,x', /"data:"/],
    ['ftp://x/', /"ftp:"/],
    ['javascript:alert(1)', /"javascript:"/],
    ['ws://x/', /"ws:"/],
    ['//example.com/', /no scheme/],
    ['example.com', /no scheme/],
    ['', /no scheme/],
    ['http:example.com', /not written/],
    ['http:/example.com', /not written/],
    ['http:///example.com', /not written/],
    ['http://', /not written/],
    ['http:\\\\example.com', /not written/],
    ['http://good.example\\@evil.example/', /not written/],
    ['http://good.example/a\\..\\b', /not written/],
    ['http://user:pass@example.com/', /credentials/],
    ['http://user@example.com/', /credentials/],
    ['http://@example.com/', /credentials/],
    ['http://example.com:99999/', /cannot be read/],
    ['http://exa mple.com/', /cannot be read/],
    ['http://a%00b/', /cannot be read/],
    ['http://[fe80::1%25eth0]/', /cannot be read/],
    ['http://1.2.3.4.5/', /cannot be read/],
    ['http://example.com../', /no name/],
    ['http://.example.com/', /no name/],
    ['http://-a.example/', /no name/],
    ['http://127.0.0.1../', /no name/],
    [`http://${'a'.repeat(64)}.example/`, /no name/],
    [`http://${'a.'.repeat(130)}example/`, /more than 253/],
    [`http://example.com/${'a'.repeat(17_000)}`, /16384 characters/],
  ])('refuses %j', (url, message) => {
    expect(() => readDestination(url)).toThrow(
      expect.objectContaining({ code: 'destination_forbidden', message: expect.stringMatching(message) }),
    )
  })

  it.each([
    'http://example.com/\r\nX: y',
    'http://exam\tple.com/',
    'http://example.com/\0',
    '\nhttp://example.com',
    'http://x/\u0085',
  ])('S21: refuses the control character in %j', (url) => {
    expect(() => readDestination(url)).toThrow(expect.objectContaining({ code: 'template_value_forbidden' }))
  })

  it('S44: never quotes what may be a secret', () => {
    for (const url of [
      'http://key@example.com/key',
      'http://x:99999/key',
      'http://a..b/key?key',
      'ftp://x/key',
      'key',
    ])
      expect(() => readDestination(url)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('key') }),
      )
  })
})

describe('a host by itself', () => {
  it.each([
    ['smtp.example.com', 'name', 'smtp.example.com'],
    ['SMTP.Example.com.', 'name', 'smtp.example.com'],
    ['１２７。０。０。１', 'address', '127.0.0.1'],
    ['0x7f.1', 'address', '127.0.0.1'],
    ['::1', 'address', '[::1]'],
    ['[::1]', 'address', '[::1]'],
    ['::ffff:127.0.0.1', 'address', '[::ffff:7f00:1]'],
  ])('%s is the %s %s', (text, kind, expected) => {
    expect(readHost(text)).toMatchObject({ kind, text: expected })
  })

  it.each([
    '',
    'a b',
    'a/b',
    'a:25',
    'a:80',
    '[::1]:25',
    'user@a',
    'a%2eb',
    'a\\b',
    'a?b',
    'a#b',
    'a\0b',
    '[::1',
    'fe80::1%lo',
    '1.2.3.4.5',
    'a'.repeat(2000),
    '[x]',
  ])('refuses %j', (text) => {
    expect(() => readHost(text)).toThrow(expect.objectContaining({ code: 'destination_forbidden' }))
  })
})
