// Owns which mutants are tried: all of the targets but those known to change nothing, or a sample drawn by a seed.

import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Equivalent } from './equivalent.ts'
import { type Mutant, mutantsOf } from './operators.ts'
import type { Target } from './trial.ts'

export interface Job {
  readonly target: Target
  /** Of the target, as the mutant was found in it. */
  readonly text: string
  readonly mutant: Mutant
}

export interface Field {
  readonly root: string
  readonly targets: readonly Target[]
  readonly equivalent: readonly Equivalent[]
}

/** Mulberry32: small, seeded, good enough to draw lots. */
const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
  }
}

/** From every group before twice from any. Keeps the order, so that a process stays with its target. */
export const draw = <T>(
  items: readonly T[],
  size: number,
  seed: number,
  groupOf: (item: T) => unknown = () => undefined,
): readonly T[] => {
  const random = createRandom(seed)
  const lots = items.map((item, index) => ({ item, index, lot: random() })).sort((a, b) => a.lot - b.lot)
  const taken = new Map<unknown, number>()
  const ranked = lots.map((each) => {
    const group = groupOf(each.item)
    const round = taken.get(group) ?? 0
    taken.set(group, round + 1)
    return { ...each, round }
  })
  const chosen = ranked.sort((a, b) => a.round - b.round).slice(0, size)
  return chosen.sort((a, b) => a.index - b.index).map(({ item }) => item)
}

const isEntryFor = (entry: Equivalent, mutant: Mutant, line: string | undefined): boolean =>
  entry.line === line?.trim() &&
  entry.original === mutant.original &&
  entry.replacement === mutant.replacement

/** Splits off the mutants that are known to change nothing, and holds every such entry against the code. */
export const jobsOf = ({
  root,
  targets,
  equivalent,
}: Field): { readonly jobs: readonly Job[]; readonly excused: number } => {
  const used = new Set<Equivalent>()
  const all = targets.flatMap((target) => {
    const text = readFileSync(target.file, 'utf8')
    const lines = text.split('\n')
    const entries = equivalent.filter((entry) => entry.file === relative(root, target.file))
    return mutantsOf(target.file, text).map((mutant) => {
      const entry = entries.find((each) => isEntryFor(each, mutant, lines[mutant.line - 1]))
      if (entry !== undefined) used.add(entry)
      return { target, text, mutant, isExcused: entry !== undefined }
    })
  })
  const files = targets.map(({ file }) => relative(root, file))
  const stale = equivalent.find((entry) => files.includes(entry.file) && !used.has(entry))
  if (stale !== undefined)
    throw new Error(
      `no mutant is ${stale.original} → ${stale.replacement} on "${stale.line}" in ${stale.file}`,
    )
  return { jobs: all.filter((job) => !job.isExcused), excused: all.filter((job) => job.isExcused).length }
}
