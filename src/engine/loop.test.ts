import { expect, it } from 'vitest'
import { type Clock, type EngineTimers, realClock } from './clock.ts'
import { createLog } from './log.ts'
import { type LoopOptions, loopsInTurn, startLoop } from './loop.ts'
import { createChance } from './random.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Time passes when the test says so: the loop's waits are written down. */
const bed = (pass: () => Promise<number>, more: Partial<LoopOptions> = {}) => {
  const waits: number[] = []
  let wakeUp: (() => void) | undefined
  const timers: EngineTimers = {
    sleep: () => Promise.resolve(),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    every: () => () => undefined,
    after: (ms, call) => {
      waits.push(ms)
      wakeUp = call
      return () => {
        wakeUp = undefined
      }
    },
  }
  const lines: string[] = []
  const clock = { timers } as Clock
  const loop = startLoop({
    name: 'looking',
    everyMs: 1000,
    pass,
    clock,
    chance: createChance((count) => new Uint8Array(count).fill(255)),
    log: createLog((level, message) => lines.push(`${level}: ${message}`)),
    ...more,
  })
  return { loop, waits, lines, settle, elapse: () => wakeUp?.() }
}

it('at once while there is more to do, then after a while', async () => {
  const left = [3, 2, 1]
  let passes = 0
  const { loop, waits, settle, elapse } = bed(async () => {
    passes += 1
    return left.shift() ?? 0
  })
  await settle()
  expect([passes, waits]).toEqual([4, [1000]])
  elapse()
  await settle()
  expect(passes).toBe(5)
  await loop.stop()
})

it('a poke ends the wait; one during a pass is not forgotten', async () => {
  let passes = 0
  const hold = Promise.withResolvers<number>()
  const { loop, settle } = bed(() => {
    passes += 1
    return passes === 1 ? hold.promise : Promise.resolve(0)
  })
  loop.poke()
  hold.resolve(0)
  await settle()
  expect(passes).toBe(2)
  loop.poke()
  await settle()
  expect(passes).toBe(3)
  await loop.stop()
})

it('waits less when it knows of something sooner, and never longer than its while', async () => {
  const nexts = [5, 5000, undefined]
  const { loop, waits, settle, elapse } = bed(async () => 0, { untilNext: () => nexts.shift() })
  for (let turn = 0; turn < 3; turn++) {
    await settle()
    elapse()
  }
  await settle()
  expect(waits.slice(0, 3)).toEqual([5, 1000, 1000])
  await loop.stop()
})

it('B13, F36: a pass that throws is told and tried again, each time later, for ever', async () => {
  let passes = 0
  const { loop, waits, lines, settle, elapse } = bed(async () => {
    passes += 1
    if (passes <= 12) throw new Error('away')
    return 0
  })
  for (let turn = 0; turn < 12; turn++) {
    await settle()
    elapse()
  }
  await settle()
  expect(passes).toBe(13)
  expect(lines).toHaveLength(12)
  expect(lines[0]).toBe('error: looking failed and is tried again')
  const pauses = waits.slice(0, 12)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses.at(-1)).toBeLessThanOrEqual(5000)
  expect(waits.at(-1)).toBe(1000)
  await loop.stop()
})

it('stopped: the pass under way is finished, no other follows', async () => {
  let passes = 0
  const hold = Promise.withResolvers<number>()
  const { loop, settle } = bed(() => {
    passes += 1
    return hold.promise
  })
  let isOver = false
  const stopped = loop.stop().then(() => {
    isOver = true
  })
  await settle()
  expect(isOver).toBe(false)
  hold.resolve(7)
  await stopped
  expect(passes).toBe(1)
})

it.each<[string, (first: PromiseWithResolvers<void>, of: ReturnType<typeof bed>) => void]>([
  ['that has been', (first) => first.resolve()],
  ['it is poked', (_, { loop }) => loop.poke()],
  ['its while is over', (_, { elapse }) => elapse()],
])('one that begins after something waits for it, until %s', async (_, happen) => {
  let passes = 0
  const first = Promise.withResolvers<void>()
  const of = bed(
    async () => {
      passes += 1
      return 0
    },
    { after: first.promise },
  )
  await of.settle()
  expect([passes, of.waits]).toEqual([0, [1000]])
  happen(first, of)
  await of.settle()
  expect(passes).toBe(1)
  await of.loop.stop()
})

it('stopped before it has begun, it never begins', async () => {
  let passes = 0
  const pass = async (): Promise<number> => {
    passes += 1
    return 0
  }
  const { loop } = bed(pass, { after: new Promise(() => undefined) })
  await loop.stop()
  expect(passes).toBe(0)
})

it('a first pass that throws has been, for those that begin after it', async () => {
  const { loop } = bed(() => Promise.reject(new Error('away')))
  await expect(loop.looked).resolves.toBeUndefined()
  await loop.stop()
})

it('in turn, each begins when the one before it has looked once', async () => {
  const timers = { ...realClock.timers, after: () => () => undefined }
  const loop = loopsInTurn({
    clock: { ...realClock, timers },
    chance: createChance((count) => new Uint8Array(count)),
    log: createLog(() => undefined),
  })
  const passes = ['first', 'second', 'third'].map((name) => ({ name, ...Promise.withResolvers<number>() }))
  const begun: string[] = []
  const loops = passes.map(({ name, promise }) =>
    loop(name, 1000, () => {
      begun.push(name)
      return promise
    }),
  )
  for (const [index, { resolve }] of passes.entries()) {
    await settle()
    expect(begun).toEqual(passes.slice(0, index + 1).map(({ name }) => name))
    resolve(0)
  }
  await Promise.all(loops.map(({ stop }) => stop()))
})
