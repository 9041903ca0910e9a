import { expect, it } from 'vitest'
import { type Bed, claimAll, open } from '../../../test/sqlite/bed.ts'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import type { Settlement } from '../../core/settle.ts'

const ERROR = { type: 'timeout', message: 'too slow', retryable: true }
const DEAD: Partial<Settlement> = {
  status: 'dead',
  outcome: 'failed',
  reason: 'not_retryable',
  lost: 0,
  reaps: 0,
  error: ERROR,
}

const bear = async (bed: Bed, id: string, settlement: Partial<Settlement> = DEAD, more = {}) => {
  await bed.commit({ enqueue: [action(id, more)] })
  const [claim] = await claimAll(bed)
  return bed.commit({ settle: [settled(claim!, settlement, { fingerprint: 'slow' })] })
}

const actionOf = (bed: Bed, id: string) => bed.reader.action(OF, id)
const statusOf = async (bed: Bed, id: string) => (await actionOf(bed, id))?.status

it('F40: cancelling ends what is queued, asks what runs, and comes too late for the rest', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1'), action('act_2')] })
  const [first] = await claimAll(bed, 'n1')
  expect(first!.id).toBe('act_1')
  await bed.commit({ enqueue: [action('act_3', { dueAt: NOW + 1 })] })
  const cancel = (id: string) =>
    bed.commit({ control: [{ kind: 'cancel_action', id, reason: 'not needed' }] })
  expect((await cancel('act_3')).status).toBe('ok')
  expect(await actionOf(bed, 'act_3')).toMatchObject({
    status: 'cancelled',
    error: { type: 'cancelled', message: 'not needed' },
    finishedAt: NOW,
  })
  expect((await cancel('act_1')).status).toBe('ok')
  expect(await bed.store.extend([first!], 30_000, { lease: NOW })).toEqual({ lost: [], cancelled: [first] })
  expect(await cancel('act_3')).toEqual({ status: 'conflict', subject: 'act_3' })
  expect((await cancel('nothing')).status).toBe('conflict')
  expect((await bed.commit({ tenant: 'globex', control: [{ kind: 'run_now', id: 'act_2' }] })).status).toBe(
    'conflict',
  )
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 0, running: 2, cancelled: 1 })
})

it('a dead letter can be retried with its numbers kept, archived, and grouped', async () => {
  const bed = await open()
  await bear(bed, 'act_1')
  await bear(bed, 'act_2')
  expect(await bed.reader.deadGroups(OF, 9)).toEqual([
    {
      fingerprint: 'slow',
      actionType: 'notify',
      errorType: 'timeout',
      message: 'too slow',
      count: 2,
      firstAt: NOW + 5,
      lastAt: NOW + 5,
    },
  ])
  expect((await bed.commit({ control: [{ kind: 'retry_dead', id: 'act_1', dueAt: NOW + 9 }] })).status).toBe(
    'ok',
  )
  expect(await actionOf(bed, 'act_1')).toMatchObject({
    status: 'queued',
    dueAt: NOW + 9,
    attempt: 1,
    lost: 1,
    reaps: 0,
  })
  expect((await bed.commit({ control: [{ kind: 'retry_dead', id: 'act_1', dueAt: 0 }] })).status).toBe(
    'conflict',
  )
  expect((await bed.commit({ at: NOW + 50, control: [{ kind: 'archive_dead', id: 'act_2' }] })).status).toBe(
    'ok',
  )
  expect(await actionOf(bed, 'act_2')).toMatchObject({
    status: 'dead',
    archivedAt: NOW + 50,
    finishedAt: NOW + 5,
  })
  expect((await bed.reader.actions(OF, { status: 'dead' }, { limit: 9 })).data).toEqual([])
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 1, dead: 0 })
})

it.each([
  ['succeeded', { result: { id: 7 } }, { status: 'succeeded', result: { id: 7 } }],
  ['dead', { error: ERROR }, { status: 'dead', error: ERROR, fingerprint: 'slow' }],
  ['queued', {}, { status: 'queued', dueAt: NOW + 7, lost: 1 }],
] as const)('a review ends as %s', async (status, more, expected) => {
  const bed = await open()
  await bear(bed, 'act_1', { ...DEAD, status: 'review', reason: 'outcome_unknown' })
  const resolve = { kind: 'resolve_review' as const, id: 'act_1', status, ...more }
  expect((await bed.commit({ at: NOW + 7, control: [resolve] })).status).toBe('ok')
  expect(await actionOf(bed, 'act_1')).toMatchObject(expected)
  expect((await bed.commit({ control: [resolve] })).status).toBe('conflict')
  const counted = status === 'queued' ? { review: 0, queued: 1 } : { review: 0, [status]: 1 }
  expect((await bed.reader.counts(OF)).actions).toMatchObject(counted)
})

it('a hold gives the claim back without an attempt and says why; run now clears it', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1')] })
  const [claim] = await claimAll(bed)
  const hold = { kind: 'hold' as const, claim: claim!, dueAt: NOW + 60, hold: 'rate:ops' }
  expect((await bed.commit({ control: [hold] })).status).toBe('ok')
  expect(await actionOf(bed, 'act_1')).toMatchObject({
    status: 'queued',
    dueAt: NOW + 60,
    hold: 'rate:ops',
    attempt: 0,
  })
  expect(await bed.commit({ control: [hold] })).toEqual({ status: 'fenced', subject: 'act_1' })
  await bed.commit({ at: NOW + 1, control: [{ kind: 'run_now', id: 'act_1' }] })
  const row = await actionOf(bed, 'act_1')
  expect([row!.dueAt, row!.hold]).toEqual([NOW + 1, undefined])
  expect((await claimAll(bed, 'n2', { now: NOW + 1, lease: NOW }))[0]!.token).toBe(2)
})

it('a content is defined once, and versions are numbered', async () => {
  const bed = await open()
  const define = (id: string, hash: string) =>
    bed.commit({
      control: [{ kind: 'define', definition: { kind: 'machine', id, hash, content: { hash } } }],
    })
  expect((await define('lease', 'a')).version).toBe(1)
  expect((await define('lease', 'b')).version).toBe(2)
  expect((await define('lease', 'a')).version).toBe(1)
  expect((await define('other', 'a')).version).toBe(1)
  const rows = await bed.reader.definitions(OF, 'machine', 'lease')
  expect(rows.map(({ version, hash, content }) => [version, hash, content])).toEqual([
    [1, 'a', { hash: 'a' }],
    [2, 'b', { hash: 'b' }],
  ])
})

it('dedup: held while active, for a time, and let go by the dead', async () => {
  const bed = await open()
  const keyed = (id: string, at: number, forMs?: number) =>
    bed.commit({ at, enqueue: [action(id, { dedup: { key: 'k', ...(forMs && { forMs }) } })] })
  expect((await keyed('act_1', NOW)).deduplicated).toBeUndefined()
  expect((await keyed('act_2', NOW)).deduplicated).toEqual([{ id: 'act_2', existing: 'act_1' }])
  expect(await actionOf(bed, 'act_2')).toBeUndefined()
  await bed.commit({ settle: [settled((await claimAll(bed))[0]!)] })
  expect((await keyed('act_3', NOW, 100)).deduplicated).toBeUndefined()
  await bed.commit({ settle: [settled((await claimAll(bed))[0]!)] })
  expect((await keyed('act_4', NOW + 99)).deduplicated).toEqual([{ id: 'act_4', existing: 'act_3' }])
  expect((await keyed('act_5', NOW + 100, 100)).deduplicated).toBeUndefined()
  await bed.commit({ settle: [settled((await claimAll(bed))[0]!, DEAD)] })
  expect((await keyed('act_6', NOW + 101)).deduplicated).toBeUndefined()
})

it('a settlement writes the attempt, except a success at the first try', async () => {
  const bed = await open()
  await bear(bed, 'act_1', { ...DEAD, status: 'queued', reason: 'retry', dueAt: NOW + 100 })
  expect(await claimAll(bed)).toEqual([])
  const [again] = await claimAll(bed, 'n2', { now: NOW + 100, lease: NOW })
  await bed.commit({
    settle: [settled(again!, { result: 'sent' }, { attempt: 2, startedAt: NOW + 101, endedAt: NOW + 110 })],
  })
  expect(await bed.reader.attempts(OF, 'act_1')).toEqual([
    { number: 1, outcome: 'failed', startedAt: NOW, endedAt: NOW + 5, worker: 'w1', error: ERROR },
    { number: 2, outcome: 'succeeded', startedAt: NOW + 101, endedAt: NOW + 110, worker: 'w1' },
  ])
  expect(await actionOf(bed, 'act_1')).toMatchObject({
    status: 'succeeded',
    attempt: 2,
    startedAt: NOW,
    result: 'sent',
  })
  await bear(bed, 'act_2', {})
  expect(await bed.reader.attempts(OF, 'act_2')).toEqual([])
  expect(await bed.reader.attempts({ ...OF, tenant: 'globex' }, 'act_1')).toEqual([])
})

it('leaving a state cancels its queued steps, asks its running ones, and drops its timers', async () => {
  const bed = await open()
  const timer = {
    key: 't',
    dueAt: NOW,
    event: { id: 't@', type: 'timer.fired', payload: {}, at: NOW, timer: 't' },
  }
  const actions = ['a', 'b', 'c'].map((key, index) =>
    action(`act_${key}`, { stepKey: key, dueAt: index === 0 ? NOW : NOW + 9 }),
  )
  const first = await bed.commit({ advance: advance('l', { actions, timers: [timer] }) })
  const [running] = await claimAll(bed)
  const cancel = { timers: ['t'], actions: ['a', 'b'] }
  await bed.commit({ advance: advance('l', { expected: 1, chain: first.chain!, cancel }) })
  expect(await Promise.all(['act_a', 'act_b', 'act_c'].map((id) => statusOf(bed, id)))).toEqual([
    'running',
    'cancelled',
    'queued',
  ])
  expect((await bed.store.extend([running!], 1000, {})).cancelled).toEqual([running])
  expect(await bed.store.dueTimers(9, { now: NOW })).toEqual([])
})
