// S45: a whole workload with a canary in every place, told back in every spelling; then every byte that was stored or
// shown is looked through. What is planted is found, so the look is known to see.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Pawl } from '../../src/index.ts'
import { type Bed, onEachShared } from '../engine/bed.ts'
import { KEY_A } from './bed.ts'
import { type Hit, type Sinks, sweep } from './sweep.ts'
import { CANARIES, openWorkload, runWorkload } from './workload.ts'

const filesOf = (url: string): readonly string[] => {
  const path = /^sqlite:(.*)$/.exec(url)?.[1]
  if (path === undefined) return []
  // The reserve for a full disk is nothing but room.
  const names = readdirSync(dirname(path)).filter((name) => !name.endsWith('-reserve'))
  return names.map((name) => join(dirname(path), name))
}

const all = async <Row>(list: (after?: string) => Promise<{ data: readonly Row[]; next?: string }>) => {
  const rows: Row[] = []
  for (let page = await list(); ; page = await list(page.next)) {
    rows.push(...page.data)
    if (page.next === undefined) return rows
  }
}

const pageOf = (after: string | undefined) => ({ limit: 250, ...(after !== undefined && { after }) })

/** From the first fact to the start of the last execution. */
const feedOf = async (pawl: Pawl): Promise<readonly unknown[]> => {
  await pawl.start('echoing', { id: 'last', variables: { spelling: 'plain', status: 200, said: null } })
  const rows: unknown[] = []
  for await (const row of pawl.watch()) {
    rows.push(row)
    if (row.execution === 'last') break
  }
  return rows
}

/** Everything that can be asked of it. */
const shownBy = async (pawl: Pawl): Promise<Record<string, string>> => {
  const actions = await all((after) => pawl.actions.list({}, pageOf(after)))
  const executions = await all((after) => pawl.executions.list({}, pageOf(after)))
  const each = <Row extends { readonly id: string }, Value>(
    rows: readonly Row[],
    ask: (id: string) => Promise<Value>,
  ) => Promise.all(rows.map(({ id }) => ask(id)))
  const shown = {
    actions,
    executions,
    attempts: await each(actions, pawl.actions.get),
    why: await each(actions, pawl.why),
    history: await each(executions, (id) => pawl.executions.history(id)),
    timelines: await each(executions, (id) => pawl.executions.timeline(id)),
    groups: await pawl.actions.groups(),
    tasks: await all((after) => pawl.tasks.list({}, pageOf(after))),
    outbox: await all((after) => pawl.outbox.list({}, pageOf(after))),
    stats: await pawl.stats(),
    health: await pawl.health('ask'),
    definitions: await pawl.definitions(),
    secrets: await pawl.secrets.list(),
    workers: await pawl.workers(),
    report: await pawl.verify(),
    feed: await feedOf(pawl),
  }
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, JSON.stringify(value)]))
}

const hitsIn = (sinks: Sinks): readonly Hit[] => sweep(CANARIES, sinks)

const openIn = async (bed: Bed) => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-canary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'file'), CANARIES.file)
  const { options, env, base, heard } = await openWorkload()
  const pawl = await bed.open({ ...options, secrets: { env, directory: folder, keys: { key: KEY_A } } })
  await pawl.secrets.put({ name: 'stored', value: CANARIES.stored })
  await runWorkload(pawl, base)
  return { pawl, heard }
}

onEachShared('S45: the canary sweep', (bed) => {
  it('0 hits in every table, file, log line and answer', async () => {
    const { pawl, heard } = await openIn(bed)

    // They were really used, and the workload really ran.
    const used = hitsIn({ texts: { heard: heard().join('\n') } }).map(({ canary }) => canary)
    expect(new Set(used)).toEqual(
      new Set(Object.keys(CANARIES).filter((name) => !['function', 'signing'].includes(name))),
    )
    const { succeeded, dead } = (await pawl.counts()).actions
    expect(succeeded).toBeGreaterThan(40)
    expect(dead).toBeGreaterThan(60)

    const shown = await shownBy(pawl)
    for (const place of ['attempts', 'executions', 'tasks'])
      expect(shown[place]!.includes('‹secret:header›'), place).toBe(true)
    const texts = { ...shown, log: JSON.stringify(bed.lines), dump: await bed.dump() }
    expect(hitsIn({ texts, files: filesOf(bed.url()) })).toEqual([])

    // And a leak would be seen: in a row, and in a line of the log.
    await pawl.start('echoing', {
      id: 'planted',
      variables: { spelling: 'plain', status: 200, said: CANARIES.smtp },
    })
    const planted = hitsIn({ texts: { dump: await bed.dump() } })
    expect(new Set(planted.map(({ canary }) => canary))).toEqual(new Set(['smtp']))
    const line = JSON.stringify([...bed.lines, { message: Buffer.from(CANARIES.bearer).toString('base64') }])
    expect(hitsIn({ texts: { line } })).toMatchObject([{ where: 'text line', canary: 'bearer' }])
  })
})
