// Owns the tests as a court: run once as they are, then against each mutant until the first test fails. Tests that kill
// much for their time come first. Properties use a fixed seed and do not shrink: a mutant that lives lives every time,
// and one that dies need not die nicely.

import fc from 'fast-check'
import { compile, type Evaluate } from './instrument.ts'
import { createModules } from './modules.ts'
import { type Mutant, mutate } from './operators.ts'
import { type Case, createSuite } from './suite.ts'

/** Absolute paths. */
export interface Target {
  readonly file: string
  readonly tests: readonly string[]
}

export type Verdict =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** It could not be tried: it does not parse (a fault of the generator), or its file was changed meanwhile. */
  | { readonly kind: 'invalid'; readonly by: string }

export interface Trial {
  /** `text` is what the mutant was found in. */
  readonly judge: (text: string, mutant: Mutant) => Promise<Verdict>
}

interface Measured {
  readonly ms: number
  readonly ticks: number
  kills: number
}

const SEED = 20_260_105
/** A loop may run this many times as long as without the mutant, and never less than this many times. */
const PATIENCE = 20
const LEAST_TICKS = 100_000

/** Counts the turns of all loops, and ends what turns too often. */
const createMeter = (): {
  readonly tick: () => void
  readonly count: () => number
  readonly start: (usual: number) => void
} => {
  let ticks = 0
  let limit = Number.POSITIVE_INFINITY
  return {
    tick: () => {
      ticks += 1
      if (ticks > limit) throw new Error('it would not have ended')
    },
    count: () => ticks,
    start: (usual) => {
      ticks = 0
      limit = Math.max(LEAST_TICKS, usual * PATIENCE)
    },
  }
}

export const createTrial = async (tests: readonly string[]): Promise<Trial> => {
  fc.configureGlobal({ seed: SEED, endOnFailure: true })
  const meter = createMeter()
  const suite = createSuite()
  const modules = await createModules(tests, meter.tick, new Map([['vitest', suite.standIn]]))
  const measured = new Map<string, Measured>()
  const baseline = suite.collect(() => modules.load(tests))
  const loading = meter.count()
  for (const { name, run } of baseline) {
    meter.start(Number.POSITIVE_INFINITY)
    const startedAt = performance.now()
    await run()
    measured.set(name, { ms: performance.now() - startedAt, ticks: meter.count(), kills: 0 })
  }
  if (baseline.length === 0) throw new Error(`no tests in ${tests.join(', ')}`)

  const cost = ({ name }: Case): number => {
    const known = measured.get(name)
    return known === undefined ? 0 : known.ms / (1 + known.kills)
  }
  const tryOn = async (file: string, evaluate: Evaluate): Promise<Verdict> => {
    let current = 'loading'
    try {
      meter.start(loading)
      const cases = suite.collect(() => modules.load(tests, { file, evaluate }))
      for (const each of cases.toSorted((a, b) => cost(a) - cost(b))) {
        current = each.name
        meter.start(measured.get(current)?.ticks ?? 0)
        await each.run()
      }
      return { kind: 'survived' }
    } catch {
      const known = measured.get(current)
      if (known !== undefined) known.kills += 1
      return { kind: 'killed', by: current }
    }
  }

  return {
    judge: async (text, mutant) => {
      const { file } = mutant
      if (modules.textOf(file) !== text)
        return { kind: 'invalid', by: `${file} was changed meanwhile, or no test imports it` }
      try {
        return await tryOn(file, compile(file, mutate(text, mutant)))
      } catch (error) {
        return { kind: 'invalid', by: String(error) }
      }
    },
  }
}
