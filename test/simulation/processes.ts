// Owns the processes of a simulated world: real engines, one per process, over the shared store. One that crashes stops
// dead, in the middle of whatever it did, and another takes its place.

import type { Json } from '../../src/core/json.ts'
import type { Clock } from '../../src/engine/clock.ts'
import type { ReachOf } from '../../src/engine/context.ts'
import type { Known } from '../../src/engine/directory.ts'
import { createEngine, type Engine, type Ports } from '../../src/engine/engine.ts'
import type { FlowOptions } from '../../src/engine/flow.ts'
import { type LogSink, messageOf } from '../../src/engine/log.ts'
import { createChance } from '../../src/engine/random.ts'
import type { Working } from '../../src/engine/work.ts'
import { compileStored } from '../../src/pawl/known.ts'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import { attemptSecrets } from '../../src/secrets/attempt-secrets.ts'
import { createRedactor } from '../../src/secrets/redactor.ts'
import type { Claims } from './check-claims.ts'
import type { LimitWatch } from './check-limits.ts'
import type { Faults } from './faults.ts'
import type { Judge } from './judge.ts'
import type { WorldLimits } from './limits.ts'
import type { Machines } from './machines.ts'
import { createPorts, type Neighbours } from './ports.ts'
import type { Receiver } from './receiver.ts'
import { CANARY, runnersOf } from './runners.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { Seeded } from './seeded.ts'

export interface Process extends Owner {
  readonly engine: Engine
  readonly working: Working
  /** Rejects when it is gone. */
  readonly gone: Promise<never>
  readonly leave: () => void
  isDraining: boolean
}

export interface ProcessParts {
  readonly seeded: Seeded
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly judge: Judge
  readonly receiver: Receiver
  readonly machines: Machines
  /** Known where the code is: elsewhere they are switched off. */
  readonly recurrences: readonly Known[]
  readonly neighbours: Neighbours
  readonly wall: () => number
  /** The store as one process sees it, before anything goes wrong on the way. */
  readonly portsFor: (process: string) => Ports
  readonly claims: Claims
  readonly limits: WorldLimits
  readonly limitWatch: LimitWatch
  /** Outlives every process. */
  readonly world: Owner
}

export interface Processes {
  readonly alive: () => readonly Process[]
  /** How many there were that start what they wrote themselves. */
  readonly eager: () => number
  readonly crash: (process: Process) => void
  readonly drain: (process: Process) => void
  /** Nobody is frozen any more, and so many are enough. */
  readonly settle: (enough: number) => void
  readonly end: () => void
}

const LEASE_MS = 2400
const DRAIN_MS = 2000
const COUNT = 3

const SECRETS = {
  resolve: async (_: unknown, name: string) =>
    ({ name, value: CANARY, from: 'environment', version: '1' }) as const,
}

export class Gone extends Error {}

/** What attempts may reach, as src/pawl joins it, without the door to a network: there is none here. */
const createReach = () => {
  const redactor = createRedactor()
  const clean = <Value>(value: Value): Value => redactor.clean(value as Json) as Value
  const reachOf: ReachOf = (of) => {
    const { secret, fillConfig: fill, release } = attemptSecrets({ resolver: SECRETS, redactor, of })
    return { fetch: () => Promise.reject(new Error('there is no network')), secret, fill, release }
  }
  const cleaned =
    (sink: LogSink): LogSink =>
    (level, message, fields) =>
      sink(level, clean(message), clean(fields))
  return { reachOf, clean, cleaned }
}

/** The engine's own last resort: it may only ever tell of what the world did to it. */
const BROKE = 'an attempt broke'

const sinkOf =
  ({ judge }: ProcessParts) =>
  (_: string, message: string, fields: object): void => {
    const line = `${message} ${JSON.stringify(fields)}`
    judge.hold(!line.includes(CANARY), 'I12', () => `it was logged: ${line}`)
    judge.hold(message !== BROKE || line.includes('sim:'), 'code', () => line)
  }

const clockOf = ({ scheduler, wall }: ProcessParts, owner: Owner, skew: number): Clock => ({
  now: () => wall() + skew,
  clocks: () => ({ now: wall(), lease: wall() }),
  monotonic: scheduler.monotonic,
  timers: scheduler.timersOf(owner),
})

/** Without a lease nothing is begun: counted from before the claim was asked for, by the clock that never jumps. */
const leaseHeld =
  ({ judge, claims, scheduler, limitWatch }: ProcessParts, { name }: Owner) =>
  (type: string, ctx: RunnerContext): void => {
    const { stepKey } = ctx
    const since = claims.taken.get(`${name} ${stepKey}`) ?? Number.NEGATIVE_INFINITY
    const age = scheduler.monotonic() - since
    judge.hold(age < LEASE_MS, 'I7', () => `${name} began ${stepKey} ${age} ms after it claimed it`)
    limitWatch.begin(name, type, ctx)
  }

/** A place in the world, and who takes it. */
interface Birth {
  readonly slot: number
  readonly number: number
  readonly flow: FlowOptions
}

const spawn = (
  parts: ProcessParts,
  { slot, number, flow }: Birth,
  onCrash: (process: Process) => void,
): Process => {
  const { seeded, scheduler, faults, machines, neighbours } = parts
  const { byType } = parts.limits
  const owner: Owner = { name: `p${slot}.${number}`, isDead: false, frozenUntil: 0 }
  const crash = (): void => onCrash(process)
  const version = faults.strikes('process: deployed') ? 1 : 0
  const skew = faults.strikes('clock: one is wrong') ? seeded.between(-2000, 2000) : 0
  const isWhole = slot === 0
  const runners = runnersOf({ ...parts, process: owner, crash, onBegin: leaseHeld(parts, owner) })
  const reach = createReach()
  const engine = createEngine({
    ...createPorts({
      process: owner,
      ports: parts.portsFor(owner.name),
      scheduler,
      faults,
      crash,
      neighbours,
      note: parts.judge.note,
      hasLimits: byType !== undefined,
    }),
    definitions: [
      machines.data[version]!,
      ...(isWhole || seeded.chance(0.5) ? [machines.code[version]!, ...parts.recurrences] : []),
    ],
    runners: isWhole || seeded.chance(0.7) ? runners : runners.slice(1),
    compile: compileStored,
    reachOf: reach.reachOf,
    clean: reach.clean,
    clock: clockOf(parts, owner, skew),
    chance: createChance(seeded.bytes),
    sink: reach.cleaned(sinkOf(parts)),
    leaseMs: LEASE_MS,
    drainMs: DRAIN_MS,
    flow,
    ...(byType && { typeLimits: byType }),
    version: 'sim',
    host: 'sim',
  })
  const working = engine.work({ slots: 3, batch: 4 })
  const { promise: gone, reject } = Promise.withResolvers<never>()
  gone.catch(() => undefined)
  const leave = (): void => reject(new Gone(owner.name))
  const process: Process = Object.assign(owner, { engine, working, gone, leave, isDraining: false })
  return process
}

export const createProcesses = (parts: ProcessParts): Processes => {
  const { scheduler, seeded, world, judge } = parts
  const slots: (Process | undefined)[] = []
  let [born, eager, open] = [0, 0, COUNT]

  const begin = (slot: number): void => {
    if (slot >= open) return
    const flow = { eager: seeded.chance(0.5), group: seeded.chance(0.7) }
    eager += Number(flow.eager)
    slots[slot] = spawn(parts, { slot, number: born++, flow }, crash)
  }
  const end = (process: Process): number => {
    scheduler.bury(process)
    process.leave()
    const slot = slots.indexOf(process)
    slots[slot] = undefined
    return slot
  }
  const replace = (process: Process): void => {
    if (process.isDead) return
    const slot = end(process)
    scheduler.after(world, seeded.between(100, 4000), () => begin(slot))
  }
  const crash = (process: Process): void => {
    judge.note(`${process.name} is gone`)
    replace(process)
  }
  for (let slot = 0; slot < COUNT; slot++) begin(slot)
  const alive = (): readonly Process[] => slots.filter((process) => process !== undefined)
  return {
    alive,
    eager: () => eager,
    crash,
    drain: (process) => {
      process.isDraining = true
      process.working.stop(false).then(
        () => replace(process),
        (error: unknown) => judge.find('code', `${process.name} could not drain: ${messageOf(error)}`),
      )
    },
    settle: (enough) => {
      open = enough
      for (const process of alive()) process.frozenUntil = 0
      for (const process of slots.slice(enough)) if (process !== undefined) end(process)
    },
    end: () => {
      for (const process of alive()) end(process)
    },
  }
}
