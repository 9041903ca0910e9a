// Pawl as a queue, on the store that a URL names: as a program uses it, with all that it writes down.

import { z } from 'zod'
import { Pawl, runner } from '../../src/index.ts'
import type { Readings } from '../rounds.ts'
import type { Contender, Queue } from './queue.ts'

const SLOTS = 200

export interface PawlGround {
  readonly url: () => Promise<string>
  /** Counters of the server that only grow; the difference is told per action. */
  readonly meter?: (url: string) => Promise<Readings>
}

const openPawlQueue = async ({ url, meter }: PawlGround): Promise<Queue> => {
  let handle = (_: number): void => undefined
  const noop = runner({
    type: 'noop',
    config: z.object({ n: z.number() }),
    execute: ({ config }) => {
      handle(config.n)
      return null
    },
  })
  const store = await url()
  const pawl = await Pawl.open({ store, runners: [noop], builtIns: false })
  const add: Queue['add'] = (n, dueAt) => pawl.dispatch(noop({ n }), dueAt === undefined ? {} : { dueAt })
  let before: Readings = {}
  return {
    add,
    addMany: (from, count) => Promise.all(Array.from({ length: count }, (_, index) => add(from + index))),
    work: async (call) => {
      handle = call
      before = (await meter?.(store)) ?? {}
      return pawl.work({ slots: SLOTS })
    },
    isDrained: async () => {
      const { actions } = await pawl.counts()
      return actions.queued + actions.running === 0
    },
    close: () => pawl.close(),
    costs: async (count) => {
      const after = (await meter?.(store)) ?? {}
      return Object.fromEntries(
        Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / count]),
      )
    },
  }
}

export const pawlQueue = (ground: PawlGround): Contender => ({
  label: 'pawl',
  open: () => openPawlQueue(ground),
})
