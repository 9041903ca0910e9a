import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import { OF } from '../../../test/sqlite/members.ts'
import { contest, type Report } from '../../../test/torture/sqlite/contest.ts'
import { chainStart, firstBroken } from '../../core/history.ts'

/** Single processes on a busy machine are seen to be held up to this long; less is noise. */
const NOISE_MS = 20
/** What a heartbeat, a timer or a request may wait for the store on a machine that is free. */
const LIMIT_MS = 50

const COMMITS = 80

const worstOf = (reports: readonly Report[]) => Math.max(...reports.map(({ blockedMs }) => blockedMs))

/** What the store does it does every time; what the machine does to so many processes it may do once or twice. */
const TRIES = 3

interface Met {
  readonly share: number
  /** How long the event loop was held, beside the same work without a file, disk and locks aside. */
  readonly ratio: number
}

const meet = async (processes: number): Promise<Met> => {
  const file = tempFile()
  const reports = await contest(file, processes, COMMITS)
  const apart = worstOf(await contest(':memory:', processes, COMMITS))
  const commits = reports.map((report) => report.commits)
  // A process that the machine gives less of a core makes fewer: that is no unfairness of the file.
  const rates = reports.map((report) => report.commits / report.servedMs)
  const share = Math.min(...rates) / Math.max(...rates)
  const held = worstOf(reports)
  const ratio = held / Math.max(apart, NOISE_MS)
  console.log(
    `${processes} processes: commits ${commits.join(' ')}, worst/best share ${share.toFixed(2)}, event loop held at most ` +
      `${held.toFixed(0)} ms (each in memory ${apart.toFixed(0)}, ratio ${ratio.toFixed(1)})`,
  )
  expect(reports.flatMap(({ errors }) => errors)).toEqual([])
  const { reader } = await open({ file })
  const rows = reports.reduce((sum, report) => sum + report.rows, 0)
  expect((await reader.counts(OF)).actions.queued).toBe(rows)
  return { share, ratio }
}

it.each([3, 8])(
  'F30: %i processes on one file: no BUSY, fair shares, a free event loop',
  {
    timeout: 240_000,
  },
  async (processes) => {
    const isFree = ({ share, ratio }: Met): boolean => share >= 0.5 && ratio < LIMIT_MS / NOISE_MS
    const met: Met[] = []
    while (met.length < TRIES && !met.some(isFree)) met.push(await meet(processes))
    expect(met.find(isFree), JSON.stringify(met)).toBeDefined()
  },
)

const VICTIM = fileURLToPath(new URL('../../../test/torture/sqlite/victim.ts', import.meta.url))

/** What a process said was written before it was killed, after so many lines. */
const killAfter = async (file: string, round: number, lines: number): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [VICTIM, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    if (said.length === lines) child.kill('SIGKILL')
  }
  await exit
  return said
}

it('F01 F08: after kill -9 everything that was acknowledged is there, whole, and nothing is half', async () => {
  const file = tempFile()
  const said: string[] = []
  for (const [round, lines] of [7, 30, 1, 55, 12].entries()) {
    said.push(...(await killAfter(file, round, lines)))
    const { store, reader } = await open({ file })
    for (const line of said) {
      const [what, id = ''] = line.split(' ')
      const loaded = await reader.execution(OF, id)
      const action = await reader.action(OF, `act_${id}`)
      const { data } = await reader.history(OF, id, { limit: 9 })
      // One commit more may have been written than was told.
      expect(loaded!.revision).toBeGreaterThanOrEqual(what === 'ended' ? 2 : 1)
      expect(action!.status).toBe(loaded!.revision === 2 ? 'succeeded' : 'running')
      expect(data).toHaveLength(loaded!.revision)
      expect(firstBroken(chainStart(OF.namespace, OF.tenant, id), data)).toBeUndefined()
    }
    const { actions, executions } = await reader.counts(OF)
    expect(actions.running + actions.succeeded).toBe(executions.active)
    await store.close()
  }
  expect(said.length).toBeGreaterThanOrEqual(105)
})
