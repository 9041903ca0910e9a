import { expect, it } from 'vitest'
import { machine } from '../../src/index.ts'
import { onEachShared, onEachStore } from './bed.ts'
import { type Call, gate, only, spy, until } from './spies.ts'

const real = { clock: 'real' } as const

onEachStore('work', (bed) => {
  it('drains: what runs is finished, what waits is left', async () => {
    const { pass, reached, open } = gate()
    const job = spy('job', ({ config }) => (config === 'slow' ? pass() : null))
    const pawl = await bed.open({ runners: [job], ...real })
    const slow = await pawl.dispatch(job('slow'))
    const stop = await pawl.work()
    await reached
    const stopped = stop()
    const left = await pawl.dispatch(job('left'))
    open()
    await stopped
    expect((await pawl.actions.get(slow.id))!.status).toBe('succeeded')
    expect((await pawl.actions.get(left.id))!.status).toBe('queued')
    expect(job.calls).toHaveLength(1)
  })

  it('F37: what does not finish in time is handed back, no attempt consumed', async () => {
    const job = spy('job', ({ ctx, attempt }: Call) =>
      attempt > 1
        ? 'again'
        : new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
    )
    const pawl = await bed.open({ runners: [job], drainMs: 20, ...real })
    const { id } = await pawl.dispatch(job({}, { retryPolicy: { maxAttempts: 1 } }))
    const stop = await pawl.work()
    await until(() => job.calls.length === 1)
    await stop()
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'queued', attempts: [{ outcome: 'lost' }] })
    await pawl.work()
    await until(async () => (await only(pawl)).status === 'succeeded')
    expect(job.calls[1]!.key).toBe(job.calls[0]!.key)
  })

  it('F37: under at_most_once what was under way goes to review', async () => {
    const job = spy(
      'job',
      ({ ctx }: Call) =>
        new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
    )
    const pawl = await bed.open({ runners: [job], ...real })
    const { id } = await pawl.dispatch(job({}, { delivery: 'at_most_once' }))
    const stop = await pawl.work()
    await until(() => job.calls.length === 1)
    await stop({ now: true })
    expect(await pawl.actions.get(id)).toMatchObject({ status: 'review' })
  })

  it('close drains, and may be called twice; afterwards every verb says that it is closed', async () => {
    const { pass, reached, open } = gate()
    const job = spy('job', pass)
    const pawl = await bed.open({ runners: [job], ...real })
    await pawl.dispatch(job({}))
    await pawl.work()
    await reached
    const closed = Promise.all([pawl.close(), pawl.close()])
    open()
    await closed
    await expect(pawl.dispatch(job({}))).rejects.toMatchObject({ code: 'store_closed' })
    await expect(pawl.executions.get('x')).rejects.toMatchObject({ code: 'store_closed' })
  })

  it('never more at once than there are slots, and all get their turn', async () => {
    let now = 0
    let most = 0
    const job = spy('job', async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return null
    })
    const pawl = await bed.open({ runners: [job], ...real })
    await Promise.all(Array.from({ length: 60 }, () => pawl.dispatch(job({}))))
    await pawl.work({ slots: 4 })
    await until(() => job.calls.length === 60)
    expect(most).toBeLessThanOrEqual(4)
    expect(most).toBeGreaterThan(1)
  })

  it('F-052: one slot: strictly by priority', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job], ...real })
    for (const priority of [10, 90, 50, 100, 0, 70]) await pawl.dispatch(job(priority, { priority }))
    await pawl.work({ slots: 1 })
    await until(() => job.calls.length === 6)
    expect(job.calls.map(({ config }) => config)).toEqual([100, 90, 70, 50, 10, 0])
  })

  it('a runner of another type is not waited for: its actions stay queued', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job], ...real })
    const { id } = await pawl.dispatch({ type: 'other', config: {}, options: {} })
    await pawl.dispatch(job({}))
    const stop = await pawl.work()
    await until(() => job.calls.length === 1)
    await stop()
    expect((await pawl.actions.get(id))!.status).toBe('queued')
  })

  it('two definitions or two runners of one name are refused when it is opened', async () => {
    const job = spy('job')
    const flow = machine({ id: 'flow', initial: 'a', states: { a: {} } })
    await expect(bed.open({ runners: [job, spy('job')] })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(bed.open({ definitions: [flow, flow] })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(bed.open({ store: 'mysql://x' })).rejects.toMatchObject({ code: 'invalid_option' })
  })
})

onEachShared('several workers', (bed) => {
  it('each action is run by one of them', async () => {
    const jobs = [spy('job'), spy('job'), spy('job')] as const
    const pawls = []
    for (const job of jobs) pawls.push(await bed.open({ runners: [job], ...real }))
    const [first] = pawls
    await Promise.all(Array.from({ length: 90 }, (_, n) => first!.dispatch(jobs[0](n))))
    for (const pawl of pawls) await pawl.work({ slots: 5, batch: 5 })
    const done = () => jobs.flatMap(({ calls }) => calls)
    await until(async () => (await first!.counts()).actions.succeeded === 90)
    expect(new Set(done().map(({ config }) => config)).size).toBe(90)
    expect(done()).toHaveLength(90)
  })

  it('F27: a worker whose lease ran out is told, settles nothing, and leaves evidence', async () => {
    const { pass, reached, open } = gate()
    const slow = spy('job', pass)
    const dead = await bed.open({ runners: [slow], leaseMs: 60_000, ...real })
    await dead.dispatch(slow({}), { id: 'act_1' })
    await dead.work({ slots: 1 })
    await reached
    const quick = spy('job', () => 'by another')
    const alive = await bed.open({ runners: [quick], ...real })
    await bed.transact(async (client) => expire(client))
    await alive.work()
    await until(async () => (await only(alive)).status === 'succeeded')
    open()
    await until(() => bed.lines.some(({ message }) => message === 'an attempt ended after its lease'))
    expect(await only(alive)).toMatchObject({ result: 'by another' })
    expect(quick.calls[0]!.key).toBe(slow.calls[0]!.key)
  })
})

/** As if the worker had been silent for longer than its lease. */
const expire = async (client: unknown): Promise<void> => {
  const pg = client as { query?: (sql: string) => Promise<unknown>; exec?: (sql: string) => void }
  if (pg.query)
    await pg.query(
      `update pawl.actions set lease_until = 1 where status = 'running'; update pawl.claims set look_at = 1`,
    )
  else pg.exec?.(`update actions set lease_until = 1 where status = 'running'`)
}
