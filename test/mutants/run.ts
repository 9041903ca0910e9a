// Owns the command: node test/mutants/run.ts [--quick] [--json] [--seed 7] [--file src/core/retry.ts]
// Progress goes to stderr; survivors, or with --json the whole summary, to stdout. Exits with 1 when a mutant lives.

import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { runCampaign, type Summary } from './campaign.ts'
import { EQUIVALENT } from './equivalent.ts'
import { ROOT, TARGETS } from './targets.ts'

/** So few that a second process would prepare more than it judges. */
const QUICK = { size: 40, desks: 1 }

export interface MutantOptions {
  readonly isQuick: boolean
  readonly seed?: number
  /** Only files whose path starts so. */
  readonly file?: string
}

const oneLine = (code: string): string => {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

const describe = ({ survivors }: Summary): readonly string[] =>
  survivors.map(({ at, original, replacement }) => `${at}  ${oneLine(original)}  →  ${oneLine(replacement)}`)

export const tryMutants = async ({ isQuick, seed = 1, file = '' }: MutantOptions): Promise<Summary> => {
  const targets = TARGETS.filter((target) => relative(ROOT, target.file).startsWith(file))
  if (targets.length === 0)
    throw new Error(`nothing under mutation is called ${file}; see test/mutants/targets.ts`)
  const summary = await runCampaign({
    root: ROOT,
    targets,
    equivalent: EQUIVALENT,
    ...(isQuick && { sample: { size: QUICK.size, seed }, desks: QUICK.desks }),
    onVerdict: (done, total) => {
      if (done % 50 === 0 || done === total) process.stderr.write(`mutants: ${done} of ${total}\n`)
    },
  })
  for (const line of describe(summary)) process.stderr.write(`survived: ${line}\n`)
  return summary
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      file: { type: 'string', default: '' },
    },
  })
  const summary = await tryMutants({ isQuick: values.quick, seed: Number(values.seed), file: values.file })
  const { total, killed, survived, equivalent, seconds } = summary
  process.stdout.write(
    values.json
      ? `${JSON.stringify(summary)}\n`
      : `${total} mutants in ${seconds} s: ${killed} killed, ${survived} survived, ${equivalent} known to change nothing\n`,
  )
  process.exitCode = survived === 0 ? 0 : 1
}
