import { expect, it } from 'vitest'
import { createWays, type Way } from './ways.ts'

/** A server that takes so long for a member each way; two commits of 25 are always under way. */
const serve = (times: Record<Way, number>) => {
  let now = 0
  const ways = createWays(() => now)
  const load = (count: number, pauseMs = 0): Way => {
    const under = [ways.depart(25)]
    for (let n = 0; n < count; n++) {
      under.push(ways.depart(25))
      now += 25 * times[ways.now()]
      under.shift()!()
      if (pauseMs === 0) continue
      under.shift()!()
      now += pauseMs
      under.push(ways.depart(25))
    }
    for (const arrived of under) arrived()
    return ways.now()
  }
  return { ways, load, times }
}

/** The first try begins with nothing under way, so that its second round is the first that counts. */
const ROUND = 32 + 32 + 640

it('each goes beside the other until both ways were tried', () => {
  const { ways, load } = serve({ behind: 0.01, beside: 0.02 })
  expect(ways.now()).toBe('beside')
  expect(load(20)).toBe('beside')
})

it.each([
  ['behind', { behind: 0.01, beside: 0.02 }],
  ['beside', { behind: 0.02, beside: 0.01 }],
] as const)('what is found to be quicker is what is done: %s', (expected, times) => {
  const { load } = serve(times)
  expect(load(ROUND + 100)).toBe(expected)
})

it('a disk that becomes slow is noticed', () => {
  const { load, times } = serve({ behind: 0.01, beside: 0.02 })
  expect(load(ROUND + 100)).toBe('behind')
  times.behind = 0.1
  expect(load(4 * ROUND)).toBe('beside')
})

it('one try that took long for another reason changes nothing', () => {
  const { load, times } = serve({ behind: 0.01, beside: 0.012 })
  expect(load(3 * ROUND + 100)).toBe('behind')
  times.behind = 0.5
  expect(load(ROUND)).toBe('behind')
})

it('a load that pauses says nothing of the ways', () => {
  const { load } = serve({ behind: 0.01, beside: 0.02 })
  expect(load(4 * ROUND, 3)).not.toBe('behind')
})
