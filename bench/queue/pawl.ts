// Pawl as a queue, on the store of a ground: as a program uses it, with all that it writes down. What it cost is told by the
// counters of the ground, from the opening of a store that is there to the closing.

import { z } from 'zod'
import { type Pawl, type PawlOptions, runner } from '../../src/index.ts'
import { type Ground, metered } from '../ground/ground.ts'
import { openPawl } from '../open-pawl.ts'
import type { Contender, Queue } from './queue.ts'

export const SLOTS = 400

/** An action that does nothing but say that it began. */
export const createNoop = (): {
  readonly noop: ReturnType<typeof make>
  readonly onStart: (call: (n: number) => void) => void
} => {
  let handle = (_: number): void => undefined
  return {
    noop: make((n) => handle(n)),
    onStart: (call) => {
      handle = call
    },
  }
}

const make = (handle: (n: number) => void) =>
  runner({
    type: 'noop',
    config: z.object({ n: z.number() }),
    execute: ({ config }) => {
      handle(config.n)
      return null
    },
  })

/** A provider that does not answer, until it is let go. */
const createHang = () => {
  const answered = Promise.withResolvers<void>()
  const hang = runner({
    type: 'hang',
    config: z.object({}),
    execute: async () => {
      await answered.promise
      return null
    },
  })
  return { hang, letGo: () => answered.resolve() }
}

interface QueueOptions extends Pick<PawlOptions, 'limits'> {
  /** So many of a provider that hangs are there before all others. */
  readonly hanging?: number
}

const openPawlQueue = async (
  { fresh, drop, meter }: Ground,
  { hanging = 0, ...options }: QueueOptions,
): Promise<Queue> => {
  const { noop, onStart } = createNoop()
  const { hang, letGo } = createHang()
  const store = await fresh()
  const open = (): Promise<Pawl> => openPawl({ store, runners: [noop, hang], ...options })
  await (await open()).close()
  const before = await meter(store)
  const pawl = await open()
  for (let n = 0; n < hanging; n++) await pawl.dispatch(hang({}))
  const add: Queue['add'] = (n, dueAt) => pawl.dispatch(noop({ n }), dueAt === undefined ? {} : { dueAt })
  return {
    add,
    addMany: (from, count, dueAt) =>
      pawl.dispatchMany(
        Array.from({ length: count }, (_, index) => {
          const n = from + index
          return noop({ n }, dueAt === undefined ? {} : { dueAt: dueAt(n) })
        }),
      ),
    work: (call) => {
      onStart(call)
      return pawl.work({ slots: SLOTS })
    },
    isDrained: async () => {
      const { actions } = await pawl.counts()
      return actions.queued + actions.running === hanging
    },
    close: async (count) => {
      letGo()
      await pawl.close()
      const costs = metered(before, await meter(store), count)
      await drop(store)
      return costs
    },
  }
}

export const pawlQueue = (ground: Ground, options: QueueOptions = {}, label = 'pawl'): Contender => ({
  label,
  durable: ground.durable,
  open: () => openPawlQueue(ground, options),
})
