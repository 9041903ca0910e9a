// Three processes share a rate: in no second do more than it says start, whichever process starts them, and at least nine
// tenths of it are used. Of the slow one each slot is asked for by itself, of the fast one in blocks. A machine that is busy
// with other things holds processes up: how much is measured by the test's own event loop, and what is asked of the rate is
// asked of a round that was not disturbed.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { type Bed, makeBed, STORES, until } from '../processes/bed.ts'
import { note } from '../processes/cast.ts'
import type { Child } from '../processes/child.ts'

const RATES = [
  { perSecond: 10, count: 30 },
  { perSecond: 200, count: 300 },
] as const
const SECOND_NS = 1_000_000_000
const ROUNDS = 3
/** A process that is held up for longer than this loses slots through no fault of the limit. */
const QUIET_MS = 12

interface Asked {
  readonly perSecond: number
  readonly count: number
}

interface Round {
  readonly most: number
  readonly used: number
  readonly heldMs: number
}

const startsOf = async (workers: readonly Child[]): Promise<readonly number[]> => {
  const traces = await Promise.all(workers.map((worker) => worker.ask({ verb: 'trace' })))
  const lines = traces.flat() as [name: string, priority: number, at: string][]
  return lines.map(([, , at]) => Number(BigInt(at))).toSorted((a, b) => a - b)
}

const runRound = async (
  { pawl }: Bed,
  workers: readonly Child[],
  { perSecond, count }: Asked,
  round: number,
): Promise<Round> => {
  const before = (await startsOf(workers)).length
  await pawl.pause({ type: 'note' }, 'until all are there')
  const limit = { key: `provider ${perSecond} ${round}`, rate: `${perSecond}/s` }
  const names = Array.from({ length: count }, (_, n) => `a_${n}`)
  await Promise.all(names.map((name) => pawl.dispatch(note({ name, priority: 0 }), { limit })))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await pawl.resume({ type: 'note' })
  await until(async () => expect((await pawl.counts()).actions.succeeded).toBe(before + count))
  delay.disable()
  const starts = (await startsOf(workers)).slice(before)
  const within = (from: number): number => starts.filter((at) => at >= from && at < from + SECOND_NS).length
  const seconds = (starts.at(-1)! - starts[0]!) / SECOND_NS
  return {
    most: Math.max(...starts.map(within)),
    used: (starts.length - 1) / (seconds * perSecond),
    heldMs: delay.percentile(99) / 1e6,
  }
}

describe.each(STORES)('a rate of three processes, on %s', (store) => {
  it('is never exceeded and used to nine tenths', { timeout: 400_000 }, async () => {
    const bed = await makeBed(store)
    const part = { runners: ['note'], work: { slots: 32 } }
    const workers = await Promise.all([bed.child(part), bed.child(part), bed.child(part)])
    const isJudged = ({ heldMs, used }: Round): boolean => heldMs <= QUIET_MS && used >= 0.9
    for (const rate of RATES) {
      const rounds: Round[] = []
      while (rounds.length < ROUNDS && !rounds.some(isJudged))
        rounds.push(await runRound(bed, workers, rate, rounds.length))
      for (const { most, used, heldMs } of rounds)
        bed.report(
          `${rate.perSecond}/s: most ${most} in a second, ${(used * 100).toFixed(0)} % used, held up for ${heldMs.toFixed(0)} ms`,
        )
      for (const { most } of rounds) expect(most).toBeLessThanOrEqual(rate.perSecond)
      const quiet = rounds.filter(({ heldMs }) => heldMs <= QUIET_MS)
      expect(quiet.length === 0 || quiet.some(isJudged)).toBe(true)
    }
  })
})
