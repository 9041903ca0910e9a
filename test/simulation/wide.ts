// Owns worlds on several cores: shares of the seeds, each in a process of its own, and what they came to together.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Invariant } from './judge.ts'
import type { Found, SimulationSummary } from './simulate.ts'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))
const MAX_BUFFER = 64 * 1024 * 1024
/** Every fault struck so often, or it means nothing that none did harm. */
const MIN_STRIKES = 100

/** What a broken invariant is in the words of a receipt. */
const WORDS: Readonly<Record<'lost' | 'doubled' | 'stuck', readonly Invariant[]>> = {
  lost: ['I4', 'I5', 'I6'],
  doubled: ['I1', 'I2', 'I3', 'I7', 'I8', 'I10', 'L1', 'chain'],
  stuck: ['I9'],
}

/** A share that broke exits with 1, and says why on stdout all the same. */
const runShare = async (from: number, seeds: number): Promise<SimulationSummary> => {
  const args = [RUN, '--json', '--from', String(from), '--seeds', String(seeds)]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: MAX_BUFFER }).catch(
    (error: { readonly stdout?: string; readonly stderr?: string }) => {
      if (!error.stdout) throw new Error(`a share of the worlds ended early: ${error.stderr ?? error}`)
      return { stdout: error.stdout }
    },
  )
  return JSON.parse(stdout)
}

const isOneOf = (invariants: readonly Invariant[], { invariant }: Found): boolean =>
  invariants.includes(invariant)

export const simulateWide = async (seeds: number, shares: number) => {
  const size = Math.ceil(seeds / shares)
  const told = await Promise.all(
    Array.from({ length: shares }, (_, n) => runShare(1 + n * size, Math.min(size, seeds - n * size))),
  )
  const faults: Record<string, number> = {}
  for (const share of told)
    for (const [fault, times] of Object.entries(share.faults)) faults[fault] = (faults[fault] ?? 0) + times
  const violations = told.flatMap((share) => share.violations)
  const rarest = Object.entries(faults).reduce((least, each) => (each[1] < least[1] ? each : least))
  const count = (invariants: readonly Invariant[]): number =>
    violations.filter((found) => isOneOf(invariants, found)).length
  return {
    isHeld: violations.length === 0 && rarest[1] >= MIN_STRIKES,
    summary: {
      seeds: told.reduce((sum, share) => sum + share.seeds, 0),
      steps: told.reduce((sum, share) => sum + share.steps, 0),
      fewestSteps: Math.min(...told.map((share) => share.fewestSteps)),
      eager: told.reduce((sum, share) => sum + share.eager, 0),
      faults,
      rarest: { fault: rarest[0], times: rarest[1] },
      lost: count(WORDS.lost),
      doubled: count(WORDS.doubled),
      stuck: count(WORDS.stuck),
      violations,
    },
  }
}
