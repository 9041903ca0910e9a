// Owns finding many values in a text at once: a rolling hash over MIN_LENGTH characters meets every position once per
// view, and only where it fits a needle's beginning are characters compared. Costs the text, not the number of values.
// M1  Finds every occurrence of every needle in every view: what it covers is their union.
// M2  A long text that ends in the beginning of a needle was cut there: that beginning is found, too.

import { createFollower } from './follower.ts'
import { MIN_LENGTH, needlesOf } from './needles.ts'
import { locator, seenThrough, VIEWS, type View } from './views.ts'

/** A stretch of the text, end exclusive, and whose value it holds. */
export interface Found<Owner> {
  readonly start: number
  readonly end: number
  readonly owner: Owner
}

export interface Matcher<Owner> {
  /** Returns how to take the value out again. */
  readonly add: (value: string, owner: Owner) => () => void
  /** Sorted, apart from each other: stretches that overlap or touch are one, and belong to the first of them. */
  readonly find: (text: string) => readonly Found<Owner>[]
}

interface Needle<Owner> {
  readonly text: string
  /** Looked at first: a thousand keys may begin with `sk_live_`. */
  readonly head: string
  readonly owner: Owner
}

const HEAD_LENGTH = 64

/** Nobody cuts shorter: a word that happens to be how a value begins (`Bearer`, `https:`) is left alone. */
export const SHORTEST_CUT = 64

const BASE = 0x01000193
/** BASE to the power of MIN_LENGTH, modulo 2^32. */
const LEAVING = Array(MIN_LENGTH).fill(BASE).reduce(Math.imul) as number
/** Most positions are dismissed here, without asking the map. */
const FILTER_MASK = 0xffff

const hashOf = (text: string): number => {
  let hash = 0
  for (let at = 0; at < MIN_LENGTH; at++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0
  return hash
}

interface Index<Owner> {
  readonly put: (needle: Needle<Owner>) => void
  readonly take: (needle: Needle<Owner>) => void
  readonly startingAs: (hash: number) => Iterable<Needle<Owner>>
  readonly isEmpty: () => boolean
}

const createIndex = <Owner>(): Index<Owner> => {
  const byHash = new Map<number, Set<Needle<Owner>>>()
  const filter = new Uint32Array(FILTER_MASK + 1)
  return {
    put: (needle) => {
      const hash = hashOf(needle.text)
      const alike = byHash.get(hash) ?? new Set()
      byHash.set(hash, alike.add(needle))
      filter[hash & FILTER_MASK]!++
    },
    take: (needle) => {
      const hash = hashOf(needle.text)
      const alike = byHash.get(hash)!
      alike.delete(needle)
      if (alike.size === 0) byHash.delete(hash)
      filter[hash & FILTER_MASK]!--
    },
    startingAs: (hash) => (filter[hash & FILTER_MASK] === 0 ? NONE : (byHash.get(hash) ?? NONE)),
    isEmpty: () => byHash.size === 0,
  }
}

const NONE: readonly never[] = []

const isCutOff = (text: string, start: number, needle: string): boolean => {
  const length = text.length - start
  if (text.length < SHORTEST_CUT || length >= needle.length) return false
  return text.at(-1) === needle[length - 1] && needle.startsWith(text.slice(start))
}

const scan = <Owner>(text: string, index: Index<Owner>): readonly Found<Owner>[] => {
  const found: Found<Owner>[] = []
  const followers = new Map<Needle<Owner>, ReturnType<typeof createFollower>>()
  let hash = hashOf(text)
  /** The first is the longest: the others end where it ends. */
  let cut = false
  for (let start = 0; start + MIN_LENGTH <= text.length; start++) {
    for (const needle of index.startingAs(hash)) {
      if (!cut && isCutOff(text, start, needle.text)) {
        cut = true
        found.push({ start, end: text.length, owner: needle.owner })
      }
      if (!text.startsWith(needle.head, start)) continue
      const follow = followers.get(needle) ?? createFollower(text, needle.text)
      followers.set(needle, follow)
      for (const stretch of follow(start)) found.push({ ...stretch, owner: needle.owner })
    }
    const entering = text.charCodeAt(start + MIN_LENGTH)
    const leaving = Math.imul(text.charCodeAt(start), LEAVING)
    hash = (Math.imul(hash, BASE) + entering - leaving) | 0
  }
  return found
}

export const createMatcher = <Owner>(): Matcher<Owner> => {
  const index = createIndex<Owner>()

  const findThrough = (view: View, text: string): readonly Found<Owner>[] => {
    const found = scan(seenThrough(view, text), index)
    if (found.length === 0) return found
    const locate = locator(view, text)
    return found.map(({ owner, ...seen }) => {
      const [start, end] = locate(seen.start, seen.end)
      return { start, end, owner }
    })
  }

  return {
    add: (value, owner) => {
      const needles = needlesOf(value).map((text) => ({ text, head: text.slice(0, HEAD_LENGTH), owner }))
      needles.forEach(index.put)
      return () => needles.splice(0).forEach(index.take)
    },
    find: (text) => {
      if (index.isEmpty() || text.length < MIN_LENGTH) return []
      const views = VIEWS.filter(({ mark }) => text.includes(mark))
      return merged(views.flatMap((view) => findThrough(view, text)))
    },
  }
}

const merged = <Owner>(found: readonly Found<Owner>[]): readonly Found<Owner>[] => {
  const apart: Found<Owner>[] = []
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = apart.at(-1)
    if (last === undefined || next.start > last.end) apart.push(next)
    else if (next.end > last.end) apart[apart.length - 1] = { ...last, end: next.end }
  }
  return apart
}
