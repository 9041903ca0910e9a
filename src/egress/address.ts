// Owns IP addresses: reading every spelling that some system call or library still accepts, writing the canonical one,
// and finding the IPv4 addresses an IPv6 address carries inside. Which addresses may be reached is special-blocks.ts.
// A1  What cannot be read whole is not an address: there is no best guess.

export interface Address {
  readonly family: 4 | 6
  readonly bytes: readonly number[]
  /** Canonical: dotted, or RFC 5952 without its dotted tail. */
  readonly text: string
}

const NUMBER = /^(?:0x(?<hex>[0-9a-f]*)|0(?<octal>[0-7]+)|(?<decimal>0|[1-9][0-9]*))$/i

/** `0x` alone is zero: that is how browsers and inet_aton read it. */
const readNumber = (part: string): number | undefined => {
  const groups = NUMBER.exec(part)?.groups
  if (groups === undefined) return undefined
  if (groups.hex !== undefined) return groups.hex === '' ? 0 : Number.parseInt(groups.hex, 16)
  return groups.octal === undefined ? Number.parseInt(part, 10) : Number.parseInt(groups.octal, 8)
}

const bytesOf = (value: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(value / 256 ** (count - 1 - index)) % 256)

const ipv4 = (bytes: readonly number[]): Address => ({ family: 4, bytes, text: bytes.join('.') })

/** One to four numbers, decimal, octal or hexadecimal; the last fills what is left: `127.1`, `0x7f000001`, `017700000001`. */
const readIpv4 = (text: string): Address | undefined => {
  const parts = text.replace(/\.$/, '').split('.')
  if (parts.length > 4) return undefined
  const numbers = parts.map(readNumber)
  const last = numbers.pop()
  const head = numbers.filter((value) => value !== undefined && value <= 255) as readonly number[]
  const rest = 4 - head.length
  if (last === undefined || head.length < numbers.length || last >= 256 ** rest) return undefined
  return ipv4([...head, ...bytesOf(last, rest)])
}

const groupsOf = (bytes: readonly number[]): readonly number[] =>
  Array.from({ length: 8 }, (_, index) => bytes[2 * index]! * 256 + bytes[2 * index + 1]!)

/** The longest run of two or more zero groups, the first of equals, becomes `::` (RFC 5952). */
const writeIpv6 = (bytes: readonly number[]): string => {
  const text = groupsOf(bytes)
    .map((group) => group.toString(16))
    .join(':')
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length)
  const longest = runs[0]
  if (longest === undefined) return text
  const before = text.slice(0, longest.index).replace(/:$/, '')
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '')
  return `${before}::${after}`
}

const ipv6 = (bytes: readonly number[]): Address => ({ family: 6, bytes, text: writeIpv6(bytes) })

const DOTTED = /^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$/

/** A dotted tail counts as two groups, and only in its plain spelling. */
const readGroups = (text: string): readonly number[] | undefined => {
  if (text === '') return []
  const parts = text.split(':')
  const bytes = parts.map((part, index): readonly number[] | undefined => {
    if (/^[0-9a-f]{1,4}$/i.test(part)) return bytesOf(Number.parseInt(part, 16), 2)
    return index === parts.length - 1 && DOTTED.test(part) ? readIpv4(part)?.bytes : undefined
  })
  return bytes.includes(undefined) ? undefined : (bytes as readonly (readonly number[])[]).flat()
}

/** A zone id (`fe80::1%eth0`) names an interface of this machine, which nobody outside may choose: not an address. */
const readIpv6 = (text: string): Address | undefined => {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = [readGroups(halves[0]!), readGroups(halves[1] ?? '')]
  if (head === undefined || tail === undefined) return undefined
  // A dotted tail ends the address, so it cannot come before the gap.
  if (halves.length === 2 && halves[0]!.includes('.')) return undefined
  const missing = 16 - head.length - tail.length
  const isWhole = halves.length === 2 ? missing >= 2 : missing === 0
  return isWhole ? ipv6([...head, ...new Array<number>(missing).fill(0), ...tail]) : undefined
}

/** Without brackets. No address is longer than 45 characters, but zeros may stand before a number. */
export const readAddress = (text: string): Address | undefined => {
  if (text.length > 255) return undefined
  return text.includes(':') ? readIpv6(text) : readIpv4(text)
}

const startsWith = (bytes: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

/** Mapped, compatible, and the stateless translation of RFC 2765. */
const ZEROS = new Array<number>(8).fill(0)

/**
 * The IPv4 addresses a packet to this address may end at, by every translation there is: mapped and compatible
 * (RFC 4291), NAT64 (RFC 6052, 8215), 6to4 (RFC 3056), Teredo's server and client (RFC 4380), ISATAP (RFC 5214).
 */
export const embeddedIn = ({ family, bytes, text }: Address): readonly Address[] => {
  if (family === 4) return []
  const at = (index: number): Address => ipv4(bytes.slice(index, index + 4))
  // `::` and `::1` begin like an IPv4-compatible address and are none.
  if (startsWith(bytes, ZEROS)) return /^::1?$/.test(text) ? [] : [at(12)]
  if (startsWith(bytes, [0, 0x64, 0xff, 0x9b, 0, 1]))
    return [ipv4([bytes[6]!, bytes[7]!, bytes[9]!, bytes[10]!]), at(12)]
  if (startsWith(bytes, [0, 0x64, 0xff, 0x9b])) return [at(12)]
  if (startsWith(bytes, [0x20, 0x02])) return [at(2)]
  if (startsWith(bytes, [0x20, 0x01, 0, 0])) return [at(4), ipv4(bytes.slice(12).map((byte) => byte ^ 255))]
  const interfaceId = bytes.slice(8, 12)
  return startsWith(interfaceId, [0, 0, 0x5e, 0xfe]) || startsWith(interfaceId, [2, 0, 0x5e, 0xfe])
    ? [at(12)]
    : []
}
