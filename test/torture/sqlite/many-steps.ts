// A process that keeps many executions of three steps in flight, so that a thread writes for it, and takes up what others before it
// left behind. It says on stdout what it was told is written: a line for each execution that has begun, and for each that came to
// its end. With a number it begins so many and is going to be killed; without one it begins none, and ends when nothing is open, or
// nothing moves any more. argv: file, round, executions or nothing.

import { z } from 'zod'
import { realTimers } from '../../../src/engine/clock.ts'
import { machine, Pawl, runner } from '../../../src/index.ts'

/** So many that a commit is worth a thread. */
const IN_FLIGHT = 120
const STEPS = 3
/** Of one that was killed: as long as whoever comes next must wait for what it held. */
const LEASE_MS = 1500

const [file = '', round = '', executions] = process.argv.slice(2)
/** Whoever listens may be slow; what is not said before the end was not told. */
const say = (what: string): boolean => process.stdout.write(`${what}\n`)

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

const pawl: Pawl = await Pawl.open({
  store: `sqlite:${file}`,
  runners: [step],
  definitions: [threeSteps],
  builtIns: false,
  leaseMs: LEASE_MS,
  log: (level, message) => {
    if (level === 'error') throw new Error(message)
  },
  observer: {
    settled: ({ action: { plan, execution } }, { status }) => {
      if (status !== 'succeeded' || (plan.config as { readonly n: number }).n !== STEPS) return
      say(`ended ${execution}`)
      void begin()
    },
  },
})

let begun = 0
const begin = async (): Promise<void> => {
  if (begun >= Number(executions ?? 0)) return
  begun += 1
  const { id } = await pawl.start(threeSteps.id, { id: `x_${round}_${begun}` })
  say(`started ${id}`)
}

/** Nothing has changed for so long: whatever is open is stuck, and that is for the test to say. */
const STUCK_MS = 10_000

const untilOver = async (): Promise<void> => {
  let [before, since] = ['', performance.now()]
  while (performance.now() - since < STUCK_MS) {
    const { actions, executions: moving } = await pawl.counts()
    if (actions.queued + actions.running + moving.active + moving.waiting === 0) return
    const now = JSON.stringify([actions, moving])
    if (now !== before) [before, since] = [now, performance.now()]
    await realTimers.sleep(25)
  }
}

await pawl.work({ slots: 256 })
await Promise.all(Array.from({ length: IN_FLIGHT }, begin))
if (executions === undefined) {
  await untilOver()
  await pawl.close()
}
