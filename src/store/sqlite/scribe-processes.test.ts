import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { snapshotOf } from '../../../test/processes/snapshot.ts'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import { OF } from '../../../test/sqlite/members.ts'

const MANY = fileURLToPath(new URL('../../../test/torture/sqlite/many-steps.ts', import.meta.url))
const DICTATING = fileURLToPath(new URL('../../../test/torture/sqlite/dictating.ts', import.meta.url))
const KEPT = new URL('../../../test/torture/sqlite/dictating-kept.ts', import.meta.url)
/** As bin/pawl.mjs starts it. */
const FLAGS = ['--disallow-code-generation-from-strings', '--disable-proto=delete']
/** Of dictating-writing.ts. */
const BATCH = 60
/** After which a process is killed, round after round. */
const ENDS = [30, 240, 90, 400]
/** More than any round comes to before it is killed. */
const ENDLESS = '100000'

interface Lived {
  readonly said: readonly string[]
  readonly errors: string
  readonly code: number | null
  readonly signal: string | null
}

/** `hear` is told each line as it is said, and may end the process. */
const run = async (
  args: readonly string[],
  hear: (line: string, kill: () => void) => void = () => undefined,
): Promise<Lived> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  const said: string[] = []
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    hear(line, () => child.kill('SIGKILL'))
  }
  const [code, signal] = await ended
  return { said, errors, code, signal }
}

/** Rows of a query, by somebody who only looks. */
const look = (file: string, query: string): readonly Readonly<Record<string, unknown>>[] => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare(query).all()
  } finally {
    db.close()
  }
}

const bundlesOf = (file: string): number => look(file, 'select number from begun').length

/** Killed when so many have ended, and something has begun that only a scribe writes down. */
const killAfter = async (file: string, round: number, ends: number): Promise<readonly string[]> => {
  let heard = 0
  let isKilled = false
  // More often is not needed, and the process would wait to be heard.
  const isTime = (): boolean => heard >= ends && heard % 5 === 0 && bundlesOf(file) > 0
  const { said, errors, signal } = await run([MANY, file, String(round), ENDLESS], (line, kill) => {
    if (line.startsWith('ended')) heard += 1
    if (isKilled || !line.startsWith('ended') || !isTime()) return
    isKilled = true
    kill()
  })
  expect([errors, signal]).toEqual(['', 'SIGKILL'])
  return said
}

const namedBy = (said: readonly string[], what: string): readonly string[] =>
  said.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1))

/** What was acknowledged is there, whatever has been written beside it. */
const assertKept = (file: string, said: readonly string[]): void => {
  const rows = look(file, 'select id, status from executions')
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  expect(namedBy(said, 'started').filter((id) => !statuses.has(id))).toEqual([])
  expect(namedBy(said, 'ended').filter((id) => statuses.get(id) !== 'completed')).toEqual([])
}

/** Every execution has come to its end, by three actions of which each succeeded once; nothing else is left. */
const assertOver = (file: string): number => {
  expect(look(file, `select id, status from executions where status <> 'completed'`)).toEqual([])
  expect(look(file, 'select id, status from actions')).toEqual([])
  expect(bundlesOf(file)).toBe(0)
  const steps = `json_extract(substr(plan, 9), '$.config.n')`
  const done = look(
    file,
    `select execution, count(*) as actions, count(distinct id) as ids, group_concat(${steps}, ' ' order by ${steps}) as steps
    from actions_done where status = 'succeeded' group by execution`,
  )
  expect(done.filter(({ actions, ids, steps }) => actions !== 3 || ids !== 3 || steps !== '1 2 3')).toEqual(
    [],
  )
  expect(look(file, `select id from actions_done where status <> 'succeeded'`)).toEqual([])
  const executions = look(file, 'select id from executions').length
  expect(done).toHaveLength(executions)
  return executions
}

it('F01 F08: after kill -9 while a thread writes, all that was acknowledged is there, and whoever comes next brings all of it to its end, once', async () => {
  const file = tempFile()
  const said: string[] = []
  let left = 0
  // And on until one was killed that left bundles behind.
  for (let round = 0; round < ENDS.length || left === 0; round++) {
    said.push(...(await killAfter(file, round, ENDS[round % ENDS.length]!)))
    left += bundlesOf(file)
    // Opened and not read: what has begun is for the next process to find.
    const { store } = await open({ file, integrity: 'full' })
    await store.close()
    assertKept(file, said)
  }
  const { said: last, errors, code } = await run([MANY, file, 'last'])
  expect([errors, code]).toEqual(['', 0])
  assertKept(file, [...said, ...last])
  expect(assertOver(file)).toBeGreaterThanOrEqual(new Set(namedBy(said, 'started')).size)
  const { reader } = await open({ file, integrity: 'full' })
  const { actions } = await reader.counts({ ...OF, tenant: 'default' })
  expect(actions).toMatchObject({ queued: 0, running: 0, dead: 0, review: 0 })
})

it('the thread starts under the flags of the command line, and keeps no process alive that ends without closing', async () => {
  const file = tempFile()
  const { said, errors, code } = await run([...FLAGS, DICTATING, file])
  expect([errors, code]).toEqual(['', 0])
  expect(said.filter((line) => line !== 'written')).toEqual(['dictated'])
  const { reader } = await open({ file, integrity: 'full' })
  expect((await reader.counts(OF)).executions.active).toBe((said.length - 1) * BATCH)
})

it('a process that began as a snapshot starts no thread, which Node would not let it live through: it is told, and writes on', async () => {
  const file = tempFile()
  const { said, errors, code } = await run([...(await snapshotOf(KEPT)), file])
  expect([errors, code]).toEqual(['', 0])
  const told = said.filter((line) => line !== 'written')
  expect(told).toEqual([expect.stringContaining('began as a snapshot')])
  const { reader } = await open({ file, integrity: 'full' })
  expect((await reader.counts(OF)).executions.active).toBe((said.length - 1) * BATCH)
})
