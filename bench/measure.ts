// Owns how a figure comes about: contenders take turns, round after round, so that whatever else the machine does hits
// them alike; the median of the rounds is the figure, the lowest and highest are its spread.

export interface Contender {
  readonly label: string
  /** Does the work n times; what it returns is compared before anything is measured, and keeps the work alive. */
  readonly run: (n: number) => number
}

export interface Effort {
  readonly rounds: number
  readonly roundMs: number
}

export const THOROUGH: Effort = { rounds: 11, roundMs: 120 }
export const QUICK: Effort = { rounds: 3, roundMs: 25 }

export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Lowest and highest round. */
  readonly spread: readonly [number, number]
  readonly peer?: string
  readonly peerValue?: number
  readonly peerSpread?: readonly [number, number]
  /** Ours over the peer's: above 1 is faster. */
  readonly ratio?: number
}

const timed = (run: Contender['run'], n: number): number => {
  const startedAt = performance.now()
  run(n)
  return performance.now() - startedAt
}

/** As many repetitions as fill a round; finding out warms the code up too. */
const repetitions = (run: Contender['run'], roundMs: number): number => {
  let n = 1
  let took = timed(run, n)
  while (took < roundMs / 2) {
    n *= 2
    took = timed(run, n)
  }
  return Math.ceil((n * roundMs) / took)
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)]!

const CHECKED = 50

const assertAgree = (name: string, contenders: readonly Contender[]): void => {
  const answers = contenders.map(({ run }) => run(CHECKED))
  if (new Set(answers).size > 1)
    throw new Error(
      `${name}: ${contenders.map(({ label }) => label).join(', ')} answer ${answers.join(', ')}`,
    )
}

/** Operations a second: one figure for each peer, or one alone when there is none. */
export const rate = (
  name: string,
  { ours, peers, effort }: { ours: Contender['run']; peers: readonly Contender[]; effort: Effort },
): readonly Figure[] => {
  const contenders = [{ label: 'pawl', run: ours }, ...peers]
  assertAgree(name, contenders)
  const lanes = contenders.map(({ label, run }) => ({
    label,
    run,
    n: repetitions(run, effort.roundMs),
    rates: [] as number[],
  }))
  for (let round = 0; round < effort.rounds; round++)
    for (const { run, n, rates } of lanes) rates.push(Math.round((n / timed(run, n)) * 1000))
  const [first, ...others] = lanes.map(({ label, rates }) => {
    const sorted = rates.toSorted((a, b) => a - b)
    return { label, value: median(sorted), spread: [sorted[0]!, sorted.at(-1)!] as const }
  })
  const { value, spread } = first!
  const own = { name, value, unit: '1/s', spread }
  if (others.length === 0) return [own]
  return others.map((peer) => ({
    ...own,
    peer: peer.label,
    peerValue: peer.value,
    peerSpread: peer.spread,
    ratio: Math.round((value / peer.value) * 100) / 100,
  }))
}
