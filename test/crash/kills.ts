// Owns the random kills (T4): several processes on one store, each killed at an instant drawn from the seed, while it
// opens, works or recovers from the one before, and replaced at once.

import { type Server, startServer } from '../stores/postgres-server.ts'
import { type Chance, chanceOf, createCrew, wait } from './crew.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Verdict } from './judge.ts'
import type { Life } from './life.ts'
import { openStage } from './stage.ts'

interface Storm {
  readonly kills: number
  readonly seed: number
}

interface Told {
  readonly kills: number
  readonly workloads: number
  readonly verdict: Verdict
}

const CLIENTS = 2
const CHAIRS = 4
/** An instant is drawn as a number of effects of the process, and then some milliseconds. */
const MAX_EFFECTS = 12
const MAX_AFTER_MS = 30
/** For one that comes to nothing. */
const MAX_LIFE_MS = 1500
const OPENING_MS = 300
/** A store that is judged should be a young one. */
const KILLS_OF_A_STORM = 100

type CallsOf = (life: Life) => number

/** Resolves when its time has come: in one case of ten while it opens the store. */
const doom = async (life: Life, chance: Chance, callsOf: CallsOf): Promise<void> => {
  if (chance.chance(0.1)) return wait(chance.below(OPENING_MS))
  const wanted = chance.below(MAX_EFFECTS)
  await life.ready
  for (const until = performance.now() + MAX_LIFE_MS; callsOf(life) < wanted && performance.now() < until; )
    await wait(2)
  await wait(chance.below(MAX_AFTER_MS))
}

/** One store under a storm of kills, then left alone until its work is done. */
const storm = async (server: Server | undefined, { kills, seed }: Storm): Promise<Told> => {
  const chance: Chance = chanceOf(seed)
  const stage = await openStage(server)
  const crew = createCrew(stage, chance)
  const calls = new Map<string, number>()
  const callsOf: CallsOf = ({ pid }) => calls.get(String(pid)) ?? 0
  stage.onCall(({ headers }, side) => {
    const pid = String(headers['x-process'])
    if (side === 'before') calls.set(pid, (calls.get(pid) ?? 0) + 1)
  })
  let [begun, killed] = [0, 0]
  const chair = async (): Promise<void> => {
    while (begun < kills) {
      begun += 1
      const life = await crew.seat()
      await doom(life, chance, callsOf)
      life.signal('SIGKILL')
      if ((await life.ended) === 'SIGKILL') killed += 1
    }
  }
  try {
    crew.feed(CLIENTS)
    await Promise.all(Array.from({ length: CHAIRS }, chair))
    const workloads = await crew.finish()
    return { kills: killed, workloads, verdict: await stage.judge() }
  } finally {
    await stage.close()
  }
}

/** So many kills on one kind of store, in storms one after the other. */
export const killOn = async (
  server: Server | undefined,
  kills: number,
  seed: number,
): Promise<{ readonly kills: number; readonly workloads: number; readonly figures: Figures }> => {
  const storms: Told[] = []
  for (let left = kills; left > 0; left -= KILLS_OF_A_STORM)
    storms.push(await storm(server, { kills: Math.min(left, KILLS_OF_A_STORM), seed: seed + storms.length }))
  return {
    kills: storms.reduce((sum, told) => sum + told.kills, 0),
    workloads: storms.reduce((sum, told) => sum + told.workloads, 0),
    figures: figuresOf(storms.map(({ verdict }) => verdict)),
  }
}

/** For `npm run torture`. */
export const kills = async (isQuick: boolean, seed = 1) => {
  const [onSqlite, onPostgres] = isQuick ? [1000, 200] : [10_000, 2000]
  const server = await startServer()
  try {
    const sqlite = await killOn(undefined, onSqlite, seed)
    const postgres = await killOn(server, onPostgres, seed + 1000)
    return {
      isHeld:
        isClean(sqlite.figures) &&
        isClean(postgres.figures) &&
        sqlite.kills === onSqlite &&
        postgres.kills === onPostgres,
      summary: { seed, kills: sqlite.kills + postgres.kills, sqlite, postgres },
    }
  } finally {
    await server.stop()
  }
}
