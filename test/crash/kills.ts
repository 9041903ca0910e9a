// Owns the random kills (T4): several processes on one store, each killed at an instant drawn from the seed, while it
// opens, works or recovers from the one before, and replaced at once. Storms differ in how work flows through them.

import { releaseServer, type Server, useServer } from '../stores/postgres-server.ts'
import { type Chance, chanceOf, createCrew, wait } from './crew.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Verdict } from './judge.ts'
import type { Life } from './life.ts'
import type { Flow, Part } from './part.ts'
import { openStage } from './stage.ts'

interface Storm {
  readonly kills: number
  readonly seed: number
  /** Of the process that is begun next. */
  readonly flowOf: (chance: Chance) => Flow
}

interface Told {
  readonly kills: number
  /** Of processes that start what they wrote themselves. */
  readonly eager: number
  readonly workloads: number
  readonly verdict: Verdict
}

const CHAIRS = 3
/** Whoever takes more than it lives to run has it poisoned in no time. */
const SLOTS = 3
/** An instant is drawn as a number of effects of the process, and then some milliseconds. */
const MAX_EFFECTS = 4
const MAX_AFTER_MS = 25
/** For one that comes to nothing. */
const MAX_LIFE_MS = 800
/** So many die before they are ready, at an instant of the time that the last one needed for it. */
const OPENING = 0.25
const FIRST_OPENING_MS = 250
/** A store that is judged should be a young one. */
const KILLS_OF_A_STORM = 125
/** While one store comes to rest, the other is in its storm. */
const STORMS_AT_ONCE = 2

const EAGER: Flow = { eager: true, group: true }
const PLAIN: Flow = { eager: false, group: false }
/** All eager, none, and some of each: storms take turns. */
const FLOWS: readonly Storm['flowOf'][] = [
  () => EAGER,
  () => PLAIN,
  ({ chance }) => ({ eager: chance(0.5), group: chance(0.5) }),
]

type CallsOf = (life: Life) => number

/** Resolves when the time of a life has come: while it opens the store, or some effects later. */
const createDoom = (chance: Chance, callsOf: CallsOf): ((life: Life) => Promise<void>) => {
  let openingMs = FIRST_OPENING_MS
  return async (life) => {
    const since = performance.now()
    if (chance.chance(OPENING)) return wait(chance.below(openingMs))
    const wanted = chance.below(MAX_EFFECTS)
    await life.ready
    openingMs = performance.now() - since
    for (const until = performance.now() + MAX_LIFE_MS; callsOf(life) < wanted && performance.now() < until; )
      await wait(4)
    await wait(chance.below(MAX_AFTER_MS))
  }
}

/** One store under a storm of kills, then left alone until its work is done. */
const storm = async (server: Server | undefined, { kills, seed, flowOf }: Storm): Promise<Told> => {
  const chance: Chance = chanceOf(seed)
  const stage = await openStage(server)
  const crew = createCrew(stage, chance)
  const calls = new Map<string, number>()
  const doom = createDoom(chance, ({ pid }) => calls.get(String(pid)) ?? 0)
  stage.onCall(({ headers }, side) => {
    const pid = String(headers['x-process'])
    if (side === 'before') calls.set(pid, (calls.get(pid) ?? 0) + 1)
  })
  let [begun, killed, eager] = [0, 0, 0]
  const chair = async (): Promise<void> => {
    while (begun < kills) {
      begun += 1
      const part = { slots: SLOTS, flow: flowOf(chance) } satisfies Partial<Part>
      const life = await crew.seat(part)
      await doom(life)
      life.signal('SIGKILL')
      if ((await life.ended) !== 'SIGKILL') continue
      killed += 1
      eager += Number(part.flow.eager)
    }
  }
  try {
    crew.feed(1)
    await Promise.all(Array.from({ length: Math.min(CHAIRS, kills) }, chair))
    const workloads = await crew.finish({ flow: flowOf(chance) })
    return { kills: killed, eager, workloads, verdict: await stage.judge() }
  } finally {
    await stage.close()
  }
}

const stormsOf = (kills: number, seed: number): Storm[] =>
  Array.from({ length: Math.ceil(kills / KILLS_OF_A_STORM) }, (_, n) => ({
    kills: Math.min(kills - n * KILLS_OF_A_STORM, KILLS_OF_A_STORM),
    seed: seed + n,
    flowOf: FLOWS[(seed + n) % FLOWS.length]!,
  }))

/** So many kills on one kind of store, in storms. */
export const killOn = async (
  server: Server | undefined,
  kills: number,
  seed: number,
): Promise<Omit<Told, 'verdict'> & { readonly figures: Figures }> => {
  const coming = stormsOf(kills, seed)
  const told: Told[] = []
  const weather = async (): Promise<void> => {
    for (let next = coming.shift(); next !== undefined; next = coming.shift())
      told.push(await storm(server, next))
  }
  await Promise.all(Array.from({ length: STORMS_AT_ONCE }, weather))
  const sum = (of: (one: Told) => number): number => told.reduce((total, one) => total + of(one), 0)
  return {
    kills: sum((one) => one.kills),
    eager: sum((one) => one.eager),
    workloads: sum((one) => one.workloads),
    figures: figuresOf(told.map(({ verdict }) => verdict)),
  }
}

/** For `npm run torture`. */
export const kills = async (isQuick: boolean, seed = 1) => {
  const [onSqlite, onPostgres] = isQuick ? [1000, 200] : [10_000, 2000]
  const server = await useServer()
  try {
    const [sqlite, postgres] = await Promise.all([
      killOn(undefined, onSqlite, seed),
      killOn(server, onPostgres, seed + 1000),
    ])
    return {
      isHeld:
        isClean(sqlite.figures) &&
        isClean(postgres.figures) &&
        sqlite.kills === onSqlite &&
        postgres.kills === onPostgres,
      summary: { seed, kills: sqlite.kills + postgres.kills, sqlite, postgres },
    }
  } finally {
    await releaseServer()
  }
}
