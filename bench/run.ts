// The bench: `npm run bench`, with `-- --quick` for a rough answer in seconds and `-- --json` for one JSON object a
// line and nothing else. A new bench is a function from effort to figures, added to SUITES.

import { type Effort, type Figure, QUICK, THOROUGH } from './measure.ts'
import { installPeers } from './peers.ts'
import { timeFigures } from './pure/time.ts'

const SUITES: readonly ((effort: Effort) => Promise<readonly Figure[]>)[] = [timeFigures]

const number = new Intl.NumberFormat('en-US')

const rows = (figures: readonly Figure[]): readonly (readonly string[])[] => [
  ['figure', 'pawl', 'spread', 'peer', 'its figure', 'spread', 'ratio'],
  ...figures.map(({ name, value, unit, spread, peer, peerValue, peerSpread, ratio }) => [
    `${name} (${unit})`,
    number.format(value),
    spread.map(number.format).join(' … '),
    peer ?? '',
    peerValue === undefined ? '' : number.format(peerValue),
    peerSpread?.map(number.format).join(' … ') ?? '',
    ratio === undefined ? '' : `${ratio}×`,
  ]),
]

const table = (lines: readonly (readonly string[])[]): string => {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const flags = new Set(process.argv.slice(2))
const unknown = [...flags].find((flag) => flag !== '--quick' && flag !== '--json')
if (unknown !== undefined) {
  process.stderr.write(`bench: unknown option ${unknown}; expected --quick or --json\n`)
  process.exit(2)
}

installPeers()
const figures: Figure[] = []
for (const suite of SUITES) figures.push(...(await suite(flags.has('--quick') ? QUICK : THOROUGH)))
for (const figure of figures) console.log(JSON.stringify(figure))
if (!flags.has('--json')) console.log(`\n${table(rows(figures))}`)
