// Owns the people of a storm: clients that ask for one workload after the other, of whichever process is there, and chairs
// on which a process always sits, whatever becomes of the one before.

import { realTimers } from '../../src/engine/clock.ts'
import { seeded } from '../simulation/seeded.ts'
import type { Life } from './life.ts'
import type { Part } from './part.ts'
import type { Stage } from './stage.ts'
import { type Script, scriptsOf } from './workload.ts'

export type Chance = ReturnType<typeof seeded>
export const chanceOf = seeded

/** Real processes are hit at real moments. */
export const wait = realTimers.sleep

/** What the effects of one workload come to, about: the next is asked for when most of them have happened. */
const EFFECTS_OF_A_WORKLOAD = 6
/** For a workload that comes to nothing. */
const MAX_REST_MS = 2000

export interface Crew {
  /** Those that can be asked. */
  readonly ready: () => readonly Life[]
  /** A process takes its place on a chair; it can be asked from when it is ready to when it ends. */
  readonly seat: (part?: Partial<Part>) => Promise<Life>
  /** Clients ask from now on, each for so many workloads or until the end. */
  readonly feed: (clients: number, workloads?: number) => void
  /** Resolves when every client has asked for all of its workloads. */
  readonly fed: () => Promise<unknown>
  /** No new workloads; those begun are asked for to their end, and done when this resolves. How many there were. */
  readonly finish: (part?: Partial<Part>) => Promise<number>
}

export const createCrew = (stage: Stage, chance: Chance): Crew => {
  const seated = new Set<Life>()
  const feeding: Promise<void>[] = []
  let [isOver, workloads] = [false, 0]

  const anybody = async (): Promise<Life> => {
    while (seated.size === 0) await wait(10)
    return chance.pick([...seated])
  }
  const play = async (script: Script): Promise<void> => {
    while (!(await stage.play(await anybody(), script)));
  }
  const client = async (name: string, limit: number): Promise<void> => {
    for (let n = 0; !isOver && n < limit; n++) {
      workloads += 1
      const wanted = stage.calls().length + EFFECTS_OF_A_WORKLOAD
      await Promise.all(scriptsOf(`${name}-${n}`).map(play))
      for (const until = performance.now() + MAX_REST_MS; stage.calls().length < wanted; await wait(5))
        if (isOver || performance.now() > until) break
    }
  }
  const seat: Crew['seat'] = async (part) => {
    const life = await stage.begin(part)
    life.ready.then(
      () => seated.add(life),
      () => undefined,
    )
    void life.ended.then(() => seated.delete(life))
    return life
  }
  return {
    ready: () => [...seated],
    seat,
    feed: (clients, limit = Number.POSITIVE_INFINITY) => {
      for (let n = 0; n < clients; n++) feeding.push(client(`c${n}`, limit))
    },
    fed: () => Promise.all(feeding),
    finish: async (part) => {
      isOver = true
      const last = await seat(part)
      await last.ready
      await Promise.all(feeding)
      await last.ask({ verb: 'quiet' })
      return workloads
    },
  }
}
