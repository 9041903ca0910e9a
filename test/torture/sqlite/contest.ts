// Runs contenders on one file until one of them has made as many commits as wanted, and gathers what they say.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Report {
  readonly name: string
  readonly commits: number
  readonly rows: number
  readonly errors: readonly string[]
  /** The longest the event loop was held, not counting how long the machine had no core for it. */
  readonly blockedMs: number
  /** How long it was at it, not counting how long the machine had no core for it. */
  readonly servedMs: number
}

const CONTENDER = fileURLToPath(new URL('contender.ts', import.meta.url))

const start = async (file: string, name: string, commits: number) => {
  const child = spawn(process.execPath, [CONTENDER, file, name, String(commits)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => String((await lines.next()).value)
  await next()
  return { child, next }
}

const reportOf = async (line: string, next: () => Promise<string>): Promise<Report> =>
  JSON.parse(line === 'enough' ? await next() : line) as Report

export const contest = async (
  file: string,
  processes: number,
  commits: number,
): Promise<readonly Report[]> => {
  const names = Array.from({ length: processes }, (_, index) => `p${index}`)
  const started = await Promise.all(names.map((name) => start(file, name, commits)))
  const reported = started.map(({ next }) => next())
  for (const { child } of started) child.stdin.write('go\n')
  await Promise.race(reported)
  for (const { child } of started) child.stdin.write('stop\n')
  return Promise.all(started.map(async ({ next }, index) => reportOf(await reported[index]!, next)))
}
