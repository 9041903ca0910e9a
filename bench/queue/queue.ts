// Owns what is asked of every queue alike: (A) enqueue one by one at concurrency 50, in batches, and process; (B) the time from
// enqueue to start when idle; (C) how late those are that are due at random times.

import type { Racer, Readings } from '../rounds.ts'

/** A fresh queue with nothing in it. */
export interface Queue {
  readonly add: (n: number, dueAt?: number) => Promise<unknown>
  readonly addMany: (from: number, count: number) => Promise<unknown>
  /** Calls back for each that starts. Returns how to stop. */
  readonly work: (handle: (n: number) => void) => Promise<() => Promise<unknown>>
  /** Everything has ended, and that is stored. */
  readonly isDrained: () => Promise<boolean>
  readonly close: () => Promise<unknown>
  /** What else this round has to say, per action that was processed. */
  readonly costs?: (count: number) => Promise<Readings>
}

export interface Contender {
  readonly label: string
  readonly open: () => Promise<Queue>
}

export interface Sizes {
  /** Actions that are enqueued one by one. */
  readonly one: number
  /** Actions that are enqueued in batches, then processed. */
  readonly many: number
  readonly latencies: number
  /** Actions that are due within ten seconds. */
  readonly due: number
}

const CONCURRENCY = 50
const BATCH = 1000
const SPREAD_MS = 10_000
const LEAD_MS = 1000

const perSecond = (count: number, since: number): number => (count / (performance.now() - since)) * 1000
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const oneByOne = async ({ add }: Queue, count: number): Promise<number> => {
  const since = performance.now()
  let next = 0
  const keepAdding = async (): Promise<void> => {
    while (next < count) await add(next++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, keepAdding))
  return perSecond(count, since)
}

const inBatches = async ({ addMany }: Queue, count: number): Promise<number> => {
  const since = performance.now()
  for (let from = 0; from < count; from += BATCH) await addMany(from, Math.min(BATCH, count - from))
  return perSecond(count, since)
}

const processAll = async (queue: Queue, count: number): Promise<number> => {
  const all = Promise.withResolvers<void>()
  let seen = 0
  const since = performance.now()
  const stop = await queue.work(() => {
    seen += 1
    if (seen === count) all.resolve()
  })
  await all.promise
  while (!(await queue.isDrained())) await sleep(2)
  const rate = perSecond(count, since)
  await stop()
  return rate
}

const withQueue = async <Value>(
  { open }: Contender,
  work: (queue: Queue) => Promise<Value>,
): Promise<Value> => {
  const queue = await open()
  try {
    return await work(queue)
  } finally {
    await queue.close()
  }
}

/** A: rates. */
export const rates = (contender: Contender, { one, many }: Sizes): Racer => ({
  label: contender.label,
  race: async () => {
    const single = await withQueue(contender, (queue) => oneByOne(queue, one))
    return withQueue(contender, async (queue) => {
      const batches = await inBatches(queue, many)
      const processed = await processAll(queue, many)
      const costs = (await queue.costs?.(many)) ?? {}
      return {
        'enqueue one by one, 50 at a time': single,
        'enqueue in batches': batches,
        process: processed,
        ...costs,
      }
    })
  },
})

/** B: from enqueue to start, one after the other. */
export const latencies = (contender: Contender, { latencies: count }: Sizes): Racer => ({
  label: contender.label,
  race: () =>
    withQueue(contender, async (queue) => {
      const took: number[] = []
      let since = 0
      let begun = Promise.withResolvers<void>()
      const stop = await queue.work(() => {
        took.push(performance.now() - since)
        begun.resolve()
      })
      await sleep(300)
      for (let n = 0; n < count; n++) {
        begun = Promise.withResolvers<void>()
        since = performance.now()
        await Promise.all([queue.add(n), begun.promise])
        await sleep(Math.random() * 5)
      }
      await stop()
      // The first few pay for plans and compilers.
      const warm = took.slice(Math.floor(count / 10))
      return { 'idle latency p50': percentile(warm, 0.5), 'idle latency p99': percentile(warm, 0.99) }
    }),
})

/** C: due at random times within ten seconds. */
export const lateness = (contender: Contender, { due: count }: Sizes): Racer => ({
  label: contender.label,
  race: () =>
    withQueue(contender, async (queue) => {
      const late: number[] = []
      const all = Promise.withResolvers<void>()
      const dueAt = new Map<number, number>()
      const stop = await queue.work((n) => {
        late.push(Date.now() - dueAt.get(n)!)
        if (late.length === count) all.resolve()
      })
      const base = Date.now() + LEAD_MS + count / 4
      let next = 0
      const keepAdding = async (): Promise<void> => {
        while (next < count) {
          const n = next++
          dueAt.set(n, base + Math.floor(Math.random() * SPREAD_MS))
          await queue.add(n, dueAt.get(n))
        }
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, keepAdding))
      await all.promise
      await stop()
      // A millisecond is the finest that any of them is told.
      return {
        'lateness p50': Math.max(1, percentile(late, 0.5)),
        'lateness p99': Math.max(1, percentile(late, 0.99)),
      }
    }),
})
