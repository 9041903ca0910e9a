import { isIP, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedIn, readAddress } from './address.ts'

const textOf = (text: string): string | undefined => readAddress(text)?.text

describe('S12: IPv4 in every spelling', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['127.65535', '127.0.255.255'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0X7F000001', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['0x7f.0x0.0x0.0x1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['0x', '0.0.0.0'],
    ['00', '0.0.0.0'],
    ['0000000000000000000000177.0.0.1', '127.0.0.1'],
    ['4294967295', '255.255.255.255'],
    ['255.255.255.255', '255.255.255.255'],
  ])('%s is %s', (spelling, text) => {
    expect(readAddress(spelling)).toMatchObject({ family: 4, text })
  })

  it.each([
    ...['', '.', '..', '1.2.3.4.5', '1..2', '256.0.0.1', '1.256.0.1', '1.2.3.256', '1.2.65536', '1.16777216'],
    ...[
      '4294967296',
      '0x100000000',
      '08',
      '0778',
      '0xg',
      '1.2.3.4..',
      ' 1.2.3.4',
      '1.2.3.4 ',
      '-1',
      '+1',
      '1e3',
    ],
    ...['１２７.0.0.1', 'localhost', '1.2.3.a', '1.2.3.4/8', '127.0.0.1\0', `${'0'.repeat(260)}1`],
  ])('%j is none', (spelling) => {
    expect(readAddress(spelling)).toBeUndefined()
  })
})

describe('S12: IPv6', () => {
  it.each([
    ['::', '::'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', '::1'],
    ['1::', '1::'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1'],
    ['::FFFF:7F00:1', '::ffff:7f00:1'],
    ['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a9fe'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['1:2:3:4:5:6:10.0.0.1', '1:2:3:4:5:6:a00:1'],
    ['fe80::10:0:0:0', 'fe80::10:0:0:0'],
  ])('%s is %s', (spelling, text) => {
    expect(readAddress(spelling)).toMatchObject({ family: 6, text })
  })

  it.each([
    ...[':', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', '12345::', 'g::'],
    ...[
      'fe80::1%eth0',
      'fe80::1%25eth0',
      '[::1]',
      '::1 ',
      '1.2.3.4::',
      '::1.2.3.4:5',
      '::127.1',
      '::0177.0.0.1',
    ],
    ...['::256.0.0.1', '::1.2.3', '1:', ':1', '::ffff:0x7f.0.0.1'],
  ])('%j is none', (spelling) => {
    expect(readAddress(spelling)).toBeUndefined()
  })
})

const byte = fc.integer({ min: 0, max: 255 })
const number = fc
  .tuple(fc.oneof(byte, fc.integer({ min: 0, max: 2 ** 33 })), fc.constantFrom(10, 8, 16))
  .map(([value, base]) => `${{ 8: '0', 10: '', 16: '0x' }[base]}${value.toString(base)}`)
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))

describe('the same as others read', () => {
  it('IPv4 as WHATWG URL reads it', () => {
    const host = fc.oneof(
      fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
      fc.string({ unit: fc.constantFrom(...'0123456789abxf.'), minLength: 1, maxLength: 12 }),
    )
    fc.assert(
      fc.property(host, (text) => {
        const url = `http://${text}/`
        const folded = URL.canParse(url) ? new URL(url).hostname : ''
        expect(textOf(text) ?? '').toBe(isIP(folded) === 4 ? folded : '')
      }),
      { numRuns: 5000 },
    )
  })

  it('IPv6 as Node and URL read it', () => {
    const whole = fc.array(fc.oneof(group, fc.constant('0')), { minLength: 8, maxLength: 8 })
    const pieces = fc.string({
      unit: fc.constantFrom(':', '::', '0', '1', 'ff', 'abcd', '1.2.3.4', '.'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          whole.map((parts) => parts.join(':')),
          pieces,
        ),
        (text) => {
          fc.pre(text.includes(':'))
          expect(readAddress(text) !== undefined).toBe(isIPv6(text))
          if (isIPv6(text)) expect(`[${textOf(text)}]`).toBe(new URL(`http://[${text}]/`).hostname)
        },
      ),
      { numRuns: 5000 },
    )
  })

  it('what is written is read back the same', () => {
    fc.assert(
      fc.property(fc.array(byte, { minLength: 16, maxLength: 16 }), (bytes) => {
        const hex = bytes.map((each) => each.toString(16).padStart(2, '0')).join('')
        const address = readAddress(hex.replace(/.{4}(?=.)/g, '$&:'))!
        expect(address.bytes).toEqual(bytes)
        expect(readAddress(address.text)).toEqual(address)
      }),
    )
  })
})

describe('S12: the IPv4 inside an IPv6 address', () => {
  it.each([
    ['::ffff:10.0.0.1', ['10.0.0.1']],
    ['::10.0.0.1', ['10.0.0.1']],
    ['::ffff:0:10.0.0.1', ['10.0.0.1']],
    ['64:ff9b::10.0.0.1', ['10.0.0.1']],
    ['64:ff9b:1:0a00:0:0100::', ['10.0.0.1', '0.0.0.0']],
    ['64:ff9b:1::10.0.0.1', ['0.0.0.0', '10.0.0.1']],
    ['2002:0a00:0001::', ['10.0.0.1']],
    ['2001:0:0a00:0001::f5ff:fffe', ['10.0.0.1', '10.0.0.1']],
    ['2606:4700::5efe:10.0.0.1', ['10.0.0.1']],
    ['2606:4700::200:5efe:10.0.0.1', ['10.0.0.1']],
    ['2606:4700::1', []],
    ['::', []],
    ['::1', []],
    ['::2', ['0.0.0.2']],
    ['10.0.0.1', []],
  ])('%s carries %j', (text, inside) => {
    expect(embeddedIn(readAddress(text)!).map((each) => each.text)).toEqual(inside)
  })
})
