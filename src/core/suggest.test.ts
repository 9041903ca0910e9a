import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distance, nearest } from './suggest.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })

/** Every word of at most `length` letters, shortest first. */
const words = (letters: string, length: number): readonly string[] => {
  const longer = (from: readonly string[]): string[] =>
    from.flatMap((start) => [...letters].map((one) => start + one))
  const levels: (readonly string[])[] = [['']]
  for (let level = 0; level < length; level++) levels.push(longer(levels.at(-1)!))
  return levels.flat()
}

/** One insertion, deletion, replacement or swap away, by the definition. */
const edits = (from: string, letters: string): readonly string[] => {
  const places = Array.from({ length: from.length + 1 }, (_, place) => place)
  return places.flatMap((at) => {
    const [head, tail] = [from.slice(0, at), from.slice(at)]
    const inserted = [...letters].map((one) => head + one + tail)
    if (tail === '') return inserted
    const replaced = [...letters].map((one) => head + one + tail.slice(1))
    const swapped = tail.length > 1 ? [head + tail[1] + tail[0] + tail.slice(2)] : []
    return [...inserted, ...replaced, ...swapped, head + tail.slice(1)]
  })
}

/** Fewest edits to every word within reach, breadth first. */
const reachable = (from: string, letters: string, longest: number): ReadonlyMap<string, number> => {
  const steps = new Map([[from, 0]])
  for (const [at, count] of steps)
    for (const next of edits(at, letters))
      if (next.length <= longest && !steps.has(next)) steps.set(next, count + 1)
  return steps
}

describe('distance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['state', 'state', 0],
    ['recieved', 'received', 1],
    ['notice', 'notices', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 2],
    ['a cat', 'an act', 2],
  ])('%j to %j: %i', (from, to, expected) => {
    expect(distance(from, to)).toBe(expected)
  })

  it('is the fewest edits there are, for every two words of up to three letters', () => {
    const all = words('ab', 3).concat('cab', 'cba', 'acb', 'bca')
    for (const from of all) {
      const steps = reachable(from, 'abc', 4)
      for (const to of all) expect([from, to, distance(from, to)]).toEqual([from, to, steps.get(to)])
    }
  })

  it('is a metric: nought exactly for equal words, the same both ways, no detour is shorter', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(distance(a, b) === 0).toBe(a === b)
        expect(distance(a, b)).toBe(distance(b, a))
        expect(distance(a, c)).toBeLessThanOrEqual(distance(a, b) + distance(b, c))
      }),
      { numRuns: 2_000 },
    )
  })

  it('lies between the difference of the lengths and the longer length', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(distance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
        expect(distance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })
})

describe('nearest', () => {
  const STATES = ['active', 'notice_received', 'terminated']

  it.each([
    ['notice_recieved', 'notice_received'],
    ['Active', 'active'],
    ['activ', 'active'],
    ['notice_recv', 'notice_received'],
    ['notice', undefined],
    ['paused', undefined],
    ['', undefined],
  ])('%j: %s', (given, expected) => {
    expect(nearest(given, STATES)).toBe(expected)
  })

  it.each([
    ['two edits are allowed in a short word', 'emial', ['email'], 'email'],
    ['three are not', 'emlxy', ['email'], undefined],
    ['a third of a longer one', 'reconcxxxr', ['reconciler'], 'reconciler'],
    ['no more than a third', 'reconxxxxr', ['reconciler'], undefined],
    ['something must be shared', 'xy', ['ab'], undefined],
    ['the nearest wins, wherever it stands', 'cron', ['crow', 'crown', 'cron'], 'cron'],
    ['the first of two equally near', 'bat', ['cat', 'rat'], 'cat'],
    ['none known', 'cron', [], undefined],
    ['the case of what is known is kept', 'utc', ['UTC'], 'UTC'],
  ])('%s', (_, given, known, expected) => {
    expect(nearest(given, known)).toBe(expected)
  })

  it('answers only with what is known, and always finds what is written right', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.array(fc.string({ maxLength: 12 })), (given, known) => {
        const found = nearest(given, known)
        if (found !== undefined) expect(known).toContain(found)
        if (given !== '' && known.includes(given)) expect(found?.toLowerCase()).toBe(given.toLowerCase())
      }),
    )
  })

  it('is not made to work by long words: 65 letters are not looked up, long candidates not compared', () => {
    const word64 = 'a'.repeat(64)
    expect(nearest(word64, [word64])).toBe(word64)
    expect(nearest(`${word64}a`, [word64])).toBe(undefined)
    const endless = { length: 10_000_000, toLowerCase: () => expect.unreachable('compared') }
    expect(nearest('abc', [endless as unknown as string])).toBe(undefined)
  })

  it('takes a generator', () => {
    expect(nearest('b', new Map([['bb', 1]]).keys())).toBe('bb')
  })
})
