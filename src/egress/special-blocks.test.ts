import { BlockList } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Address, readAddress } from './address.ts'
import { contains, networkOf, readCidr } from './cidr.ts'
import { blockOf } from './special-blocks.ts'

const address = (text: string): Address => readAddress(text)!
const blockAt = (text: string): string | undefined => blockOf(address(text))?.cidr

/** IANA's registries of special-purpose addresses, every row, and multicast. */
const REGISTRY = [
  ...[
    '0.0.0.0/8',
    '0.0.0.0/32',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
  ],
  ...['192.0.0.0/24', '192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/32'],
  ...[
    '192.0.0.171/32',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.88.99.2/32',
  ],
  ...[
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
  ],
  ...[
    '255.255.255.255/32',
    '224.0.0.0/4',
    '::1/128',
    '::/128',
    '::ffff:0:0/96',
    '64:ff9b:1::/48',
    '100::/64',
  ],
  ...[
    '100:0:0:1::/64',
    '2001::/23',
    '2001::/32',
    '2001:1::1/128',
    '2001:1::2/128',
    '2001:1::3/128',
    '2001:2::/48',
  ],
  ...[
    '2001:3::/32',
    '2001:4:112::/48',
    '2001:10::/28',
    '2001:20::/28',
    '2001:30::/28',
    '2001:db8::/32',
    '2002::/16',
  ],
  ...['2620:4f:8000::/48', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

const edges = (cidr: string): readonly Address[] => {
  const { base, bits } = readCidr(cidr)!
  const last = base.bytes.map(
    (byte, index) => byte | (2 ** Math.max(0, Math.min(8, 8 * (index + 1) - bits)) - 1),
  )
  const text =
    base.family === 4
      ? last.join('.')
      : Buffer.from(last)
          .toString('hex')
          .replace(/.{4}(?=.)/g, '$&:')
  return [base, address(text)]
}

describe('S12: the blocks', () => {
  it.each(REGISTRY)('%s is not public, from its first to its last address', (cidr) => {
    for (const edge of edges(cidr)) expect(blockOf(edge), edge.text).toBeDefined()
  })

  it.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
    ],
    ...[
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
    ],
    ...[
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '2606:4700:4700::1111',
      '2001:200::',
    ],
    ...['2003::', '2a00::1', '64:ff9b::808:808', '3ffe:ffff::', '3fff:1000::'],
  ])('%s is public', (text) => {
    expect(blockAt(text)).toBeUndefined()
  })

  it.each([
    ['169.254.169.254', true],
    ['fd00:ec2::254', true],
    ['100.100.100.200', true],
    ['192.0.0.192', true],
    ['0.0.0.0', true],
    ['255.255.255.255', true],
    ['224.0.0.1', true],
    ['::', true],
    ['fe80::1', true],
    ['ff02::1', true],
    ['127.0.0.1', false],
    ['10.0.0.1', false],
    ['fd12::1', false],
    ['::1', false],
  ])('%s: no name may lead there: %s', (text, never) => {
    expect(blockOf(address(text))).toMatchObject({ never })
  })

  it.each(['4000::', '8000::1', '0:1::', 'e000::', '64:ff9b:2::', '64:ff9a::', '1fff::'])(
    '%s was never given out',
    (text) => {
      expect(blockAt(text)).toBe('::/0')
    },
  )
})

describe('CIDR', () => {
  const bytes = (length: number) =>
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: length, maxLength: length })
  const ipv4 = bytes(4).map((each) => each.join('.'))
  const ipv6 = bytes(16).map((each) =>
    Buffer.from(each)
      .toString('hex')
      .replace(/.{4}(?=.)/g, '$&:'),
  )

  it.each([
    ['ipv4', ipv4, 32],
    ['ipv6', ipv6, 128],
  ] as const)('contains what net.BlockList contains: %s', (family, text, size) => {
    const bits = fc.integer({ min: 0, max: size })
    fc.assert(
      fc.property(text, text, bits, fc.integer({ min: 0, max: size }), (base, other, prefix, shared) => {
        // Two random addresses share nothing: give the other the first bits of the base.
        const [a, b] = [address(base), address(other)]
        const mixed = a.bytes.map((byte, index) => {
          const mask = 256 - 2 ** (8 - Math.max(0, Math.min(8, shared - 8 * index)))
          return (byte & mask) | (b.bytes[index]! & ~mask & 255)
        })
        const near =
          family === 'ipv4'
            ? mixed.join('.')
            : Buffer.from(mixed)
                .toString('hex')
                .replace(/.{4}(?=.)/g, '$&:')
        const list = new BlockList()
        list.addSubnet(a.text, prefix, family)
        expect(contains(readCidr(`${base}/${prefix}`)!, address(near))).toBe(
          list.check(address(near).text, family),
        )
        const network = readCidr(networkOf({ base: a, bits: prefix }))!
        expect(contains(network, a)).toBe(true)
        expect(networkOf(network)).toBe(networkOf({ base: a, bits: prefix }))
      }),
      { numRuns: 2000 },
    )
  })

  it('never mixes the families', () => {
    expect(contains(readCidr('0.0.0.0/0')!, address('::1'))).toBe(false)
    expect(contains(readCidr('::/0')!, address('127.0.0.1'))).toBe(false)
  })

  it.each([
    '',
    '/',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/a',
    'x/8',
    '10.0.0.0/1000',
  ])('%j is none', (text) => {
    expect(readCidr(text)).toBeUndefined()
  })

  it('a single address is a block of one', () => {
    expect(readCidr('10.0.0.1')?.bits).toBe(32)
    expect(readCidr('::1')?.bits).toBe(128)
  })
})
