// Owns working: the loops that claim, fire timers, apply the inbox, learn definitions, extend leases, reap and tidy
// up, and how they end.
// W1  Draining stops claiming at once, lets what runs finish, and hands back what does not finish in time with no attempt
//     consumed (F37). The heartbeat is the last to stop.

import type { Wake } from '../store/store.ts'
import type { Advancing } from './advance.ts'
import type { Clock } from './clock.ts'
import type { Hand } from './eager.ts'
import type { Heads } from './heads.ts'
import type { Lag } from './lag.ts'
import type { Leases } from './leases.ts'
import type { Live } from './live.ts'
import { type Log, messageOf } from './log.ts'
import { loopsInTurn, startLoop } from './loop.ts'
import type { Chance } from './random.ts'
import type { TriageWork } from './triage.ts'
import type { Worker } from './worker.ts'

export interface WorkParts {
  readonly worker: Worker
  /** Offers a worker what is due at once, until it is told otherwise. */
  readonly join: (hand: Hand) => () => void
  readonly lag: Lag
  readonly advancing: Advancing
  readonly heads: Heads
  readonly leases: Leases
  readonly live: Live
  readonly reap: (limit: number) => Promise<number>
  readonly chores: () => Promise<number>
  readonly triage: TriageWork
  /** When the next timer is due, if that is within this many milliseconds. */
  readonly nextTimerAt: (withinMs: number) => Promise<number | undefined>
  readonly listen: (listener: (wake: Wake) => void) => () => void
  readonly clock: Clock
  readonly chance: Chance
  readonly log: Log
}

export interface Working {
  /** A slot is free, or something is due. */
  readonly poke: () => void
  /** `isNow`: what runs is stopped instead of finished. Every call gets the same promise. */
  readonly stop: (isNow: boolean) => Promise<void>
}

export interface WorkTimes {
  readonly leaseMs: number
  readonly drainMs: number
}

const SCAN_MS = 1000
const BEAT_MS = 10_000
const CHORES_MS = 60_000
const LIMIT = 200
/** Due by this process's clock and not by the database's, which counts: asking at once would ask without end. */
const CLOCKS_DIFFER_MS = 50

/** How long to wait for what is due then. What has become due since the last look is looked at again at once. */
const createUntilDue = (clock: Clock) => {
  let overdue: number | undefined
  return (dueAt: number | undefined): number | undefined => {
    if (dueAt === undefined) return undefined
    const left = dueAt - clock.now()
    if (left > 0) return left
    // Later than all that was looked for: of two that only this clock takes for due, neither makes the other new again.
    const isNew = overdue === undefined || dueAt > overdue
    if (isNew) overdue = dueAt
    return isNew ? 1 : CLOCKS_DIFFER_MS
  }
}

type Loops = ReturnType<typeof startLoops>

const startLoops = (parts: WorkParts, leaseMs: number) => {
  const { worker, advancing, heads, leases, live, clock, chance, log } = parts
  const loop = loopsInTurn({ clock, chance, log })
  const untilAction = createUntilDue(clock)
  const untilTimer = createUntilDue(clock)
  const once = (work: () => Promise<unknown>) => async (): Promise<number> => {
    await work()
    return 0
  }
  const claiming = loop('claiming', SCAN_MS, worker.claim, () => untilAction(heads.nextDueAt()))
  const timers = loop(
    'firing timers',
    SCAN_MS,
    () => advancing.fireTimers(LIMIT),
    async () => untilTimer(await parts.nextTimerAt(SCAN_MS)),
  )
  const inbox = loop('applying the inbox', SCAN_MS, () => advancing.applyInbox(LIMIT))
  const learn = async (): Promise<void> => {
    if ((await advancing.learn()) > 0) inbox.poke()
  }
  return {
    claiming,
    timers,
    inbox,
    learning: loop('learning definitions', SCAN_MS, once(learn)),
    reaping: loop('reaping', SCAN_MS, () => parts.reap(LIMIT)),
    beating: loop('saying that it is alive', BEAT_MS, once(live.beat)),
    heartbeat: startLoop({
      name: 'extending leases',
      everyMs: leaseMs / 3,
      // What has just been claimed need not be extended: it begins when its while is over.
      after: new Promise(() => undefined),
      pass: once(leases.extend),
      clock,
      chance,
      log,
    }),
    triage: loop('bulk operations', SCAN_MS, parts.triage.pass, parts.triage.bulkWork.untilNext),
    chores: loop('housekeeping', CHORES_MS, once(parts.chores)),
  }
}

const listen = ({ heads, listen: onWake }: WorkParts, { claiming, timers, inbox }: Loops): (() => void) =>
  onWake((wake) => {
    if (wake.lanes.length > 0) {
      heads.hint(wake.lanes)
      claiming.poke()
    }
    if (wake.timers) timers.poke()
    if (wake.inbox) inbox.poke()
  })

export const startWork = (parts: WorkParts, { leaseMs, drainMs }: WorkTimes): Working => {
  const { worker, live, clock, log } = parts
  const loops = startLoops(parts, leaseMs)
  const { claiming, timers, inbox, learning, reaping, chores, triage, beating, heartbeat } = loops
  const unlisten = listen(parts, loops)
  const leave = parts.join(worker)
  const hurry = Promise.withResolvers<void>()

  const drain = async (): Promise<void> => {
    unlisten()
    leave()
    await Promise.all([claiming, timers, inbox, learning, reaping, chores, triage].map((each) => each.stop()))
    await worker.land()
    const cancel = clock.timers.after(drainMs, hurry.resolve)
    const idle = worker.idle()
    await Promise.race([idle, hurry.promise])
    cancel()
    worker.stopAll('shutdown')
    await idle
    parts.lag.stop()
    await parts.triage.bulkWork
      .leave()
      .catch((error: unknown) => log.warn('bulk operations wait for its lease', { error: messageOf(error) }))
    await Promise.all([heartbeat.stop(), beating.stop()])
    await live
      .leave()
      .catch((error: unknown) => log.warn('it could not sign off', { error: messageOf(error) }))
  }
  let draining: Promise<void> | undefined
  return {
    poke: claiming.poke,
    stop: (isNow) => {
      draining ??= drain()
      if (isNow) hurry.resolve()
      return draining
    },
  }
}
