// Owns stopping an engine dead at a named point. Its only ways out are its store and its runners: from that point on
// neither does anything for it any more, nor tells it anything. What was committed stays, as after a kill -9.
// K1  A call that was under way when the engine died is not answered: a dead process hears nothing.

import { PawlError } from '../core/errors.ts'
import type { OpenedStore } from '../pawl/open-store.ts'
import type { AnyRunner, RunnerDefinition } from '../runners/runner.ts'
import type { Member, Store } from '../store/store.ts'

/** A settlement is a commit too, and is counted as both. */
export const CRASH_PLACES = [
  'before commit',
  'after commit',
  'before claim',
  'after claim',
  'before effect',
  'after effect',
  'before settle',
  'after settle',
] as const
export type CrashPlace = (typeof CRASH_PLACES)[number]

export interface CrashPoint {
  readonly at: CrashPlace
  /** Which time that place is reached, counted from now. Default 1. */
  readonly nth?: number
}

export interface CrashSwitch {
  /** Replaces an earlier point, and counts from here. */
  readonly arm: (point: CrashPoint) => void
  /** The places reached since the counting began, in order. */
  readonly reached: () => readonly CrashPlace[]
  readonly count: () => void
  readonly isDead: () => boolean
  /** Kills at the armed point. Throws when dead. */
  readonly reach: (place: CrashPlace) => void
  readonly assertAlive: () => void
  readonly kill: (how: string) => void
}

export const createCrashSwitch = (): CrashSwitch => {
  let reached: CrashPlace[] = []
  let armed: Required<CrashPoint> | undefined
  let death: string | undefined

  const assertAlive = (): void => {
    if (death !== undefined)
      throw new PawlError('store_closed', `this engine was stopped dead ${death}`, {
        expected: 'pawl.restart() before anything else',
      })
  }
  return {
    arm: (point) => {
      assertPoint(point)
      reached = []
      armed = { nth: 1, ...point }
    },
    reached: () => reached,
    count: () => {
      reached = []
    },
    isDead: () => death !== undefined,
    reach: (place) => {
      assertAlive()
      reached.push(place)
      if (armed?.at !== place || reached.filter((each) => each === place).length !== armed.nth) return
      death = describePoint(armed)
      assertAlive()
    },
    assertAlive,
    kill: (how) => {
      death ??= how
    },
  }
}

export const describePoint = ({ at, nth = 1 }: CrashPoint): string => `${at} ${nth}`

const assertPoint = ({ at, nth = 1 }: CrashPoint): void => {
  if (!CRASH_PLACES.includes(at))
    throw new PawlError('invalid_option', `“${String(at).slice(0, 80)}” is no place to crash at`, {
      path: 'at',
      expected: CRASH_PLACES.join(', '),
    })
  if (!Number.isSafeInteger(nth) || nth < 1)
    throw new PawlError('invalid_option', `a place is not reached for the ${nth}th time`, {
      path: 'nth',
      expected: 'a whole number from 1',
    })
}

type Port = Readonly<Record<string, unknown>>

/** Every verb of a port, answered only while the engine lives. */
const mortal = <Ported extends object>(port: Ported, life: CrashSwitch): Ported =>
  Object.fromEntries(
    Object.entries(port as Port).map(([name, verb]) => [
      name,
      typeof verb !== 'function'
        ? verb
        : async (...given: readonly unknown[]) => {
            life.assertAlive()
            const answer: unknown = await verb(...given)
            life.assertAlive()
            return answer
          },
    ]),
  ) as Ported

const mortalStore = (store: Store, life: CrashSwitch): Store => ({
  ...mortal(store, life),
  // These answer at once, and a dead engine may still be put away.
  flights: store.flights,
  wake: store.wake,
  close: store.close,
  commit: async (batch: readonly Member[]) => {
    const isSettling = batch.some(({ settle = [] }) => settle.length > 0)
    life.reach('before commit')
    if (isSettling) life.reach('before settle')
    const results = await store.commit(batch)
    if (isSettling) life.reach('after settle')
    life.reach('after commit')
    return results
  },
  claim: async (request) => {
    life.reach('before claim')
    const claimed = await store.claim(request)
    life.reach('after claim')
    return claimed
  },
})

export const mortalPorts = (opened: OpenedStore, life: CrashSwitch): OpenedStore => ({
  store: mortalStore(opened.store, life),
  reader: mortal(opened.reader, life),
  keeper: mortal(opened.keeper, life),
  workers: mortal(opened.workers, life),
  limits: mortal(opened.limits, life),
  vault: mortal(opened.vault, life),
  inspector: mortal(opened.inspector, life),
  office: {
    keys: mortal(opened.office.keys, life),
    audit: mortal(opened.office.audit, life),
    idempotency: mortal(opened.office.idempotency, life),
    agenda: mortal(opened.office.agenda, life),
  },
  tasks: mortal(opened.tasks, life),
  templates: mortal(opened.templates, life),
  occurrences: mortal(opened.occurrences, life),
  outbox: mortal(opened.outbox, life),
  health: mortal(opened.health, life),
  triage: mortal(opened.triage, life),
  inside: (client) => {
    life.assertAlive()
    return opened.inside(client)
  },
})

export const mortalRunner = (runner: AnyRunner, life: CrashSwitch): AnyRunner => {
  const execute: RunnerDefinition['execute'] = async (work) => {
    life.reach('before effect')
    const result = await runner.definition.execute(work)
    life.reach('after effect')
    return result
  }
  return { ...runner, definition: { ...runner.definition, execute } }
}
