import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from './hash.ts'
import { type Chained, chainStart, extendChain, firstBroken, nextLink } from './history.ts'
import { canonical, type JsonObject } from './json.ts'

const start = chainStart('default', 'ada', 'l_882')
const entry = fc.record({
  type: fc.constantFrom('execution.transitioned', 'event.ignored'),
  at: fc.nat(),
  data: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>,
})
const chain = fc.array(entry, { minLength: 2, maxLength: 12 }).map((entries) => extendChain(start, entries))

describe('the history chain', () => {
  it('numbers entries from 1 and links each to the one before', () => {
    const [one, two] = extendChain(start, [
      { type: 'a', at: 1, data: {} },
      { type: 'b', at: 2, data: {} },
    ])
    expect([one?.number, two?.number]).toEqual([1, 2])
    expect(one?.prevHash).toBe(start.hash)
    expect(two?.prevHash).toBe(one?.hash)
    expect(firstBroken(start, [])).toBeUndefined()
  })

  it('is hashed over the canonical text of all its parts, of which that of the data is told', () => {
    fc.assert(
      fc.property(entry, fc.string(), fc.nat(), ({ at, data }, type, number) => {
        const head = { number, hash: start.hash }
        const { link, text } = nextLink(head, { type, at, data }, sha256Hex)
        expect(link.hash).toBe(sha256Hex(canonical([head.hash, number + 1, type, at, data])))
        expect(text).toBe(canonical(data))
        expect(link).toEqual({ number: number + 1, type, at, data, hash: link.hash, prevHash: head.hash })
      }),
    )
  })

  it('what says that it is in order is hashed as it stands', () => {
    const line = { type: 'a', at: 1, data: { actions: [{ id: 'x', name: 'y' }], to: 'b' } }
    const [looked, told] = [line, { ...line, isOrdered: true as const }].map((one) =>
      nextLink(start, one, sha256Hex),
    )
    expect(told).toEqual(looked)
  })

  it('extended in two steps is the chain extended in one', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.array(entry), (first, second) => {
        const begun = extendChain(start, first)
        const rest = extendChain(begun.at(-1) ?? start, second)
        expect([...begun, ...rest]).toEqual(extendChain(start, [...first, ...second]))
      }),
    )
  })

  it('holds as written; another execution, a changed, missing or swapped entry breaks it at that entry', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (links, pick) => {
        const index = pick % (links.length - 1)
        const changed = links.map((link, at) => (at === index ? { ...link, at: link.at + 1 } : link))
        const missing = links.filter((_, at) => at !== index)
        const swapped: Chained[] = [...links]
        swapped.splice(index, 2, links[index + 1]!, links[index]!)
        expect(firstBroken(start, links)).toBeUndefined()
        expect(firstBroken(chainStart('default', 'grace', 'l_882'), links)).toBe(1)
        expect(firstBroken(start, changed)).toBe(index + 1)
        expect(firstBroken(start, missing)).toBe(index + 1)
        expect(firstBroken(start, swapped)).toBe(index + 1)
      }),
    )
  })

  it('a forged link with the right hash but another predecessor is found', () => {
    const [one] = extendChain(start, [{ type: 'a', at: 1, data: {} }])
    expect(firstBroken(start, [{ ...one!, prevHash: 'x' }])).toBe(1)
    expect(firstBroken(start, [{ ...one!, number: 2 }])).toBe(1)
    expect(firstBroken(start, [{ ...one!, hash: 'x' }])).toBe(1)
  })
})
