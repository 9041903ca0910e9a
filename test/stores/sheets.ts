// How a PostgreSQL store writes claims down: on sheets, which are looked at when a lease on them runs out. What a claim means is the
// conformance suite's; here is seen that none is missed and that the list stays short.

import assert from 'node:assert/strict'
import type { NewAction } from '../../src/store/store.ts'
import { makeBed } from '../../src/testing/store-conformance/bed.ts'
import { action, LEASE_MS, NOW, OF, settled } from '../../src/testing/store-conformance/members.ts'
import { type Arena, openArena } from './open-postgres.ts'
import { goesPast, type Place } from './standoff.ts'

interface Ground extends Arena {
  readonly place: Place
  readonly commit: ReturnType<typeof makeBed>['ok']
  /** As they are written down. */
  readonly sheets: () => Promise<readonly unknown[]>
  readonly reap: (lease: number, limit?: number) => Promise<readonly string[]>
}

const born = (id: string, leaseMs = LEASE_MS): NewAction => ({
  ...action(id),
  claim: { worker: 'w1', nonce: `nonce of ${id}`, leaseMs },
})
const claimOf = (id: string, token = 1) => ({ id, token, nonce: `nonce of ${id}` })
const ending = (id: string) => ({ settle: [settled(claimOf(id))] })
const sheet = (name: string, look_at: number, ...actions: readonly string[]) => ({
  sheet: name,
  look_at,
  actions,
})

const claimAll = async ({ store }: Ground, nonce: string): Promise<readonly string[]> => {
  const heads = await store.heads({ now: NOW, lease: NOW })
  const shares = heads.map(({ lane }) => ({ lane, n: 100 }))
  const request = { shares, batch: 100, worker: 'w1', nonce, leaseMs: LEASE_MS, byteBudget: 1e6 }
  return (await store.claim({ ...request, now: NOW, lease: NOW })).map(({ id }) => id)
}

type Case = (ground: Ground) => Promise<void>

const CASES: Readonly<Record<string, Case>> = {
  'what was claimed together is on one sheet, which goes with the next claim once all of it is over': async (
    ground,
  ) => {
    const { commit, sheets } = ground
    await commit({ enqueue: [action('b'), action('a')] })
    assert.deepEqual(await claimAll(ground, 'nonce of a'), ['a', 'b'])
    const first = sheet('a/1/nonce of a', NOW + LEASE_MS, 'a', 'b')
    assert.deepEqual(await sheets(), [first])
    await commit(ending('a'))
    await commit({ enqueue: [action('c')] })
    await claimAll(ground, 'nonce of c')
    const second = sheet('c/1/nonce of c', NOW + LEASE_MS, 'c')
    assert.deepEqual(await sheets(), [first, second])
    await commit({ settle: [settled({ id: 'b', token: 1, nonce: 'nonce of a' })] })
    await commit({ enqueue: [action('d')] })
    await claimAll(ground, 'nonce of d')
    assert.deepEqual(await sheets(), [second, sheet('d/1/nonce of d', NOW + LEASE_MS, 'd')])
  },
  'a claim that took nothing writes nothing down': async (ground) => {
    await ground.commit({ enqueue: [action('a', { dueAt: NOW + 1 })] })
    assert.deepEqual(await claimAll(ground, 'n'), [])
    assert.deepEqual(await ground.sheets(), [])
  },
  'what is born claimed is on a sheet too, looked at when the first of its leases runs out': async ({
    store,
    commit,
    sheets,
    reader,
  }) => {
    await store.commit([
      { ...OF, at: NOW, lease: NOW, enqueue: [born('c', 5000), action('a')] },
      { ...OF, at: NOW, lease: NOW, enqueue: [born('b')] },
    ])
    assert.deepEqual(await sheets(), [sheet('b/1/nonce of b', NOW + 5000, 'b', 'c')])
    const { actions } = await reader.counts(OF)
    assert.deepEqual([actions.queued, actions.running], [1, 2])
    await commit({ enqueue: [born('d')] })
    assert.equal((await sheets()).length, 2)
  },
  'born claimed without a clock given, a lease runs by the database’s': async ({ store, query }) => {
    await store.commit([{ ...OF, at: NOW, enqueue: [born('a', 5000)] }])
    const [row] = await query(
      `select c.look_at = a.lease_until and a.lease_until - pawl.clock_ms() between 1 and 5000 as is_so
       from pawl.claims c, pawl.actions a`,
    )
    assert.equal(row?.['is_so'], true)
  },
  'a sheet is looked at again when the next of its leases runs out, and goes when nothing on it runs':
    async ({ store, another, commit, sheets, reap }) => {
      await commit({ enqueue: [born('a'), born('b')] })
      await commit({ enqueue: [born('c')] })
      await store.extend([claimOf('a'), claimOf('b')], LEASE_MS, { lease: NOW + 20_000 })
      await store.extend([claimOf('a'), claimOf('c')], LEASE_MS, { lease: NOW + 25_000 })
      assert.deepEqual(await reap(NOW + LEASE_MS), [])
      const [one, two] = [
        sheet('a/1/nonce of a', NOW + 50_000, 'a', 'b'),
        sheet('c/1/nonce of c', NOW + 55_000, 'c'),
      ]
      assert.deepEqual(await sheets(), [one, two])
      // Ended by another process, which does not know of the sheet.
      const other = await another()
      await other.store.commit(['a', 'b'].map((id) => ({ ...OF, at: NOW, ...ending(id) })))
      assert.deepEqual(await reap(NOW + 49_999), [])
      assert.deepEqual(await sheets(), [one, two])
      assert.deepEqual(await reap(NOW + 50_000), [])
      assert.deepEqual(await sheets(), [two])
    },
  'a lease that has run out is found by its sheet, the first of them first, as often as it is looked for':
    async ({ commit, sheets, reap }) => {
      await commit({ enqueue: [born('c', 1000), born('b', 2000)] })
      await commit({ enqueue: [born('a', 1500)] })
      assert.deepEqual([await reap(NOW + 1200), await reap(NOW + 1200)], [['c'], ['c']])
      assert.deepEqual(await reap(NOW + 2000), ['c', 'a', 'b'])
      assert.deepEqual(await reap(NOW + 2000, 1), ['c'])
      assert.equal((await sheets()).length, 2)
    },
  'of sheets whose time has come the first is looked at first': async ({ another, commit, sheets, reap }) => {
    await commit({ enqueue: [born('b', 2000)] })
    await commit({ enqueue: [born('a', 1000)] })
    await commit({ enqueue: [born('c', 3000)] })
    const other = await another()
    await other.store.commit(['a', 'b', 'c'].map((id) => ({ ...OF, at: NOW, ...ending(id) })))
    assert.deepEqual(await reap(NOW + 3000, 1), [])
    assert.deepEqual(await sheets(), [
      sheet('b/1/nonce of b', NOW + 2000, 'b'),
      sheet('c/1/nonce of c', NOW + 3000, 'c'),
    ])
  },
  'a sheet that somebody is writing on is not looked at: what will be on it is not known': async ({
    place,
    commit,
    reap,
  }) => {
    await commit({ enqueue: [born('a')] })
    const lease = NOW + LEASE_MS
    await goesPast(place, ['update pawl.claims set look_at = look_at'], { reaping: () => reap(lease) })
    assert.deepEqual(await reap(lease), ['a'])
  },
  'in a new epoch every sheet is looked at at once, and none is put off again': async ({
    commit,
    keeper,
    sheets,
    reap,
    query,
  }) => {
    await commit({ enqueue: [born('a')] })
    await keeper.newEpoch()
    assert.deepEqual(await sheets(), [sheet('a/1/nonce of a', 0, 'a')])
    assert.deepEqual(await reap(NOW), ['a'])
    await query(`update pawl.actions set lease_until = ${NOW + LEASE_MS}`)
    await reap(NOW)
    assert.deepEqual(await sheets(), [sheet('a/1/nonce of a', 0, 'a')])
  },
  'an action that comes again under its old id is on a sheet of its own, while the old one is there': async (
    ground,
  ) => {
    const { commit, query, sheets } = ground
    const old = sheet('a/1', NOW + 1, 'a')
    await query(`insert into pawl.claims values ('a/1', ${NOW + 1}, '{a}')`)
    await commit({ enqueue: [action('a')] })
    await claimAll(ground, 'nonce of a')
    assert.deepEqual(await sheets(), [old, sheet('a/1/nonce of a', NOW + LEASE_MS, 'a')])
  },
  'what nobody goes to the server for goes by itself': async ({ commit, sheets }) => {
    const ids = Array.from({ length: 50 }, (_, n) => `a${100 + n}`)
    for (const id of ['b', ...ids]) await commit({ enqueue: [born(id)] })
    for (const id of ids) await commit(ending(id))
    let left = await sheets()
    for (let looks = 0; looks < 2000 && left.length > 1; looks++) left = await sheets()
    assert.deepEqual(left, [sheet('b/1/nonce of b', NOW + LEASE_MS, 'b')])
  },
}

export const SHEETS = Object.keys(CASES)

export const playSheet = async (name: string): Promise<void> => {
  const arena = await openArena()
  const bed = makeBed(arena)
  try {
    await CASES[name]!({
      ...arena,
      place: { ...bed, query: arena.query, isWaitedFor: arena.isWaitedFor },
      commit: bed.ok,
      sheets: async () =>
        (await arena.query('select * from pawl.claims order by sheet')).map((row) => ({
          sheet: row['sheet'],
          look_at: Number(row['look_at']),
          actions: (row['actions'] as readonly string[]).toSorted(),
        })),
      reap: async (lease, limit = 10) => (await arena.store.reap(limit, { lease })).map(({ id }) => id),
    })
  } finally {
    await arena.close()
  }
}
