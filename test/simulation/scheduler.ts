// Owns what happens next: one thing at a time. Whoever would wait for the world waits here instead, at a point; the seed
// says who goes on. When nobody can, time jumps to the next timer. Nothing else in a simulated world waits for anything.
// S1  Between two steps every microtask has run: what one step causes is over before the next begins.
// S2  An owner that is dead is never heard of again; one that is frozen is, later.

import type { EngineTimers } from '../../src/engine/clock.ts'
import type { Seeded } from './seeded.ts'

/** Whose code it is that waits: a process, or the world around them. */
export interface Owner {
  readonly name: string
  isDead: boolean
  /** Not before this monotonic instant. */
  frozenUntil: number
}

interface Waiting {
  readonly owner: Owner
  readonly label: string
  readonly resolve: () => void
}

interface Timer {
  readonly owner: Owner
  readonly at: number
  readonly number: number
  readonly call: () => void
  /** One of many that only look at the clock: no step of its own. */
  readonly isPulse: boolean
}

export interface Scheduler {
  /** Virtual milliseconds since the beginning; never go back. */
  readonly monotonic: () => number
  readonly point: (owner: Owner, label: string) => Promise<void>
  readonly after: (owner: Owner, ms: number, call: () => void) => () => void
  readonly timersOf: (owner: Owner) => EngineTimers
  /** Forgets everything that an owner waits for. */
  readonly bury: (owner: Owner) => void
  /** Lets one go on, or time pass; says who, and what it waited for. */
  readonly step: (lag: number) => string
}

const NOBODY = -1
const PULSE = 'pulse'

export const createScheduler = (seeded: Seeded): Scheduler => {
  let now = 0
  let drawn = 0
  let ready: Waiting[] = []
  let timers: Timer[] = []

  const arm = (owner: Owner, ms: number, call: () => void, isPulse: boolean): (() => void) => {
    if (owner.isDead) return () => undefined
    const timer = { owner, at: now + Math.max(0, ms), number: drawn++, call, isPulse }
    timers.push(timer)
    return () => {
      const index = timers.indexOf(timer)
      if (index !== NOBODY) timers.splice(index, 1)
    }
  }
  const after: Scheduler['after'] = (owner, ms, call) => arm(owner, ms, call, false)
  const point: Scheduler['point'] = (owner, label) =>
    new Promise((resolve) => {
      if (!owner.isDead) ready.push({ owner, label, resolve })
    })

  const sleep = (owner: Owner, ms: number): Promise<void> =>
    new Promise((resolve) => void after(owner, ms, resolve))

  const timersOf = (owner: Owner): EngineTimers => ({
    after: (ms, call) => after(owner, ms, call),
    sleep: (ms) => sleep(owner, ms),
    turn: () => point(owner, 'turn'),
    every: (ms, tick) => {
      let cancel: () => void
      const again = (): void => {
        cancel = arm(
          owner,
          ms,
          () => {
            again()
            tick()
          },
          true,
        )
      }
      again()
      return () => cancel()
    },
  })

  const timeOf = ({ at, owner }: Timer): number => Math.max(at, owner.frozenUntil)

  const pass = (): string => {
    for (;;) {
      const passed = passOne()
      if (passed !== PULSE || timers.every(({ isPulse }) => isPulse)) return passed
    }
  }

  const passOne = (): string => {
    let next: Timer | undefined
    for (const timer of timers) {
      const sooner = next === undefined ? -1 : timeOf(timer) - timeOf(next) || timer.number - next.number
      if (sooner < 0) next = timer
    }
    const thaw = ready.reduce((soonest, { owner }) => Math.min(soonest, owner.frozenUntil), Infinity)
    const at = next === undefined ? thaw : Math.min(thaw, timeOf(next))
    if (at === Infinity) return 'nothing'
    if (next === undefined || thaw < timeOf(next)) {
      now = Math.max(now, thaw)
      return 'thaw'
    }
    now = Math.max(now, timeOf(next))
    timers.splice(timers.indexOf(next), 1)
    next.call()
    return next.isPulse ? PULSE : `${next.owner.name} timer`
  }

  return {
    monotonic: () => now,
    point,
    after,
    timersOf,
    bury: (owner) => {
      owner.isDead = true
      ready = ready.filter((waiting) => waiting.owner !== owner)
      timers = timers.filter((timer) => timer.owner !== owner)
    },
    step: (lag) => {
      const able = ready.filter(({ owner }) => owner.frozenUntil <= now)
      if (able.length === 0 || seeded.chance(lag)) return pass()
      const chosen = seeded.pick(able)
      ready.splice(ready.indexOf(chosen), 1)
      chosen.resolve()
      return `${chosen.owner.name} ${chosen.label}`
    },
  }
}
