// Owns how a client of a simulated world asks for something: of any process, and of another when that one is gone or
// its store is away. What a client is told must be an answer, a refusal, or silence.

import { PawlError, REGISTRY } from '../../src/core/errors.ts'
import type { Tenancy } from '../../src/store/store.ts'
import type { Accepted } from './accepted.ts'
import { NAMESPACE, type TENANTS } from './bed.ts'
import type { Actions } from './check-actions.ts'
import type { Occurrences } from './check-occurrences.ts'
import type { Faults } from './faults.ts'
import type { Judge } from './judge.ts'
import { Gone, type Process, type Processes } from './processes.ts'
import type { Receiver } from './receiver.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { Seeded } from './seeded.ts'

export interface ClientParts {
  readonly seeded: Seeded
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly judge: Judge
  readonly receiver: Receiver
  readonly accepted: Accepted
  readonly actions: Actions
  readonly processes: Processes
  readonly world: Owner
  /** Executions somebody has asked for, and the recurrences among them. */
  readonly started: Started[]
  readonly recurrences: Started[]
  readonly occurrences: Occurrences
  readonly wall: () => number
  /** A number nobody else has. */
  readonly draw: () => number
}

export type Tenant = (typeof TENANTS)[number]

export interface Started {
  readonly tenant: Tenant
  readonly id: string
}

/** Something to ask for, once. */
export type Ask = () => Promise<unknown>

export const of = (tenant: string): Tenancy => ({ namespace: NAMESPACE, tenant })

const TRIES = 4

/** Undefined: refused, or never heard. */
export const errand = async <T>(
  { seeded, scheduler, judge, world, processes }: ClientParts,
  ask: (process: Process) => Promise<T>,
): Promise<T | undefined> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const open = processes.alive().filter(({ isDraining }) => !isDraining)
    try {
      if (open.length > 0) {
        const process = seeded.pick(open)
        return await Promise.race([ask(process), process.gone])
      }
    } catch (error) {
      const isKnown = error instanceof PawlError
      if (isKnown && !REGISTRY[error.code].retryable) return undefined
      if (!isKnown && !(error instanceof Gone)) {
        judge.find('code', `a client was told: ${error instanceof Error ? error.stack : String(error)}`)
        return undefined
      }
    }
    await scheduler.timersOf(world).sleep(seeded.between(50, 800))
  }
  return undefined
}
