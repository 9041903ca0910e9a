import { validateHeaderName, validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EgressRequest, prepare } from './request.ts'

const codeOf = (request: EgressRequest): string | undefined => {
  try {
    prepare(request)
    return undefined
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('what a request becomes', () => {
  it('is GET without a body, POST with one, and any method in capitals', () => {
    expect(prepare({})).toMatchObject({ method: 'GET', body: undefined })
    expect(prepare({ body: '' })).toMatchObject({ method: 'POST', body: Buffer.from('') })
    expect(prepare({ json: null })).toMatchObject({ method: 'POST', body: Buffer.from('null') })
    expect(prepare({ method: 'patch', body: new Uint8Array([1, 2]) })).toMatchObject({
      method: 'PATCH',
      body: Buffer.from([1, 2]),
    })
  })

  it('has a content type for JSON, unless one is given, and defaults that can be replaced', () => {
    expect(prepare({ json: {} }).headers.get('content-type')).toBe('application/json')
    expect(prepare({ json: {}, headers: { 'Content-Type': 'x/y' } }).headers.get('content-type')).toBe('x/y')
    expect(prepare({ body: 'x' }).headers.has('content-type')).toBe(false)
    expect(prepare({}).headers.get('accept-encoding')).toBe('gzip, deflate, br')
    expect(prepare({ headers: { 'Accept-Encoding': 'identity' } }).headers.get('accept-encoding')).toBe(
      'identity',
    )
  })

  it('knows which headers are sensitive, and asks first only when there is a body', () => {
    expect([...prepare({ sensitive: ['X-API-Key'] }).sensitive]).toEqual([
      'authorization',
      'cookie',
      'x-api-key',
    ])
    expect(prepare({ expect: '100-continue' }).asksFirst).toBe(false)
    expect(prepare({ expect: '100-continue', body: 'x' }).asksFirst).toBe(true)
    expect(prepare({ body: 'x' }).asksFirst).toBe(false)
  })
})

const circular: { self?: unknown } = {}
circular.self = circular

describe('S21: what a request may not have', () => {
  it.each([
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'CONNECTION',
      'Keep-Alive',
      'Proxy-Authorization',
      'Proxy-Connection',
    ],
    ...['TE', 'Trailer', 'Upgrade', 'Expect', 'HTTP2-Settings'],
  ])('the header %s', (name) => {
    expect(codeOf({ headers: { [name]: 'x' } })).toBe('request_invalid')
  })

  it.each<[string, EgressRequest, string]>([
    ['a line break in a value', { headers: { 'x-name': 'a\r\nHost: evil' } }, 'template_value_forbidden'],
    ['a bare line feed', { headers: { 'x-name': 'a\nb' } }, 'template_value_forbidden'],
    ['NUL', { headers: { 'x-name': 'a\0' } }, 'template_value_forbidden'],
    ['a character beyond one byte', { headers: { 'x-name': 'ł' } }, 'template_value_forbidden'],
    ['a line break in a name', { headers: { 'x\r\ny': 'a' } }, 'template_value_forbidden'],
    ['a colon in a name', { headers: { 'x:y': 'a' } }, 'template_value_forbidden'],
    ['an empty name', { headers: { '': 'a' } }, 'template_value_forbidden'],
    [
      'a line break in the method',
      { method: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' },
      'template_value_forbidden',
    ],
    ['no method', { method: '' }, 'template_value_forbidden'],
    ['CONNECT', { method: 'connect' }, 'request_invalid'],
    ['TRACE', { method: 'TRACE' }, 'request_invalid'],
    ['TRACK', { method: 'TRACK' }, 'request_invalid'],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'request_invalid'],
    ['a value that is no text', { headers: { 'x-a': 1 as unknown as string } }, 'request_invalid'],
    ['body and json', { body: 'x', json: {} }, 'request_invalid'],
    ['json that is none', { json: () => 1 }, 'request_invalid'],
    ['json that is a ring', { json: circular }, 'request_invalid'],
    ['a body that is none', { body: 5 as unknown as string }, 'request_invalid'],
    ['too large a header', { headers: { 'x-a': 'a'.repeat(17_000) } }, 'request_invalid'],
    [
      'too many headers',
      { headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, ''])) },
      'request_invalid',
    ],
  ])('%s', (_, request, code) => {
    expect(codeOf(request)).toBe(code)
  })

  it('S44: an error names the header and never its value', () => {
    expect(() => prepare({ headers: { 'x-key': 'sesame\n' } })).toThrow(
      expect.objectContaining({
        message: expect.not.stringContaining('sesame'),
        details: { path: 'headers.x-key' },
      }),
    )
  })

  it('S21: whatever passes here, Node takes; whatever Node refuses is refused here', () => {
    const allows = (check: () => void): boolean => {
      try {
        check()
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.string({ unit: 'binary', maxLength: 8 }),
        (name, value) => {
          const nodeTakes =
            allows(() => validateHeaderName(`x${name}`)) && allows(() => validateHeaderValue('x', value))
          expect(codeOf({ headers: { [`x${name}`]: value } }) === undefined).toBe(nodeTakes)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
