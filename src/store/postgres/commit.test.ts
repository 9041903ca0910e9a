import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { action, advance, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { caughtUp, claimAll, open } from '../../../test/stores/postgres-bed.ts'
import { canonical } from '../../core/json.ts'
import { sound } from '../../testing/store-conformance/check.ts'
import type { Member } from '../store.ts'
import { bisecting } from './commit.ts'

const ODD = { nul: 'a\u0000b', half: '\ud800', z: 1, a: { '\u0000': null } }

it('what JSON can say comes back as it was written, in the order it was written', async () => {
  const bed = await open()
  const event = { id: 'e1', type: 'x', payload: ODD, at: NOW }
  const history = [{ type: 'execution.transitioned', at: NOW, data: ODD }]
  const execution = { ...advance('x').execution, variables: ODD }
  const actions = [action('act_1', { config: ODD, stepKey: 'left' })]
  const result = await bed.commit({
    advance: advance('x', { execution, history, actions }),
    deliver: [{ execution: 'x', event }],
  })
  expect(result.status).toBe('ok')
  const text = JSON.stringify(ODD)
  const [claim] = await claimAll(bed)
  const [loaded] = sound(await bed.store.load([{ ...OF, id: 'x' }]))
  const [waiting] = sound(await bed.store.inbox(['lease'], 9))
  const [line] = (await bed.reader.history(OF, 'x', { limit: 9 })).data
  expect(JSON.stringify(claim!.plan.config)).toBe(text)
  expect(JSON.stringify(loaded!.execution.variables)).toBe(text)
  expect(JSON.stringify(waiting!.event.payload)).toBe(text)
  // A line of history is kept as the text it was hashed as, in the order of its names.
  expect(JSON.stringify(line!.data)).toBe(canonical(JSON.parse(text)))
  const left = { expected: 1, chain: loaded!.chain, cancel: { timers: [], actions: ['left'] } }
  expect((await bed.commit({ advance: advance('x', left) })).status).toBe('ok')
  expect((await bed.reader.action(OF, 'act_1'))?.cancelRequested).toBe(true)
})

it('a row touched by several members of one batch is written once, as the last of them left it', async () => {
  const bed = await open()
  await bed.commit({ enqueue: [action('act_1', { dedup: { key: 'k' } })] })
  const [claim] = await claimAll(bed)
  const dead = { status: 'dead', outcome: 'failed', reason: 'not_retryable' } as const
  const results = await bed.store.commit([
    { ...OF, at: NOW, settle: [settled(claim!, dead)] },
    { ...OF, at: NOW, enqueue: [action('act_2', { dedup: { key: 'k' } })] },
    { ...OF, at: NOW, enqueue: [action('act_3', { dedup: { key: 'k' } })] },
    { ...OF, at: NOW, control: [{ kind: 'retry_dead', id: 'act_1', dueAt: NOW }] },
    { ...OF, at: NOW + 1, control: [{ kind: 'run_now', id: 'act_1' }] },
    { ...OF, at: NOW, control: [{ kind: 'cancel_action', id: 'act_1', reason: 'enough' }] },
    { ...OF, at: NOW, control: [{ kind: 'cancel_action', id: 'act_2', reason: 'enough' }] },
    { ...OF, at: NOW, settle: [settled(claim!)] },
  ])
  expect(results.map(({ status }) => status)).toEqual([...Array(7).fill('ok'), 'fenced'])
  expect(results[2]!.deduplicated).toEqual([{ id: 'act_3', existing: 'act_2' }])
  const page = await bed.reader.actions(OF, {}, { limit: 9 })
  expect(page.data[1]).toMatchObject({ dueAt: NOW + 1 })
  expect(page.data[1]).not.toHaveProperty('worker')
  expect(page.data.map(({ id, status }) => [id, status])).toEqual([
    ['act_2', 'cancelled'],
    ['act_1', 'cancelled'],
  ])
  expect((await bed.reader.counts(OF)).actions).toMatchObject({ queued: 0, dead: 0, cancelled: 2 })
  expect(await bed.reader.attempts(OF, 'act_1')).toHaveLength(1)
})

it('what is born claimed is written as it was born, unless a member behind it asked something of it', async () => {
  const bed = await open()
  const claim = { worker: 'w7', nonce: 'n7', leaseMs: 60_000 }
  const born = (id: string) => ({ ...OF, at: NOW, enqueue: [{ ...action(id), claim }] })
  const stop = {
    ...OF,
    at: NOW,
    control: [{ kind: 'cancel_action', id: 'act_3', reason: 'enough' }],
  } as const
  await bed.store.commit([born('act_1'), born('act_2')])
  await bed.store.commit([born('act_3'), born('act_4'), stop])
  const rows = await Promise.all(['act_1', 'act_2', 'act_3', 'act_4'].map((id) => bed.reader.action(OF, id)))
  const leaseUntil = rows[0]?.leaseUntil
  expect(leaseUntil).toBeGreaterThan(Date.now())
  expect(rows.map((row) => row?.cancelRequested)).toEqual([false, false, true, false])
  for (const row of rows)
    expect(row).toMatchObject({
      status: 'running',
      worker: 'w7',
      attempt: 0,
      lost: 0,
      reaps: 0,
      createdAt: NOW,
    })
  const settle = ['act_1', 'act_4'].map((id) => settled({ id, token: 1, nonce: 'n7' } as never))
  expect(await bed.commit({ settle })).toMatchObject({ status: 'ok' })
})

it('paused, resumed and paused again in one batch: the last pause says since when and why', async () => {
  const bed = await open()
  const turn = (kind: 'pause' | 'resume', reason: string, at: number) => {
    const of = { scope: 'tenant', value: 'acme' } as const
    return { ...OF, at, control: [kind === 'pause' ? { kind, ...of, reason } : { kind, ...of }] }
  }
  await bed.store.commit([turn('pause', 'first', NOW)])
  await bed.store.commit([turn('resume', '', NOW + 1), turn('pause', 'second', NOW + 2)])
  expect(await bed.reader.pauses(OF)).toEqual([
    { scope: 'tenant', value: 'acme', reason: 'second', at: NOW + 2 },
  ])
})

it('a member that is refused is alone in it: the bisection spares its neighbours, in order', async () => {
  const bed = await open()
  const bad = [3, 4, 9]
  /** Refused by the server and by nobody before it: no entry of an index may be so long. */
  const endless = randomBytes(6000).toString('base64')
  const members = Array.from({ length: 12 }, (_, n) => ({
    ...OF,
    at: NOW,
    enqueue: [action(bad.includes(n) ? `${endless}${n}` : `act_${n}`)],
    record: [{ type: 'noted', at: NOW, data: { n } }],
  }))
  const results = await bed.store.commit(members)
  expect(results.flatMap(({ status }, n) => (status === 'refused' ? [n] : []))).toEqual(bad)
  await caughtUp(bed)
  const told = (await bed.reader.feed(OF, undefined, 99)).map(({ data }) => data['n'])
  expect(told).toEqual([0, 1, 2, 5, 6, 7, 8, 10, 11])
})

const member = (over: Partial<Member>): Member => ({ ...OF, at: NOW, ...over })
const serverError = (code: string): Error => Object.assign(new Error(code), { code, severity: 'ERROR' })

it.each([
  ['undone by another', '40001'],
  ['a deadlock', '40P01'],
  ['no room', '53100'],
  ['the server ends', '57P01'],
  ['a wrong statement', '42601'],
])('what is no member’s making is not bisected: %s', async (_, code) => {
  const asked: number[] = []
  const commit = bisecting(async (batch) => {
    asked.push(batch.length)
    throw serverError(code)
  })
  await expect(commit([member({}), member({}), member({})])).rejects.toMatchObject({ code })
  expect(asked).toEqual([3])
})

it.each(['22P05', '23505'])('what a member made itself, %s, is halved down to it alone', async (code) => {
  const bad = member({ at: 13 })
  const asked: number[] = []
  const commit = bisecting(async (batch) => {
    asked.push(batch.length)
    if (batch.includes(bad)) throw serverError(code)
    return { results: batch.map(() => ({ status: 'ok' })), news: [] }
  })
  const { results } = await commit([member({}), member({}), bad, member({})])
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok', 'refused', 'ok'])
  expect(asked).toEqual([4, 2, 2, 1, 1])
})
