// Owns the exhaustive crash points (T3): every numbered instant of the workload, before and after, one real SIGKILL each;
// and the instants of the recovery from such a kill, each a second one. The process that recovers is the next to be
// killed, so that a point costs one start of a process.

import { releaseServer, type Server, useServer } from '../stores/postgres-server.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Verdict } from './judge.ts'
import { Ended, type Life } from './life.ts'
import type { Counts, Point, Verb } from './part.ts'
import type { Stage } from './stage.ts'
import { openStage } from './stage.ts'
import { firingScriptsOf, partingsOf, type Script, scriptsOf, walksOf } from './workload.ts'

/** Part of the workload: what stands before an instant is played for each of them, so there are several. */
interface Work {
  readonly name: string
  /** Their names begin with the one given. */
  readonly scriptsOf: (name: string) => readonly Script[]
  /** The effect has happened and nothing of it is written: there is something to recover. */
  readonly unsettled: Point
}

/** Where a process dies over some work, and where the one that recovers from it dies too. */
interface Crash {
  readonly work: Work
  readonly at: Point
  readonly again?: Point
}

interface Told {
  /** Instants at which a process was killed. */
  readonly points: Set<string>
  kills: number
}

const unsettled = (number: number): Point => ({ verb: 'settle', number, side: 'before' })
const HALVES: readonly Work[] = [
  { name: 'walks', scriptsOf: walksOf, unsettled: unsettled(3) },
  { name: 'partings', scriptsOf: partingsOf, unsettled: unsettled(2) },
]
const FIRING: Work = { name: 'firing', scriptsOf: firingScriptsOf, unsettled: unsettled(1) }

const SIDES = ['before', 'after'] as const

/** The first instant of each verb first, the last one last. */
const pointsOf = (counts: Counts): readonly Point[] =>
  (Object.entries(counts) as [Verb, number][])
    .flatMap(([verb, count]) =>
      Array.from({ length: count }, (_, index) => ({ verb, number: index + 1, place: index / count })),
    )
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ verb, number }) => SIDES.map((side) => ({ verb, number, side })))

/** They come only where a process left something behind. */
const LEFT_BEHIND: readonly Verb[] = ['claim', 'reap']

/** The sooner the first process dies, the more is left to the next: its last instants belong to the first of deaths. */
const pairedOf = (work: Work, counts: Counts, recovery: Counts): readonly Crash[] => {
  const isLeft = ({ verb }: Point): boolean => LEFT_BEHIND.includes(verb)
  const [deaths, coming] = [pointsOf(counts), pointsOf(recovery)]
  const later = coming.filter((point) => !isLeft(point)).toReversed()
  return [
    ...deaths.map((at, index) => ({ work, at, ...(later[index] && { again: later[index] }) })),
    ...later.slice(deaths.length).map((again) => ({ work, at: work.unsettled, again })),
    ...coming.filter(isLeft).map((again) => ({ work, at: work.unsettled, again })),
  ]
}

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
const isArmed = (life: Life, dies?: Point): Promise<boolean> =>
  life.ask({ verb: 'arm', ...(dies && { dies }) }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Ended) return false
      throw error
    },
  )

/** This one, or another where a request that came too late for the last point has killed it. */
const arm = async (stage: Stage, life: Life, dies: Point): Promise<Life> => {
  if (await isArmed(life, dies)) return life
  const next = await stage.begin()
  await next.ready
  return arm(stage, next, dies)
}

const labelOf = ({ verb, number, side }: Point): string => `${verb}.${number}.${side}`

/** How it is counted: of a recovery, whichever death it follows. */
const namesOf = ({ work, at, again }: Crash): readonly [string, ...string[]] => [
  `${work.name} ${labelOf(at)}`,
  ...(again ? [`${work.name} again ${labelOf(again)}`] : []),
]

/** Until the first process dies, and on until the second does. Answers who lives then, and whether that was so. */
const crash = async (stage: Stage, last: Life, name: string, one: Crash, told: Told) => {
  const { work, at, again } = one
  const [first, second] = namesOf(one)
  const scripts = work.scriptsOf(name)
  const life = await arm(stage, last, at)
  watchRequests(stage, life, at)
  if ((await playAll(stage, life, scripts)) && (await isArmed(life))) return { life, isReached: false }
  if ((await life.ended) === 'SIGKILL') told.kills += 1
  told.points.add(first)
  const next = await recover(stage, scripts, again)
  told.kills += next.ended
  const isAlive = await isArmed(next.life)
  const isReached = second === undefined || next.ended > 0 || !isAlive
  if (second !== undefined && isReached) told.points.add(second)
  return { life: isAlive ? next.life : (await recover(stage, scripts, undefined)).life, isReached }
}

/** Crashes one after the other on one store, judged together at the end. */
const crashAll = async (stage: Stage, crashes: readonly Crash[], told: Told): Promise<Verdict> => {
  let life = await stage.begin()
  await life.ready
  const coming = [...crashes]
  try {
    for (const [index, one] of coming.entries()) {
      const { work, at, again } = one
      const name = [`p${index}`, labelOf(at), ...(again ? [labelOf(again)] : [])].join('-')
      const { isReached, ...next } = await crash(stage, life, name, one, told)
      life = next.life
      // A run has a few calls more or less than the one that was counted.
      if (!isReached && again && at !== work.unsettled) coming.push({ work, at: work.unsettled, again })
    }
  } catch (error) {
    if (!(error instanceof Stuck)) throw error
  }
  return stage.judge()
}

/** How often each verb comes while these are played. */
const count = async (stage: Stage, life: Life, scripts: readonly Script[]): Promise<Counts> => {
  await life.ask({ verb: 'arm' })
  await playAll(stage, life, scripts)
  return (await life.ask({ verb: 'arm' })) as Counts
}

/** Runs the workload, the recovery from a kill, and a recurrence, once each to count their instants. */
const survey = async (stage: Stage): Promise<readonly Crash[]> => {
  let life = await stage.begin()
  await life.ready
  // The first run is warming up.
  await count(stage, life, scriptsOf('warm'))
  const crashes: Crash[] = []
  for (const work of HALVES) {
    const before = stage.calls().length
    const counts = await count(stage, life, work.scriptsOf('survey'))
    const request = stage.calls().length - before
    const scripts = work.scriptsOf('survey-recovery')
    await life.ask({ verb: 'arm', dies: work.unsettled })
    await playAll(stage, life, scripts)
    life = (await recover(stage, scripts, undefined)).life
    const recovery = (await life.ask({ verb: 'arm' })) as Counts
    crashes.push(...pairedOf(work, { ...counts, request }, recovery))
  }
  const firing = await count(stage, life, firingScriptsOf('survey'))
  return [...crashes, ...pointsOf(firing).map((at) => ({ work: FIRING, at }))]
}

/** So many points of them, spread over all. */
const spread = (all: readonly Crash[], points: number): readonly Crash[] => {
  const share = Math.min(1, points / all.flatMap(namesOf).length)
  return all.filter((_, index) => Math.floor(index * share) > Math.floor((index - 1) * share))
}

const withStage = async <T>(server: Server | undefined, use: (stage: Stage) => Promise<T>): Promise<T> => {
  const stage = await openStage(server)
  try {
    return await use(stage)
  } finally {
    await stage.close()
  }
}

interface Reached {
  readonly points: number
  readonly kills: number
  /** Not come by: a run has a few calls more or less than the one that was counted. */
  readonly unreached: readonly string[]
  readonly figures: Figures
}

/** At most so many crash points on one kind of store, in so many lanes at once. */
export const crashStore = async (
  server: Server | undefined,
  limit: number,
  lanes: number,
): Promise<Reached> => {
  const chosen = spread(await withStage(server, survey), limit)
  const told: Told = { points: new Set(), kills: 0 }
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
  const unreached = new Set(chosen.flatMap(namesOf).filter((name) => !told.points.has(name)))
  return {
    ...{ points: told.points.size, kills: told.kills, unreached: [...unreached] },
    figures: figuresOf(verdicts),
  }
}

/** For `npm run torture`. Quick: all of them on SQLite, and as many on PostgreSQL as take its time. */
export const crashPoints = async (isQuick: boolean) => {
  const server = await useServer()
  try {
    const [sqlite, postgres] = await Promise.all([
      crashStore(undefined, Number.POSITIVE_INFINITY, 5),
      crashStore(server, isQuick ? 122 : Number.POSITIVE_INFINITY, 3),
    ])
    const isHeld =
      isClean(sqlite.figures) && isClean(postgres.figures) && sqlite.points >= 60 && postgres.points >= 100
    return { isHeld, summary: { points: sqlite.points + postgres.points, sqlite, postgres } }
  } finally {
    await releaseServer()
  }
}
