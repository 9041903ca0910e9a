// Owns the command: node test/simulation/run.ts [--seeds 3000] [--from 1] [--steps 180] [--json]
// Worlds in a row; of each that breaks, the last steps of its story and the command that tells it again. With --json one
// line and nothing else. Exits with 1 when one broke.

import { parseArgs } from 'node:util'
import { INVARIANTS } from './judge.ts'
import { COURSE, type Found, simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3000' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: String(COURSE.steps) },
    json: { type: 'boolean', default: false },
  },
})

const tell = ({ seed, step, invariant, what, story }: Found): string =>
  [
    ...story.map((line) => `  ${line}`),
    `seed ${seed}, step ${step}: ${invariant} (${INVARIANTS[invariant]}) is broken: ${what}`,
    `again: node test/simulation/run.ts --from ${seed} --seeds 1 --steps ${values.steps}`,
    '',
  ].join('\n')

const [seeds, from, steps] = [Number(values.seeds), Number(values.from), Number(values.steps)]
const { traces: _, ...summary } = await simulate({ seeds, from, course: { ...COURSE, steps } })
if (summary.violations.length > 0) process.exitCode = 1
if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`)
else {
  for (const violation of summary.violations) process.stdout.write(tell(violation))
  for (const [fault, count] of Object.entries(summary.faults)) process.stdout.write(`${count}\t${fault}\n`)
  const broken = `${summary.violations.length} broken`
  process.stdout.write(`${summary.seeds} worlds, ${summary.steps} steps, ${broken}\n`)
}
