// Owns the instants at which a process can be killed: every call of a port and every effect is counted, and at the one
// that was chosen the process kills itself, before the call is made or after it has returned.

import { realTimers } from '../../src/engine/clock.ts'
import type { OpenedStore } from '../../src/pawl/open-store.ts'
import type { Member, Result } from '../../src/store/store.ts'
import type { Counts, Ending, Point, Verb } from './part.ts'

export interface Points {
  /** Counts a call of the verb. */
  readonly around: <T>(verb: Verb, call: () => Promise<T>, isEmpty?: (value: T) => boolean) => Promise<T>
  /** Counts anew; answers the counts so far. */
  readonly arm: (dies: Point | undefined) => Counts
}

const HELD_MS = 15

const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** The call is not made, and the process lives a little longer: whoever does not wait for it says so before it dies. */
const withheld = (): Promise<void> => realTimers.sleep(HELD_MS).then(die)

export const createPoints = (): Points => {
  let counts: Partial<Record<Verb, number>> = {}
  let dies: Point | undefined
  const isDue = (verb: Verb, number: number, side: Point['side']): boolean =>
    dies?.verb === verb && dies.number === number && dies.side === side
  return {
    around: async (verb, call, isEmpty = () => false) => {
      // Calls overlap: a number is taken when the call begins, and given back when there was nothing in it.
      const mine = counts
      const number = (mine[verb] ?? 0) + 1
      mine[verb] = number
      if (isDue(verb, number, 'before')) await withheld()
      let isNothing = false
      try {
        const value = await call()
        isNothing = isEmpty(value)
        return value
      } finally {
        // One that failed has been made all the same.
        if (isNothing) mine[verb]! -= 1
        else if (isDue(verb, number, 'after')) die()
      }
    },
    arm: (next) => {
      const before = counts
      counts = {}
      dies = next
      return before
    },
  }
}

const isFiring = ({ advance }: Member): boolean =>
  advance?.execution.kind === 'recurrence' && advance.consume.some(({ from }) => from === 'timer')

const verbOf = (batch: readonly Member[]): Verb => {
  if (batch.some(isFiring)) return 'fire'
  return batch.some(({ settle = [] }) => settle.length > 0) ? 'settle' : 'commit'
}

const isNothing = (rows: readonly unknown[]): boolean => rows.length === 0

/** The same store with every writing verb counted; whoever wants to hears of every claim that was ended. */
export const pointed = (
  opened: OpenedStore,
  { around }: Points,
  onEnding: (ending: Ending) => void,
): OpenedStore => {
  const { store } = opened
  const steps = new Map<string, string>()
  const learn = <Rows extends Awaited<ReturnType<typeof store.claim>>>(rows: Rows): Rows => {
    for (const row of rows) if ('plan' in row) steps.set(row.id, row.plan.stepKey)
    return rows
  }
  const tell = ({ settle = [] }: Member, { status }: Result): void => {
    for (const { claim } of settle)
      onEnding({
        action: claim.id,
        step: steps.get(claim.id) ?? '',
        by: process.pid,
        token: claim.token,
        status,
      })
  }
  return {
    ...opened,
    store: {
      ...store,
      commit: async (batch) => {
        const results = await around(verbOf(batch), () => store.commit(batch))
        for (const [index, member] of batch.entries()) tell(member, results[index]!)
        return results
      },
      claim: (request) => around('claim', async () => learn(await store.claim(request)), isNothing),
      extend: (...given) => around('extend', () => store.extend(...given)),
      reap: (...given) => around('reap', async () => learn(await store.reap(...given)), isNothing),
    },
  }
}
