import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { type Bed, claimAll, open, tempFile } from '../../../test/sqlite/bed.ts'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { PawlError, REGISTRY } from '../../core/errors.ts'
import { createBallast } from './ballast.ts'
import { createKeeper } from './keeper.ts'
import { prepareStatements } from './statements.ts'

const MIB = 1024 * 1024
const QUOTA = { maxBytes: 4 * MIB, reserveBytes: MIB }
const LARGE = { config: { text: 'x'.repeat(20_000) } }

/** Queues actions until one is refused; says how many there are. */
const fillUp = async (bed: Bed): Promise<number> => {
  for (let n = 0; ; n++) {
    const id = `act_${String(n).padStart(5, '0')}`
    const result = await bed.commit({ enqueue: [action(id, LARGE)] })
    if (result.status === 'ok') continue
    expect([result.status, result.error?.code]).toEqual(['refused', 'store_full'])
    return n
  }
}

const settleOne = async (bed: Bed, nonce: string, settlement = {}) => {
  const [head] = await bed.store.heads({ now: NOW })
  if (head === undefined) return undefined
  const request = {
    shares: [{ lane: head.lane, n: 1 }],
    batch: 1,
    worker: 'w1',
    nonce,
    leaseMs: 1000,
    byteBudget: 1,
  }
  const [claim] = await bed.store.claim({ ...request, now: NOW, lease: NOW })
  return bed.commit({ at: NOW + 1, settle: [settled(claim!, settlement)] })
}

/** `npm run torture` fills more disks than the one. */
const DISKS = Array.from({ length: Number(process.env['PAWL_FULL_DISKS'] ?? 1) }, (_, n) => n + 1)

it.each(DISKS)(
  'F29: full: new work is refused, what was accepted is settled and pruned, then new work is taken again (%i)',
  async (disk) => {
    const file = tempFile()
    // Of another size each: the last page is full at another place.
    const bed = await open({ file, ...QUOTA, maxBytes: QUOTA.maxBytes + disk * 4096 })
    const first = await bed.commit({ advance: advance('l') })
    const accepted = await fillUp(bed)
    expect(accepted).toBeGreaterThan(100)
    expect(REGISTRY.store_full).toMatchObject({ http: 507, retryable: true })

    const refused = [
      { enqueue: [action('act_x')] },
      { advance: advance('new') },
      { deliver: [{ execution: 'l', event: { id: 'e', type: 'x', payload: {}, at: NOW } }] },
    ]
    for (const member of refused) expect((await bed.commit(member)).status).toBe('refused')
    const timers = [{ key: 't', dueAt: NOW, event: { id: 't@', type: 'timer.fired', payload: {}, at: NOW } }]
    const goesOn = advance('l', { expected: 1, chain: first.chain!, timers })
    expect((await bed.commit({ advance: goesOn })).status).toBe('ok')

    for (let n = 0; n < accepted; n++) expect((await settleOne(bed, `n${n}`))?.status).toBe('ok')
    expect((await bed.commit({ enqueue: [action('act_x')] })).status).toBe('refused')
    const retention = { doneBefore: NOW + 100, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
    while (await bed.keeper.prune(retention, 50));
    expect((await bed.commit({ enqueue: [action('act_x')] })).status).toBe('ok')
    expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, succeeded: accepted })
  },
)

it('F29: in one batch the settlements are written and only the new work is refused', async () => {
  const bed = await open(QUOTA)
  await bed.commit({ enqueue: [action('act_a')] })
  const [claim] = await claimAll(bed)
  await fillUp(bed)
  const results = await bed.store.commit([
    { ...OF, at: NOW, enqueue: [action('act_x')] },
    { ...OF, at: NOW, settle: [settled(claim!)], enqueue: [action('act_next')] },
  ])
  expect(results.map(({ status }) => status)).toEqual(['refused', 'ok'])
})

it('F29: other processes learn of it, and of its end', async () => {
  const file = tempFile()
  const [one, two] = [await open({ file, ...QUOTA }), await open({ file, ...QUOTA })]
  const accepted = await fillUp(one)
  expect((await two.commit({ enqueue: [action('act_x')] })).error?.code).toBe('store_full')
  const third = await open({ file, ...QUOTA })
  expect(third.warnings).toEqual([expect.stringContaining('no room')])
  for (let n = 0; n < accepted; n++) await settleOne(two, `n${n}`)
  while (
    await one.keeper.prune({ doneBefore: NOW + 100, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }, 50)
  );
  for (const bed of [two, third])
    expect((await bed.commit({ enqueue: [action(`act_${bed === two ? 2 : 3}`)] })).status).toBe('ok')
})

it('F29: who cannot tell the others because one of them writes tells them with the next commit', async () => {
  const bed = await open({ file: tempFile() })
  const connection = { db: bed.connection, sql: prepareStatements(bed.connection), file: bed.file }
  const ballast = createBallast(connection, { reserveBytes: 4096, maxBytes: MIB }, false)
  const rival = new DatabaseSync(bed.file)
  rival.exec('begin immediate')
  expect([ballast.relieve(), ballast.isFull()]).toEqual([true, true])
  rival.exec('rollback')
  ballast.hear(false)
  expect(ballast.isFull()).toBe(true)
  const mark = rival.prepare(`select value from store_meta where key = 'full'`).get()
  expect(mark!['value']).toBe('1')
  ballast.hear(true)
  expect([ballast.relieve(), ballast.isFull()]).toEqual([false, true])
  ballast.hear(false)
  expect(ballast.isFull()).toBe(false)
})

it('F29: the reserve is a file beside the store, given up when the disk is full and taken back by itself', async () => {
  const file = tempFile()
  const bed = await open({ file, reserveBytes: 64 * 1024, maxBytes: MIB })
  expect(statSync(`${file}-reserve`).size).toBe(64 * 1024)
  await fillUp(bed)
  expect(statSync(`${file}-reserve`).size).toBe(32 * 1024)
  bed.connection.exec('delete from actions')
  for (let look = 0; look < 200; look++) bed.timers.tick()
  await expect.poll(async () => (await bed.commit({ enqueue: [action('act_x')] })).status).toBe('ok')
  expect(statSync(`${file}-reserve`).size).toBe(64 * 1024)
})

it('F29: a reserve that is whole is not written again by the next process; one that is not is', async () => {
  const file = tempFile()
  const reserve = `${file}-reserve`
  await open({ file, reserveBytes: 64 * 1024 })
  writeFileSync(reserve, 'mine'.repeat(16 * 1024))
  await open({ file, reserveBytes: 64 * 1024 })
  expect(readFileSync(reserve, 'utf8').slice(0, 4)).toBe('mine')
  truncateSync(reserve, 1024)
  truncateSync(reserve, 64 * 1024)
  await open({ file, reserveBytes: 64 * 1024 })
  expect(readFileSync(reserve).subarray(-4)).not.toEqual(Buffer.alloc(4))
})

it('F29: the second half of the reserve is for pruning alone', async () => {
  const file = tempFile()
  const bed = await open({ file, ...QUOTA, reserveBytes: 256 * 1024 })
  const accepted = await fillUp(bed)
  // Results that take more room than the half that was given up.
  const large = { result: 'y'.repeat(16_000) }
  const settleAll = async () => {
    for (let n = 0; n < accepted; n++) await settleOne(bed, `n${n}`, large)
  }
  await expect(settleAll()).rejects.toMatchObject({ code: 'store_full' })
  expect(statSync(`${file}-reserve`).size).toBe(128 * 1024)
  const retention = { doneBefore: NOW + 100, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
  while (await bed.keeper.prune(retention, 20));
  expect((await settleOne(bed, 'again', large))?.status).toBe('ok')
})

it('a store without room for anything says store_full', async () => {
  const bed = await open({ ...QUOTA, maxBytes: MIB, reserveBytes: 4096 })
  await fillUp(bed)
  // More for each row than pages have left.
  await expect(claimAll(bed, 'n'.repeat(100))).rejects.toMatchObject({ code: 'store_full' })
  expect((await bed.reader.counts(OF)).actions.running).toBe(0)
})

it('F29: pruning that finds no room gives the rest of the reserve up, and goes on', async () => {
  const bed = await open()
  const connection = { db: bed.connection, sql: prepareStatements(bed.connection), file: bed.file }
  const calls: string[] = []
  const full = () => Promise.reject(new PawlError('store_full', 'no room'))
  const run = <Value>(_: number, job: (isCareful: boolean) => Value) => {
    calls.push('run')
    return calls.length === 1 ? full() : Promise.resolve(job(false))
  }
  const writer = {
    run,
    runSoon: run,
    runAlong: run,
    read: <Value>(job: () => Value) => Promise.resolve(job()),
    glance: <Value>(job: () => Value) => Promise.resolve(job()),
    isDictating: () => false,
    close: () => Promise.resolve(),
  }
  const ballast = {
    isFull: () => false,
    hear: () => undefined,
    relieve: () => false,
    relieveAll: () => calls.push('relieved') > 0,
    hasRoom: () => false,
    restore: () => false,
  }
  const keeper = createKeeper({ connection, writer, ballast, timers: bed.timers, random: () => 'r' })
  expect(await keeper.prune({ doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }, 9)).toBe(
    false,
  )
  expect(calls).toEqual(['run', 'relieved', 'run'])
})
