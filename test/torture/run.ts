// Owns `npm run torture [-- --quick] [-- --json] [-- --only kills,points]`: every attack, or those that are named, and at
// the end the receipt as one line of JSON; of a single one its summary. With --json nothing but that line goes to stdout.
// Exits with 1 when anything was found.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { makeProgram } from '../crash/life.ts'
import { setup as shareServer } from '../stores/postgres-server.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { runLanes } from './lanes.ts'
import { receiptOf } from './receipt.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const { quick, json, only } = values

const say = (line: string): void => {
  if (!json) process.stdout.write(`${line}\n`)
}
const verdict = (isHeld: boolean): string => (isHeld ? 'held' : 'BROKEN')

const runOne = async ({ name, run }: Attack): Promise<void> => {
  const { isHeld, summary } = await run(quick)
  if (!isHeld) process.exitCode = 1
  say(`${name}: ${verdict(isHeld)}`)
  process.stdout.write(`${JSON.stringify({ [name]: summary })}\n`)
}

const runAll = async (names: readonly string[]): Promise<void> => {
  const since = performance.now()
  // The program under attack is made once, for all attacks, and so is the database that none of them stops.
  await makeProgram()
  const release = await shareServer()
  const flags = quick ? ['--quick'] : []
  // One more than there are cores: there is always one that waits for a lease.
  const ended = await runLanes(names, availableParallelism() + 1, flags, (each) => {
    process.stderr.write(`torture: ${each.name}: ${verdict(each.isHeld)}, ${each.seconds} s\n`)
    say(`${each.name}: ${verdict(each.isHeld)}`)
  })
  await release()
  const receipt = receiptOf(ended, Math.round((performance.now() - since) / 1000))
  if (!receipt.held) process.exitCode = 1
  process.stdout.write(`${JSON.stringify(receipt)}\n`)
}

const all = ATTACKS.map(({ name }) => name)
const wanted = only?.split(',') ?? all
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0)
  throw new Error(`no attack is called ${unknown.join(' or ')}; there are ${all.join(', ')}`)
const chosen = ATTACKS.filter(({ name }) => wanted.includes(name))
await (only !== undefined && chosen.length === 1
  ? runOne(chosen[0]!)
  : runAll(chosen.map(({ name }) => name)))
