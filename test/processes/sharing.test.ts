// Three processes with one slot each share many actions of five priorities: each is settled once, everybody has a fair
// part, and what is more urgent comes first. PAWL_ACTIONS says how many.

import { describe, expect, it } from 'vitest'
import { makeBed, STORES, until } from './bed.ts'
import { note } from './cast.ts'

const COUNT = Number(process.env['PAWL_ACTIONS'] ?? 800)
const PRIORITIES = [10, 30, 50, 70, 90]
const PROCESSES = 3
/** Only against waiting for ever: as many as are asked for take their time. */
const LIMIT_MS = 100_000 + COUNT * 50
/** Rows of one claim at most, as `work` has it. */
const BATCH = 50

interface Start {
  readonly name: string
  readonly priority: number
  readonly at: bigint
}

/**
 * Starts while something more urgent had not started yet. What each of the others has claimed and not begun is none of it:
 * a process may be held up there for as long as the machine likes.
 */
const outOfOrder = (mine: readonly Start[], all: readonly Start[]): number =>
  mine.filter(
    ({ priority, at }) =>
      all.filter((other) => other.priority > priority && other.at > at).length >= PROCESSES,
  ).length

describe.each(STORES)('three processes, on %s', (store) => {
  it('share the actions: each settled once, fair parts, by priority', {
    timeout: 2 * LIMIT_MS,
  }, async () => {
    const { pawl, child, report } = await makeBed(store)
    const names = Array.from({ length: COUNT }, (_, n) => `a_${n}`)
    await Promise.all(
      names.map((name, n) => {
        const priority = PRIORITIES[n % PRIORITIES.length]!
        return pawl.dispatch(note({ name, priority }), { id: name, priority })
      }),
    )
    await pawl.pause({ type: 'note' }, 'until all are there')
    const part = { runners: ['note'], work: { slots: 1, batch: BATCH }, holds: true }
    const workers = await Promise.all(Array.from({ length: PROCESSES }, () => child(part)))
    await pawl.resume({ type: 'note' })
    // They begin together: each hears of it when it does, and all could be done by then.
    await Promise.all(workers.map((worker) => worker.told('begun')))
    await Promise.all(workers.map((worker) => worker.ask({ verb: 'go' })))
    await until(async () => expect((await pawl.counts()).actions.succeeded).toBe(COUNT), LIMIT_MS)

    expect((await pawl.counts()).actions).toMatchObject({ queued: 0, running: 0, dead: 0 })
    const traces = await Promise.all(
      workers.map(async (worker) =>
        ((await worker.ask({ verb: 'trace' })) as [string, number, string][]).map(
          ([name, priority, at]): Start => ({ name, priority, at: BigInt(at) }),
        ),
      ),
    )
    const all = traces.flat()
    expect(all.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    const parts = traces.map(({ length }) => length)
    const wrong = traces.map((mine) => outOfOrder(mine, all))
    const instants = all.map(({ at }) => at).toSorted((a, b) => Number(a - b))
    const seconds = Number(instants.at(-1)! - instants[0]!) / 1e9
    report(
      `${COUNT} actions: starts ${parts.join(' ')}, out of order ${wrong.join(' ')}, ` +
        `${(COUNT / seconds).toFixed(0)} per second`,
    )
    // A third would be fair; one that the machine holds up in the middle has less.
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(COUNT / 20)
    expect(Math.max(...wrong)).toBeLessThanOrEqual(BATCH)
  })
})
