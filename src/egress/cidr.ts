// Owns blocks of addresses: reading `10.0.0.0/8` and asking whether an address lies in it.

import { type Address, readAddress } from './address.ts'

export interface Cidr {
  readonly base: Address
  readonly bits: number
}

/** `prefix` alone is the block of one address. Undefined when it cannot be read; whether bits lie outside is not asked. */
export const readCidr = (text: string): Cidr | undefined => {
  const [, prefix = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const base = readAddress(prefix)
  if (base === undefined) return undefined
  const size = base.bytes.length * 8
  const bits = digits === undefined ? size : Number(digits)
  return bits <= size ? { base, bits } : undefined
}

/** The part of one byte that a prefix of so many bits fixes. */
const maskAt = (bits: number, index: number): number => {
  const fixed = Math.max(0, Math.min(8, bits - 8 * index))
  return 256 - 2 ** (8 - fixed)
}

export const contains = ({ base, bits }: Cidr, { family, bytes }: Address): boolean =>
  base.family === family &&
  base.bytes.every((byte, index) => ((byte ^ bytes[index]!) & maskAt(bits, index)) === 0)

/** The same block without the bits that lie outside the prefix: `10.1.2.3/8` → `10.0.0.0/8`. */
export const networkOf = ({ base, bits }: Cidr): string => {
  const bytes = base.bytes.map((byte, index) => byte & maskAt(bits, index))
  if (base.family === 4) return `${bytes.join('.')}/${bits}`
  const groups = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${readAddress(groups.replace(/.{4}(?=.)/g, '$&:'))!.text}/${bits}`
}
