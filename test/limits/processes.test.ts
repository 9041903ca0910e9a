// Three processes share a rate: in no second do more than it says start, whichever process starts them, and at least nine
// tenths of it are used. Of the slow one each slot is asked for by itself, of the fast one in blocks. A machine that is busy
// with other things holds processes up: how much is told by the test's own event loop and by how long the others waited for
// a core, and what is asked of the rate is asked of a round that was not disturbed.

import { existsSync, readFileSync } from 'node:fs'
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
/** A process that is held up for longer than this, or for this part of its time, loses slots through no fault of the limit. */
const QUIET = { ms: 50, share: 0.2 }
const USED = 0.9

interface Asked {
  readonly perSecond: number
  readonly count: number
}

interface Round {
  readonly most: number
  readonly used: number
  /** How long the test was held up at most, and which part of their time the processes were. */
  readonly held: typeof QUIET
}

/** How long they were ready and the machine had no core for them; only Linux tells. */
const queuedMs = (workers: readonly Child[]): number =>
  workers
    .map(({ pid }) => `/proc/${pid}/schedstat`)
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6, 0)

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
  const [queued, since] = [queuedMs(workers), performance.now()]
  delay.enable()
  await pawl.resume({ type: 'note' })
  await until(async () => expect((await pawl.counts()).actions.succeeded).toBe(before + count))
  delay.disable()
  const share = (queuedMs(workers) - queued) / workers.length / (performance.now() - since)
  const starts = (await startsOf(workers)).slice(before)
  const within = (from: number): number => starts.filter((at) => at >= from && at < from + SECOND_NS).length
  const seconds = (starts.at(-1)! - starts[0]!) / SECOND_NS
  return {
    most: Math.max(...starts.map(within)),
    used: (starts.length - 1) / (seconds * perSecond),
    held: { ms: delay.max / 1e6, share },
  }
}

describe.each(STORES)('a rate of three processes, on %s', (store) => {
  it('is never exceeded and used to nine tenths', { timeout: 400_000 }, async () => {
    const bed = await makeBed(store)
    const part = { runners: ['note'], work: { slots: 32 } }
    const workers = await Promise.all([bed.child(part), bed.child(part), bed.child(part)])
    for (const rate of RATES) {
      const rounds: Round[] = []
      // In its best second, where a disk or a server was slow in another: what the limit itself loses it loses in each.
      const isUsed = ({ most, used }: Round): boolean =>
        used >= USED || (most >= USED * rate.perSecond && used >= USED / 2)
      while (rounds.length < ROUNDS && !rounds.some(isUsed))
        rounds.push(await runRound(bed, workers, rate, rounds.length))
      for (const { most, used, held } of rounds)
        bed.report(
          `${rate.perSecond}/s: most ${most} in a second, ${(used * 100).toFixed(0)} % used, ` +
            `held up for ${held.ms.toFixed(0)} ms and ${(held.share * 100).toFixed(0)} %`,
        )
      for (const { most } of rounds) expect(most).toBeLessThanOrEqual(rate.perSecond)
      const isQuiet = rounds.some(({ held }) => held.ms <= QUIET.ms && held.share <= QUIET.share)
      expect(!isQuiet || rounds.some(isUsed), JSON.stringify(rounds)).toBe(true)
    }
  })
})
