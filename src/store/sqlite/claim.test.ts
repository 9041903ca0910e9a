import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { type Bed, claimAll, open, tempFile } from '../../../test/sqlite/bed.ts'
import { action, NOW, OF, settled } from '../../../test/sqlite/members.ts'

const request = (shares: readonly { lane: number; n: number }[], more = {}) => ({
  shares,
  batch: 10,
  worker: 'w1',
  nonce: 'n1',
  leaseMs: 30_000,
  byteBudget: 4_000_000,
  now: NOW,
  lease: NOW,
  ...more,
})

const idsOf = async (bed: Bed, ...args: Parameters<typeof request>) =>
  (await bed.store.claim(request(...args))).map(({ id }) => id)

it('takes what is due, oldest first, in the order and up to the size of the shares', async () => {
  const bed = await open()
  await bed.commit({
    enqueue: [
      action('act_1', { dueAt: NOW - 1 }),
      action('act_2', { dueAt: NOW - 2 }),
      action('act_3', { dueAt: NOW + 1 }),
      action('act_4', { priority: 90 }),
      action('act_5', { priority: 90 }),
    ],
  })
  const shares = [
    { lane: 2, n: 1 },
    { lane: 1, n: 9 },
    { lane: 99, n: 9 },
    { lane: -1, n: 9 },
  ]
  expect(await idsOf(bed, shares)).toEqual(['act_4', 'act_2', 'act_1'])
  expect(await idsOf(bed, shares)).toEqual(['act_5'])
  expect(await idsOf(bed, shares)).toEqual([])
})

it('stops at the batch, and at the bytes, but takes at least one', async () => {
  const bed = await open()
  const large = { config: { text: 'x'.repeat(5000) } }
  await bed.commit({ enqueue: ['act_1', 'act_2', 'act_3', 'act_4'].map((id) => action(id, large)) })
  expect(await idsOf(bed, [{ lane: 1, n: 9 }], { byteBudget: 1 })).toEqual(['act_1'])
  expect(await idsOf(bed, [{ lane: 1, n: 9 }], { byteBudget: 12_000 })).toEqual(['act_2', 'act_3'])
  await bed.commit({ enqueue: ['act_5', 'act_6'].map((id) => action(id)) })
  expect(await idsOf(bed, [{ lane: 1, n: 9 }], { batch: 2 })).toEqual(['act_4', 'act_5'])
})

it('hands over all a worker needs; the token counts claims, not attempts', async () => {
  const bed = await open()
  await bed.commit({
    enqueue: [{ ...action('act_1', { runner: 'eu' }), source: { kind: 'journey', id: 'j' } }],
  })
  const [claim] = await claimAll(bed)
  expect(claim).toEqual({
    ...OF,
    id: 'act_1',
    lane: 1,
    execution: null,
    source: { kind: 'journey', id: 'j' },
    plan: action('act_1', { runner: 'eu' }).plan,
    dueAt: NOW,
    createdAt: NOW,
    attempt: 0,
    lost: 0,
    reaps: 0,
    cancelRequested: false,
    token: 1,
    nonce: 'nonce',
    leaseUntil: NOW + 30_000,
  })
  const back = { status: 'queued', outcome: 'lost', reason: 'released', dueAt: NOW } as const
  await bed.commit({ settle: [settled(claim!, back, { attempt: 0 })] })
  expect((await claimAll(bed))[0]).toMatchObject({ token: 2, attempt: 0 })
})

it('an eager action is born claimed', async () => {
  const bed = await open()
  const claim = { worker: 'w1', nonce: 'n1', leaseMs: 500 }
  await bed.commit({ lease: NOW, enqueue: [{ ...action('act_1'), claim }] })
  expect(await claimAll(bed)).toEqual([])
  expect(await bed.reader.action(OF, 'act_1')).toMatchObject({
    status: 'running',
    worker: 'w1',
    leaseUntil: NOW + 500,
  })
  expect((await bed.commit({ settle: [settled({ id: 'act_1', token: 1, nonce: 'n1' })] })).status).toBe('ok')
})

it('F04: a lease that ran out is reaped; one that was extended is not; who lost it is told', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1'), action('act_2')] })
  const [one, two] = await claimAll(bed)
  const lost = { id: 'act_9', token: 1, nonce: 'n' }
  const stolen = { ...two!, nonce: 'z' }
  expect(await bed.store.extend([one!, lost, stolen], 60_000, { lease: NOW })).toEqual({
    lost: [lost, stolen],
    cancelled: [],
  })
  expect(await bed.store.reap(9, { lease: NOW + 29_999 })).toEqual([])
  expect((await bed.store.reap(9, { lease: NOW + 30_000 })).map(({ id }) => id)).toEqual(['act_2'])
  expect((await bed.store.reap(9, { lease: NOW + 60_000 })).map(({ id }) => id)).toEqual(['act_2', 'act_1'])
})

it('without a clock given, the database’s own counts', async () => {
  const bed = await open()
  const { now } = bed.connection.prepare(`select unixepoch() * 1000 as now`).get() as { now: number }
  await bed.commit({
    enqueue: [action('act_1', { dueAt: now - 60_000 }), action('act_2', { dueAt: now + 3_600_000 })],
  })
  const [head] = await bed.store.heads({})
  expect(head).toMatchObject({ due: 1, dueAt: now - 60_000 })
  const { now: _, lease: __, ...bare } = request([{ lane: 1, n: 9 }])
  const [claim, ...others] = await bed.store.claim(bare)
  expect([claim!.id, others]).toEqual(['act_1', []])
  expect(claim!.leaseUntil).toBeGreaterThanOrEqual(now + 30_000)
  expect(claim!.leaseUntil).toBeLessThan(now + 3_600_000)
  expect(await bed.store.reap(9, {})).toEqual([])
})

it('heads count what is due up to a bound, and skip lanes with nothing queued', async () => {
  const bed = await open()
  const ids = Array.from({ length: 250 }, (_, index) => `act_${index}`)
  await bed.commit({ enqueue: [action('act_x', { type: 'other' })] })
  await bed.commit({ enqueue: ids.map((id) => action(id)) })
  await bed.store.claim(request([{ lane: 1, n: 1 }]))
  expect(await bed.store.heads({ now: NOW })).toEqual([
    { ...OF, lane: 2, type: 'notify', priority: 50, dueAt: NOW, due: 200, paused: false },
  ])
})

it('F22: a new epoch fences every claim made before, and what ran is reaped at once', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1')] })
  const [claim] = await claimAll(bed)
  expect(await bed.keeper.newEpoch()).toBe(2)
  expect((await bed.commit({ settle: [settled(claim!)] })).status).toBe('fenced')
  expect((await bed.store.extend([claim!], 1000, {})).lost).toEqual([claim])
  const [expired] = await bed.store.reap(9, { lease: NOW })
  const back = { status: 'queued', outcome: 'lost', reason: 'released', reaps: 1, dueAt: NOW } as const
  const reaped = settled(expired!, back, { onlyIfExpired: true, attempt: 0 })
  expect((await bed.commit({ lease: NOW, settle: [reaped] })).status).toBe('ok')
  expect((await claimAll(bed, 'n2'))[0]).toMatchObject({ token: 2, reaps: 1 })
})

it('P4: a claim is told before the disk has it, unless it is the mark that an effect may have begun', async () => {
  const bed = await open({ file: tempFile() })
  let syncs = 0
  const { fdatasync } = fs
  fs.fdatasync = ((...args: Parameters<typeof fdatasync>) => {
    syncs += 1
    fdatasync(...args)
  }) as typeof fdatasync
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.fdatasync = fdatasync
    syncBuiltinESMExports()
  })
  await bed.commit({ enqueue: [action('act_1')] })
  await bed.commit({ enqueue: [action('act_2', { delivery: 'at_most_once', priority: 90 })] })
  syncs = 0
  expect(await idsOf(bed, [{ lane: 1, n: 1 }])).toEqual(['act_1'])
  expect(syncs).toBe(0)
  expect(await idsOf(bed, [{ lane: 2, n: 1 }])).toEqual(['act_2'])
  expect(syncs).toBe(1)
})
