import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import {
  beginning,
  claimOf,
  type Dictated,
  isWritten,
  LEASE_MS,
  openDictated,
  warmUp,
} from '../../../test/sqlite/dictated.ts'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import type { Advance, Member, Result, Settle } from '../store.ts'

const RUNNING = { status: 'running', worker: 'w1', leaseUntil: NOW + LEASE_MS, attempt: 0 }

/** Moves an execution on, together with what has ended of it. */
const moving = (
  execution: string,
  before: Result,
  settle: readonly Settle[],
  over: Partial<Advance> = {},
): Partial<Member> => ({
  lease: NOW,
  settle,
  advance: advance(execution, {
    expected: before.revision!,
    was: 'active',
    chain: before.chain!,
    ...over,
  }),
})

const done = ({ look }: Dictated): readonly unknown[] =>
  look(`select id from actions_done where status = 'succeeded' order by id`).map(({ id }) => id)

const begin = async (bed: Dictated, ...ids: readonly string[]): Promise<Result> => {
  const begun = await bed.dictate(beginning('x', ...ids))
  expect(begun.claimed?.map(({ id }) => id)).toEqual(ids)
  expect(bed.bundles()).toEqual([{ revision: 1, ids }])
  expect(bed.look(`select id from actions where status = 'running'`)).toEqual([])
  return begun
}

/** Everyone who may ask for an action that has begun, and what each finds. */
const ASKED: Readonly<Record<string, (bed: Dictated) => Promise<unknown>>> = {
  'whoever reads it': async ({ reader }) => expect(await reader.action(OF, 'act_1')).toMatchObject(RUNNING),
  'whoever lists what runs': async ({ reader }) => {
    const { data } = await reader.actions(OF, { status: 'running' }, { limit: 9 })
    expect(data.map(({ id }) => id)).toEqual(['act_2', 'act_1'])
  },
  'whoever lists an execution': async ({ reader }) => {
    const { data } = await reader.actions(OF, { execution: 'x' }, { limit: 9 })
    expect(data.map(({ id }) => id)).toEqual(['act_2', 'act_1'])
  },
  'whoever counts': async ({ reader }) =>
    expect((await reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 2, succeeded: 0 }),
  'another process': async ({ file }) => {
    const other = await open({ file })
    expect(await other.reader.action(OF, 'act_1')).toMatchObject(RUNNING)
    expect((await other.reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 2 })
  },
  'whoever reaps, once its lease has run out': async ({ store }) => {
    expect(await store.reap(9, { lease: NOW + LEASE_MS - 1 })).toEqual([])
    const expired = await store.reap(9, { lease: NOW + LEASE_MS })
    expect(expired).toMatchObject([claimOf('act_1'), claimOf('act_2')])
  },
  'whoever extends its lease': async ({ store, reader }) => {
    const claims = [claimOf('act_1'), claimOf('act_2'), { ...claimOf('act_1'), nonce: 'old' }]
    const extended = await store.extend(claims, 2 * LEASE_MS, { lease: NOW })
    expect(extended).toEqual({ lost: [claims[2]], cancelled: [] })
    expect(await reader.action(OF, 'act_1')).toMatchObject({ ...RUNNING, leaseUntil: NOW + 2 * LEASE_MS })
  },
  'whoever cancels it': async ({ commit, store }) => {
    const cancel = { kind: 'cancel_action', id: 'act_1', reason: 'no more', only: 'running' } as const
    expect((await commit({ control: [cancel] })).status).toBe('ok')
    const { cancelled } = await store.extend([claimOf('act_1'), claimOf('act_2')], 1, { lease: NOW })
    expect(cancelled).toEqual([claimOf('act_1')])
  },
}

it.each(Object.keys(ASKED))(
  '%s finds what a dictated commit has begun, and it still ends once',
  async (who) => {
    const bed = await openDictated()
    const begun = await begin(bed, 'act_1', 'act_2')
    await ASKED[who]!(bed)
    const ends = [settled(claimOf('act_1')), settled(claimOf('act_2'))]
    const ended = await bed.commit(moving('x', begun, ends))
    expect(ended.status).toBe('ok')
    expect(done(bed)).toEqual(['act_1', 'act_2'])
    expect((await bed.commit(moving('x', ended, [ends[0]!]))).status).toBe('fenced')
    expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 0, succeeded: 2 })
  },
)

it.each(['commit', 'rollback'])(
  'a guest finds what has begun in its own transaction, and after its %s it has begun as before',
  async (end) => {
    const bed = await openDictated()
    const begun = await begin(bed, 'act_1', 'act_2')
    const client = new DatabaseSync(bed.file)
    onTestFinished(() => client.close())
    client.exec('begin immediate')
    const cancel = { kind: 'cancel_action', id: 'act_1', reason: 'no more', only: 'running' } as const
    const [cancelled] = await bed.store.in(client).commit([{ ...OF, at: NOW, control: [cancel] }])
    expect(cancelled!.status).toBe('ok')
    client.exec(end)
    expect(bed.bundles()).toHaveLength(end === 'commit' ? 0 : 1)
    const ends = [settled(claimOf('act_1')), settled(claimOf('act_2'))]
    expect((await bed.commit(moving('x', begun, ends))).status).toBe('ok')
    expect([done(bed), bed.bundles()]).toEqual([['act_1', 'act_2'], []])
    expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, running: 0, succeeded: 2 })
  },
)

const TABLES = [
  'actions',
  'actions_done',
  'attempts',
  'executions',
  'events',
  'counters',
  'timers',
  'inbox',
  'lanes',
]

/** All that is kept of anything that moves. */
const everything = (db: DatabaseSync): unknown =>
  Object.fromEntries(TABLES.map((table) => [table, db.prepare(`select * from ${table}`).all()]))

/** An execution of which actions begin, and end in every way that can be foreseen. */
const perform = async (commit: (member: Partial<Member>) => Promise<Result>): Promise<readonly Result[]> => {
  const history = [{ type: 'execution.transitioned', at: NOW, data: { to: 'active' } }]
  const event = { id: 'e1', type: 'go', payload: { n: 1 }, at: NOW }
  const timers = [
    { key: 't', dueAt: NOW + 9, event: { id: 't@', type: 'timer.fired', payload: {}, at: NOW } },
  ]
  const start = beginning('x', 'act_1', 'act_2', 'act_3', 'act_4')
  const begun = await commit({ ...start, advance: { ...start.advance!, history, timers } })
  const first = await commit(
    moving('x', begun, [settled(claimOf('act_2'), { result: { 'naïve “text”': [1, null, '\u{1F600}'] } })], {
      history,
      consume: [{ event, from: 'outside' }],
      actions: beginning('x', 'act_5').advance!.actions,
    }),
  )
  const second = await commit(
    moving(
      'x',
      first,
      [
        settled(claimOf('act_1'), {}, { attempt: 0, endedAt: NOW + 7 }),
        settled(claimOf('act_4'), { lost: 2, reaps: 1, result: null }, { startedAt: NOW + 1, worker: 'w2' }),
      ],
      { cancel: { timers: ['t'], actions: [] }, history },
    ),
  )
  return [begun, first, second]
}

it('what is settled goes straight into the history, and every row is as the event loop writes it', async () => {
  const bed = await openDictated()
  const plain = await open({ file: tempFile() })
  await warmUp(plain, () => true)
  // As many executions as it took the other one.
  for (const { id } of bed.look(`select id from executions where id <> 'warm_0' order by rowid`))
    await plain.commit({ advance: advance(String(id)) })
  const dictated = await perform(bed.dictate)
  expect(done(bed)).toEqual(['act_1', 'act_2', 'act_4'])
  expect(bed.bundles()).toEqual([
    { revision: 3, ids: ['act_3'] },
    { revision: 1, ids: ['act_5'] },
  ])
  const written = await perform(plain.commit)
  expect(dictated).toEqual(written)
  await bed.reader.action(OF, 'act_3')
  expect(bed.bundles()).toEqual([])
  expect(everything(bed.connection)).toEqual(everything(plain.connection))
})

const WRONG: Readonly<Record<string, { readonly claim?: object; readonly tenant?: string }>> = {
  nonce: { claim: { nonce: 'other' } },
  token: { claim: { token: 2 } },
  tenant: { tenant: 'other' },
}

it.each(Object.keys(WRONG))(
  'P3: a settlement with another %s is fenced, and changes nothing',
  async (what) => {
    const bed = await openDictated()
    const begun = await begin(bed, 'act_1', 'act_2')
    const { claim, tenant = OF.tenant } = WRONG[what]!
    const wrong = settled({ ...claimOf('act_1'), ...claim })
    const own = { tenant, execution: { ...advance('y').execution, tenant } }
    const batch: Member[] = [
      { ...OF, at: NOW, ...moving('x', begun, [settled(claimOf('act_2'))]) },
      { ...OF, at: NOW, tenant, settle: [wrong], advance: advance('y', own) },
    ]
    const results = await bed.store.commit(batch)
    expect(results).toMatchObject([{ status: 'ok' }, { status: 'fenced', subject: 'act_1' }])
    expect(await bed.reader.action(OF, 'act_1')).toMatchObject(RUNNING)
    expect(await bed.reader.execution({ ...OF, tenant }, 'y')).toBeUndefined()
    expect(done(bed)).toEqual(['act_2'])
    expect((await bed.commit(moving('x', results[0]!, [settled(claimOf('act_1'))]))).status).toBe('ok')
  },
)

it('one that is settled twice in one dictated commit ends once: the second one is fenced', async () => {
  const bed = await openDictated()
  const begun = await begin(bed, 'act_1')
  const results = await bed.store.commit([
    { ...OF, at: NOW, ...moving('x', begun, [settled(claimOf('act_1'))]) },
    { ...OF, at: NOW, settle: [settled(claimOf('act_1'))], advance: advance('y') },
  ])
  expect(results.map(({ status }) => status)).toEqual(['ok', 'fenced'])
  expect(bed.heard.map(isWritten)).toEqual([true, true])
  expect([done(bed), bed.bundles()]).toEqual([['act_1'], []])
})

it('a bundle of which parts end apart is written again a few times, then the rest has rows of its own; each ends once', async () => {
  const bed = await openDictated()
  const ids = Array.from({ length: 8 }, (_, n) => `act_${n}`)
  let last = await begin(bed, ...ids)
  const seen: unknown[] = []
  for (const id of ids) {
    last = await bed.dictate(moving('x', last, [settled(claimOf(id))]))
    expect(last.status).toBe('ok')
    const rows = bed.look(`select id from actions where status = 'running'`).length
    seen.push([...bed.bundles().map((bundle) => [bundle.revision, bundle.ids.length]), rows])
  }
  expect(seen).toEqual([[[2, 7], 0], [[3, 6], 0], [[4, 5], 0], [4], [3], [2], [1], [0]])
  expect(done(bed)).toEqual(ids)
  for (const id of ids)
    expect((await bed.commit(moving('x', last, [settled(claimOf(id))]))).status).toBe('fenced')
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ running: 0, succeeded: 8 })
})

/** The next ones that are asked are not written. */
const openUndoing = async () => {
  const left = { count: 0 }
  const bed = await openDictated(() => {
    if (left.count === 0) return undefined
    left.count -= 1
    return { undone: 'no' }
  })
  const undo = (count: number): void => {
    left.count = count
  }
  return { bed, undo }
}

it('a dictated commit that was undone leaves nothing, and is made again by the event loop with the same results', async () => {
  const { bed, undo } = await openUndoing()
  const other = await openDictated()
  const same = await other.dictate(beginning('x', 'act_1', 'act_2'))
  undo(1)
  const begun = await bed.commit(beginning('x', 'act_1', 'act_2'))
  expect(bed.heard.map(isWritten)).toEqual([false])
  expect(begun).toEqual(same)
  expect(bed.bundles()).toEqual([])
  expect(await bed.reader.action(OF, 'act_1')).toMatchObject(RUNNING)
  const ends = [settled(claimOf('act_1')), settled(claimOf('act_2'))]
  undo(1)
  const ended = await bed.commit(moving('x', begun, ends))
  expect(ended).toEqual(await other.dictate(moving('x', same, ends)))
  expect(done(bed)).toEqual(['act_1', 'act_2'])
})

/** Two executions of which each has begun one action, in one bundle. */
const beginTwo = async (bed: Dictated) => {
  const [x, y] = await bed.store.commit([
    { ...OF, at: NOW, ...beginning('x', 'act_1') },
    { ...OF, at: NOW, ...beginning('y', 'act_2') },
  ])
  expect(bed.bundles()).toEqual([{ revision: 1, ids: ['act_1', 'act_2'] }])
  bed.heard.length = 0
  return { x: x!, y: y! }
}

it('B2: what was dictated after something that was undone, about the same bundle, is undone too: nothing is lost, nothing ends twice', async () => {
  const { bed, undo } = await openUndoing()
  const { x, y } = await beginTwo(bed)
  undo(1)
  const ends = await Promise.all([
    bed.commit(moving('x', x, [settled(claimOf('act_1'))])),
    bed.commit(moving('y', y, [settled(claimOf('act_2'))])),
  ])
  expect(bed.heard.map(({ said }) => said)).toEqual([
    { undone: 'no' },
    { undone: expect.stringContaining('not as it was known') },
  ])
  expect(ends.map(({ status }) => status)).toEqual(['ok', 'ok'])
  expect([done(bed), bed.bundles()]).toEqual([['act_1', 'act_2'], []])
  expect((await bed.commit(moving('x', ends[0]!, [settled(claimOf('act_2'))]))).status).toBe('fenced')
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ running: 0, succeeded: 2 })
})

it('what could not be foreseen, and could not be written here either, leaves a bundle whole', async () => {
  const bed = await openDictated()
  const { x, y } = await beginTwo(bed)
  const begin = bed.connection.exec.bind(bed.connection)
  bed.connection.exec = (text) => {
    bed.connection.exec = begin
    if (text !== 'begin immediate') throw new Error(text)
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
  }
  // The second one is looked at by nobody but the event loop.
  const failed = bed.store.commit([
    { ...OF, at: NOW, ...moving('x', x, [settled(claimOf('act_1'))]) },
    { ...OF, at: NOW, ...beginning('z'), enqueue: [action('act_z')] },
  ])
  await expect(failed).rejects.toMatchObject({ code: 'store_unavailable' })
  expect((await bed.commit(moving('y', y, [settled(claimOf('act_2'))]))).status).toBe('ok')
  expect((await bed.reader.action(OF, 'act_1'))?.status).toBe('running')
  expect((await bed.commit(moving('x', x, [settled(claimOf('act_1'))]))).status).toBe('ok')
  expect(done(bed)).toEqual(['act_1', 'act_2'])
})

it('a bundle that is damaged is refused, by whoever reads and whoever writes', async () => {
  const bed = await openDictated()
  await begin(bed, 'act_1')
  bed.connection.exec(`update begun set content = 'zzzzzzzz' || substr(content, 9)`)
  const refused = { code: 'store_corrupt', message: expect.stringContaining('what has begun') }
  await expect(bed.reader.action(OF, 'act_1')).rejects.toMatchObject(refused)
  await expect(bed.commit({ enqueue: [action('act_2')] })).rejects.toMatchObject(refused)
  expect(bed.bundles()).toHaveLength(1)
})

it('a store that is closed with bundles left opens again, and has them as actions that run', async () => {
  const bed = await openDictated()
  await begin(bed, 'act_1', 'act_2')
  await bed.store.close()
  expect(bed.bundles()).toEqual([{ revision: 1, ids: ['act_1', 'act_2'] }])
  const again = await open({ file: bed.file, integrity: 'full' })
  expect(await again.reader.action(OF, 'act_1')).toMatchObject(RUNNING)
  expect((await again.reader.counts(OF)).actions).toMatchObject({ running: 2 })
  expect(await again.store.reap(9, { lease: NOW + LEASE_MS })).toHaveLength(2)
  expect(bed.bundles()).toEqual([])
})
