import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'
import { createAllowList } from './allow-list.ts'

const has = (allow: readonly string[], address: string): boolean =>
  createAllowList(allow).hasAddress(readAddress(address)!)

describe('what the operator allowed', () => {
  it('opens blocks and single addresses, also in brackets', () => {
    expect(has(['10.0.0.0/8'], '10.255.0.1')).toBe(true)
    expect(has(['10.0.0.0/8'], '11.0.0.1')).toBe(false)
    expect(has(['10.0.0.5'], '10.0.0.5')).toBe(true)
    expect(has(['10.0.0.5'], '10.0.0.6')).toBe(false)
    expect(has(['[::1]', 'fd00::/8'], '::1')).toBe(true)
    expect(has(['[::1]', 'fd00::/8'], 'fd12::1')).toBe(true)
    expect(has([], '10.0.0.1')).toBe(false)
  })

  it('opens names, exact or below a domain', () => {
    const { hasName, hasBlocks } = createAllowList(['Hooks.Internal', '*.example.com', 'whole.example.'])
    expect(hasBlocks).toBe(false)
    expect(['hooks.internal', 'a.example.com', 'a.b.example.com', 'whole.example'].every(hasName)).toBe(true)
    expect(['example.com', 'notexample.com', 'x.hooks.internal', 'internal', ''].some(hasName)).toBe(false)
    expect(createAllowList(['10.0.0.0/8']).hasBlocks).toBe(true)
  })

  it.each([
    ['10.0.0.1/8', /bits outside its prefix/, '10.0.0.0/8'],
    ['fd12::1/8', /bits outside its prefix/, 'fd00::/8'],
    ['10.0.0.0/33', /neither/, undefined],
    ['http://example.com', /neither/, undefined],
    ['example.com:80', /neither/, undefined],
    ['*', /neither/, undefined],
    ['*.', /neither/, undefined],
    ['a.*.com', /neither/, undefined],
    ['*.10.0.0.1', /neither/, undefined],
    ['', /neither/, undefined],
    ['user@host', /neither/, undefined],
  ])('refuses %j', (entry, message, suggestion) => {
    let thrown: unknown
    try {
      createAllowList(['127.0.0.1', entry])
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(message),
      details: { path: 'allow[1]', ...(suggestion !== undefined && { suggestion }) },
    })
  })
})
