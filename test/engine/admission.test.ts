import { expect, it } from 'vitest'
import { type ActionOptions, machine, type Pawl } from '../../src/index.ts'
import { at, HOUR, MINUTE, NOW, onEachStore } from './bed.ts'
import { only, settle, spy, until } from './spies.ts'

onEachStore('when an action may run', (bed) => {
  const begin = async (more: object = {}) => {
    const job = spy('job', ({ config }) => config)
    const pawl = await bed.open({ runners: [job], ...more })
    return { pawl, job, instants: () => job.calls.map((call) => call.at - NOW) }
  }

  it.each([
    ['delay as a text', { delay: '90s' }, 90_000],
    ['delay in milliseconds', { delay: 1 }, 1],
    ['dueAt as an instant', { dueAt: at(HOUR) }, HOUR],
    ['dueAt with an offset', { dueAt: '2026-01-05T11:00:00+01:00' }, HOUR],
    ['dueAt in milliseconds', { dueAt: NOW + 5 }, 5],
    ['dueAt in the past', { dueAt: '2020-01-01T00:00:00Z' }, 0],
    ['neither', {}, 0],
  ])('%s: at that instant', async (_, options, expected) => {
    const { pawl, job, instants } = await begin()
    await pawl.dispatch(job({}, options as ActionOptions))
    await pawl.advance({ by: '1d' })
    expect(instants()).toEqual([expected])
  })

  it('options of the call win over those of the request, one by one', async () => {
    const { pawl, job } = await begin()
    await pawl.dispatch(job({}, { delay: '1h', priority: 9, tags: ['a'] }), { priority: 70 })
    expect(await only(pawl)).toMatchObject({ priority: 70, dueAt: at(HOUR), tags: ['a'] })
  })

  it('F-052: higher priority first, then who was due first', async () => {
    const { pawl, job } = await begin()
    for (const [name, priority] of Object.entries({ low: 10, high: 90, middle: 50, top: 100, bottom: 0 }))
      await pawl.dispatch(job(name, { priority, delay: '1h' }))
    await pawl.dispatch(job('older', { priority: 50, delay: HOUR - 20_000 }))
    await pawl.pause({ type: 'job' })
    await pawl.advance({ by: '1h' })
    await pawl.resume({ type: 'job' })
    await settle(pawl)
    expect(job.calls.map(({ config }) => config)).toEqual(['top', 'high', 'older', 'middle', 'low', 'bottom'])
  })

  it.each([-1, 101, 1.5, Number.NaN])('priority %d is refused', async (priority) => {
    const { pawl, job } = await begin()
    await expect(pawl.dispatch(job({}, { priority }))).rejects.toMatchObject({ code: 'invalid_option' })
    expect((await pawl.actions.list()).data).toEqual([])
  })

  it('dispatched twice with one id is one action', async () => {
    const { pawl, job } = await begin()
    const sent = await Promise.all(Array.from({ length: 20 }, () => pawl.dispatch(job({}), { id: 'act_1' })))
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    const [id, ...others] = new Set(sent.map((one) => one.id))
    expect(others).toEqual([])
    await settle(pawl)
    expect(await pawl.dispatch(job({}), { id: 'act_1' })).toEqual({ id, deduplicated: true })
    await settle(pawl)
    expect(job.calls).toHaveLength(1)
  })

  it('dedup while active: one at a time, free again when it is done', async () => {
    const { pawl, job } = await begin()
    const dedup = { key: 'hi', while: 'active' } as const
    const first = await pawl.dispatch(job(1, { dedup, delay: '1h' }))
    expect(await pawl.dispatch(job(2, { dedup }))).toEqual({ id: first.id, deduplicated: true })
    await pawl.advance({ by: '2h' })
    expect(await pawl.dispatch(job(3, { dedup }))).toMatchObject({ deduplicated: false })
    await settle(pawl)
    expect(job.calls.map(({ config }) => config)).toEqual([1, 3])
  })

  it('dedup for a time: also when it is done, until then', async () => {
    const { pawl, job } = await begin()
    const dedup = { key: 'hi', for: '1h' } as const
    const first = await pawl.dispatch(job(1, { dedup }))
    await pawl.advance({ by: 59 * MINUTE })
    expect(await pawl.dispatch(job(2, { dedup }))).toEqual({ id: first.id, deduplicated: true })
    await pawl.advance({ by: MINUTE })
    expect(await pawl.dispatch(job(3, { dedup }))).toMatchObject({ deduplicated: false })
  })

  it('dedup: a cancelled one gives its key back; another tenant has its own', async () => {
    const { pawl, job } = await begin()
    const dedup = { key: 'hi', while: 'active' } as const
    const { id } = await pawl.dispatch(job(1, { dedup, delay: '1h' }))
    expect(await pawl.tenant('other').dispatch(job(2, { dedup }))).toMatchObject({ deduplicated: false })
    await pawl.actions.cancel(id)
    expect(await pawl.dispatch(job(3, { dedup }))).toMatchObject({ deduplicated: false })
  })

  it('expiresAfter: what could not run in time is dead and says so, without an attempt', async () => {
    const { pawl, job } = await begin()
    await pawl.dispatch(job({}, { delay: '1h', expiresAfter: '10m' }))
    await pawl.pause({ type: 'job' })
    await pawl.advance({ by: '2h' })
    await pawl.resume({ type: 'job' })
    await settle(pawl)
    expect(job.calls).toEqual([])
    expect(await only(pawl)).toMatchObject({ status: 'dead', attempt: 0, error: { type: 'expired' } })
  })

  it('expiresAfter: a retry that would come too late is not waited for', async () => {
    const job = spy('job', () => {
      throw new Error('down')
    })
    const pawl = await bed.open({ runners: [job] })
    await pawl.dispatch(
      job(
        {},
        { expiresAfter: '10s', retryPolicy: { maxAttempts: 9, backoffStrategy: 'fixed', baseDelay: 6000 } },
      ),
    )
    await pawl.advance({ by: '1m' })
    expect(job.calls.map((call) => call.at - NOW)).toEqual([0, 6000])
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { message: 'down' } })
  })

  it('tags, metadata, summary and name are kept, and found again', async () => {
    const { pawl, job } = await begin()
    const options = { tags: ['a', 'b'], metadata: { order: 7 }, summary: 'The letter', name: 'letter' }
    const { id } = await pawl.dispatch(job({}, options))
    await settle(pawl)
    expect(await pawl.actions.get(id)).toMatchObject(options)
    expect((await pawl.actions.list({ tag: 'b' })).data).toHaveLength(1)
    expect((await pawl.actions.list({ tag: 'c' })).data).toHaveLength(0)
    expect((await pawl.actions.list({ name: 'letter' })).data).toHaveLength(1)
  })

  it('a condition that does not hold: written down as skipped, with the reason, and never run', async () => {
    const { pawl, job } = await begin()
    await pawl.dispatch(job(1, { condition: { '==': [1, 2] } }))
    await pawl.dispatch(job(2, { condition: { '==': [1, 1] } }))
    await settle(pawl)
    expect(job.calls.map(({ config }) => config)).toEqual([2])
    const { data } = await pawl.actions.list({ status: 'skipped' })
    expect(data).toMatchObject([{ config: 1, error: { type: 'condition_false' }, attempt: 0 }])
  })

  it('an action of a machine whose condition is false is in its history as skipped', async () => {
    const job = spy('job')
    const choosy = machine({
      id: 'choosy',
      uses: [job],
      initial: 'a',
      states: {
        a: { enter: () => [job(1), job(2, { condition: { '==': [{ var: 'execution.id' }, 'y'] } })] },
      },
    })
    const pawl = await bed.open({ definitions: [choosy], runners: [job] })
    await pawl.start(choosy, { id: 'x', variables: {} })
    const { data } = await pawl.executions.history('x')
    expect(data[0]!.data).toMatchObject({
      actions: [{ status: 'queued' }, { name: 'job#2', status: 'skipped' }],
    })
  })
})

const OFFICE = {
  timezone: 'Europe/London',
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '10:00',
  to: '17:00',
}

onEachStore('delivery windows', (bed) => {
  const begin = async (window: object, calendars = { office: OFFICE } as never) => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job], calendars })
    await pawl.dispatch(job({}, { window: window as never }))
    return { pawl, job, instants: () => job.calls.map((call) => call.at - NOW) }
  }
  const settleAll = (pawl: Pawl) => pawl.advance({ by: '7d' })

  it.each([
    ['written in the action', OFFICE],
    ['of a calendar by name', 'office'],
  ])('hold: %s, until it opens, and why says so', async (_, window) => {
    const { pawl, instants } = await begin(window as never)
    await settle(pawl)
    expect(await only(pawl)).toMatchObject({
      status: 'queued',
      hold: 'window:closed',
      dueAt: at(HOUR),
      attempt: 0,
    })
    expect((await pawl.why((await only(pawl)).id)).reasons[0]).toMatchObject({
      code: 'window',
      until: NOW + HOUR,
    })
    await settleAll(pawl)
    expect(instants()).toEqual([HOUR])
  })

  it('drop: skipped with the reason', async () => {
    const { pawl, job } = await begin({ ...OFFICE, closed: 'drop' })
    await settleAll(pawl)
    expect(job.calls).toEqual([])
    expect(await only(pawl)).toMatchObject({
      status: 'skipped',
      error: { type: 'window_closed' },
      attempt: 0,
    })
  })

  it('open: at once', async () => {
    const { pawl, instants } = await begin({ ...OFFICE, from: '09:00' })
    await settleAll(pawl)
    expect(instants()).toEqual([0])
  })

  it('a calendar nobody has configured: the action does not wait in silence', async () => {
    const { pawl, job } = await begin('nowhere' as never)
    await settle(pawl)
    expect(job.calls).toEqual([])
    expect(await only(pawl)).toMatchObject({ status: 'dead', error: { code: 'invalid_window' } })
  })
})

onEachStore('F-052: an action pinned to a runner', (bed) => {
  it('is given to the worker of that name and to no other', async () => {
    const job = spy('job')
    const pawl = await bed.open({ runners: [job], clock: 'real' })
    await pawl.dispatch(job('pinned', { runner: 'gpu-1' }))
    await pawl.dispatch(job('free'))
    const stop = await pawl.work()
    await until(() => job.calls.length === 1)
    await stop()
    expect(job.calls.map(({ config }) => config)).toEqual(['free'])
    const stopPinned = await pawl.work({ runner: 'gpu-1' })
    await until(() => job.calls.length === 2)
    await stopPinned()
    expect(job.calls.map(({ config }) => config)).toEqual(['free', 'pinned'])
  })
})
