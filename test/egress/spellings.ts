// The corpus of S12: addresses of every special block, each in every spelling that some reader folds back into it.

import { readAddress } from '../../src/egress/address.ts'

/** The first and the last, or the well-known ones, of each block for IPv4. */
const IPV4 = [
  ...[
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.0.0.2',
  ],
  ...[
    '127.255.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.170',
  ],
  ...[
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '192.175.48.1',
  ],
  ...[
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
  ],
  ...['255.255.255.255', '100.100.100.200'],
]

const IPV6 = [
  ...[
    '::',
    '::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'fdff::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['100::1', '100:0:0:1::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002::1'],
  ...['3fff::1', '5f00::1', '64:ff9b:1::1', '2620:4f:8000::1', '4000::1', '::ffff:0:0'],
]

const hex = (value: number, width = 2): string => value.toString(16).padStart(width, '0')
const inDigits = (text: string, zero: number): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)))
/** There is a circled 0 apart from the circled 1 to 9. */
const circled = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))))

const ipv4Spellings = (text: string): readonly string[] => {
  const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number]
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const [high, low] = [`${hex(a)}${hex(b)}`, `${hex(c)}${hex(d)}`]
  const inverse = `${hex(255 - a)}${hex(255 - b)}:${hex(255 - c)}${hex(255 - d)}`
  return [
    ...[text, `${text}.`, String(whole), `0x${hex(whole, 8)}`, `0X${hex(whole, 8).toUpperCase()}`],
    ...[`0${whole.toString(8)}`, [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.')],
    ...[
      [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
      [a, b, c, d].map((part) => `0x0000${hex(part)}`).join('.'),
    ],
    ...[
      `${a}.${(b * 256 + c) * 256 + d}`,
      `${a}.${b}.${c * 256 + d}`,
      `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    ],
    ...[
      inDigits(text, 0xff10),
      circled(text),
      inDigits(text, 0x1d7ce),
      text.replaceAll('.', '。'),
      text.replaceAll('.', '．'),
    ],
    ...[text.replace(/./g, (each) => `%${hex(each.charCodeAt(0))}`), text.replaceAll('.', '%2E')],
    ...[`[::ffff:${text}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:FFFF:${high}:${low}]`, `[::${text}]`],
    ...[`[::ffff:0:${text}]`, `[64:ff9b::${text}]`, `[64:ff9b::${high}:${low}]`, `[64:ff9b:1::${text}]`],
    ...[`[64:ff9b:1:${high}:${low.slice(0, 2)}:${low.slice(2)}00::]`, `[2002:${high}:${low}::1]`],
    ...[`[2001:0:${high}:${low}::1]`, `[2001::${inverse}]`, `[2606:4700::5efe:${text}]`],
  ]
}

const ipv6Spellings = (text: string): readonly string[] => {
  const { bytes } = readAddress(text)!
  const full = Buffer.from(bytes)
    .toString('hex')
    .replace(/.{4}(?=.)/g, '$&:')
  return [`[${text}]`, `[${full}]`, `[${full.toUpperCase()}]`]
}

const NAMES = [
  ...[
    'localhost',
    'localhost.',
    'LOCALHOST',
    'ｌｏｃａｌｈｏｓｔ',
    'a.localhost',
    'loc%61lhost',
    'printer.local',
  ],
  ...['metadata.google.internal', 'router.home.arpa', 'hidden.onion', 'x.invalid'],
]

/** As they stand in a URL. */
export const SPELLINGS: readonly string[] = [
  ...new Set([...IPV4.flatMap(ipv4Spellings), ...IPV6.flatMap(ipv6Spellings), ...NAMES]),
]

/** As a resolver may answer: no brackets, and also the spellings that only getaddrinfo would fold. */
export const ANSWERS: readonly string[] = SPELLINGS.filter(
  (each) => !NAMES.includes(each) && !each.includes('%'),
).map((each) => each.replace(/^\[|\]$/g, ''))
