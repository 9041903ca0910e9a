// Owns the zombies (T5): a process is stopped in the middle of an effect, for longer than its lease, while others take
// over; then it goes on, as one that knows nothing of that. What it writes must be refused.

import { releaseServer, type Server, useServer } from '../stores/postgres-server.ts'
import { chanceOf, createCrew, wait } from './crew.ts'
import { type Figures, figuresOf, isClean } from './figures.ts'
import type { Life } from './life.ts'
import { LEASE_MS, openStage, type Stage } from './stage.ts'

interface Told {
  readonly zombies: number
  /** Processes that were gone afterwards. */
  readonly ended: number
  /** Whose claim was ended by another. */
  readonly takenOver: number
  /** Who tried to settle it all the same. Others were told before they tried, by the heartbeat. */
  readonly refused: number
  readonly figures: Figures
}

const SEATS = 8
const CLIENTS = 3
/** Those left run what the stopped ones hold; a stopped one takes nobody's time. */
const MAX_STOPPED = 6
const MIN_STOP_MS = LEASE_MS * 1.5
const MAX_STOP_MS = LEASE_MS + 2500
/** One in so many calls finds its process stopped. */
const ODDS = 0.5

/** A process stopped over a step, and what was said since. */
interface Zombie {
  readonly pid: number
  readonly step: string
  readonly since: number
}

const sayings = ({ endings }: Stage, { step, since }: Zombie): Stage['endings'] =>
  endings.slice(since).filter((ending) => ending.step === step)

const isTakenOver = (stage: Stage, zombie: Zombie): boolean =>
  sayings(stage, zombie).some(({ by, status }) => by !== zombie.pid && status === 'ok')

const isRefused = (stage: Stage, zombie: Zombie): boolean =>
  sayings(stage, zombie).some(({ by, status }) => by === zombie.pid && status === 'fenced')

const untilTakenOver = async (stage: Stage, zombie: Zombie): Promise<void> => {
  await wait(MIN_STOP_MS)
  for (const until = performance.now() + MAX_STOP_MS - MIN_STOP_MS; performance.now() < until; ) {
    if (isTakenOver(stage, zombie)) return
    await wait(20)
  }
}

/** Stops processes at their calls until there were so many. */
const haunt = async (
  stage: Stage,
  lives: readonly Life[],
  count: number,
  isChosen: () => boolean,
): Promise<readonly Zombie[]> => {
  const stopped = new Set<Life>()
  const most = Math.min(MAX_STOPPED, lives.length - 1)
  const begun: Zombie[] = []
  const woken = Promise.withResolvers<void>()
  const stop = async (life: Life, step: string): Promise<void> => {
    const zombie = { pid: life.pid, step, since: stage.endings.length }
    stopped.add(life)
    begun.push(zombie)
    life.signal('SIGSTOP')
    await untilTakenOver(stage, zombie)
    life.signal('SIGCONT')
    stopped.delete(life)
    if (begun.length === count && stopped.size === 0) woken.resolve()
  }
  stage.onCall(({ headers }, side) => {
    const life = lives.find(({ pid }) => String(pid) === headers['x-process'])
    if (side === 'after' || begun.length === count || stopped.size >= most) return
    if (life !== undefined && !stopped.has(life) && isChosen()) void stop(life, String(headers['x-step']))
  })
  await woken.promise
  return begun
}

export const zombiesOn = async (server: Server | undefined, count: number, seed: number): Promise<Told> => {
  const chance = chanceOf(seed)
  const stage = await openStage(server)
  try {
    const crew = createCrew(stage, chance)
    const seats = Math.min(SEATS, count + 2)
    const lives = await Promise.all(Array.from({ length: seats }, () => crew.seat({ testifies: true })))
    await Promise.all(lives.map(({ ready }) => ready))
    crew.feed(CLIENTS)
    const met = await haunt(stage, lives, count, () => chance.chance(ODDS))
    await crew.finish({ testifies: true })
    return {
      zombies: met.length,
      ended: lives.filter(({ isOver }) => isOver()).length,
      takenOver: met.filter((zombie) => isTakenOver(stage, zombie)).length,
      refused: met.filter((zombie) => isRefused(stage, zombie)).length,
      figures: figuresOf([await stage.judge()]),
    }
  } finally {
    await stage.close()
  }
}

/** For `npm run torture`. */
export const zombies = async (isQuick: boolean, seed = 1) => {
  const [onSqlite, onPostgres] = isQuick ? [120, 80] : [1000, 500]
  const server = await useServer()
  try {
    const [sqlite, postgres] = await Promise.all([
      zombiesOn(undefined, onSqlite, seed),
      zombiesOn(server, onPostgres, seed + 1),
    ])
    const isHeld = [sqlite, postgres].every(
      ({ ended, takenOver, refused, figures }) =>
        isClean(figures) && ended === 0 && takenOver > 0 && refused + figures.late > 0,
    )
    return { isHeld, summary: { seed, zombies: sqlite.zombies + postgres.zombies, sqlite, postgres } }
  } finally {
    await releaseServer()
  }
}
