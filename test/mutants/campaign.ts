// Owns one run over the mutants of some targets: how each ended, and the sum of it.

import { relative } from 'node:path'
import { draw, type Field, type Job, jobsOf } from './jobs.ts'
import type { Mutant } from './operators.ts'
import { judgeAll } from './pool.ts'
import type { Verdict } from './trial.ts'

interface Survivor {
  readonly at: string
  readonly original: string
  readonly replacement: string
}

export interface Summary {
  /** Mutants there are, and of them tried. */
  readonly generated: number
  readonly total: number
  readonly killed: number
  readonly survived: number
  readonly equivalent: number
  readonly seconds: number
  readonly survivors: readonly Survivor[]
}

export interface Campaign extends Field {
  /** Try only so many, of each target, drawn by a seed. */
  readonly sample?: { readonly size: number; readonly seed: number }
  /** How many processes; each runs the tests of a target once before it judges by them. */
  readonly desks?: number
  readonly onVerdict?: (done: number, total: number, job: Job, verdict: Verdict) => void
}

const survivorOf = (root: string, { original, replacement, file, line, column }: Mutant): Survivor => ({
  at: `${relative(root, file)}:${line}:${column}`,
  original,
  replacement,
})

export const runCampaign = async (campaign: Campaign): Promise<Summary> => {
  const startedAt = performance.now()
  const { jobs, excused } = jobsOf(campaign)
  const { sample, root, desks } = campaign
  const tried =
    sample === undefined ? jobs : draw(jobs, sample.size, sample.seed, ({ target }) => target.file)
  const lived: Job[] = []
  let done = 0
  const onVerdict = (job: Job, verdict: Verdict): void => {
    if (verdict.kind === 'invalid')
      throw new Error(`a mutant could not be tried: ${JSON.stringify(job.mutant)} ${verdict.by}`)
    if (verdict.kind === 'survived') lived.push(job)
    done += 1
    campaign.onVerdict?.(done, tried.length, job, verdict)
  }
  await judgeAll(tried, onVerdict, desks)
  const inOrder = lived.toSorted((a, b) => tried.indexOf(a) - tried.indexOf(b))
  return {
    generated: jobs.length + excused,
    total: tried.length,
    killed: tried.length - lived.length,
    survived: lived.length,
    equivalent: excused,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    survivors: inOrder.map(({ mutant }) => survivorOf(root, mutant)),
  }
}
