// Owns the drains (F37, F38): processes are asked to end under load and replaced by ones of another version, a rolling
// restart without end. Whoever is asked once finishes what it began; whoever is asked twice hands it back. In neither
// case does a lease run out, and after the first not one effect is repeated.

import { releaseServer, type Server, useServer } from '../stores/postgres-server.ts'
import { chanceOf, createCrew, wait } from './crew.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Verdict } from './judge.ts'
import { openStage } from './stage.ts'

interface Told {
  /** Processes that ended by themselves, as the signal would have ended them. */
  readonly drains: number
  readonly asked: number
  readonly slowestMs: number
  readonly figures: Figures
}

const CHAIRS = 3
const CLIENTS = 2
const MAX_LIFE_MS = 500
/** Far longer than a drain takes: no lease may run out by itself. */
const PATIENT = { leaseMs: 60_000, drainMs: 25_000 }

const rollOver = async (server: Server | undefined, count: number, seed: number, isHasty: boolean) => {
  const chance = chanceOf(seed)
  const stage = await openStage(server)
  const crew = createCrew(stage, chance)
  const told = { drains: 0, asked: 0, slowestMs: 0 }
  const chair = async (): Promise<void> => {
    while (told.asked < count) {
      told.asked += 1
      const life = await crew.seat({ ...PATIENT, version: told.asked % 2 === 0 ? '1' : '2' })
      await life.ready
      await wait(chance.below(MAX_LIFE_MS))
      const since = performance.now()
      life.signal('SIGTERM')
      if (isHasty) await wait(chance.below(50)).then(() => life.signal('SIGTERM'))
      if ((await life.ended) === 'SIGTERM') told.drains += 1
      told.slowestMs = Math.max(told.slowestMs, Math.round(performance.now() - since))
    }
  }
  try {
    crew.feed(CLIENTS)
    await Promise.all(Array.from({ length: CHAIRS }, chair))
    await crew.finish({ ...PATIENT, version: '2' })
    return { told, verdict: await stage.judge() }
  } finally {
    await stage.close()
  }
}

/** What a drain owes beyond what a crash does. */
const debtsOf = ({ reaps, duplicatesSameKey, reviews }: Verdict, isHasty: boolean): readonly string[] => [
  ...(reaps > 0 ? [`${reaps} leases ran out`] : []),
  ...(!isHasty && duplicatesSameKey + reviews > 0
    ? [`${duplicatesSameKey} effects repeated, ${reviews} in review after drains that could finish`]
    : []),
]

/** Half of them asked once, half of them twice. */
export const drainOn = async (server: Server | undefined, count: number, seed: number): Promise<Told> => {
  const runs = []
  for (const isHasty of [false, true]) {
    const { told, verdict } = await rollOver(server, Math.ceil(count / 2), seed + Number(isHasty), isHasty)
    runs.push({ told, verdict: { ...verdict, stuck: [...verdict.stuck, ...debtsOf(verdict, isHasty)] } })
  }
  return {
    drains: runs.reduce((sum, { told }) => sum + told.drains, 0),
    asked: runs.reduce((sum, { told }) => sum + told.asked, 0),
    slowestMs: Math.max(...runs.map(({ told }) => told.slowestMs)),
    figures: figuresOf(runs.map(({ verdict }) => verdict)),
  }
}

/** For `npm run torture`. */
export const drains = async (isQuick: boolean, seed = 1) => {
  const count = isQuick ? 8 : 200
  const server = await useServer()
  try {
    const [sqlite, postgres] = await Promise.all([
      drainOn(undefined, count, seed),
      drainOn(server, count, seed + 2),
    ])
    const isHeld = [sqlite, postgres].every(
      (told) => isClean(told.figures) && told.drains === told.asked && told.figures.moved > 0,
    )
    return { isHeld, summary: { seed, drains: sqlite.drains + postgres.drains, sqlite, postgres } }
  } finally {
    await releaseServer()
  }
}
