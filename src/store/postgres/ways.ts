// Owns which way a commit in one piece goes while another is under way: behind it on its connection, or beside it on another.
// Behind, the server goes from one to the next without being woken, and works while the next is made ready here; but it waits for
// the disk once for each. Beside, two share that wait, and the cores where there are enough. Which of the two does more depends on
// disk, cores and network, so that now and then both are tried: with a quick disk and two cores behind does 1.12 to 1.17 of
// beside, with a disk that takes a millisecond 0.67 to 0.87.

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

/** How long a member takes each way: as long as was found before and now, half and half. */
const createTimes = () => {
  const times: Record<Way, number | undefined> = { behind: undefined, beside: undefined }
  return {
    learn: (way: Way, ms: number): void => {
      times[way] = ((times[way] ?? ms) + ms) / 2
    },
    best: (): Way => {
      const { behind, beside } = times
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
