// Owns `npm run torture [-- --quick] [-- --json] [-- --only mutants]`: every attack machine in turn, each with a summary
// of its own, and at the end one line of JSON with all of them. With --json nothing but that line goes to stdout.

import { parseArgs } from 'node:util'
import { tryMutants } from '../mutants/run.ts'
import { exploreStores } from '../stores/explore.ts'
import { raceStores } from '../stores/race-stores.ts'

interface Attack {
  readonly name: string
  /** How it ended, and whether that is what must hold. */
  readonly run: (isQuick: boolean) => Promise<{ readonly isHeld: boolean; readonly summary: object }>
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'mutants',
    run: async (isQuick) => {
      const summary = await tryMutants({ isQuick })
      return { isHeld: summary.survived === 0, summary }
    },
  },
  { name: 'stores', run: (isQuick) => exploreStores(isQuick ? 40 : 250) },
  { name: 'race', run: (isQuick) => raceStores(isQuick ? 2000 : 20_000) },
]

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const chosen = ATTACKS.filter(({ name }) => values.only === undefined || values.only === name)
if (chosen.length === 0)
  throw new Error(
    `no attack is called ${values.only}; there are ${ATTACKS.map(({ name }) => name).join(', ')}`,
  )

const summaries: Record<string, object> = {}
for (const { name, run } of chosen) {
  process.stderr.write(`torture: ${name}${values.quick ? ', quick' : ''}\n`)
  const { isHeld, summary } = await run(values.quick)
  summaries[name] = summary
  if (!isHeld) process.exitCode = 1
  if (!values.json) process.stdout.write(`${name}: ${isHeld ? 'held' : 'BROKEN'}\n`)
}
process.stdout.write(`${JSON.stringify(summaries)}\n`)
