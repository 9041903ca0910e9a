// Owns what the operator allowed although it is private: blocks of addresses, and names, exact or `*.example.com`.
// A block opens its addresses however they are reached; a name opens only what it itself resolves to.

import { PawlError } from '../core/errors.ts'
import type { Address } from './address.ts'
import { type Cidr, contains, networkOf, readCidr } from './cidr.ts'
import { readHost } from './host.ts'

export interface AllowList {
  readonly hasAddress: (address: Address) => boolean
  readonly hasName: (name: string) => boolean
  /** Some name may turn out to lead to an allowed address: only DNS can tell. */
  readonly hasBlocks: boolean
}

interface Entries {
  readonly blocks: readonly Cidr[]
  readonly names: ReadonlySet<string>
  /** `.example.com` */
  readonly endings: readonly string[]
}

const refused = (entry: string, index: number, why: string, suggestion?: string): PawlError =>
  new PawlError('invalid_option', `"${entry.slice(0, 80)}" in the egress allow list ${why}`, {
    path: `allow[${index}]`,
    expected: 'a block such as 10.0.0.0/8, or a host such as hooks.internal or *.example.com',
    ...(suggestion !== undefined && { suggestion }),
  })

const readBlock = (entry: string, index: number): Cidr | undefined => {
  const block = readCidr(entry.replace(/^\[(.*)\]$/, '$1'))
  if (block === undefined) return undefined
  const network = networkOf(block)
  // A typing error here opens more, or less, than was meant.
  if (entry.includes('/') && !network.startsWith(`${block.base.text}/`))
    throw refused(entry, index, 'has bits outside its prefix', network)
  return block
}

const readName = (entry: string, index: number): string => {
  const name = entry.replace(/^\*\./, '')
  try {
    const host = readHost(name)
    if (host.kind === 'name') return host.text
  } catch {
    // Said below, with the place of the entry.
  }
  throw refused(entry, index, 'is neither a block of addresses nor a host')
}

const read = (allow: readonly string[]): Entries => {
  const blocks: Cidr[] = []
  const names = new Set<string>()
  const endings: string[] = []
  allow.forEach((entry, index) => {
    const block = readBlock(entry, index)
    if (block !== undefined) blocks.push(block)
    else if (entry.startsWith('*.')) endings.push(`.${readName(entry, index)}`)
    else names.add(readName(entry, index))
  })
  return { blocks, names, endings }
}

export const createAllowList = (allow: readonly string[]): AllowList => {
  const { blocks, names, endings } = read(allow)
  return {
    hasAddress: (address) => blocks.some((block) => contains(block, address)),
    hasName: (name) => names.has(name) || endings.some((ending) => name.endsWith(ending)),
    hasBlocks: blocks.length > 0,
  }
}
