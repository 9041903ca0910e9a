// Owns who gets the next free slots: from which lanes to claim, how many rows each, in which order. It sees lanes and
// their heads, never rows; the claim itself is the store's, what a lane may not do (paused, breaker) the engine's.
// P1  Σ n = slots whenever a lane is due, and a lane appears once. P2  The tenant that runs least comes first, equals
//     go round. P3  Every 50th pick is the turn of the next tenant, however much it runs. P4  Inside a tenant: higher
//     priority, then oldest head; a head that waited 30 s gives its lane one pick before all others, once in 30 s.

/** An interned (namespace, tenant, type, priority). */
export interface Lane {
  readonly id: number
  readonly namespace: string
  readonly tenant: string
  readonly type: string
  /** 0–100, higher first. */
  readonly priority: number
  /** Not to be claimed from now; what it runs still counts for its tenant. */
  readonly closed?: boolean
}

/** Lanes by id, each with the place of its tenant in the ring. */
export type LaneIndex = ReadonlyMap<number, Lane & { readonly place: number }>

/**
 * Once for every change of the lanes, so that a plan costs what is due and not what exists. The place of a tenant is
 * its lowest lane id: ids only grow, so it stays.
 */
export const indexLanes = (lanes: Iterable<Lane>): LaneIndex => {
  const places = new Map<string, number>()
  const ordered = [...lanes].sort((a, b) => a.id - b.id)
  return new Map(
    ordered.map((lane) => {
      const tenant = JSON.stringify([lane.namespace, lane.tenant])
      const place = places.get(tenant) ?? lane.id
      places.set(tenant, place)
      return [lane.id, { ...lane, place }]
    }),
  )
}

/** What is known of a lane's queued rows. */
export interface Head {
  /** Of the oldest row. */
  readonly dueAt: number
  /**
   * About how many are due. Too high: slots stay free until the next plan. Too low: other lanes go first, but what no
   * lane is known to need is dealt out again beyond the estimates, so that no slot stays free for it.
   */
  readonly due: number
}

/** What one plan leaves to the next. Keep the old one when a claim failed: then nothing was given. */
export interface PlannerState {
  /** Where the last plan stopped in the ring of tenants (P2). */
  readonly last: number
  /** Whose turn it was last (P3), and how many picks ago. */
  readonly turn: number
  readonly since: number
  /** When a lane had its pick for waiting (P4). Holds the last 30 s only. */
  readonly boostedAt: ReadonlyMap<number, number>
}

export const PLANNER_START: PlannerState = {
  last: Number.NEGATIVE_INFINITY,
  turn: Number.NEGATIVE_INFINITY,
  since: 0,
  boostedAt: new Map(),
}

export interface PlanInput {
  readonly lanes: LaneIndex
  /** By lane id; a lane without one has nothing queued. */
  readonly heads: ReadonlyMap<number, Head>
  /** By lane id: what this process runs or holds claimed. */
  readonly inFlight: ReadonlyMap<number, number>
  readonly now: number
  readonly slots: number
  readonly state: PlannerState
}

export interface Plan {
  /**
   * In claim order. A claim that named a lane twice would lock the same rows twice and come back short: SKIP LOCKED
   * does not skip what its own statement holds.
   */
  readonly shares: readonly { readonly lane: number; readonly n: number }[]
  readonly state: PlannerState
}

/** No tenant with due work waits for more than tenants × this many picks, not even one that holds most slots. */
const TURN = 50
const AGE_MS = 30_000

interface Due {
  readonly id: number
  readonly priority: number
  readonly dueAt: number
  /** Rows known to be due behind the head. */
  readonly behind: number
}

interface Tenant {
  readonly place: number
  running: number
  /** Rows known to be due, and how many of them are not dealt out yet. */
  known: number
  undealt: number
  readonly due: Due[]
  readonly picks: Iterator<number, never>
}

const oldestFirst = (a: Due, b: Due): number => a.dueAt - b.dueAt || a.id - b.id
const highestFirst = (a: Due, b: Due): number => b.priority - a.priority || oldestFirst(a, b)

/** The lane of each pick of one tenant. Lazy, because most tenants get one pick or none; endless, see Head.due. */
function* picksOf(
  due: readonly Due[],
  boostedAt: Map<number, number>,
  now: number,
): Generator<number, never> {
  const aged = new Set(due.filter((lane) => now - lane.dueAt >= AGE_MS && !boostedAt.has(lane.id)))
  for (const lane of [...aged].sort(oldestFirst)) {
    boostedAt.set(lane.id, now)
    yield lane.id
  }
  const ranked = due.toSorted(highestFirst)
  for (;;) {
    for (const lane of ranked) {
      if (!aged.delete(lane)) yield lane.id
      for (let n = 0; n < lane.behind; n++) yield lane.id
    }
  }
}

const runningByPlace = ({ lanes, inFlight }: PlanInput): ReadonlyMap<number | undefined, number> => {
  const running = new Map<number | undefined, number>()
  for (const [id, count] of inFlight) {
    const place = lanes.get(id)?.place
    running.set(place, (running.get(place) ?? 0) + count)
  }
  return running
}

/** Tenants with something due, in the order of the ring. */
const ringOf = (input: PlanInput, boostedAt: Map<number, number>): readonly Tenant[] => {
  const { lanes, heads, now } = input
  const running = runningByPlace(input)
  const tenants = new Map<number, Tenant>()
  const tenantAt = (place: number): Tenant => {
    const due: Due[] = []
    const picks = picksOf(due, boostedAt, now)
    return { place, running: running.get(place) ?? 0, known: 0, undealt: 0, due, picks }
  }
  for (const [id, head] of heads) {
    const lane = lanes.get(id)
    if (lane === undefined || lane.closed || head.dueAt > now) continue
    const tenant = tenants.get(lane.place) ?? tenantAt(lane.place)
    const behind = Math.max(0, head.due - 1) || 0
    tenant.due.push({ id, priority: lane.priority, dueAt: head.dueAt, behind })
    tenant.known += 1 + behind
    tenant.undealt += 1 + behind
    tenants.set(lane.place, tenant)
  }
  return [...tenants.values()].sort((a, b) => a.place - b.place)
}

const startingAfter = (ring: readonly Tenant[], last: number): readonly Tenant[] => [
  ...ring.filter(({ place }) => place > last),
  ...ring.filter(({ place }) => place <= last),
]

const leastRunning = (tenants: readonly Tenant[]): readonly Tenant[] => {
  const least = tenants.reduce((fewest, { running }) => Math.min(fewest, running), Number.POSITIVE_INFINITY)
  return tenants.filter(({ running }) => running === least)
}

export const plan = (input: PlanInput): Plan => {
  const { now, slots, state } = input
  // A boost in the future is left from before a clock was set back; kept, it would forbid boosts until then.
  const boostedAt = new Map([...state.boostedAt].filter(([, at]) => at <= now && now - at < AGE_MS))
  const ring = ringOf(input, boostedAt)
  if (ring.length === 0 || slots < 1) return { shares: [], state }

  const shares = new Map<number, number>()
  let { last, turn } = state
  let left = slots
  const give = (tenant: Tenant): void => {
    const lane = tenant.picks.next().value
    shares.set(lane, (shares.get(lane) ?? 0) + 1)
    tenant.running += 1
    tenant.undealt -= 1
    left -= 1
  }
  for (const tenant of startingAfter(ring, turn).slice(0, Math.floor((state.since + slots) / TURN))) {
    give(tenant)
    turn = tenant.place
  }
  const round = startingAfter(ring, last)
  while (left > 0) {
    const waiting = round.filter(({ undealt }) => undealt > 0)
    // Who is alone is dealt the rest at once: one round for each of two hundred was a tenth of a worker's memory.
    if (waiting.length === 0)
      for (const tenant of leastRunning(ring)) tenant.undealt += ring.length === 1 ? left : tenant.known
    // Who waits alone runs least, however much that is: it is not compared again for each pick.
    if (waiting.length === 1) {
      const alone = waiting[0]!
      while (left > 0 && alone.undealt > 0) give(alone)
      last = alone.place
      continue
    }
    for (const tenant of leastRunning(waiting).slice(0, left)) {
      give(tenant)
      last = tenant.place
    }
  }
  return {
    shares: Array.from(shares, ([lane, n]) => ({ lane, n })),
    state: { last, turn, since: (state.since + slots) % TURN, boostedAt },
  }
}
