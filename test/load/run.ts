// The load tests at their full counts, one JSON line each: `node test/load/run.ts [flood|poison] [sqlite|postgres] [--quick]`.
// Floods beside 1,000 tenants; 100 messages that end processes among 10,000.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realTimers } from '../../src/engine/clock.ts'
import { Pawl } from '../../src/index.ts'
import { createDatabase, startServer } from '../stores/postgres-server.ts'
import { flood } from './flood.ts'
import { poison } from './poison.ts'

const words = new Set(process.argv.slice(2))
const isQuick = words.has('--quick')
const isAsked = (name: string, others: readonly string[]): boolean =>
  words.has(name) || !others.some((other) => words.has(other))

const waitFor = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await isSo())) await realTimers.sleep(100)
}

const attack = async (store: string, url: () => Promise<string>, folder: string): Promise<void> => {
  if (isAsked('flood', ['poison'])) {
    const log = join(folder, 'starts')
    writeFileSync(log, '')
    const figures = await flood({ store: await url(), log, count: isQuick ? 100 : 1000 }, waitFor)
    console.log(JSON.stringify({ attack: 'flood', store, ...figures }))
    if (figures.mostBetween > 50 || figures.served < figures.tenants) process.exitCode = 1
  }
  if (isAsked('poison', ['flood'])) {
    const [bombs, neighbours] = isQuick ? [5, 495] : [100, 9900]
    const its = await url()
    const pawl = await Pawl.open({ store: its })
    const options = { store: its, bombs, neighbours, processes: 4, leaseMs: 1000 }
    const figures = await poison(pawl, options, waitFor)
    await pawl.close()
    console.log(JSON.stringify({ attack: 'poison', store, ...figures }))
    if (figures.dead !== bombs || figures.succeeded !== neighbours) process.exitCode = 1
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pawl-load-'))
let count = 0
if (isAsked('sqlite', ['postgres']))
  await attack('sqlite', async () => `sqlite:${join(folder, `${count++}.db`)}`, folder)
if (isAsked('postgres', ['sqlite'])) {
  const server = await startServer()
  await attack('postgres', () => createDatabase(server), folder)
  await server.stop()
}
rmSync(folder, { recursive: true, force: true })
process.exit()
