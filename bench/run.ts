// The bench: `npm run bench`, with `-- --quick` for a rough answer in a minute or two and `-- --json` for one JSON object a
// line on standard output and nothing else. A whole run also writes RESULTS.md and its chart. A new bench is a function
// from quick or not to figures, added to SUITES; `--only=<name>` runs one of them.

import { type Figure, QUICK, THOROUGH } from './measure.ts'
import { installPeers } from './peers.ts'
import { timeFigures } from './pure/time.ts'
import { writeReport } from './report.ts'
import { postgresFigures, ROUGH, sqliteFigures, WHOLE } from './stores.ts'

const SUITES: Readonly<Record<string, (isQuick: boolean) => Promise<readonly Figure[]>>> = {
  pure: (isQuick) => timeFigures(isQuick ? QUICK : THOROUGH),
  sqlite: (isQuick) => sqliteFigures(isQuick ? ROUGH : WHOLE),
  postgres: (isQuick) => postgresFigures(isQuick ? ROUGH : WHOLE),
}

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
const only = [...flags].find((flag) => flag.startsWith('--only='))?.slice('--only='.length)
const unknown =
  [...flags].find((flag) => flag !== '--quick' && flag !== '--json' && !flag.startsWith('--only=')) ??
  (only !== undefined && !Object.hasOwn(SUITES, only) ? `--only=${only}` : undefined)
if (unknown !== undefined) {
  const names = Object.keys(SUITES).join(', ')
  process.stderr.write(
    `bench: unknown option ${unknown}; expected --quick, --json or --only= one of ${names}\n`,
  )
  process.exit(2)
}

installPeers()
// Who waits for what is due later keeps no process alive by itself: a library must not.
const alive = setInterval(() => undefined, 60_000)
const figures: Figure[] = []
for (const [name, suite] of Object.entries(SUITES))
  if (only === undefined || only === name) figures.push(...(await suite(flags.has('--quick'))))
for (const figure of figures) console.log(JSON.stringify(figure))
if (!flags.has('--json')) console.log(`\n${table(rows(figures))}`)
if (!flags.has('--quick') && only === undefined) writeReport(figures, new Date())
clearInterval(alive)
