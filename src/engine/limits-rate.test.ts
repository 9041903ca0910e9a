import { expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { parseRate } from '../core/limit-rate.ts'
import { type Clock, realClock } from './clock.ts'
import type { Swap } from './limits-desk.ts'
import { type Asker, createRates, type Slots } from './limits-rate.ts'

/** Time goes on to the next who sleeps, when nobody else has anything to do. */
const steppedClock = () => {
  const sleepers: { readonly until: number; readonly wake: () => void }[] = []
  const at = { now: 1000 }
  const clock: Clock = {
    ...realClock,
    monotonic: () => at.now,
    clocks: () => ({}),
    timers: {
      ...realClock.timers,
      sleep: (ms) => new Promise((wake) => sleepers.push({ until: at.now + ms, wake })),
    },
  }
  const untilOver = async (over: Promise<unknown>): Promise<void> => {
    let isOver = false
    void over.finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (let turn = 0; turn < 5; turn++) await realClock.timers.turn()
      const next = sleepers.toSorted((a, b) => a.until - b.until)[0]
      if (next === undefined) continue
      at.now = Math.max(at.now, next.until)
      sleepers.splice(sleepers.indexOf(next), 1)
      next.wake()
    }
  }
  return { clock, untilOver }
}

const started = async (text: string, count: number) => {
  const { clock, untilOver } = steppedClock()
  const world = { kept: undefined as JsonObject | undefined, swaps: 0 }
  const swap: Swap = async (_, change) => {
    const now = 1_800_000_000_000 + clock.monotonic()
    const { next, answer } = change(world.kept, now)
    world.kept = next?.state ?? world.kept
    world.swaps += 1
    return { answer, now, asked: clock.monotonic(), heard: clock.monotonic() }
  }
  const rates = createRates(swap, clock)
  const applied = { name: 'k', key: 'k', isPerTenant: true, onFull: 'wait', rate: parseRate(text) }
  const asker = { ref: { namespace: 'n', tenant: 't', key: 'k' }, applied, isBack: false } as unknown as Asker
  const starts: number[] = []
  const one = async (): Promise<void> => {
    const refusal = await rates.acquire([{ ...asker }], new Map() as Slots, false)
    if (refusal === undefined) starts.push(clock.monotonic())
  }
  await untilOver(Promise.all(Array.from({ length: count }, one)))
  return { starts, swaps: world.swaps }
}

it('G3: of a fast rate, those who wait together take their slots in blocks: few questions, each at its own instant', async () => {
  const { starts, swaps } = await started('100/s', 20)
  expect(starts).toHaveLength(20)
  expect(swaps).toBeLessThanOrEqual(3)
  const apart = starts.slice(4).map((at, index) => at - starts[index + 3]!)
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(10)
})

it('of a slow rate each asks when its turn has come: one that is held up keeps no slot from the others', async () => {
  const { starts, swaps } = await started('10/s', 5)
  expect(starts).toHaveLength(5)
  expect(swaps).toBeGreaterThanOrEqual(5)
})
