// The bench: `npm run bench`, with `-- --quick` for a rough answer in three minutes, `-- --only=<suite>` for a part and
// `-- --json` for one JSON object a line on standard output and nothing else. A whole run also writes RESULTS.md and its chart.

import { QUICK, WHOLE } from './extent.ts'
import type { Figure } from './figure.ts'
import { installPeers } from './peers.ts'
import { leftOut, miss, say } from './progress.ts'
import { writeReport } from './report/report.ts'
import { tableOf } from './report/table.ts'
import { openScene } from './scene.ts'
import { chosen, SUITES } from './suites.ts'

const flags = process.argv.slice(2)
const words = flags
  .filter((flag) => flag.startsWith('--only='))
  .flatMap((flag) => flag.slice('--only='.length).split(','))
const unknown =
  flags.find((flag) => flag !== '--quick' && flag !== '--json' && !flag.startsWith('--only=')) ??
  words.find((word) => chosen([word]).length === 0)
if (unknown !== undefined) {
  say(
    `unknown: ${unknown}; there is --quick, --json and --only= with one of ${Object.keys(SUITES).join(', ')}`,
  )
  process.exit(2)
}
const [isQuick, isJson] = [flags.includes('--quick'), flags.includes('--json')]

installPeers()
// Who waits for what is due later keeps no process alive by itself: a library must not.
const alive = setInterval(() => undefined, 60_000)
const startedAt = performance.now()
const scene = openScene(isQuick ? QUICK : WHOLE)
const figures: Figure[] = []
const suites = chosen(words)
try {
  for (const [index, [name, suite]] of suites.entries()) {
    const minutes = (performance.now() - startedAt) / 60_000
    say(`suite ${index + 1} of ${suites.length}, ${name}, after ${minutes.toFixed(1)} minutes`)
    try {
      const found = await suite(scene)
      figures.push(...found)
      // As they come: a run that is ended keeps what it found.
      if (isJson) for (const figure of found) console.log(JSON.stringify(figure))
      else console.log(tableOf(found))
    } catch (error) {
      // The figures of the others are worth having.
      miss(`the suite ${name}`, error)
      process.exitCode = 1
    }
  }
} finally {
  await scene.close()
  clearInterval(alive)
}
const minutes = (performance.now() - startedAt) / 60_000
if (!isQuick && words.length === 0) writeReport({ figures, leftOut: leftOut(), at: new Date(), minutes })
say(`done after ${minutes.toFixed(1)} minutes`)
