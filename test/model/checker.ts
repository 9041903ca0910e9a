// Owns the search: every state a model can reach, breadth first, so that the first broken invariant comes with a shortest
// story. Knows nothing of what it checks.
// C1  A state is known by its whole key, not by a hash of it: no two states are ever taken for one by chance.
// C2  States that differ only by names may share a key; the one met first stands for all, so a story keeps its names.
// C3  Invariants are asked on every step, also on those that lead back to a known state.
// C4  A state is stuck when no end can be reached from it by steps that are not faults: nobody is saved by a crash.

export interface Step<State> {
  /** What happens, as a clause of the story. */
  readonly says: string
  readonly to: State
  /** Something breaks or someone interferes: it may happen, but nothing may depend on it. */
  readonly isFault?: boolean
}

export interface Model<State> {
  readonly initial: State
  readonly steps: (state: State) => readonly Step<State>[]
  /** By their ids, see invariants.ts. Each says whether it holds in `state`, which was reached from `before`. */
  readonly invariants: Readonly<Record<string, (state: State, before: State) => boolean>>
  readonly isEnd: (state: State) => boolean
  /** The same text for states that need not be told apart. */
  readonly key: (state: State) => string
}

export interface Verdict {
  readonly states: number
  readonly steps: number
  /** How long the longest of the shortest stories is. */
  readonly depth: number
  /** States from which no end is in reach. Known only when nothing was violated. */
  readonly stuck: number
  readonly broken?: { readonly invariant: string; readonly story: readonly string[] }
}

/** The invariant that a stuck state breaks. */
export const STUCK = 'I7'
/** What is said to be broken when the states do not come to an end: something in the model counts for ever. */
const ENDLESS = 'endless'

interface Search<State> {
  readonly known: Map<string, number>
  /** By number: how a state was reached first. */
  readonly reached: { readonly from: number; readonly says: string; readonly depth: number }[]
  /** From and to of every step that is no fault, one after the other. */
  readonly edges: number[]
  readonly ends: number[]
  frontier: { readonly number: number; readonly state: State }[]
  steps: number
}

const storyOf = (search: Search<never>, last: number): readonly string[] => {
  const story: string[] = []
  for (let at = last; at !== 0; at = search.reached[at]!.from) story.unshift(search.reached[at]!.says)
  return story
}

const brokenBy = <State>(model: Model<State>, state: State, before: State): string | undefined => {
  for (const id in model.invariants) if (!model.invariants[id]!(state, before)) return id
  return undefined
}

/** Numbers a state, and puts it on the frontier when it is new. */
const meet = <State>(
  model: Model<State>,
  search: Search<State>,
  state: State,
  how: Search<State>['reached'][number],
): number => {
  const key = model.key(state)
  const known = search.known.get(key)
  if (known !== undefined) return known
  const number = search.reached.length
  search.known.set(key, number)
  search.reached.push(how)
  search.frontier.push({ number, state })
  if (model.isEnd(state)) search.ends.push(number)
  return number
}

/** One layer further. The first broken invariant ends it. */
const widen = <State>(model: Model<State>, search: Search<State>): Verdict['broken'] => {
  const layer = search.frontier
  search.frontier = []
  for (const { number: from, state: before } of layer) {
    const depth = search.reached[from]!.depth + 1
    for (const { says, to, isFault } of model.steps(before)) {
      search.steps += 1
      const invariant = brokenBy(model, to, before)
      if (invariant !== undefined) return { invariant, story: [...storyOf(search as never, from), says] }
      const number = meet(model, search, to, { from, says, depth })
      if (isFault !== true) search.edges.push(from, number)
    }
  }
  return undefined
}

/** For each state whether an end is in reach: backwards from the ends, over the steps sorted by where they lead. */
const canEnd = ({ edges, ends, reached }: Search<never>): Uint8Array => {
  const first = new Int32Array(reached.length + 1)
  for (let at = 1; at < edges.length; at += 2) first[edges[at]! + 1]! += 1
  for (let at = 1; at < first.length; at++) first[at]! += first[at - 1]!
  const next = first.slice()
  const sources = new Int32Array(edges.length / 2)
  for (let at = 0; at < edges.length; at += 2) sources[next[edges[at + 1]!]!++] = edges[at]!
  const can = new Uint8Array(reached.length)
  for (const end of ends) can[end] = 1
  const queue = [...ends]
  for (let to = queue.pop(); to !== undefined; to = queue.pop())
    for (let at = first[to]!; at < first[to + 1]!; at++) {
      const from = sources[at]!
      if (can[from] === 1) continue
      can[from] = 1
      queue.push(from)
    }
  return can
}

export const check = <State>(model: Model<State>, limit: number): Verdict => {
  const search: Search<State> = {
    known: new Map(),
    reached: [],
    edges: [],
    ends: [],
    frontier: [],
    steps: 0,
  }
  meet(model, search, model.initial, { from: 0, says: '', depth: 0 })
  const atFirst = brokenBy(model, model.initial, model.initial)
  let broken: Verdict['broken'] = atFirst === undefined ? undefined : { invariant: atFirst, story: [] }
  const { reached } = search
  while (search.frontier.length > 0 && broken === undefined) {
    broken = widen(model, search)
    if (broken === undefined && reached.length > limit)
      broken = { invariant: ENDLESS, story: storyOf(search as never, reached.length - 1) }
  }

  const { steps } = search
  const sizes = { states: reached.length, steps, depth: reached.at(-1)!.depth }
  if (broken !== undefined) return { ...sizes, stuck: 0, broken }
  const can = canEnd(search as never)
  const stuck = can.reduce((count, one) => count + 1 - one, 0)
  if (stuck === 0) return { ...sizes, stuck }
  return {
    ...sizes,
    stuck,
    broken: { invariant: STUCK, story: storyOf(search as never, can.indexOf(0)) },
  }
}
