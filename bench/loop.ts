// (E) The full loop: an execution starts, each of three states asks for an action, whose result moves it on. Creation is
// included, a hundred are in flight, and an execution counts when it has ended.

import { z } from 'zod'
import { machine, Pawl, runner } from '../src/index.ts'
import type { Racer, Readings } from './rounds.ts'

const IN_FLIGHT = 100
const SLOTS = 200

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

export const fullLoop = (
  url: () => Promise<string>,
  count: number,
  meter: (url: string) => Promise<Readings> = async () => ({}),
): Racer => ({
  label: 'pawl',
  race: async () => {
    const ends: (() => void)[] = []
    const three = threeSteps(() => ends.shift()?.())
    const store = await url()
    const pawl = await Pawl.open({ store, runners: [step], definitions: [three], builtIns: false })
    await pawl.work({ slots: SLOTS })
    const before = await meter(store)
    const since = performance.now()
    let next = 0
    const keepStarting = async (): Promise<void> => {
      while (next < count) {
        next += 1
        const end = new Promise<void>((resolve) => ends.push(resolve))
        await pawl.start(three.id)
        await end
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, keepStarting))
    const rate = (count / (performance.now() - since)) * 1000
    const after = await meter(store)
    await pawl.close()
    const perStep = Object.entries(after).map(([name, value]) => [
      name,
      (value - (before[name] ?? 0)) / (count * 3),
    ])
    return { 'three-step executions': rate, ...Object.fromEntries(perStep) }
  },
})
