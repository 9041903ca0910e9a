// Owns what is done to the store itself while processes work on it: a PostgreSQL that stops at once and comes back, that
// throws everybody out, whose answers to COMMIT are lost or whose COMMITs never arrive; and a SQLite file that eight
// processes want at the same time. No process may end over it.

import pg from 'pg'
import { startProxy } from '../stores/postgres-proxy.ts'
import { releaseServer, type Server, startServer, useServer } from '../stores/postgres-server.ts'
import { chanceOf, createCrew, wait } from './crew.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Stage } from './stage.ts'
import { openStage } from './stage.ts'

interface Told {
  readonly strikes: number
  readonly workloads: number
  /** Processes that were gone afterwards. */
  readonly ended: number
  readonly figures: Figures
}

const SEATS = 3
const CLIENTS = 2
/** Between two strikes so many effects happen, or so much time passes. */
const EFFECTS_IN_PEACE = 6
const MAX_PEACE_MS = 3000
const MAX_AFTER_MS = 60
const AWAY_MS = 100

type Strike = (stage: Stage, n: number) => Promise<void>

const peace = async (stage: Stage): Promise<void> => {
  const wanted = stage.calls().length + EFFECTS_IN_PEACE
  for (const until = performance.now() + MAX_PEACE_MS; stage.calls().length < wanted; await wait(5))
    if (performance.now() > until) return
}

const underLoad = async (stage: Stage, strike: Strike, strikes: number, seed: number): Promise<Told> => {
  const chance = chanceOf(seed)
  const crew = createCrew(stage, chance)
  try {
    const lives = await Promise.all(Array.from({ length: SEATS }, () => crew.seat({ testifies: true })))
    await Promise.all(lives.map(({ ready }) => ready))
    crew.feed(CLIENTS)
    for (let n = 0; n < strikes; n++) {
      await peace(stage)
      await wait(chance.below(MAX_AFTER_MS))
      await strike(stage, n)
    }
    const workloads = await crew.finish({ testifies: true })
    const ended = lives.filter(({ isOver }) => isOver()).length
    return { strikes, workloads, ended, figures: figuresOf([await stage.judge()]) }
  } finally {
    await stage.close()
  }
}

/** As a power failure leaves it, under everybody's feet. */
export const immediateStops = async (server: Server, strikes: number, seed: number): Promise<Told> =>
  underLoad(
    await openStage(server),
    async () => {
      await server.immediateStop()
      await wait(AWAY_MS)
      await server.start()
    },
    strikes,
    seed,
  )

const THROW_OUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

export const terminations = async (server: Server, strikes: number, seed: number): Promise<Told> =>
  underLoad(
    await openStage(server),
    async ({ url }) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(THROW_OUT)
      await client.end()
    },
    strikes,
    seed,
  )

/** Every second time the reply to a COMMIT that was carried out, else the COMMIT itself. */
export const lostCommits = async (server: Server, strikes: number, seed: number): Promise<Told> => {
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
  const stage = await openStage(server, async (url) => {
    proxy = await startProxy(url)
    return proxy.url
  })
  const strike: Strike = async (_, n) => {
    proxy!.arm(n % 2 === 0 ? 'reply' : 'commit')
    while (proxy!.hits() <= n) await wait(5)
  }
  try {
    return await underLoad(stage, strike, strikes, seed)
  } finally {
    await proxy!.close()
  }
}

const CROWD = 8

/** Eight processes on one file: nobody who asks is told that it is busy (F30), no lease runs out over it. */
export const busyStorm = async (workloads: number, seed: number) => {
  const stage = await openStage()
  const patient = { leaseMs: 60_000 }
  try {
    const crew = createCrew(stage, chanceOf(seed))
    const lives = await Promise.all(Array.from({ length: CROWD }, () => crew.seat(patient)))
    await Promise.all(lives.map(({ ready }) => ready))
    crew.feed(CROWD, workloads)
    await crew.fed()
    const asked = await crew.finish(patient)
    const verdict = await stage.judge()
    const logged = lives.filter(({ log }) => /busy|locked/i.test(log())).length
    return {
      processes: CROWD,
      workloads: asked,
      refusals: stage.refusals(),
      logged,
      reaps: verdict.reaps,
      figures: figuresOf([verdict]),
    }
  } finally {
    await stage.close()
  }
}

/** For `npm run torture`. */
export const databaseFaults = async (isQuick: boolean, seed = 1) => {
  const strikes = isQuick ? 4 : 300
  // Nobody else may be on the one that is stopped.
  const [frail, server] = await Promise.all([startServer(), useServer()])
  try {
    const [stops, thrownOut, commits, busy] = await Promise.all([
      immediateStops(frail, strikes, seed),
      terminations(server, strikes, seed + 1),
      lostCommits(server, 2 * strikes, seed + 2),
      busyStorm(isQuick ? 1 : 20, seed + 3),
    ])
    const isHeld =
      [stops, thrownOut, commits].every(({ ended, figures }) => ended === 0 && isClean(figures)) &&
      isClean(busy.figures) &&
      busy.refusals + busy.logged + busy.reaps + busy.figures.duplicatesSameKey === 0
    return {
      isHeld,
      summary: {
        seed,
        immediateStops: stops,
        terminations: thrownOut,
        lostCommits: commits,
        busyStorm: busy,
      },
    }
  } finally {
    await Promise.all([frail.stop(), releaseServer()])
  }
}
