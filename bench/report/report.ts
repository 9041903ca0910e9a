// Owns what is written down of a whole run: bench/RESULTS.md with every figure, and a chart of the comparison for the README.

import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Figure } from '../figure.ts'
import { goalOf } from '../goals.ts'
import { chartOf } from './chart.ts'
import { number, range } from './table.ts'

export interface Run {
  readonly figures: readonly Figure[]
  readonly leftOut: readonly string[]
  readonly at: Date
  readonly minutes: number
}

const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
  `Node ${process.version}, ${process.platform} ${process.arch}`

const judged = (figure: Figure): string => {
  const atLeast = goalOf(figure)
  return atLeast === undefined ? '' : `≥ ${atLeast} ${figure.ratio! >= atLeast ? '✓' : '✗'}`
}

const row = (figure: Figure): string => {
  const { name, value, unit, spread, durable = '', peer = '', peerValue, peerSpread, ratio } = figure
  const cells = [
    name.split(': ').slice(1).join(': ') || name,
    `${number(value)} ${unit}`.trim(),
    range(spread),
  ]
  const theirs = [peer, number(peerValue), range(peerSpread), figure.peerDurable ?? '']
  return `| ${[...cells, durable, ...theirs, ratio === undefined ? '' : `${ratio}×`, judged(figure)].join(' | ')} |`
}

const HEAD = [
  '| figure | pawl | spread | durable | against | its figure | spread | durable | ratio | goal |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]

const section = ([title, figures]: readonly [string, readonly Figure[] | undefined]): string =>
  [`## ${title}`, '', ...HEAD, ...(figures ?? []).map(row)].join('\n')

const sections = (figures: readonly Figure[]): string =>
  Object.entries(Object.groupBy(figures, ({ name }) => name.split(/[:.]/)[0]!.replace(/ \d+$/, '')))
    .map(section)
    .join('\n\n')

const EMPTY = `# Bench results

No run has been written down here yet: \`npm run bench\` writes this page and the chart.
`

export const pageOf = (run: Run): string => (run.figures.length === 0 ? EMPTY : fullPage(run))

const fullPage = ({ figures, leftOut, at, minutes }: Run): string => `# Bench results

Written by \`npm run bench\` on ${at.toISOString().slice(0, 10)}, in ${Math.round(minutes)} minutes, on ${machine()}.

![How Pawl compares](results.svg)

Absolute figures are those of this machine; the ratios are what is meant. All contenders took turns in the same run, round after
round, each on a store of its own; a figure is the median of its rounds, beside the lowest and the highest: five rounds, three
where due times are waited for or stores of a million are filled, one for memory and for 100,000 timers. A ratio above 1 is in
Pawl's favour: for times and costs, which are better when lower, it is the peer's over ours.

- *Durable* says when a commit is believed. Everyone on PostgreSQL uses the same server with fsync, synchronous_commit and
  full_page_writes on; Pawl on SQLite answers after the WAL was synced.
- *The same rows, no engine* writes rows as the engine does (that they are as many in every table is asserted before it runs)
  and decides, checks and fences nothing. *A bare queue* is one narrow table with one index.
- Rates, executions and idle latencies are measured twice in each round, on the same store: the second time counts, the first is
  told as *first …*, for everyone alike.
- Commits, fsyncs and bytes are counted from the opening of a store to its closing, enqueueing included.
- Contenders are set up as their documentation says for throughput; producer and worker share one process, for all alike.

${leftOut.length === 0 ? 'Nobody was left out.' : `Left out of this run:\n\n${leftOut.map((line) => `- ${line}`).join('\n')}`}

${sections(figures)}

## Again

\`\`\`sh
npm run bench                            # all of it: writes this page and the chart
npm run bench -- --quick                 # a rough answer in three minutes; writes nothing
npm run bench -- --only=postgres/queue   # one suite, or all of a store or a kind: postgres, queue, growth …
npm run bench -- --json                  # one JSON object a line
\`\`\`

The peers are installed into \`bench/peers\` as its lockfile says. BullMQ needs \`redis-server\` on the PATH. PostgreSQL is the one
the tests use, or what \`PAWL_BENCH_POSTGRES\` names.
`

export const writeReport = (run: Run): void => {
  writeFileSync(new URL('../RESULTS.md', import.meta.url), pageOf(run))
  writeFileSync(new URL('../results.svg', import.meta.url), chartOf(run.figures))
}
