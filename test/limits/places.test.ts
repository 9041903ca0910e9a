import { expect, it } from 'vitest'
import { onEachStore } from '../engine/bed.ts'
import { gate, settle, spy, until } from '../engine/spies.ts'

const n = (config: unknown): number => (config as { readonly n: number }).n

onEachStore('a number at a time', (bed) => {
  /** Runs while the case holds it; counts how many at once. */
  const counted = () => {
    const doors = new Map<number, ReturnType<typeof gate>>()
    const door = (of: number) => {
      const known = doors.get(of) ?? gate()
      doors.set(of, known)
      return known
    }
    let now = 0
    let most = 0
    const job = spy('job', async ({ config }) => {
      now += 1
      most = Math.max(most, now)
      await door(n(config)).pass()
      now -= 1
    })
    return { job, door, most: () => most }
  }

  it('never more than so many, whoever waits says why, and a free place calls the oldest', async () => {
    const { job, door, most } = counted()
    const pawl = await bed.open({ runners: [job], clock: 'real' })
    const limit = { key: 'k', concurrency: 2 }
    const ids: string[] = []
    for (let each = 0; each < 5; each++)
      ids.push((await pawl.dispatch(job({ n: each }), { limit, delay: each })).id)
    const stop = await pawl.work()
    const waiting = async (): Promise<readonly number[]> => {
      const rows = await Promise.all(ids.map((id) => pawl.actions.get(id)))
      return rows.flatMap((row, index) => (row?.hold === 'concurrency:k' ? [index] : []))
    }
    await until(async () => (await waiting()).length === 3)
    const running = (): readonly number[] => job.calls.map(({ config }) => n(config))
    const first = running()
    expect(first).toHaveLength(2)
    const [oldest] = await waiting()
    door(first[0]!).open()
    await until(() => job.calls.length === 3)
    expect(running()[2]).toBe(oldest)
    for (let each = 0; each < 5; each++) door(each).open()
    await until(async () => (await pawl.counts()).actions.succeeded === 5)
    expect(most()).toBe(2)
    await stop()
  })

  it('drop: skipped when there is no place; cancel_oldest: the newest of those that wait is left', async () => {
    const { job, door } = counted()
    const pawl = await bed.open({ runners: [job], clock: 'real' })
    const stop = await pawl.work()
    const ask = async (each: number, key: string, onFull: 'drop' | 'cancel_oldest') =>
      (await pawl.dispatch(job({ n: each }), { limit: { key, concurrency: 1, onFull } })).id
    const statusOf = async (id: string) => (await pawl.actions.get(id))!.status
    await ask(0, 'd', 'drop')
    await ask(10, 'c', 'cancel_oldest')
    await Promise.all([door(0).reached, door(10).reached])
    const dropped = await ask(1, 'd', 'drop')
    await until(async () => (await statusOf(dropped)) === 'skipped')
    expect((await pawl.actions.get(dropped))?.error).toMatchObject({
      type: 'limit_reached',
      message: 'the concurrency of “d” is used up',
    })
    const older = await ask(11, 'c', 'cancel_oldest')
    await until(async () => (await pawl.actions.get(older))?.hold === 'concurrency:c')
    const newer = await ask(12, 'c', 'cancel_oldest')
    await until(async () => (await statusOf(older)) === 'cancelled')
    door(12).open()
    door(10).open()
    await until(async () => (await statusOf(newer)) === 'succeeded')
    expect(job.calls.map(({ config }) => n(config)).toSorted((a, b) => a - b)).toEqual([0, 10, 12])
    door(0).open()
    await stop()
  })

  it('one that fails and is tried again does not keep its place meanwhile', async () => {
    const order: number[] = []
    const job = spy('job', ({ config, attempt }) => {
      order.push(n(config))
      if (n(config) === 0 && attempt === 1) throw new Error('once')
    })
    const pawl = await bed.open({ runners: [job] })
    const retryPolicy = { maxAttempts: 2, baseDelay: 60_000, backoffStrategy: 'fixed' } as const
    for (let each = 0; each < 3; each++)
      await pawl.dispatch(job({ n: each }), { limit: { key: 'k', concurrency: 1 }, retryPolicy, delay: each })
    await pawl.advance({ by: '10m' })
    expect(order).toEqual([0, 1, 2, 0])
  })

  it('per runner type, over all tenants', async () => {
    const { job, door, most } = counted()
    const pawl = await bed.open({ runners: [job], clock: 'real', limits: { job: { concurrency: 1 } } })
    await pawl.dispatch(job({ n: 0 }))
    const other = await pawl.tenant('umbrella').dispatch(job({ n: 1 }))
    door(0).open()
    door(1).open()
    const stop = await pawl.work()
    await until(async () => (await pawl.tenant('umbrella').actions.get(other.id))?.status === 'succeeded')
    await until(() => job.calls.length === 2)
    expect(most()).toBe(1)
    await stop()
  })
})

onEachStore('a quota', (bed) => {
  it('so many a day, the rest on the next ones, in the zone it is counted in', async () => {
    const job = spy('job')
    const limits = { job: { quota: '2/day', zone: 'America/New_York' } }
    const pawl = await bed.open({ runners: [job], limits })
    const ids: string[] = []
    for (let each = 0; each < 5; each++) ids.push((await pawl.dispatch(job({ n: each }), { delay: each })).id)
    await pawl.advance({ by: 100 })
    expect(job.calls).toHaveLength(2)
    const held = (await pawl.actions.get(ids[4]!))!
    expect(held.hold).toBe('quota:job')
    const due = new Date(held.dueAt)
    expect([due.getUTCHours(), due.getUTCMinutes()]).toEqual([5, 0])
    await pawl.advance({ to: due.getTime() - (due.getTime() % 60_000) - 1 })
    expect(job.calls).toHaveLength(2)
    await pawl.advance({ by: '1d' })
    expect(job.calls).toHaveLength(4)
    await pawl.advance({ by: '1d' })
    expect(job.calls).toHaveLength(5)
  })

  it('drop: beyond it nothing is kept', async () => {
    const job = spy('job')
    const pawl = await bed.open({
      runners: [job],
      limits: { job: { quota: '1/month', onFull: 'drop', per: 'tenant' } },
    })
    for (let each = 0; each < 3; each++) await pawl.dispatch(job({ n: each }), { delay: each })
    await pawl.tenant('umbrella').dispatch(job({ n: 9 }))
    await pawl.advance({ by: 10 })
    await settle(pawl)
    expect(job.calls).toHaveLength(2)
    expect((await pawl.counts()).actions).toMatchObject({ succeeded: 1, skipped: 2, queued: 0 })
  })
})
