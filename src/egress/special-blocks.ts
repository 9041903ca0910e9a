// Owns the table of addresses that are not the public internet: every block of IANA's special-purpose registries for
// IPv4 and IPv6 (RFC 6890 and its successors), multicast, and all IPv6 outside the range that is given out at all.
// Stricter than "globally reachable": the registry's own services (AS112, AMT, ORCHID …) answer no request of ours.

import type { Address } from './address.ts'
import { type Cidr, contains, readCidr } from './cidr.ts'

export interface Block {
  readonly cidr: string
  readonly name: string
  /** Reached only when the operator allowed the addresses themselves: no name may lead there. */
  readonly never: boolean
}

const blocks = (
  names: Readonly<Record<string, string>>,
  never: boolean,
): readonly (Block & { range: Cidr })[] =>
  Object.entries(names).map(([cidr, name]) => ({ cidr, name, never, range: readCidr(cidr)! }))

/** Clouds hand out credentials at these: whoever controls a name must not lead a request there. */
const NEVER = blocks(
  {
    '0.0.0.0/8': 'this network',
    '169.254.0.0/16': 'link-local, with the metadata of clouds',
    '100.100.100.200/32': 'the metadata of a cloud',
    '192.0.0.192/32': 'the metadata of a cloud',
    '224.0.0.0/4': 'multicast',
    '240.0.0.0/4': 'reserved, with broadcast',
    '::/128': 'the unspecified address',
    'fd00:ec2::/32': 'the metadata of a cloud',
    'fe80::/10': 'link-local',
    'ff00::/8': 'multicast',
  },
  true,
)

const SPECIAL = blocks(
  {
    '10.0.0.0/8': 'private use',
    '100.64.0.0/10': "shared address space of a provider's network",
    '127.0.0.0/8': 'loopback',
    '172.16.0.0/12': 'private use',
    '192.0.0.0/24': 'IETF protocol assignments',
    '192.0.2.0/24': 'documentation',
    '192.31.196.0/24': 'AS112',
    '192.52.193.0/24': 'automatic multicast tunnelling',
    '192.88.99.0/24': '6to4 relays, deprecated',
    '192.168.0.0/16': 'private use',
    '192.175.48.0/24': 'AS112',
    '198.18.0.0/15': 'benchmarking',
    '198.51.100.0/24': 'documentation',
    '203.0.113.0/24': 'documentation',
    '::1/128': 'loopback',
    '::ffff:0:0/96': 'IPv4-mapped',
    '::/96': 'IPv4-compatible, deprecated',
    '64:ff9b:1::/48': 'local translation between IPv4 and IPv6',
    '100::/64': 'discard only',
    '100:0:0:1::/64': 'dummy prefix',
    '2001::/32': 'Teredo',
    '2001::/23': 'IETF protocol assignments',
    '2001:db8::/32': 'documentation',
    '2002::/16': '6to4, deprecated',
    '2620:4f:8000::/48': 'AS112',
    '3fff::/20': 'documentation',
    '5f00::/16': 'segment routing',
    'fc00::/7': 'private use (unique local)',
    'fec0::/10': 'site-local, deprecated',
  },
  false,
)

const BLOCKS = [...NEVER, ...SPECIAL]

const GIVEN_OUT = readCidr('2000::/3')!
/** Behind DNS64 every IPv4 host looks like this; embeddedIn() has the address that counts. */
const NAT64 = readCidr('64:ff9b::/96')!

const UNASSIGNED: Block = { cidr: '::/0', name: 'not given out to anyone', never: false }

/** The block an address lies in, or undefined for a public one. */
export const blockOf = (address: Address): Block | undefined => {
  const block = BLOCKS.find(({ range }) => contains(range, address))
  if (block !== undefined || address.family === 4) return block
  return contains(GIVEN_OUT, address) || contains(NAT64, address) ? undefined : UNASSIGNED
}
