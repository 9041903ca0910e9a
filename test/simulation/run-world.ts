// Owns the course of one simulated world, from its seed to its verdict: first it is made difficult, then the faults end,
// and what is left must come to rest. After every step in which anything was written, the invariants are held.

import type { Bed } from './bed.ts'
import { holdEnd, restless } from './check-end.ts'
import type { Fault } from './faults.ts'
import type { Judge, Violation } from './judge.ts'
import type { Plant } from './plants.ts'
import type { Rows } from './rows.ts'
import { createWorld, type World } from './world.ts'

export interface Course {
  /** Before the faults end. */
  readonly steps: number
  /** How often somebody asks for something, and how many times at most. */
  readonly ask: number
  readonly asks: number
  /** How often one process is left alone when the faults end; else there are two, who look at everything twice. */
  readonly alone: number
}

export interface WorldOptions {
  readonly seed: number
  readonly course: Course
  readonly plant?: Plant
}

export interface Verdict {
  readonly steps: number
  readonly trace: number
  readonly eager: number
  readonly faults: ReadonlyMap<Fault, number>
  readonly violation?: Violation
  readonly story: readonly string[]
}

/** How often time passes although somebody could go on: calls take time too. */
const LAG = 0.03
/** Looks at what is left between so many steps, and for so many looks. */
const LOOK = 10
const LOOKS = 400
/** A world is not over sooner. */
const MIN_STEPS = 300

/** What befalls whole processes, their clocks and the disk. */
const meddle = async (world: World): Promise<void> => {
  const { faults, chance, processes, scheduler, shift, newEpoch, rows, actions, accepted } = world
  const { strikes } = faults
  const alive = processes.alive()
  if (alive.length > 0) {
    if (strikes('process: crash')) processes.crash(chance.pick(alive))
    if (strikes('process: frozen beyond its lease'))
      chance.pick(alive).frozenUntil = scheduler.monotonic() + chance.between(3000, 12_000)
    if (strikes('process: drained')) processes.drain(chance.pick(alive))
  }
  if (strikes('clock: forward')) shift(chance.pick([6000, 60_000, 3_600_000]))
  if (strikes('clock: backward')) shift(-chance.between(100, 10_000))
  if (strikes('store: new epoch')) await newEpoch()
  const live = [...actions.live().keys()]
  if (live.length > 0 && strikes('store: a row is damaged')) {
    const id = chance.pick(live)
    rows.damage(id)
    accepted.damaged.add(id)
  }
}

/** Every microtask has run when it resolves. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const step = async (world: World): Promise<void> => {
  const { judge, scheduler, hold } = world
  const what = scheduler.step(LAG)
  judge.tell(`${Math.floor(scheduler.monotonic())} ${what}`)
  await turn()
  hold()
}

const trouble = async (world: World, { steps, ask: often, asks: most }: Course): Promise<void> => {
  const { judge, chance, clients, hold } = world
  for (let asks = 0; judge.steps() < steps && judge.broken() === undefined; ) {
    await meddle(world)
    if (asks < most && chance.chance(often)) {
      const { name, ask } = clients.next()
      judge.tell(`client: ${name}`)
      void ask()
      asks += 1
      await turn()
      hold()
    } else await step(world)
  }
}

/** The faults are over: everything that can must end. */
const calm = async (world: World, { alone }: Course): Promise<void> => {
  const { judge, faults, processes, chance, clients, forget } = world
  const isAlone = chance.chance(alone)
  faults.end()
  processes.settle(isAlone ? 1 : 2)
  // Half a minute of nothing else: whoever is alone need not wait for the news that the others are gone.
  if (isAlone) forget()
  if (chance.chance(0.6)) void clients.resumeAll()
  for (let look = 0; look < LOOKS && judge.broken() === undefined; look++) {
    for (let count = 0; count < LOOK && judge.broken() === undefined; count++) await step(world)
    if (judge.steps() >= MIN_STEPS && restless(world.rows).length === 0) return
  }
  const [first, ...others] = restless(world.rows)
  if (first !== undefined)
    judge.find('I9', `${first} (and ${others.length} more) after ${LOOK * LOOKS} quiet steps`)
}

/** What nobody caught would have ended a real process. */
const withNet = async (judge: Judge, work: () => Promise<void>): Promise<void> => {
  const fell = (reason: unknown): void =>
    judge.find('code', `nobody caught ${reason instanceof Error ? reason.stack : String(reason)}`)
  process.on('unhandledRejection', fell)
  try {
    await work()
  } finally {
    process.off('unhandledRejection', fell)
  }
}

export const runWorld = async (bed: Bed, rows: Rows, options: WorldOptions): Promise<Verdict> => {
  const world = createWorld(bed, rows, options.seed, options.plant)
  const { judge, faults, processes } = world
  await withNet(judge, async () => {
    await trouble(world, options.course)
    await calm(world, options.course)
    if (judge.broken() === undefined) holdEnd(world)
    processes.end()
    await turn()
  })
  const violation = judge.broken()
  return {
    steps: judge.steps(),
    trace: judge.trace(),
    eager: processes.eager(),
    faults: faults.counts,
    ...(violation && { violation }),
    story: judge.story(),
  }
}
