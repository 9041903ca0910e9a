// Owns putting a simulated world together from its seed: processes over one store, their clients, what may go wrong, and
// the invariants that are held against the rows after every step.

import type { Ports } from '../../src/engine/engine.ts'
import { createChance } from '../../src/engine/random.ts'
import { knownData } from '../../src/pawl/known-recurrence.ts'
import { type Accepted, createAccepted } from './accepted.ts'
import type { Bed } from './bed.ts'
import { type Actions, createActions } from './check-actions.ts'
import { type Claims, watchClaims } from './check-claims.ts'
import { createHistory } from './check-history.ts'
import { createInbox } from './check-inbox.ts'
import { watchLimits } from './check-limits.ts'
import { createOccurrences, type Occurrences } from './check-occurrences.ts'
import { type Clients, createClients } from './clients.ts'
import { createFaults, type Faults } from './faults.ts'
import { createJudge, type Judge } from './judge.ts'
import { limitsOf } from './limits.ts'
import { machinesOf } from './machines.ts'
import type { Plant } from './plants.ts'
import { createNeighbours } from './ports.ts'
import { createProcesses, type Processes } from './processes.ts'
import { createReceiver } from './receiver.ts'
import type { Rows } from './rows.ts'
import { createScheduler, type Owner, type Scheduler } from './scheduler.ts'
import { type Seeded, seeded } from './seeded.ts'

const EPOCH = Date.UTC(2026, 0, 5, 9)

export interface World {
  readonly chance: Seeded
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly judge: Judge
  readonly processes: Processes
  readonly clients: Clients
  readonly rows: Rows
  readonly actions: Actions
  readonly occurrences: Occurrences
  readonly accepted: Accepted
  readonly shift: (ms: number) => void
  readonly newEpoch: () => Promise<unknown>
  readonly forget: () => void
  /** The invariants, where anything was written since they were last held. */
  readonly hold: () => void
}

export const createWorld = (bed: Bed, rows: Rows, seed: number, plant: Plant | undefined): World => {
  const chance = seeded(seed)
  const judge = createJudge()
  const scheduler = createScheduler(chance)
  const faults = createFaults(chance, judge.note)
  const receiver = createReceiver(judge)
  const accepted = createAccepted()
  let offset = 0
  const { monotonic } = scheduler
  const wall = (): number => EPOCH + offset + Math.floor(monotonic())
  bed.empty(createChance(chance.bytes).nonce)

  const history = createHistory(rows, judge)
  const inbox = createInbox(rows, history, accepted, judge)
  const claims: Claims = { handed: new Set(), ended: new Set(), taken: new Map(), tokens: new Map() }
  const actions = createActions({ rows, judge, receiver, history, inbox, accepted, claims })
  const occurrences = createOccurrences({ rows, judge, history, actions, accepted })
  const world: Owner = { name: 'world', isDead: false, frozenUntil: 0 }
  const machines = machinesOf(seed, () => faults.strikes('decider: throws'))
  const portsFor = (process: string): Ports => {
    const planted = plant === undefined ? bed.ports : plant({ ports: bed.ports, db: bed.db, chance })
    return {
      ...planted,
      store: watchClaims(planted.store, { rows, judge, wall, monotonic, process, claims }),
    }
  }
  const neighbours = createNeighbours(wall)
  const limits = limitsOf(seed)
  const limitWatch = watchLimits({ db: bed.db, rows, judge, claims, limits, wall, monotonic })
  const parts = { seeded: chance, scheduler, faults, judge, receiver, world, claims }
  const hasRecurrences = seed % 2 === 1
  const recurrences = hasRecurrences ? [knownData(() => undefined)] : []
  const processes = createProcesses({
    ...{ ...parts, machines, recurrences, neighbours, wall, portsFor, limits, limitWatch },
  })
  const clients = createClients({ ...parts, accepted, actions, occurrences, processes, wall }, hasRecurrences)
  let seen = rows.changes()
  return {
    chance,
    scheduler,
    faults,
    judge,
    processes,
    clients,
    rows,
    actions,
    occurrences,
    accepted,
    shift: (ms) => {
      offset += ms
      limitWatch.shifted()
    },
    newEpoch: () => bed.ports.keeper.newEpoch(),
    forget: neighbours.forget,
    hold: () => {
      const now = rows.changes()
      if (now === seen) return
      seen = now
      history.read()
      inbox.read()
      actions.read()
      if (hasRecurrences) occurrences.read()
      limitWatch.read()
    },
  }
}
