// Owns what is asked of every queue alike: (A) enqueue one by one at concurrency 50, in batches, and process; (B) the time from
// enqueue to start when idle; (C) how late those are that are due at random times.

import { milliseconds, percentile, type Readings, perSecond as rateOf } from '../figure.ts'
import type { Racer } from '../rounds.ts'

/** A fresh queue with nothing in it. */
export interface Queue {
  readonly add: (n: number, dueAt?: number) => Promise<unknown>
  readonly addMany: (from: number, count: number, dueAt?: (n: number) => number) => Promise<unknown>
  /** Calls back for each that starts. Returns how to stop. */
  readonly work: (handle: (n: number) => void) => Promise<() => Promise<unknown>>
  /** Everything has ended, and that is stored. */
  readonly isDrained: () => Promise<boolean>
  /** Closes it and throws it away; what else the round has to say, per action that was enqueued. */
  readonly close: (count: number) => Promise<Readings | undefined>
}

export interface Contender {
  readonly label: string
  readonly durable: string
  readonly open: () => Promise<Queue>
}

export interface Sizes {
  /** Actions that are enqueued one by one, at least. */
  readonly one: number
  /** Actions that are enqueued in batches, then processed; again, until it took long enough. */
  readonly many: number
  /** How long it takes at least: whoever is fast would be over before it is warm. */
  readonly leastMs: number
  /** As many wait, and are processed, where a queue is long. */
  readonly long: number
  readonly latencies: number
  /** At most this long, for those who take their time. */
  readonly latencyMs: number
  /** Actions that are due at random times within `dueMs`. */
  readonly due: number
  readonly dueMs: number
}

const CONCURRENCY = 50
const BATCH = 1000
const LEAD_MS = 500
/** Whoever enqueues more slowly in batches than this is late by his own making. */
const LEAD_PER_MS = 8

const perSecond = (count: number, since: number): number => (count / (performance.now() - since)) * 1000
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const oneByOne = async ({ add }: Queue, first: number, { one, leastMs }: Pick<Sizes, 'one' | 'leastMs'>) => {
  const since = performance.now()
  let next = first
  const keepAdding = async (): Promise<void> => {
    while (next < first + one || performance.now() - since < leastMs) await add(next++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, keepAdding))
  return { rate: perSecond(next - first, since), next }
}

/** How long it took. */
const inBatches = async ({ addMany }: Queue, first: number, count: number): Promise<number> => {
  const since = performance.now()
  for (let done = 0; done < count; done += BATCH) await addMany(first + done, Math.min(BATCH, count - done))
  return performance.now() - since
}

/** How long it took, from the asking for work until all is stored. */
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
  const took = performance.now() - since
  await stop()
  return took
}

interface Handled {
  /** How many, and how long it took to enqueue them in batches and to process them. */
  readonly count: number
  readonly enqueueMs: number
  readonly processMs: number
}

/** So many, enqueued and processed again and again until processing took long enough. */
const handled = async (queue: Queue, first: number, many: number, leastMs: number): Promise<Handled> => {
  let [count, enqueueMs, processMs] = [0, 0, 0]
  do {
    enqueueMs += await inBatches(queue, first + count, many)
    processMs += await processAll(queue, many)
    count += many
  } while (processMs < leastMs)
  return { count, enqueueMs, processMs }
}

/** What was read, of how many actions. */
interface Worked {
  readonly count: number
  readonly readings: Readings
}

const withQueue = async ({ open }: Contender, work: (queue: Queue) => Promise<Worked>): Promise<Readings> => {
  const queue = await open()
  let costs: Readings | undefined
  try {
    const { count, readings } = await work(queue)
    costs = await queue.close(count)
    return { ...readings, ...costs }
  } catch (error) {
    if (costs === undefined) await queue.close(1).catch(() => undefined)
    throw error
  }
}

const racerOf = ({ label, durable }: Contender, race: Racer['race']): Racer => ({ label, durable, race })

export const RATES = {
  'enqueue one by one, 50 at a time': rateOf,
  'enqueue in batches': rateOf,
  process: rateOf,
  'first enqueue one by one': rateOf,
  'first enqueue in batches': rateOf,
  'first process': rateOf,
}

const rateIn = (count: number, ms: number): number => (count / ms) * 1000

/**
 * A: rates, of the same work done twice: the second time counts. The first is told by itself: connections are made and code is
 * compiled meanwhile, which takes the longer the more an engine does, and is over after a second or two of its life.
 */
export const rates = (
  contender: Contender,
  { one, many, leastMs }: Pick<Sizes, 'one' | 'many' | 'leastMs'>,
): Racer =>
  racerOf(contender, async () => {
    const singles = await withQueue(contender, async (queue) => {
      const { rate, next } = await oneByOne(queue, 0, { one, leastMs })
      const again = await oneByOne(queue, next, { one, leastMs })
      return {
        count: again.next,
        readings: { 'first enqueue one by one': rate, 'enqueue one by one, 50 at a time': again.rate },
      }
    })
    const all = await withQueue(contender, async (queue) => {
      const first = await handled(queue, 0, many, leastMs)
      const again = await handled(queue, first.count, many, leastMs)
      return {
        count: first.count + again.count,
        readings: {
          'first enqueue in batches': rateIn(first.count, first.enqueueMs),
          'first process': rateIn(first.count, first.processMs),
          'enqueue in batches': rateIn(again.count, again.enqueueMs),
          process: rateIn(again.count, again.processMs),
        },
      }
    })
    // What an action costs is told of those that were processed, too.
    return { ...singles, ...all }
  })

/** A: so many, once, in a fresh queue; what that is called. */
export const processing = (contender: Contender, count: number, reading: string): Racer =>
  racerOf(contender, () =>
    withQueue(contender, async (queue) => {
      await inBatches(queue, 0, count)
      return { count, readings: { [reading]: rateIn(count, await processAll(queue, count)) } }
    }),
  )

export const LATENCIES = {
  'idle latency p50': milliseconds,
  'idle latency p99': milliseconds,
  'first idle latency p50': milliseconds,
  'first idle latency p99': milliseconds,
}

/** B: from enqueue to start, one after the other; who polls slowly gives fewer. The second time counts, as of rates. */
export const latencies = (contender: Contender, { latencies: count, latencyMs }: Sizes): Racer =>
  racerOf(contender, () =>
    withQueue(contender, async (queue) => {
      let took: number[] = []
      let since = 0
      let begun = Promise.withResolvers<void>()
      const stop = await queue.work(() => {
        took.push(performance.now() - since)
        begun.resolve()
      })
      let next = 0
      const measured = async (): Promise<readonly number[]> => {
        took = []
        const until = performance.now() + latencyMs
        for (const end = next + count; next < end && performance.now() < until; next++) {
          begun = Promise.withResolvers<void>()
          since = performance.now()
          await Promise.all([queue.add(next), begun.promise])
          await sleep(Math.random() * 5)
        }
        return took
      }
      await sleep(300)
      const [first, again] = [await measured(), await measured()]
      await stop()
      const readings = {
        'first idle latency p50': percentile(first, 0.5),
        'first idle latency p99': percentile(first, 0.99),
        'idle latency p50': percentile(again, 0.5),
        'idle latency p99': percentile(again, 0.99),
      }
      return { count: next, readings }
    }),
  )

export const LATENESS = { 'lateness p50': milliseconds, 'lateness p99': milliseconds }

/** C: due at random times within ten seconds. */
export const lateness = (contender: Contender, { due: count, dueMs }: Sizes): Racer =>
  racerOf(contender, () =>
    withQueue(contender, async (queue) => {
      const late: number[] = []
      const all = Promise.withResolvers<void>()
      const base = Date.now() + LEAD_MS + Math.ceil(count / LEAD_PER_MS)
      const times = Array.from({ length: count }, () => base + Math.floor(Math.random() * dueMs))
      const dueAt = (n: number): number => times[n]!
      const stop = await queue.work((n) => {
        late.push(Date.now() - dueAt(n))
        if (late.length === count) all.resolve()
      })
      for (let from = 0; from < count; from += BATCH)
        await queue.addMany(from, Math.min(BATCH, count - from), dueAt)
      await all.promise
      await stop()
      // A millisecond is the finest that any of them is told.
      const readings = {
        'lateness p50': Math.max(1, percentile(late, 0.5)),
        'lateness p99': Math.max(1, percentile(late, 0.99)),
      }
      return { count, readings }
    }),
  )
