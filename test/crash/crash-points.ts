// Owns the exhaustive crash points (T3): every numbered instant of the workload, before and after, one real SIGKILL each;
// and the instants of the recovery from such a kill, each a second one. The process that recovers is the next to be
// killed, so that a point costs one start of a process.

import type { Server } from '../stores/postgres-server.ts'
import { startServer } from '../stores/postgres-server.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Verdict } from './judge.ts'
import { Ended, type Life } from './life.ts'
import type { Counts, Point, Verb } from './part.ts'
import type { Stage } from './stage.ts'
import { openStage } from './stage.ts'
import { firingScriptsOf, type Script, scriptsOf } from './workload.ts'

/** Scripts of clients, their names beginning with the one given. */
type Work = (name: string) => readonly Script[]

/** Where a process dies over a workload, and where the one that recovers from it dies too. */
interface Crash {
  readonly work: Work
  readonly at: Point
  readonly then?: Point
}

interface Told {
  /** Instants at which a process was killed. */
  points: number
  /** Those of a recovery take two. */
  kills: number
  /** Not come by: a run has a few calls more or less than the one that was counted. */
  unreached: number
}

const SIDES = ['before', 'after'] as const
/** The effect has happened and nothing of it is written: there is something to recover. */
const UNSETTLED: Point = { verb: 'settle', number: 3, side: 'before' }

const pointsOf = (counts: Counts): readonly Point[] =>
  (Object.entries(counts) as [Verb, number][]).flatMap(([verb, count]) =>
    Array.from({ length: count }, (_, index) =>
      SIDES.map((side) => ({ verb, number: index + 1, side })),
    ).flat(),
  )

/** Kills the process at a call of the receiver, which does not know it. */
const watchRequests = (stage: Stage, life: Life, { verb, number, side: wanted }: Point): void => {
  const counts = { before: 0, after: 0 }
  stage.onCall((_, side) => {
    counts[side] += 1
    if (verb === 'request' && side === wanted && counts[side] === number) life.signal('SIGKILL')
  })
}

/** Further points would only wait for the same. */
class Stuck extends Error {}

const playAll = async (stage: Stage, life: Life, scripts: readonly Script[]): Promise<boolean> => {
  for (const script of scripts) if (!(await stage.play(life, script))) return false
  const isQuiet = await life.ask({ verb: 'quiet' }).catch(() => undefined)
  if (isQuiet === false) throw new Stuck(`nothing moves any more: ${life.log()}`)
  return isQuiet === true
}

/** Processes one after the other until the work is done; the last one lives on. Answers how many ended over it. */
const recover = async (stage: Stage, scripts: readonly Script[], dies: Point | undefined) => {
  for (let ended = 0; ; ended++) {
    const life = await stage.begin(ended === 0 && dies !== undefined ? { dies } : {})
    const isUp = await life.ready.then(
      () => true,
      () => false,
    )
    if (isUp && (await playAll(stage, life, scripts))) return { life, ended }
    await life.ended
    if (ended > 2) throw new Error(`no process survives: ${life.log()}`)
  }
}

/** False: it died over something that nobody waited for. */
const isDisarmed = (life: Life): Promise<boolean> =>
  life.ask({ verb: 'arm' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Ended) return false
      throw error
    },
  )

const crash = async (
  stage: Stage,
  life: Life,
  name: string,
  { work, at, then }: Crash,
  told: Told,
): Promise<Life> => {
  const scripts = work(name)
  await life.ask({ verb: 'arm', dies: at })
  watchRequests(stage, life, at)
  if ((await playAll(stage, life, scripts)) && (await isDisarmed(life))) {
    told.unreached += 1
    return life
  }
  if ((await life.ended) === 'SIGKILL') told.kills += 1
  const next = await recover(stage, scripts, then)
  told.kills += next.ended
  if (then === undefined || next.ended === 1) told.points += 1
  else told.unreached += 1
  await next.life.ask({ verb: 'arm' })
  return next.life
}

const labelOf = ({ verb, number, side }: Point): string => `${verb}.${number}.${side}`

/** Crashes one after the other on one store, judged together at the end. */
const crashAll = async (stage: Stage, crashes: readonly Crash[], told: Told): Promise<Verdict> => {
  let life = await stage.begin()
  await life.ready
  try {
    for (const [index, one] of crashes.entries()) {
      const name = [`p${index}`, labelOf(one.at), ...(one.then ? [labelOf(one.then)] : [])].join('-')
      life = await crash(stage, life, name, one, told)
    }
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
  }
  return stage.judge()
}

/** Runs the workload, the recovery from a kill, and a recurrence, once each to count their instants. */
const survey = async (stage: Stage): Promise<readonly Crash[]> => {
  const life = await stage.begin()
  await life.ready
  const before = stage.calls().length
  // The first run is warming up.
  for (const name of ['warm', 'survey']) {
    await life.ask({ verb: 'arm' })
    await playAll(stage, life, scriptsOf(name))
  }
  const counts = (await life.ask({ verb: 'arm' })) as Counts
  const request = Math.floor((stage.calls().length - before) / 2)
  const scripts = scriptsOf('survey-recovery')
  await life.ask({ verb: 'arm', dies: UNSETTLED })
  await playAll(stage, life, scripts)
  const next = await recover(stage, scripts, undefined)
  const again = (await next.life.ask({ verb: 'arm' })) as Counts
  await playAll(stage, next.life, firingScriptsOf('survey'))
  const firing = (await next.life.ask({ verb: 'arm' })) as Counts
  return [
    ...pointsOf({ ...counts, request }).map((at) => ({ work: scriptsOf, at })),
    ...pointsOf(again).map((then) => ({ work: scriptsOf, at: UNSETTLED, then })),
    ...pointsOf(firing).map((at) => ({ work: firingScriptsOf, at })),
  ]
}

/** So many of them, spread over all. */
const spread = <T>(all: readonly T[], count: number): readonly T[] =>
  all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  )

const withStage = async <T>(server: Server | undefined, use: (stage: Stage) => Promise<T>): Promise<T> => {
  const stage = await openStage(server)
  try {
    return await use(stage)
  } finally {
    await stage.close()
  }
}

/** At most so many crash points on one kind of store, in so many lanes at once. */
export const crashStore = async (
  server: Server | undefined,
  limit: number,
  lanes: number,
): Promise<{ readonly told: Told; readonly figures: Figures }> => {
  const all = await withStage(server, survey)
  const chosen = limit < all.length ? spread(all, limit) : all
  const told: Told = { points: 0, kills: 0, unreached: 0 }
  const verdicts = await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      withStage(server, (stage) =>
        crashAll(
          stage,
          chosen.filter((_, index) => index % lanes === lane),
          told,
        ),
      ),
    ),
  )
  return { told, figures: figuresOf(verdicts) }
}

/** For `npm run torture`. Quick: all of them on SQLite, and as many on PostgreSQL as take its time. */
export const crashPoints = async (isQuick: boolean) => {
  const server = await startServer()
  try {
    const [sqlite, postgres] = await Promise.all([
      crashStore(undefined, Number.POSITIVE_INFINITY, 5),
      crashStore(server, isQuick ? 118 : Number.POSITIVE_INFINITY, 3),
    ])
    const isHeld =
      isClean(sqlite.figures) &&
      isClean(postgres.figures) &&
      sqlite.told.points >= 60 &&
      postgres.told.points >= 100
    const points = sqlite.told.points + postgres.told.points
    return { isHeld, summary: { points, sqlite: toldOf(sqlite), postgres: toldOf(postgres) } }
  } finally {
    await server.stop()
  }
}

const toldOf = ({ told, figures }: { readonly told: Told; readonly figures: Figures }) => ({
  ...told,
  ...figures,
})
