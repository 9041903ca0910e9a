// Asks the oracle about everything: all zones × all clock changes 2024–2040 × all patterns × all policies, on as many
// cores as there are, and writes what came of it to cron-oracle-result.json. Run: node test/time/cron-oracle-full.ts

import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { compare, POLICIES, spansOf, type Tally } from './cron-compare.ts'
import { readPattern } from './cron-oracle.ts'
import { PATTERNS } from './cron-patterns.ts'

interface ZoneTally extends Tally {
  readonly changes: number
  readonly windows: number
}

const serve = (): void => {
  const patterns = PATTERNS.map(readPattern)
  parentPort!.on('message', (zone: string) => {
    const { changes, spans } = spansOf(zone)
    parentPort!.postMessage({ ...compare(zone, patterns, { spans }), changes, windows: spans.length })
  })
}

const run = async (zones: readonly string[]): Promise<readonly ZoneTally[]> => {
  const waiting = [...zones]
  const done: ZoneTally[] = []
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url))
      const next = (): void => {
        const zone = waiting.shift()
        if (zone !== undefined) worker.postMessage(zone)
        else worker.terminate().then(() => resolve(), reject)
      }
      worker.on('error', reject)
      worker.on('message', (tally: ZoneTally) => {
        done.push(tally)
        process.stderr.write(
          `\r${done.length}/${zones.length} zones, ${sum(done, 'comparisons')} comparisons `,
        )
        next()
      })
      next()
    })
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return done
}

const sum = (tallies: readonly ZoneTally[], key: 'comparisons' | 'firings' | 'changes' | 'windows'): number =>
  tallies.reduce((total, tally) => total + tally[key], 0)

const main = async (): Promise<void> => {
  const zones = Intl.supportedValuesOf('timeZone')
  const startedAt = performance.now()
  const tallies = await run(zones)
  const differences = tallies.flatMap((tally) => tally.differences)
  const result = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    tz: process.versions['tz'],
    years: '2024–2040',
    zones: zones.length,
    transitions: sum(tallies, 'changes'),
    windows: sum(tallies, 'windows'),
    patterns: PATTERNS.length,
    policies: POLICIES.length,
    comparisons: sum(tallies, 'comparisons'),
    firings: sum(tallies, 'firings'),
    differences: differences.length,
    examples: differences.slice(0, 20),
    seconds: Math.round((performance.now() - startedAt) / 1000),
  }
  const file = new URL('cron-oracle-result.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  console.log(JSON.stringify(result, null, 2))
  process.exitCode = differences.length === 0 ? 0 : 1
}

if (isMainThread) await main()
else serve()
