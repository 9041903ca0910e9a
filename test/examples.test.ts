// Runs the examples as a newcomer would, each in a process of its own, and compares all they print with what is kept
// beside them, instants and keys aside. After a wanted change: node examples/02-core-walk.ts > examples/02-core-walk.out

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const EXAMPLES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'examples')
const numbered = readdirSync(EXAMPLES).filter((name) => /^\d\d-.*\.ts$/.test(name))
const LEASE = join(EXAMPLES, '01-lease.ts')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-examples-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const steady = (printed: string): string =>
  printed.replaceAll(/^\d\d:\d\d:\d\d\.\d{3}/gm, '··:··:··.···').replaceAll(/key_[a-z2-7]{26}/g, 'key_…')

it('finds the examples', () => {
  expect(numbered).toContain('01-lease.ts')
})

it.each(numbered)('%s prints what is kept beside it', (name) => {
  const printed = execFileSync(process.execPath, [join(EXAMPLES, name), join(folder, name)], {
    encoding: 'utf8',
    // Warnings that belong to the story are told where it fails, not between the lines of other tests.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kept = readFileSync(join(EXAMPLES, name.replace(/\.ts$/, '.out')), 'utf8')
  expect(name.startsWith('01') ? steady(printed) : printed).toBe(kept)
})

/** Starts the first example and ends it with a signal as soon as a line says what is waited for. */
const runUntil = async (store: string, says: string, signal: NodeJS.Signals) => {
  const child = spawn(process.execPath, [LEASE, store], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let warned = ''
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => {
    lines.push(line)
    if (line.includes(says)) child.kill(signal)
  })
  const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null]
  return { lines, code, killedBy, warned }
}

interface Call {
  readonly key: string
  readonly body: string
  readonly status: number
}

describe('stopped anywhere and started again, nothing is lost and nothing sent twice', () => {
  it.each([
    ['SIGINT', 'POST /send         429', 0, null],
    ['SIGKILL', 'POST /send         429', null, 'SIGKILL'],
  ] as const)('%s after “%s”', async (signal, says, code, killedBy) => {
    const store = mkdtempSync(join(folder, 'again-'))
    const first = await runUntil(store, says, signal)
    expect([first.code, first.killedBy], first.warned).toEqual([code, killedBy])
    const second = await runUntil(store, 'never said', signal)
    expect(second.code, second.warned).toBe(0)
    expect(second.lines.join('\n')).toContain('l_001 is in ')
    expect(second.lines.filter((line) => line.includes('terminating → terminated'))).toHaveLength(2)
    const lines = readFileSync(join(store, 'lease-calls.jsonl'), 'utf8').trim().split('\n')
    const calls = lines.map((line) => JSON.parse(line) as Call)
    const keys = new Set(calls.map(({ key }) => key))
    expect(keys.size).toBe(2)
    for (const key of keys) {
      const own = calls.filter((call) => call.key === key)
      expect(own.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(new Set(own.map(({ body }) => body)).size).toBe(1)
    }
  })
})

it('the README shows the program of the first example, to the letter', () => {
  const example = readFileSync(LEASE, 'utf8')
  const program = /\/\/ #region program\n([\s\S]*?)\/\/ #endregion/.exec(example)?.[1]
  expect(program).toContain('machine({')
  expect(readFileSync(join(EXAMPLES, '..', 'README.md'), 'utf8')).toContain(program)
})
