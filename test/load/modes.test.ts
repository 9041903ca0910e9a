// The same work with eager dispatch and group commit on and off: what comes of it is the same, and the store is whole.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { machine, Pawl } from '../../src/index.ts'
import { spy } from '../engine/spies.ts'
import { groundOf, STORES, waitFor } from './bed.ts'

const MODES = [
  { eager: true, group: true },
  { eager: true, group: false },
  { eager: false, group: true },
  { eager: false, group: false },
]
const EXECUTIONS = 10
const WIDTH = 8

/** One step asks for several actions at once, the next for one more. */
const fan = () => {
  const step = spy('step', () => null, { event: 'stepped' })
  const definition = machine({
    id: 'fan',
    uses: [step],
    events: {},
    initial: 'wide',
    states: {
      wide: {
        enter: () => Array.from({ length: WIDTH }, (_, n) => step({ n })),
        on: { stepped: { to: 'narrow', of: 'step' } },
      },
      narrow: {
        enter: () => step({ n: WIDTH }, { name: 'last' }),
        on: { stepped: { to: 'done', of: 'last' } },
      },
      done: { final: true },
    },
  })
  return { step, definition }
}

// Processes start, die and wait for leases here: a limit only against waiting for ever.
vi.setConfig({ testTimeout: 300_000 })

describe.each(STORES)('on %s', (store) => {
  it.each(MODES)(
    'eager: $eager, group: $group: everything is done once, and the store is whole',
    async (flow) => {
      const { step, definition } = fan()
      const { store: url } = await groundOf(store)
      const pawl = await Pawl.open({ store: url, definitions: [definition], runners: [step], flow })
      onTestFinished(() => pawl.close())
      await pawl.work({ slots: 16 })
      const ids = Array.from({ length: EXECUTIONS }, (_, n) => `e_${n}`)
      await Promise.all(ids.map((id) => pawl.start(definition.id, { id })))
      await waitFor(async () => (await pawl.counts()).actions.succeeded === EXECUTIONS * (WIDTH + 1))
      for (const id of ids)
        expect(await pawl.executions.get(id)).toMatchObject({ status: 'completed', state: 'done' })
      const keys = step.calls.map(({ key }) => key)
      expect(new Set(keys).size).toBe(keys.length)
      expect(await pawl.verify()).toMatchObject({ findings: [] })
    },
  )
})
