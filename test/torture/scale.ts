// The tests whose figures only mean something at size, run at size: every plan of both stores over a million rows, a
// thousand flipped bits, a disk that is full again and again. They are the same files that `npm test` runs with less.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PLANS = ['src/store/sqlite/plans.test.ts', 'src/store/postgres/plans.test.ts']
const FILES = ['src/store/sqlite/integrity.test.ts', 'src/store/sqlite/ballast.test.ts']
/** Of these files the tests that have a size. */
const SIZED = ['--testNamePattern', '^(?:F29: full|F31)']
const TIMEOUT_MS = 3_600_000

interface Told {
  readonly numPassedTests: number
  readonly numTotalTests: number
  readonly numPendingTests: number
}

/** What the tests print goes to stderr: stdout is the summary's. */
const runTests = (
  chosen: readonly string[],
  env: Readonly<Record<string, string>>,
  report: string,
): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const limits = [`--testTimeout=${TIMEOUT_MS}`, `--hookTimeout=${TIMEOUT_MS}`, '--no-file-parallelism']
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...reporters, ...limits],
      { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', process.stderr, 'inherit'] },
    )
    child.on('error', reject)
    child.on('exit', resolve)
  })

export interface Scale {
  /** Of every plan; 0: none is asked for. */
  readonly rows: number
  readonly flips: number
  readonly fullDisks: number
}

export const scaleStores = async ({ rows, flips, fullDisks }: Scale) => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-scale-'))
  const report = join(folder, 'report.json')
  try {
    const sizes = { PAWL_ROWS: String(rows), PAWL_FLIPS: String(flips), PAWL_FULL_DISKS: String(fullDisks) }
    const chosen = rows > 0 ? [...PLANS, ...FILES] : [...FILES, ...SIZED]
    const code = await runTests(chosen, sizes, report)
    const told = JSON.parse(readFileSync(report, 'utf8')) as Told
    const [passed, tests] = [told.numPassedTests, told.numTotalTests - told.numPendingTests]
    return {
      isHeld: code === 0 && passed === tests && tests > 0,
      summary: { rows, flips, fullDisks, tests, passed },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
