// Owns the receipt of a whole run: the figures that matter, flat, and beneath them what every attack said of itself.

import type { Ended } from './lanes.ts'

export interface Receipt {
  /** Nothing was found, and every attack was hard enough to find something. */
  readonly held: boolean
  readonly seconds: number
  /** Processes killed with SIGKILL at random instants, and those killed at numbered ones. */
  readonly killsSqlite: number
  readonly killsPostgres: number
  readonly crashPointsSqlite: number
  readonly crashPointsPostgres: number
  /** Processes stopped past their lease and woken. */
  readonly zombies: number
  /** Processes asked to end, versions old and new in turn. */
  readonly drains: number
  readonly immediateStops: number
  readonly terminations: number
  readonly lostCommits: number
  /** On one file at once. */
  readonly busyProcesses: number
  readonly fullDisks: number
  readonly bitFlips: number
  /** Messages that end their process, set aside, and what was queued among them. */
  readonly poisonMessages: number
  readonly poisonNeighbours: number
  /** Simulated worlds, their steps in all and in the shortest, and how often each fault struck. */
  readonly seeds: number
  readonly steps: number
  readonly fewestSteps: number
  readonly faults: Readonly<Record<string, number>>
  /** Of the model checker. */
  readonly states: number
  /** Of code and of SQL; those that change nothing are not counted. */
  readonly mutants: number
  readonly mutantsKilled: number
  readonly mutationScore: string
  readonly lost: number
  readonly doubled: number
  readonly stuck: number
  readonly sameKeyDuplicates: number
  readonly attacks: Readonly<Record<string, object>>
}

type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** What stands at a path, or 0. */
const at = (tree: unknown, ...path: readonly string[]): number => {
  const found = path.reduce<unknown>((node, key) => (isTree(node) ? node[key] : undefined), tree)
  return typeof found === 'number' ? found : 0
}

/** The sum over a tree of all that is called so; who says it says it for everything beneath. */
const total = (tree: unknown, name: string): number => {
  if (!isTree(tree)) return 0
  if (typeof tree[name] === 'number') return tree[name]
  return Object.values(tree).reduce<number>((sum, branch) => sum + total(branch, name), 0)
}

const scoreOf = (killed: number, mutants: number): string =>
  mutants === 0 ? 'none tried' : `${((100 * killed) / mutants).toFixed(2)} %`

export const receiptOf = (ended: readonly Ended[], seconds: number): Receipt => {
  const told: Readonly<Record<string, object>> = Object.fromEntries(
    ended.map(({ name, summary }) => [name, summary]),
  )
  // Those of the code that change nothing are not among the tried.
  const mutants = at(told, 'mutants', 'total')
  const sqlMutants = at(told, 'sql-mutants', 'mutants') - at(told, 'sql-mutants', 'equivalent')
  const killed = at(told, 'mutants', 'killed') + at(told, 'sql-mutants', 'killed')
  return {
    held: ended.every(({ isHeld }) => isHeld),
    seconds,
    killsSqlite: at(told, 'kills', 'sqlite', 'kills'),
    killsPostgres: at(told, 'kills', 'postgres', 'kills'),
    crashPointsSqlite: at(told, 'points', 'sqlite', 'points'),
    crashPointsPostgres: at(told, 'points', 'postgres', 'points'),
    zombies: at(told, 'zombies', 'zombies'),
    drains: at(told, 'drains', 'drains'),
    immediateStops: at(told, 'database', 'immediateStops', 'strikes'),
    terminations: at(told, 'database', 'terminations', 'strikes'),
    lostCommits: at(told, 'database', 'lostCommits', 'strikes'),
    busyProcesses: at(told, 'database', 'busyStorm', 'processes'),
    fullDisks: at(told, 'scale', 'fullDisks'),
    bitFlips: at(told, 'scale', 'flips'),
    poisonMessages: total(told['load'], 'dead'),
    poisonNeighbours: total(told['load'], 'neighbours'),
    seeds: at(told, 'simulation', 'seeds'),
    steps: at(told, 'simulation', 'steps'),
    fewestSteps: at(told, 'simulation', 'fewestSteps'),
    faults: ((told['simulation'] as Tree | undefined)?.['faults'] ?? {}) as Receipt['faults'],
    states: at(told, 'model', 'states'),
    mutants: mutants + sqlMutants,
    mutantsKilled: killed,
    mutationScore: scoreOf(killed, mutants + sqlMutants),
    lost: total(told, 'lost'),
    doubled: total(told, 'doubled'),
    stuck: total(told, 'stuck'),
    sameKeyDuplicates: total(told, 'duplicatesSameKey') + total(told, 'sameKeyDuplicates'),
    attacks: Object.fromEntries(
      ended.map(({ name, isHeld, seconds: took, summary }) => [
        name,
        { held: isHeld, seconds: took, ...summary },
      ]),
    ),
  }
}
