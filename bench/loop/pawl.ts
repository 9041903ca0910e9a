// The full loop in Pawl: a machine of three states, each with an action, on the store of a ground.

import { z } from 'zod'
import { machine, runner } from '../../src/index.ts'
import { type Ground, metered } from '../ground/ground.ts'
import { openPawl } from '../open-pawl.ts'
import { SLOTS } from '../queue/pawl.ts'
import { keepInFlight, type LoopContender } from './loop.ts'

const step = runner({
  type: 'step',
  config: z.object({ n: z.number() }),
  event: 'stepped',
  execute: () => null,
})

const threeSteps = (onEnd: () => void) =>
  machine({
    id: 'three-steps',
    uses: [step],
    events: {},
    initial: 'first',
    states: {
      first: { enter: () => step({ n: 1 }), on: { stepped: 'second' } },
      second: { enter: () => step({ n: 2 }), on: { stepped: 'third' } },
      third: {
        enter: () => step({ n: 3 }),
        on: {
          stepped: {
            to: 'done',
            when: () => {
              onEnd()
              return true
            },
          },
        },
      },
      done: { final: true },
    },
  })

/** An execution ends for whoever waits longest: they are all alike. */
export const openThreeSteps = async (store: string) => {
  const ends: (() => void)[] = []
  const three = threeSteps(() => ends.shift()?.())
  const pawl = await openPawl({ store, runners: [step], definitions: [three] })
  return {
    pawl,
    execute: async (id?: string): Promise<void> => {
      const end = new Promise<void>((resolve) => ends.push(resolve))
      await pawl.start(three.id, id === undefined ? {} : { id })
      await end
    },
    start: (id: string) => pawl.start(three.id, { id }),
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
      run: (count) => keepInFlight(count, () => execute()),
      close: async (steps) => {
        await pawl.close()
        const costs = metered(before, await meter(store), steps)
        await drop(store)
        return costs
      },
    }
  },
})
