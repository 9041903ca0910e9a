import { expect, it } from 'vitest'
import { onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

/** The most starts in any window of this length. */
const mostIn = (starts: readonly number[], windowMs: number): number =>
  Math.max(0, ...starts.map((from) => starts.filter((at) => at >= from && at < from + windowMs).length))

onEachStore('a rate', (bed) => {
  const many = async (count: number, limit: object, type = 'job') => {
    const job = spy(type)
    const pawl = await bed.open({ runners: [job] })
    const ids: string[] = []
    // Due one after the other: what is due at the same moment is in no order.
    for (let n = 0; n < count; n++) {
      const options = { delay: n, limit: { key: 'k', ...limit } }
      ids.push((await pawl.dispatch(job({ n }), options)).id)
    }
    return { job, pawl, ids }
  }

  it('never more than so many in any window, and each of them once', async () => {
    const { job, pawl } = await many(40, { rate: '10/s' })
    await pawl.advance({ by: 4600 })
    const starts = job.calls.map(({ at }) => at)
    expect(starts).toHaveLength(40)
    expect(mostIn(starts, 1000)).toBe(10)
    expect(new Set(job.calls.map(({ config }) => JSON.stringify(config))).size).toBe(40)
  })

  it('holds the row and says why; a run-now does not get around it', async () => {
    const { job, pawl, ids } = await many(3, { rate: '2/m' })
    await pawl.advance({ by: 10 })
    expect(job.calls).toHaveLength(1)
    const [, second, third] = await Promise.all(ids.map((id) => pawl.actions.get(id)))
    expect([second?.hold, second?.shown, second?.attempt]).toEqual(['rate:k', 'scheduled', 0])
    const apartMs = Date.parse(String(third!.dueAt)) - Date.parse(String(second!.dueAt))
    expect(apartMs).toBeGreaterThanOrEqual(30_000)
    expect(apartMs).toBeLessThanOrEqual(30_100)
    await pawl.actions.runNow(ids[2]!)
    await settle(pawl)
    expect(job.calls).toHaveLength(1)
    await pawl.advance({ by: '2m' })
    expect(job.calls).toHaveLength(3)
    expect(
      mostIn(
        job.calls.map(({ at }) => at),
        60_000,
      ),
    ).toBe(2)
  })

  it('drop: beyond the rate it is skipped, with the reason, and never run', async () => {
    const { job, pawl, ids } = await many(3, { rate: '1/h', onFull: 'drop' })
    await pawl.advance({ by: '1d' })
    expect(job.calls).toHaveLength(1)
    const last = (await pawl.actions.get(ids[2]!))!
    expect([last.status, last.error?.type, last.error?.message]).toEqual([
      'skipped',
      'limit_reached',
      'the rate of “k” is used up',
    ])
  })

  it('cancel_oldest: of those that wait only the newest is left', async () => {
    const { job, pawl, ids } = await many(4, { rate: '1/h', onFull: 'cancel_oldest' })
    await pawl.advance({ by: 10 })
    const statuses = await Promise.all(ids.map(async (id) => (await pawl.actions.get(id))!.status))
    expect(statuses.toSorted()).toEqual(['cancelled', 'cancelled', 'queued', 'succeeded'])
    expect(statuses[3]).toBe('queued')
    await pawl.advance({ by: '2h' })
    expect(job.calls.map(({ config }) => config)).toEqual([{ n: 0 }, { n: 3 }])
  })

  it('cancel_oldest: also of those that are claimed together', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job] })
    const limit = { key: 'k', rate: '1/h', onFull: 'cancel_oldest' } as const
    for (let n = 0; n < 5; n++) await pawl.dispatch(job({ n }), { limit })
    await settle(pawl)
    expect((await pawl.counts()).actions).toMatchObject({ succeeded: 1, cancelled: 3, queued: 1 })
  })

  it('two keys, and two tenants with equal keys, do not share a rate', async () => {
    const { job, pawl } = await many(1, { rate: '1/h' })
    await pawl.dispatch(job({}), { limit: { key: 'other', rate: '1/h' } })
    await pawl.tenant('umbrella').dispatch(job({}), { limit: { key: 'k', rate: '1/h' } })
    await settle(pawl)
    expect(job.calls).toHaveLength(3)
  })

  it('per runner type, over all tenants, or for each', async () => {
    const [all, each] = [spy('all'), spy('each')]
    const limits = { all: { rate: '1/h' }, each: { rate: '1/h', per: 'tenant' } } as const
    const pawl = await bed.open({ runners: [all, each], limits })
    for (const one of [pawl, pawl.tenant('umbrella')])
      for (const job of [all, each]) await one.dispatch(job({}))
    await settle(pawl)
    expect([all.calls.length, each.calls.length]).toEqual([1, 2])
  })

  it('M-11: per runner type and service: each service of a type has its rate', async () => {
    const job = spy('job')
    const limits = { job: { rate: '1/h', key: '{{config.service}}' } } as const
    const pawl = await bed.open({ runners: [job], limits })
    for (const service of ['crm', 'bank', 'crm']) await pawl.dispatch(job({ service }))
    await settle(pawl)
    expect(job.calls).toHaveLength(2)
    const [held] = (await pawl.actions.list({ status: 'queued' })).data
    expect(held).toMatchObject({ config: { service: 'crm' }, hold: 'rate:job/crm' })
    expect((await pawl.why(held!.id)).reasons[0]!.text).toContain('the rate of “job/crm” (1/h) is used up')
  })

  it('an action under its own rate and that of its type heeds both', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job], limits: { job: { rate: '6/m' } } })
    for (let n = 0; n < 6; n++) await pawl.dispatch(job({ n }), { limit: { key: `k${n % 2}`, rate: '1/m' } })
    await pawl.advance({ by: '5m' })
    const startsOf = (k: number) =>
      job.calls.filter(({ config }) => (config as { n: number }).n % 2 === k).map(({ at }) => at)
    expect(job.calls).toHaveLength(6)
    expect([mostIn(startsOf(0), 60_000), mostIn(startsOf(1), 60_000)]).toEqual([1, 1])
  })

  it('a retry takes a slot of its own', async () => {
    let left = 1
    const job = spy('job', () => {
      if (left-- > 0) throw new Error('once')
    })
    const pawl = await bed.open({ runners: [job] })
    const options = { limit: { key: 'k', rate: '1/m' }, retryPolicy: { maxAttempts: 2, baseDelay: 1000 } }
    await pawl.dispatch(job({}), options)
    await pawl.advance({ by: '5m' })
    expect(job.calls).toHaveLength(2)
    expect(job.calls[1]!.at - job.calls[0]!.at).toBeGreaterThanOrEqual(60_000)
  })

  it('a rate nobody can read fails the action at once, and says where', async () => {
    const { job, pawl, ids } = await many(1, { rate: '10 per second' }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'invalid_option' })
      return { job: undefined, pawl: undefined, ids: [] }
    })
    if (pawl === undefined) return
    await settle(pawl)
    expect([job?.calls.length, (await pawl.actions.get(ids[0]!))?.status]).toEqual([0, 'dead'])
  })
})
