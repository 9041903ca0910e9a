import { expect, it } from 'vitest'
import type { Settlement } from '../core/settle.ts'
import { type Started, safely } from './observer.ts'
import type { Ended } from './settlement.ts'

const STARTED = { attempt: 1 } as Started
const count = () => {
  const calls = { runs: 0 }
  return {
    calls,
    run: () => {
      calls.runs += 1
      return 'a value'
    },
  }
}

it('a watcher that listens to nothing: what runs runs once, and what is told is nobody’s', () => {
  const { claimed, settled, committed, started, asked, outgoing } = safely({})
  const { calls, run } = count()
  expect(started(STARTED, run)).toBe('a value')
  expect(calls.runs).toBe(1)
  claimed(7, 1)
  settled({} as Ended, {} as Settlement)
  committed([], [], 1)
  expect([asked('job', 'act_1'), outgoing()]).toEqual([{}, {}])
})

it.each([
  ['runs it and throws', (_: Started, run: () => unknown) => [run(), fail()][0]],
  ['throws before it runs it', () => fail()],
  ['never runs it', () => undefined],
])('a watcher that %s changes nothing of what runs', (_, watch) => {
  const { calls, run } = count()
  expect(safely({ started: watch as never }).started(STARTED, run)).toBe('a value')
  expect(calls.runs).toBe(1)
})

it('a watcher is told as itself, and what it throws is lost', () => {
  const watcher = {
    rows: 0,
    claimed(rows: number) {
      this.rows += rows
      fail()
    },
  }
  safely(watcher).claimed(7, 1)
  expect(watcher.rows).toBe(7)
})

const fail = (): never => {
  throw new Error('a watcher of somebody else’s')
}
