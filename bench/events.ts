// Owns events from outside: sent one by one and awaited, to executions that others may have moved, so that each is looked at
// before it moves.

import { z } from 'zod'
import { machine } from '../src/index.ts'
import { type Figure, perSecond } from './figure.ts'
import type { Ground } from './ground/ground.ts'
import { keepInFlight } from './loop/loop.ts'
import { openPawl } from './open-pawl.ts'
import { race } from './rounds.ts'
import type { Scene } from './scene.ts'

const AT_A_TIME = 50
const EXECUTIONS = 1000

const door = machine({
  id: 'door',
  events: { push: z.object({}) },
  initial: 'shut',
  states: { shut: { on: { push: 'open' } }, open: { on: { push: 'shut' } } },
})

const sending = async (ground: Ground, count: number): Promise<number> => {
  const store = await ground.fresh()
  const pawl = await openPawl({ store, definitions: [door] })
  const ids = Array.from({ length: EXECUTIONS }, (_, index) => `door-${index}`)
  await Promise.all(ids.map((id) => pawl.start(door.id, { id })))
  const since = performance.now()
  await keepInFlight(
    (begun) => begun >= count,
    (n) => pawl.send(ids[n % EXECUTIONS]!, 'push'),
    AT_A_TIME,
  )
  const rate = (count / (performance.now() - since)) * 1000
  await pawl.close()
  await ground.drop(store)
  return rate
}

export const eventFigures = ({ extent }: Scene, ground: Ground): Promise<readonly Figure[]> => {
  const reading = `events sent one by one, ${AT_A_TIME} at a time`
  return race({
    name: ground.name,
    rounds: extent.rounds,
    ours: {
      label: 'pawl',
      durable: ground.durable,
      race: async () => ({ [reading]: await sending(ground, extent.one) }),
    },
    others: [],
    measures: { [reading]: perSecond },
  })
}
