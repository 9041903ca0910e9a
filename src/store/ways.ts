// Owns which way a commit goes while another is under way: behind it, or beside it. Which of the two does more depends on disk, cores
// and network, so that now and then both are tried.

/**
 * On PostgreSQL behind is on its connection, where the server goes from one to the next without being woken, and waits for the disk once
 * for each; beside is on another one, where two share that wait, and the cores where there are enough: with a quick disk and two
 * cores behind does 1.08 to 1.17 of beside, with a disk that takes a millisecond 0.67 to 0.87.
 * On SQLite behind is once the other one is answered, so that all who asked meanwhile go together; beside is while the disk is waited
 * for: with 50 under way 1.05 to 1.2 of behind.
 */
export type Way = 'behind' | 'beside'

export interface Ways {
  /** The way of the next one. */
  readonly now: () => Way
  /** One of so many members was sent. What is returned is called when it was answered. */
  readonly depart: (members: number) => () => void
}

/** Commits of a try; then so many go as it was found. */
const TRY = 32
const HOLD = 640
/** The first of a try are among those that went the other way. */
const SETTLING = 4
/** Nothing was under way for longer than it takes to ask for the next: then the load is measured, and not the way. */
const PAUSE_MS = 2

const STAGES = [
  { way: 'beside', length: TRY },
  { way: 'behind', length: TRY },
  { way: 'best', length: HOLD },
] as const

/** Tries that are remembered of each way. One in five is two or three times as long, for what else the machine does. */
const REMEMBERED = 5

const middleOf = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[values.length >> 1]

/** How long a member takes each way. */
const createTimes = () => {
  const times: Record<Way, number[]> = { behind: [], beside: [] }
  return {
    learn: (way: Way, ms: number): void => {
      times[way] = [...times[way].slice(1 - REMEMBERED), ms]
    },
    best: (): Way => {
      const [behind, beside] = [middleOf(times.behind), middleOf(times.beside)]
      return behind !== undefined && beside !== undefined && behind < beside ? 'behind' : 'beside'
    },
  }
}

/** `monotonic` is milliseconds of a clock. */
export const createWays = (monotonic: () => number): Ways => {
  const times = createTimes()
  let place = 0
  let way: Way = 'beside'
  let answered = 0
  let members = 0
  let since = 0
  let isSteady = true
  let underWay = 0
  let last = 0

  const begin = (next: number): void => {
    place = next % STAGES.length
    const stage = STAGES[place]!
    way = stage.way === 'best' ? times.best() : stage.way
    answered = 0
    isSteady = true
  }
  const arrive = (count: number): void => {
    last = monotonic()
    underWay -= 1
    answered += 1
    if (answered === SETTLING) {
      since = last
      members = 0
    } else members += count
    if (answered < STAGES[place]!.length) return
    if (isSteady && STAGES[place]!.length === TRY) times.learn(way, (last - since) / members)
    begin(place + 1)
  }
  return {
    now: () => way,
    depart: (count) => {
      if (underWay === 0 && monotonic() - last > PAUSE_MS) isSteady = false
      underWay += 1
      return () => arrive(count)
    },
  }
}
