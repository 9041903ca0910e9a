import { expect, it } from 'vitest'
import { realClock } from './clock.ts'
import { watchLag } from './lag.ts'
import { createLog } from './log.ts'

/** A loop that is held when the test says so: time passes, and nothing ticks. */
const bed = () => {
  let now = 0
  let tick = (): void => undefined
  let isStopped = false
  const lines: object[] = []
  const lag = watchLag({
    clock: {
      ...realClock,
      monotonic: () => now,
      timers: {
        ...realClock.timers,
        every: (_, call) => {
          tick = call
          return () => {
            isStopped = true
          }
        },
      },
    },
    log: createLog((_, message, fields) => void lines.push({ message, ...fields })),
    suspects: () => Array.from({ length: 30 }, (_, n) => `act_${n}`),
  })
  const pass = (ms: number): void => {
    now += ms
  }
  return { ...lag, lines, pass, tick: () => tick(), isStopped: () => isStopped }
}

it('F34: a loop that keeps up is not late, and nothing is logged', () => {
  const { isLate, pass, tick, lines } = bed()
  for (let n = 0; n < 10; n++) {
    pass(100 + n * 20)
    expect(isLate()).toBe(false)
    tick()
  }
  expect(isLate()).toBe(false)
  expect(lines).toEqual([])
})

it('F34: held for 250 ms it is late, before and after its tick, and says what was under way', () => {
  const { isLate, pass, tick, lines } = bed()
  pass(349)
  expect(isLate()).toBe(false)
  pass(1)
  expect(isLate()).toBe(true)
  tick()
  expect(isLate()).toBe(true)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ heldMs: 250, message: expect.stringContaining('event loop') })
  expect((lines[0] as { underWay: readonly string[] }).underWay).toHaveLength(20)
})

it('F34: the next tick that is in time ends it', () => {
  const { isLate, pass, tick } = bed()
  pass(1000)
  tick()
  pass(100)
  tick()
  expect(isLate()).toBe(false)
})

it('the watch ends', () => {
  const { stop, isStopped } = bed()
  stop()
  expect(isStopped()).toBe(true)
})
