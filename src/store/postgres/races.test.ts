import pg from 'pg'
import { expect, it } from 'vitest'
import { action, advance, execution, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import { caughtUp, claimAll, open } from '../../../test/stores/postgres-bed.ts'
import { chainStart } from '../../core/history.ts'
import { sound } from '../../testing/store-conformance/check.ts'
import type { Member, Result } from '../store.ts'

const EACH = 25
const CONNECTIONS = 8

const tally = (results: readonly Result[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(results, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )

const deadlocks = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0].deadlocks)
}

const shuffled = <Value>(values: readonly Value[], seed: number): readonly Value[] =>
  values
    .map((value, index) => ({ value, at: Math.sin(index * 7919 + seed * 104729) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

it(`F27: ${CONNECTIONS} connections race to settle, each action offered twice: once settled, no deadlock`, async () => {
  const bed = await open({ pool: { max: CONNECTIONS } })
  const total = CONNECTIONS * EACH * 4
  const born = Array.from({ length: total }, (_, n) => action(`act_${String(n).padStart(6, '0')}`))
  await bed.store.commit([{ ...OF, at: NOW, enqueue: born }])
  const claims = await claimAll(bed)
  expect(claims).toHaveLength(total)
  const members: Member[] = [...claims, ...claims].map((claim) => ({
    ...OF,
    at: NOW,
    settle: [settled(claim)],
  }))
  const offered = shuffled(members, 1)
  const batches = Array.from({ length: Math.ceil(offered.length / EACH) }, (_, n) =>
    offered.slice(n * EACH, (n + 1) * EACH),
  )
  const results = (await Promise.all(batches.map((batch) => bed.store.commit(batch)))).flat()
  expect(tally(results)).toEqual({ ok: total, fenced: total })
  const { actions } = await bed.reader.counts(OF)
  expect(actions).toMatchObject({ queued: 0, running: 0, succeeded: total })
  expect(await deadlocks(bed.url)).toBe(0)
})

it.each([false, true])(
  'F01: executions advanced by many connections at once move one revision at a time, none lost, none twice (unread: %s)',
  async (isSure) => {
    const bed = await open({ pool: { max: CONNECTIONS } })
    const ids = Array.from({ length: 10 }, (_, n) => `x${n}`)
    await bed.store.commit(ids.map((id) => ({ ...OF, at: NOW, advance: advance(id) })))
    const move = async (seed: number): Promise<number> => {
      const loaded = sound(await bed.store.load(shuffled(ids, seed).map((id) => ({ ...OF, id }))))
      const results = await bed.store.commit(
        loaded.map(({ execution: { id, status }, revision, chain }) => ({
          ...OF,
          at: NOW,
          advance: advance(id, {
            expected: revision,
            ...(isSure && { was: status }),
            chain,
            history: [{ type: 'execution.updated', at: NOW, data: { seed } }],
          }),
        })),
      )
      return results.filter(({ status }) => status === 'ok').length
    }
    const moved = await Promise.all(Array.from({ length: 60 }, (_, seed) => move(seed)))
    const wins = moved.reduce((sum, n) => sum + n, 0)
    const after = sound(await bed.store.load(ids.map((id) => ({ ...OF, id }))))
    expect(after.reduce((sum, { revision }) => sum + revision - 1, 0)).toBe(wins)
    for (const {
      execution: { id },
      chain,
    } of after)
      expect((await bed.reader.history(OF, id, { limit: 250 })).data).toHaveLength(chain.number)
    expect(await deadlocks(bed.url)).toBe(0)
  },
)

it('F02: the same start, event, key and id from many connections at once are applied once', async () => {
  const bed = await open({ pool: { max: CONNECTIONS } })
  const start = (n: number): Member => ({
    ...OF,
    at: NOW,
    advance: advance('x', {
      inputHash: 'same',
      chain: chainStart(OF.namespace, OF.tenant, 'x'),
      history: [{ type: 'execution.transitioned', at: NOW, data: { n } }],
    }),
  })
  const race = async (make: (n: number) => Member): Promise<readonly Result[]> =>
    (await Promise.all(Array.from({ length: 16 }, (_, n) => bed.store.commit([make(n)])))).flat()
  expect(tally(await race(start))).toEqual({ ok: 1, duplicate: 15 })
  const event = { id: 'e1', type: 'x', payload: {}, at: NOW }
  const deliver = (): Member => ({ ...OF, at: NOW, deliver: [{ execution: 'x', event }] })
  expect(tally(await race(deliver))).toEqual({ ok: 1, duplicate: 15 })
  expect(tally(await race(() => ({ ...OF, at: NOW, enqueue: [action('act_1')] })))).toEqual({
    ok: 1,
    duplicate: 15,
  })
  const keyed = await race((n) => ({
    ...OF,
    at: NOW,
    enqueue: [action(`act_k${n}`, { dedup: { key: 'k' } })],
  }))
  expect(tally(keyed)).toEqual({ ok: 16 })
  expect(keyed.filter(({ deduplicated }) => deduplicated !== undefined)).toHaveLength(15)
  const define = (n: number): Member => ({
    ...OF,
    at: NOW,
    control: [
      { kind: 'define', definition: { kind: 'machine', id: 'm', hash: `h${n % 4}`, content: { n: n % 4 } } },
    ],
  })
  const versions = (await race(define)).map(({ version }) => version)
  expect(new Set(versions)).toEqual(new Set([1, 2, 3, 4]))
  await caughtUp(bed)
  expect((await bed.reader.feed(OF, undefined, 99)).length).toBe(1)
})

it('a start that races the pause of its definition never goes on while it is paused', async () => {
  const bed = await open({ pool: { max: CONNECTIONS } })
  for (let round = 0; round < 8; round += 1) {
    const definition = `d${round}`
    const started = Array.from({ length: 6 }, (_, n) =>
      bed.commit({
        advance: advance(`x${round}-${n}`, {
          execution: execution(`x${round}-${n}`, { definition }),
          // Some begin without being looked for.
          ...(n % 2 === 0 && { isDrawn: true as const }),
        }),
      }),
    )
    const paused = bed.commit({
      control: [{ kind: 'pause', scope: 'definition', value: definition, reason: 'r' }],
    })
    expect(new Set((await Promise.all([...started, paused])).map(({ status }) => status))).toEqual(
      new Set(['ok']),
    )
    const page = await bed.reader.executions(OF, { definition }, { limit: 99 })
    expect(page.data.map(({ execution: { status } }) => status)).toEqual(Array(6).fill('paused'))
  }
})
