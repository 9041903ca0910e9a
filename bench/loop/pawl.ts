// The full loop in Pawl: a machine of three states, each with an action, on the store of a ground.

import { z } from 'zod'
import { machine, type PawlOptions, runner } from '../../src/index.ts'
import { type Ground, metered } from '../ground/ground.ts'
import { openPawl } from '../open-pawl.ts'
import { SLOTS } from '../queue/pawl.ts'
import { keepInFlight, type LoopContender, STEPS } from './loop.ts'

const step = runner({
  type: 'step',
  config: z.object({ n: z.number() }),
  event: 'stepped',
  execute: () => null,
})

const threeSteps = machine({
  id: 'three-steps',
  uses: [step],
  events: {},
  initial: 'first',
  states: {
    first: { enter: () => step({ n: 1 }), on: { stepped: 'second' } },
    second: { enter: () => step({ n: 2 }), on: { stepped: 'third' } },
    third: { enter: () => step({ n: 3 }), on: { stepped: 'done' } },
    done: { final: true },
  },
})

/** An execution has ended when that is written: what its last action came to is one commit with the end. */
export const openThreeSteps = async (store: string) => {
  const ends = new Map<string, () => void>()
  const observer: PawlOptions['observer'] = {
    settled: ({ action: { plan, execution } }) => {
      if ((plan.config as { readonly n: number }).n === STEPS) ends.get(execution!)?.()
    },
  }
  const pawl = await openPawl({ store, runners: [step], definitions: [threeSteps], observer })
  const start = (id?: string) => pawl.start(threeSteps.id, id === undefined ? {} : { id })
  return {
    pawl,
    execute: async (given?: string): Promise<void> => {
      const { id } = await start(given)
      await new Promise<void>((resolve) => ends.set(id, resolve))
      ends.delete(id)
    },
    start,
  }
}

export const pawlLoop = ({ fresh, drop, durable, meter }: Ground): LoopContender => ({
  label: 'pawl',
  durable,
  open: async () => {
    const store = await fresh()
    await (await openThreeSteps(store)).pawl.close()
    const before = await meter(store)
    const { pawl, execute } = await openThreeSteps(store)
    await pawl.work({ slots: SLOTS })
    return {
      run: (isEnough) => keepInFlight(isEnough, () => execute()),
      close: async (steps) => {
        await pawl.close()
        const costs = metered(before, await meter(store), steps)
        await drop(store)
        return costs
      },
    }
  },
})
