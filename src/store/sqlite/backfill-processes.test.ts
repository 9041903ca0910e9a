import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { snapshotOf } from '../../../test/processes/snapshot.ts'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import { OF } from '../../../test/sqlite/members.ts'

const HEAVY = fileURLToPath(new URL('../../../test/torture/sqlite/heavy.ts', import.meta.url))
const KEPT = new URL('../../../test/torture/sqlite/heavy-kept.ts', import.meta.url)
/** As bin/pawl.mjs starts it. */
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete']
const BATCH = 50

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const run = async (begin: readonly string[], file: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [...begin, file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  const [said, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  const [code, signal] = await ended
  return { said: said.trim().split('\n'), errors, code, signal }
}

it('F01: after kill -9 while a thread copies the WAL, everything that was acknowledged is there, and sound', async () => {
  const file = tempFile()
  let written = 0
  for (const [round, commits] of [6, 9, 12, 15, 20, 30].entries()) {
    const { said, errors, signal } = await run([HEAVY], file, String(round), String(commits))
    expect([errors, signal]).toEqual(['', 'SIGKILL'])
    expect(said.filter((line) => !line.startsWith('written'))).toEqual([])
    written += said.length
    const { store, reader } = await open({ file, integrity: 'full' })
    // It says a line for each before it goes on.
    expect((await reader.counts(OF)).actions.queued).toBe(written * BATCH)
    await store.close()
  }
})

it('the thread starts under the flags of the command line, and keeps no process alive that ends without closing', async () => {
  const file = tempFile()
  const { said, errors, code } = await run([...FLAGS, HEAVY], file, '0')
  expect([errors, code]).toEqual(['', 0])
  expect(said.at(-1)).toBe('anew')
  expect(said.filter((line) => line.startsWith('warning'))).toEqual([])
  const { reader } = await open({ file, integrity: 'full' })
  expect((await reader.counts(OF)).actions.queued).toBe((said.length - 1) * BATCH)
})

it('a process that began as a snapshot starts no thread, which Node would not let it live through: it is told, and writes on', async () => {
  const file = tempFile()
  const { said, errors, code } = await run(await snapshotOf(KEPT), file, '0')
  expect([errors, code]).toEqual(['', 0])
  const told = said.filter((line) => !line.startsWith('written'))
  expect(told).toEqual([expect.stringContaining('began as a snapshot')])
  const { reader } = await open({ file, integrity: 'full' })
  expect((await reader.counts(OF)).actions.queued).toBe((said.length - 1) * BATCH)
})
