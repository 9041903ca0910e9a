// Owns the hash chain of an execution's history: each entry carries the hash of the one before it, over the
// execution's own numbers, so that a changed, missing or reordered line is found and named.

import { sha256Hex } from './hash.ts'
import { canonical, type JsonObject } from './json.ts'

export interface Link {
  /** 1, 2, 3 … within one execution. */
  readonly number: number
  readonly type: string
  readonly at: number
  readonly data: JsonObject
}

/** An entry before it has its place. */
export interface NewLink extends Omit<Link, 'number'> {
  /** The names in its data are in order, all the way down: its text is canonical as it is, and nobody need look. */
  readonly isOrdered?: true
}

/** Where a chain stands: the number and hash of its newest entry. */
export interface ChainHead {
  readonly number: number
  readonly hash: string
}

export interface Chained extends Link {
  readonly hash: string
  readonly prevHash: string
}

/** SHA-256 of a text, as hex: a platform may have a faster one than the core's own. */
type HashOf = (text: string) => string

/** Before the first entry; the execution's identity is in it, so that no chain can stand in for another. */
export const chainStart = (
  namespace: string,
  tenant: string,
  execution: string,
  hashOf: HashOf = sha256Hex,
): ChainHead => ({
  number: 0,
  hash: hashOf(canonical([namespace, tenant, execution])),
})

/** The next entry of a chain, and its data as canonical text, which is the dearest part of hashing it and may be kept. */
export const nextLink = (
  head: ChainHead,
  { type, at, data, isOrdered }: NewLink,
  hashOf: HashOf,
): { readonly link: Chained; readonly text: string } => {
  const number = head.number + 1
  const prevHash = head.hash
  const text = isOrdered ? JSON.stringify(data) : canonical(data)
  // As canonical() writes [prevHash, number, type, at, data], with the data written once.
  const hash = hashOf(`[${canonical(prevHash)},${number},${canonical(type)},${canonical(at)},${text}]`)
  return { link: { number, type, at, data, hash, prevHash }, text }
}

export const extendChain = (
  head: ChainHead,
  entries: readonly Omit<Link, 'number'>[],
  hashOf: HashOf = sha256Hex,
): readonly Chained[] => {
  let last = head
  return entries.map((entry) => {
    const { link } = nextLink(last, entry, hashOf)
    last = link
    return link
  })
}

/** The number of the first entry that does not follow from the one before it, or undefined when all do. */
export const firstBroken = (start: ChainHead, entries: readonly Chained[]): number | undefined => {
  let head = start
  for (const entry of entries) {
    const [expected] = extendChain(head, [entry])
    const holds =
      expected?.number === entry.number && expected.hash === entry.hash && head.hash === entry.prevHash
    if (!holds) return head.number + 1
    head = entry
  }
  return undefined
}
