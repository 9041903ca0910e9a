// Bulk operations by behaviour: what is meant, how it goes, how it ends, and what people can do meanwhile.

import { expect, it } from 'vitest'
import { permanent } from '../../src/index.ts'
import { at, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'
import { bury, healthy } from './bed.ts'

const viewed = (answer: object): { readonly id: string } => answer as { readonly id: string }

onEachStore('bulk operations', (bed) => {
  it('F-090, F41: a group is replayed, each letter once and under its old key, and heard of', async () => {
    const { pawl, mail, ids, state } = await bury(bed, 25)
    state.fails = healthy
    const [group] = await pawl.dead.groups()
    expect(group).toMatchObject({ actionType: 'mail', errorType: 'malformed_request', count: 25 })
    expect(await pawl.bulk.replay({ group: group!.id, dryRun: true })).toEqual({ count: 25 })
    const begun = await pawl.bulk.replay({ group: group!.id, by: 'ada' })
    expect(begun).toMatchObject({
      kind: 'replay',
      status: 'running',
      total: 25,
      done: 0,
      by: 'ada',
      ratePerSecond: 100,
    })
    await settle(pawl)
    expect(await pawl.bulk.get(viewed(begun).id)).toMatchObject({
      status: 'completed',
      total: 25,
      sent: 25,
      done: 25,
      succeeded: 25,
      failed: 0,
      skipped: 0,
      finishedAt: at(0),
    })
    expect(mail.calls).toHaveLength(50)
    expect(new Set(mail.calls.map(({ key }) => key)).size).toBe(25)
    for (const id of ids)
      expect(await pawl.actions.get(id)).toMatchObject({ status: 'succeeded', attempt: 2 })
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('a dry run changes nothing', async () => {
    const { pawl } = await bury(bed, 3)
    await pawl.bulk.replay({ dryRun: true })
    await settle(pawl)
    expect((await pawl.bulk.list()).data).toEqual([])
    expect((await pawl.counts()).actions.dead).toBe(3)
  })

  it('those that fail again are counted, listed with their error, and not replayed a second time', async () => {
    const { pawl, mail, ids, state } = await bury(bed, 6)
    state.fails = (index) => (index % 2 === 0 ? permanent('not_found', 'nobody home') : undefined)
    const { id } = viewed(await pawl.bulk.replay({}))
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({ status: 'completed', done: 6, succeeded: 3, failed: 3 })
    expect(mail.calls).toHaveLength(12)
    const { data } = await pawl.bulk.failures(id)
    expect(data.map(({ actionId }) => actionId).toSorted()).toEqual([ids[0], ids[2], ids[4]].toSorted())
    expect(data[0]!.error).toMatchObject({ type: 'not_found', message: 'nobody home' })
    const first = await pawl.bulk.failures(id, { limit: 2 })
    const second = await pawl.bulk.failures(id, { limit: 2, after: first.next! })
    expect([...first.data, ...second.data]).toEqual(data)
  })

  it('so many failures in a row stop it, and what was not sent stays as it was', async () => {
    const { pawl, mail } = await bury(bed, 60)
    const { id } = viewed(await pawl.bulk.replay({ stopAfterFailures: 4, ratePerSecond: 20 }))
    await settle(pawl)
    const ended = await pawl.bulk.get(id)
    expect(ended).toMatchObject({ status: 'stopped', reason: '4 failures in a row' })
    // What was under way when the fourth was heard of cannot be called back.
    expect(mail.calls.length - 60).toBeLessThan(30)
    expect((await pawl.counts()).actions).toMatchObject({ dead: 60, queued: 0 })
    await expect(pawl.bulk.resume(id)).rejects.toMatchObject({ code: 'bulk_conflict' })
  })

  it('paused it sends nothing, resumed it goes on where it was, stopped it stays so', async () => {
    const { pawl, mail, state } = await bury(bed, 5)
    state.fails = healthy
    const { id } = viewed(await pawl.bulk.replay({}))
    expect(await pawl.bulk.pause(id, 'lunch')).toMatchObject({ status: 'paused', reason: 'lunch' })
    await settle(pawl)
    expect(mail.calls).toHaveLength(5)
    await expect(pawl.bulk.pause(id)).rejects.toMatchObject({ code: 'bulk_conflict' })
    expect(await pawl.bulk.resume(id)).toMatchObject({ status: 'running' })
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({ status: 'completed', succeeded: 5 })
    await expect(pawl.bulk.stop(id)).rejects.toMatchObject({ code: 'bulk_conflict' })
    await expect(pawl.bulk.stop('blk_x')).rejects.toMatchObject({ code: 'bulk_not_found' })
    await expect(pawl.bulk.failures('blk_x')).rejects.toMatchObject({ code: 'bulk_not_found' })
  })

  it('a filter means what it says: type, name, error, tag, execution, time, ids', async () => {
    const { pawl, ids } = await bury(bed, 3)
    const sms = spy('sms', () => {
      throw permanent('not_found', 'no such number')
    })
    const other = await bed.open({
      store: bed.url() === 'sqlite::memory:' ? 'sqlite::memory:' : bed.url(),
      runners: [sms],
    })
    await other.dispatch(sms({}, { name: 'ring', tags: ['urgent'] }))
    await other.advance({ by: '1h' })
    await settle(other)
    const count = async (from: typeof pawl, filter: object) =>
      (await from.bulk.replay({ filter, dryRun: true })) as { readonly count: number }
    for (const filter of [{ type: 'sms' }, { name: 'ring' }, { errorType: 'not_found' }, { tag: 'urgent' }])
      expect(await count(other, filter)).toEqual({ count: 1 })
    for (const filter of [
      { type: 'fax' },
      { name: 'x' },
      { errorType: 'x' },
      { tag: 'x' },
      { execution: 'x' },
    ])
      expect(await count(other, filter)).toEqual({ count: 0 })
    expect(await count(pawl, { ids: ids.slice(0, 2) })).toEqual({ count: 2 })
    expect(await count(pawl, { since: at(0), until: at(1), type: 'mail' })).toEqual({ count: 3 })
    expect(await count(pawl, { since: at(1) })).toEqual({ count: 0 })
    expect(await count(pawl, { until: at(0) })).toEqual({ count: 0 })
  })

  it('archive by filter puts them away; nothing runs', async () => {
    const { pawl, mail } = await bury(bed, 4)
    const { id } = viewed(await pawl.bulk.archive({ filter: { type: 'mail' } }))
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({ kind: 'archive', status: 'completed', succeeded: 4 })
    expect(mail.calls).toHaveLength(4)
    expect(await pawl.counts()).toMatchObject({ archived: 4, actions: { dead: 0 } })
  })

  it('cancel by filter ends what is queued, with the reason, and leaves the rest', async () => {
    const { pawl, mail, state } = await bury(bed, 0)
    state.fails = healthy
    for (let index = 0; index < 4; index++)
      await pawl.dispatch(
        mail({ index }, { delay: '1d', priority: index, tags: [index < 3 ? 'old' : 'new'] }),
      )
    const { id } = viewed(await pawl.bulk.cancel({ filter: { tag: 'old' }, reason: 'the campaign is over' }))
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({
      kind: 'cancel',
      status: 'completed',
      total: 3,
      succeeded: 3,
    })
    const { data } = await pawl.actions.list({ status: 'cancelled' })
    expect(data.map(({ error }) => error?.message)).toEqual(Array(3).fill('the campaign is over'))
    expect((await pawl.counts()).actions).toMatchObject({ queued: 1, cancelled: 3 })
  })

  it('one that was retried meanwhile is skipped, the others are replayed', async () => {
    const { pawl, ids, state } = await bury(bed, 3)
    state.fails = healthy
    const { id } = viewed(await pawl.bulk.replay({}))
    await pawl.actions.retry(ids[1]!)
    await settle(pawl)
    expect(await pawl.bulk.get(id)).toMatchObject({ status: 'completed', total: 3, sent: 2, succeeded: 2 })
  })

  it('begun twice under one id it is one operation; and it is its tenant’s alone', async () => {
    const { pawl, state } = await bury(bed, 2)
    state.fails = healthy
    const first = await pawl.bulk.replay({ id: 'blk_mine' })
    await settle(pawl)
    expect(await pawl.bulk.replay({ id: 'blk_mine' })).toMatchObject({
      id: viewed(first).id,
      total: 2,
      done: 2,
    })
    const other = pawl.tenant('other')
    expect(await other.bulk.get('blk_mine')).toBeUndefined()
    expect((await other.bulk.list()).data).toEqual([])
    expect((await pawl.bulk.list()).data).toHaveLength(1)
  })

  it.each([
    [{ ratePerSecond: 0 }, 'ratePerSecond'],
    [{ ratePerSecond: 1e9 }, 'ratePerSecond'],
    [{ stopAfterFailures: 0 }, 'stopAfterFailures'],
    [{ stopAfterFailures: 1.5 }, 'stopAfterFailures'],
    [{ filter: { ids: Array.from({ length: 10_001 }, String) } }, 'filter.ids'],
    [{ id: '' }, 'id'],
  ])('%o is refused, and says where', async (request, path) => {
    const { pawl } = await bury(bed, 0)
    await expect(pawl.bulk.replay(request)).rejects.toMatchObject({
      code: 'invalid_option',
      details: { path },
    })
  })

  it('its lines are in the feed: started, paused, resumed, completed', async () => {
    const { pawl, state } = await bury(bed, 1)
    state.fails = healthy
    const { id } = viewed(await pawl.bulk.replay({}))
    await pawl.bulk.pause(id)
    await pawl.bulk.resume(id)
    await settle(pawl)
    const types: string[] = []
    for await (const { type, data } of pawl.watch())
      if (data['id'] === id) {
        types.push(type)
        if (type === 'bulk.completed') break
      }
    expect(types).toEqual(['bulk.started', 'bulk.paused', 'bulk.resumed', 'bulk.completed'])
  })
})
