import { expect, it } from 'vitest'
import { type Bed, claimAll, open } from '../../../test/sqlite/bed.ts'
import { action, advance, execution, NOW, OF, settled } from '../../../test/sqlite/members.ts'
import type { ActionFilter, ExecutionFilter } from '../reader.ts'

const GLOBEX = { namespace: 'default', tenant: 'globex' }
const name = (n: number): string => `act_${String(n).padStart(4, '0')}`

/** All pages of a list, by id. */
const allActions = async (bed: Bed, filter: ActionFilter, limit: number, of = OF) => {
  const pages: string[][] = []
  let after: string | undefined
  do {
    const page = await bed.reader.actions(of, filter, { limit, ...(after !== undefined && { after }) })
    pages.push(page.data.map(({ id }) => id))
    after = page.next
  } while (after !== undefined)
  return pages
}

it('actions: live rows and history are one list, newest first, no row twice and none lost', async () => {
  const bed = await open()
  await bed.commit({ ...GLOBEX, enqueue: [action('act_9999')] })
  for (let n = 0; n < 20; n++) {
    await bed.commit({ enqueue: [action(name(n), n % 4 === 3 ? { dueAt: NOW + 1 } : {})] })
    const claims = n % 4 === 0 ? await claimAll(bed) : []
    for (const claim of claims.filter(({ tenant }) => tenant === OF.tenant))
      await bed.commit({ settle: [settled(claim, n % 8 === 0 ? {} : { status: 'dead', outcome: 'failed' })] })
  }
  const newest = Array.from({ length: 20 }, (_, n) => name(19 - n))
  for (const limit of [1, 3, 7, 20, 50]) expect((await allActions(bed, {}, limit)).flat()).toEqual(newest)
  expect((await allActions(bed, {}, 7)).map((page) => page.length)).toEqual([7, 7, 6])
  const counts = (await bed.reader.counts(OF)).actions
  for (const status of ['queued', 'running', 'succeeded', 'dead'] as const)
    expect((await allActions(bed, { status }, 3)).flat(), status).toHaveLength(counts[status])
  expect(counts.succeeded * counts.dead * counts.queued).toBeGreaterThan(0)
})

it('actions: every filter narrows, alone and together', async () => {
  const bed = await open()
  const first = await bed.commit({
    advance: advance('l', { actions: [action('act_1'), action('act_2', { tags: ['x'] })] }),
  })
  await bed.commit({
    enqueue: [
      action('act_3', { type: 'email', name: 'hello' }),
      action('act_4', { type: 'email', runner: 'eu' }),
    ],
  })
  const [one] = await claimAll(bed)
  const dead = { status: 'dead', outcome: 'failed' } as const
  await bed.commit({ settle: [settled(one!, dead, { fingerprint: 'f1' })] })
  const list = async (filter: ActionFilter) => (await allActions(bed, filter, 50)).flat()
  expect(first.status).toBe('ok')
  expect(await list({ execution: 'l' })).toEqual(['act_2', 'act_1'])
  expect(await list({ execution: 'l', status: 'dead' })).toEqual(['act_1'])
  expect(await list({ fingerprint: 'f1' })).toEqual(['act_1'])
  expect(await list({ fingerprint: 'f1', status: 'review' })).toEqual([])
  expect(await list({ type: 'email' })).toEqual(['act_4', 'act_3'])
  expect(await list({ type: 'email', status: 'queued' })).toEqual([])
  expect(await list({ name: 'hello' })).toEqual(['act_3'])
  expect(await list({ tag: 'x' })).toEqual(['act_2'])
  expect(await list({ tag: 'x', type: 'email' })).toEqual([])
})

it('actions: a filter no index serves looks at a window, says so, and goes on from there', async () => {
  const bed = await open()
  const many = Array.from({ length: 2500 }, (_, n) =>
    action(name(n), n === 3 ? { name: 'rare' } : { status: 'skipped' }),
  )
  for (let from = 0; from < many.length; from += 500)
    await bed.commit({ enqueue: many.slice(from, from + 500) })
  const page = await bed.reader.actions(OF, { name: 'rare' }, { limit: 5 })
  expect([page.data, page.window]).toEqual([[], 2000])
  const rest = await bed.reader.actions(OF, { name: 'rare' }, { limit: 5, after: page.next! })
  expect([rest.data.map(({ id }) => id), rest.next, rest.window]).toEqual([[name(3)], undefined, undefined])
})

it('executions: newest first, by every filter and page size', async () => {
  const bed = await open()
  for (let n = 0; n < 12; n++) {
    const over = {
      definition: n % 3 === 0 ? 'rent' : 'lease',
      state: n % 2 === 0 ? 'a' : 'b',
      kind: n < 6 ? 'machine' : 'journey',
    } as const
    const status = n % 4 === 0 ? 'completed' : 'active'
    await bed.commit({
      at: NOW + (n >> 1),
      advance: advance(`x${n}`, { execution: execution(`x${n}`, { ...over, status }) }),
    })
  }
  const list = async (filter: ExecutionFilter, limit: number) => {
    const ids: string[] = []
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const page = await bed.reader.executions(OF, filter, { limit, ...(after !== undefined && { after }) })
      ids.push(...page.data.map((loaded) => loaded.execution.id))
      after = page.next
    }
    return ids.join(' ')
  }
  for (const limit of [1, 2, 5, 50]) {
    expect(await list({}, limit)).toBe('x11 x10 x9 x8 x7 x6 x5 x4 x3 x2 x1 x0')
    expect(await list({ definition: 'rent' }, limit)).toBe('x9 x6 x3 x0')
    expect(await list({ status: 'completed' }, limit)).toBe('x8 x4 x0')
    expect(await list({ state: 'b', kind: 'journey' }, limit)).toBe('x11 x9 x7')
    expect(await list({ definition: 'lease', state: 'a', status: 'active', kind: 'machine' }, limit)).toBe(
      'x2',
    )
  }
})

it('history and feed: in order, resumed without loss or repetition', async () => {
  const bed = await open()
  const history = [1, 2, 3].map((n) => ({ type: 'execution.transitioned', at: NOW + n, data: { n } }))
  await bed.commit({
    advance: advance('l', { history }),
    record: [{ type: 'noted', at: NOW, data: { by: 'ada' }, execution: 'l' }],
  })
  await bed.commit({ ...GLOBEX, record: [{ type: 'noted', at: NOW, data: {} }] })
  await bed.commit({ record: [{ type: 'noted', at: NOW, data: { by: 'eve' } }] })
  const first = await bed.reader.history(OF, 'l', { limit: 2 })
  const rest = await bed.reader.history(OF, 'l', { limit: 2, after: first.next! })
  expect([...first.data, ...rest.data].map(({ number, data }) => [number, data['n']])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ])
  expect(
    (await bed.reader.history(OF, 'l', { limit: 9, after: '2' })).data.map(({ number }) => number),
  ).toEqual([3])
  const feed = await bed.reader.feed(OF, undefined, 3)
  const more = await bed.reader.feed(OF, feed.at(-1)!.cursor, 9)
  expect([...feed, ...more].map(({ type, execution: of }) => `${type} ${of}`)).toEqual([
    'execution.transitioned l',
    'execution.transitioned l',
    'execution.transitioned l',
    'noted l',
    'noted undefined',
  ])
  expect(await bed.reader.feed(OF, more.at(-1)!.cursor, 9)).toEqual([])
  await expect(bed.reader.feed(GLOBEX, feed[0]!.cursor, 9)).rejects.toMatchObject({ code: 'invalid_cursor' })
})

it('I11: nothing of one tenant is read under another', async () => {
  const bed = await open()
  await bed.commit({
    advance: advance('l', { actions: [action('act_1')], history: [{ type: 't', at: NOW, data: {} }] }),
  })
  expect(await bed.reader.action(GLOBEX, 'act_1')).toBeUndefined()
  expect(await bed.reader.execution(GLOBEX, 'l')).toBeUndefined()
  expect((await bed.reader.actions(GLOBEX, {}, { limit: 9 })).data).toEqual([])
  expect((await bed.reader.actions(GLOBEX, { execution: 'l' }, { limit: 9 })).data).toEqual([])
  expect((await bed.reader.executions(GLOBEX, {}, { limit: 9 })).data).toEqual([])
  expect((await bed.reader.history(GLOBEX, 'l', { limit: 9 })).data).toEqual([])
  expect(await bed.reader.feed(GLOBEX, undefined, 9)).toEqual([])
  expect(await bed.reader.deadGroups(GLOBEX, 9)).toEqual([])
  expect((await bed.reader.counts(GLOBEX)).actions.queued).toBe(0)
})
