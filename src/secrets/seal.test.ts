import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACME, GLOBEX, KEY_A, KEY_B } from '../../test/secrets/bed.ts'
import { parseKeyRing } from './key-ring.ts'
import { createSealer } from './seal.ts'

const sealer = createSealer(parseKeyRing({ keys: `a:${KEY_A}` }))
const LABEL = { name: 'crm_token', version: 1, hosts: [] }
const row = sealer.seal(ACME, LABEL, 'canary-value')

const refused = (code: string) => expect.objectContaining({ code })

describe('S41: sealed and opened', () => {
  it('any text comes back, and none of it stays', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(value, fc.string(), (text, tenant) => {
        const of = { namespace: 'n', tenant }
        const sealed = sealer.seal(of, LABEL, text)
        expect(sealer.open(of, JSON.parse(JSON.stringify(sealed)))).toBe(text)
        expect(Buffer.from(sealed.ciphertext, 'base64').length).toBe(Buffer.byteLength(text) + 16)
      }),
    )
    expect(JSON.stringify(row)).not.toContain('canary')
    expect(Buffer.from(row.ciphertext, 'base64').toString('latin1')).not.toContain('canary')
  })

  it('names its key, and draws a nonce of 96 bits each time', () => {
    expect(row).toMatchObject({ ...LABEL, keyId: 'a' })
    const nonces = Array.from({ length: 1000 }, () => sealer.seal(ACME, LABEL, 'x').nonce)
    expect(new Set(nonces).size).toBe(1000)
    expect(Buffer.from(row.nonce, 'base64').length).toBe(12)
  })
})

describe('a row that was changed does not open', () => {
  const flipped = (text: string, at: number): string => {
    const bytes = Buffer.from(text, 'base64')
    bytes[at]! ^= 1
    return bytes.toString('base64')
  }
  it.each([
    ['another tenant', GLOBEX, row],
    ['another namespace', { ...ACME, namespace: 'other' }, row],
    ['another name', ACME, { ...row, name: 'mail_key' }],
    ['another version', ACME, { ...row, version: 2 }],
    ['other hosts', ACME, { ...row, hosts: ['evil.com'] }],
    ['the first byte', ACME, { ...row, ciphertext: flipped(row.ciphertext, 0) }],
    ['the last byte, of the tag', ACME, { ...row, ciphertext: flipped(row.ciphertext, 27) }],
    ['another nonce', ACME, { ...row, nonce: flipped(row.nonce, 3) }],
    ['a short nonce', ACME, { ...row, nonce: row.nonce.slice(0, 8) }],
    ['a cut row', ACME, { ...row, ciphertext: row.ciphertext.slice(0, 12) }],
    ['an empty row', ACME, { ...row, ciphertext: '' }],
  ])('%s', (_, of, changed) => {
    expect(() => sealer.open(of, changed)).toThrow(refused('secret_unreadable'))
  })

  it('two tenants cannot be spelled as one', () => {
    const sealed = sealer.seal({ namespace: 'a","b', tenant: 'c' }, LABEL, 'value')
    expect(() => sealer.open({ namespace: 'a', tenant: 'b","c' }, sealed)).toThrow(
      refused('secret_unreadable'),
    )
  })

  it('nor does one of another key under the same id', () => {
    const other = createSealer(parseKeyRing({ keys: `a:${KEY_B}` }))
    expect(() => other.open(ACME, row)).toThrow(refused('secret_unreadable'))
  })
})

describe('keys', () => {
  it('an unknown one is named', () => {
    const other = createSealer(parseKeyRing({ keys: `b:${KEY_B}` }))
    for (const without of [other, createSealer(undefined)])
      expect(() => without.open(ACME, row)).toThrow(
        expect.objectContaining({
          code: 'secret_key_unknown',
          message: 'the stored secret crm_token was sealed with the key a, which is not here',
          details: expect.objectContaining({ keyId: 'a' }),
        }),
      )
  })

  it('an old one still opens, the current one seals', () => {
    const both = createSealer(parseKeyRing({ keys: `b:${KEY_B},a:${KEY_A}` }))
    expect(both.open(ACME, row)).toBe('canary-value')
    expect(both.seal(ACME, LABEL, 'x').keyId).toBe('b')
    expect(both.current).toBe('b')
  })

  it('without one nothing is sealed', () => {
    expect(() => createSealer(undefined).seal(ACME, LABEL, 'x')).toThrow(refused('secrets_key_missing'))
    expect(createSealer(undefined).current).toBeUndefined()
  })
})

describe('S42: a fingerprint', () => {
  it('is the same for the same value of a tenant, and differs otherwise', () => {
    const print = (of: typeof ACME, value: string, by = sealer) => by.seal(of, LABEL, value).fingerprint
    expect(row.fingerprint).toMatch(/^[0-9a-f]{8}$/)
    expect(print(ACME, 'canary-value')).toBe(row.fingerprint)
    expect(print(ACME, 'canary-valuf')).not.toBe(row.fingerprint)
    expect(print(GLOBEX, 'canary-value')).not.toBe(row.fingerprint)
    const other = createSealer(parseKeyRing({ key: KEY_B }))
    expect(print(ACME, 'canary-value', other)).not.toBe(row.fingerprint)
  })
})
