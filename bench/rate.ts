// Owns rates of code that does no I/O: contenders take turns, round after round, so that whatever else the machine does hits
// them alike; the median of the rounds is the figure, the lowest and highest are its spread.

import { type Figure, figuresOf, perSecond } from './figure.ts'

export interface Contender {
  readonly label: string
  /** Does the work n times; what it returns is compared before anything is measured, and keeps the work alive. */
  readonly run: (n: number) => number
}

export interface Effort {
  readonly rounds: number
  readonly roundMs: number
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
    for (const { run, n, rates } of lanes) rates.push((n / timed(run, n)) * 1000)
  const [own, ...others] = lanes.map(({ label, rates }) => ({ label, values: rates }))
  return figuresOf(name, perSecond, own!, others)
}
