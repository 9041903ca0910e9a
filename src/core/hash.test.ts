import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base32, sha256, sha256Hex, spread } from './hash.ts'

const reference = (text: string): string =>
  createHash('sha256').update(new TextEncoder().encode(text)).digest('hex')

describe('sha256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('NIST vector %#', (text, digest) => {
    expect(sha256Hex(text)).toBe(digest)
  })

  it('equals the platform at every length around the block borders', () => {
    for (let length = 0; length <= 200; length++)
      expect(sha256Hex('z'.repeat(length))).toBe(reference('z'.repeat(length)))
  })

  it('equals the platform for any text, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256Hex(text)).toBe(reference(text))
      }),
    )
    for (const text of ['\ud800', '\udfff', 'a\udc00\ud800b', '\ud83d\ude00', '\ud83d', '\ue000', '\ud7ff'])
      expect(sha256Hex(text)).toBe(reference(text))
  })

  it('equals the platform on both sides of every change of length in UTF-8', () => {
    for (const point of [0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff])
      expect(sha256Hex(String.fromCodePoint(point))).toBe(reference(String.fromCodePoint(point)))
  })

  it('gives 32 bytes, the same as the hexadecimal text says', () => {
    const bytes = sha256('pawl')
    expect(bytes).toHaveLength(32)
    expect(Buffer.from(bytes).toString('hex')).toBe(sha256Hex('pawl'))
  })
})

describe('base32', () => {
  it.each([
    ['', ''],
    ['f', 'my'],
    ['fo', 'mzxq'],
    ['foo', 'mzxw6'],
    ['foob', 'mzxw6yq'],
    ['fooba', 'mzxw6ytb'],
    ['foobar', 'mzxw6ytboi'],
  ])('RFC 4648: %j is %j', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  it('keeps every bit: different bytes have different texts of the expected length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
        const back = [...base32(bytes)]
          .map((char) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(char).toString(2).padStart(5, '0'))
          .join('')
        expect(back).toBe(bits.padEnd(Math.ceil(bits.length / 5) * 5, '0'))
      }),
    )
  })
})

describe('spread', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `l_${Math.floor(index / 5)}/send#${index % 5}`)

  it('does not change between versions: delays that were shown stay true', () => {
    expect(['', 'a', 'l_882/notice#1', 'l_882/notice#2'].map(spread)).toEqual([
      0.6689221884589642, 0.10352621669881046, 0.5184039573650807, 0.1749271738808602,
    ])
  })

  it('stays in [0, 1)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = spread(text)
        expect(value >= 0 && value < 1).toBe(true)
        expect(spread(text)).toBe(value)
      }),
    )
  })

  it('fills its range evenly for keys that differ in a digit: χ² over 100 buckets is ordinary', () => {
    const buckets = new Array<number>(100).fill(0)
    for (const key of keys) buckets[Math.floor(spread(key) * 100)]! += 1
    const expected = keys.length / 100
    const chi = buckets.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // 99 degrees of freedom: 54 to 161 holds for all but one in ten thousand on either side.
    expect(chi).toBeGreaterThan(54)
    expect(chi).toBeLessThan(161)
  })

  it('keeps neighbours apart: the attempts of one key are not correlated', () => {
    const pairs = Array.from({ length: 5000 }, (_, index) => [spread(`k${index}#1`), spread(`k${index}#2`)])
    const covariance = pairs.reduce((sum, [a, b]) => sum + (a! - 0.5) * (b! - 0.5), 0) / pairs.length
    expect(Math.abs(covariance * 12)).toBeLessThan(0.06)
  })
})
