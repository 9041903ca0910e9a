// Recurrences by behaviour, through the library, on each store: made, fired, paused, changed, filled, removed.

import { expect, it } from 'vitest'
import { recurring } from '../../src/index.ts'
import { at, DAY, HOUR, MINUTE, NOW, onEachStore } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'

const EVERY_TEN = { cron: '*/10 * * * *', timezone: 'UTC', do: { type: 'note', config: { text: 'hi' } } }

onEachStore('recurrences', (bed) => {
  const opened = async (options: Parameters<typeof bed.open>[0] = {}) => {
    const note = spy('note')
    return { note, pawl: await bed.open({ runners: [note], ...options }) }
  }

  it('F10, R-013, R-025, X-12: each occurrence fires once, at its instant, and its outcome is known', async () => {
    const { note, pawl } = await opened()
    const made = await pawl.recurring.create(EVERY_TEN)
    expect(made).toMatchObject({ enabled: true, nextAt: at(10 * MINUTE), executionCount: 0 })
    expect(made.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    await pawl.advance({ by: HOUR })
    expect(note.calls.map((call) => call.at)).toEqual([10, 20, 30, 40, 50, 60].map((n) => NOW + n * MINUTE))
    expect(new Set(note.calls.map(({ key }) => key)).size).toBe(6)
    expect(await pawl.recurring.get(made.id)).toMatchObject({
      executionCount: 6,
      successCount: 6,
      failureCount: 0,
      lastAt: at(HOUR),
      nextAt: at(70 * MINUTE),
    })
    const { data } = await pawl.recurring.history(made.id)
    expect(data.map(({ fate, outcome }) => [fate, outcome])).toEqual(Array(6).fill(['fired', 'succeeded']))
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('X-09: paused, it fires nothing; resumed, it goes on from then, and the gap is told', async () => {
    const { note, pawl } = await opened()
    const { id } = await pawl.recurring.create(EVERY_TEN)
    expect(await pawl.recurring.pause(id)).toMatchObject({ enabled: false, nextAt: null })
    await pawl.advance({ by: 25 * MINUTE })
    expect(note.calls).toEqual([])
    expect(await pawl.recurring.resume(id)).toMatchObject({ enabled: true, nextAt: at(30 * MINUTE) })
    const { data } = await pawl.recurring.history(id)
    expect(data.map(({ at: when, fate, reason }) => [when, fate, reason])).toEqual([
      [at(20 * MINUTE), 'skipped', 'paused'],
      [at(10 * MINUTE), 'skipped', 'paused'],
    ])
  })

  it('R-035, R-036, R-040, R-045: changed, it is planned anew; removed, it is gone, and nothing of it is left due', async () => {
    const { note, pawl } = await opened()
    const { id } = await pawl.recurring.create({ ...EVERY_TEN, description: 'old' })
    const changed = await pawl.recurring.update(id, { cron: '0 * * * *', description: null })
    expect(changed).toMatchObject({ nextAt: at(HOUR), settings: { ...EVERY_TEN, cron: '0 * * * *' } })
    await expect(pawl.recurring.update(id, { cron: 'never' })).rejects.toMatchObject({ code: 'invalid_cron' })
    await expect(pawl.recurring.update(id, { timezone: 'BST' })).rejects.toMatchObject({
      code: 'invalid_zone',
    })
    expect((await pawl.recurring.get(id))?.nextAt).toBe(at(HOUR))
    await pawl.recurring.remove(id)
    expect(await pawl.recurring.get(id)).toBeUndefined()
    await expect(pawl.recurring.pause(id)).rejects.toMatchObject({ code: 'recurrence_not_found' })
    expect((await pawl.recurring.list()).data).toEqual([])
    await pawl.advance({ by: DAY })
    expect(note.calls).toEqual([])
  })

  it('run now, skip next, backfill: each once, whoever asks again', async () => {
    const { note, pawl } = await opened()
    const { id } = await pawl.recurring.create(EVERY_TEN)
    await pawl.recurring.runNow(id)
    await settle(pawl)
    expect(note.calls).toHaveLength(1)
    expect(await pawl.recurring.skipNext(id)).toMatchObject({ nextAt: at(20 * MINUTE) })
    await pawl.advance({ by: 20 * MINUTE })
    expect(note.calls).toHaveLength(2)
    const range = { from: at(-30 * MINUTE), to: at(20 * MINUTE + 1) }
    const filled = [-30, -20, -10, 0, 10].map((n) => at(n * MINUTE))
    expect(await pawl.recurring.backfill(id, range)).toEqual(filled)
    expect(await pawl.recurring.backfill(id, range)).toEqual([])
    await settle(pawl)
    expect(note.calls).toHaveLength(7)
    await expect(pawl.recurring.backfill(id, { from: at(-400 * DAY), to: at(0) })).rejects.toMatchObject({
      code: 'invalid_option',
    })
  })

  it('backfill of what one entry tells of: the others keep theirs', async () => {
    const { note, pawl } = await opened()
    const { id } = await pawl.recurring.create({ ...EVERY_TEN, enabled: false })
    await pawl.advance({ by: 106 * 10 * MINUTE })
    const fill = (from: number, to: number) =>
      pawl.recurring.backfill(id, { from: at(from * MINUTE), to: at(to * MINUTE) })
    const oldest = async () => (await pawl.recurring.history(id, { limit: 200 })).data.slice(100).reverse()
    await fill(30, 31)
    expect(await oldest()).toMatchObject([
      { at: at(10 * MINUTE), reason: 'paused', count: 6, until: at(60 * MINUTE) },
      { at: at(30 * MINUTE), reason: 'backfill' },
    ])
    expect(await fill(10, 25)).toEqual([at(10 * MINUTE), at(20 * MINUTE)])
    const left = { at: at(40 * MINUTE), fate: 'skipped', reason: 'paused' }
    expect(await oldest()).toMatchObject([
      ...[10, 20, 30].map((n) => ({ at: at(n * MINUTE), fate: 'fired', reason: 'backfill' })),
      { ...left, count: 3, until: at(60 * MINUTE) },
    ])
    await fill(40, 55)
    expect((await oldest()).at(-1)).toEqual(expect.not.objectContaining({ count: expect.anything() }))
    expect((await oldest()).at(-1)).toMatchObject({ ...left, at: at(60 * MINUTE) })
    await settle(pawl)
    expect(note.calls).toHaveLength(5)
    expect(await pawl.verify()).toMatchObject({ findings: [] })
  })

  it('backfill while it is off: what was passed over gets its fate, and what is filled fires', async () => {
    const { note, pawl } = await opened()
    const { id } = await pawl.recurring.create({ ...EVERY_TEN, enabled: false })
    await pawl.advance({ by: 30 * MINUTE })
    const range = { from: at(5 * MINUTE), to: at(25 * MINUTE) }
    expect(await pawl.recurring.backfill(id, range)).toEqual([at(10 * MINUTE), at(20 * MINUTE)])
    await settle(pawl)
    expect(note.calls).toHaveLength(2)
    const { data } = await pawl.recurring.history(id)
    expect(data.map(({ reason }) => reason)).toEqual(['paused', 'backfill', 'backfill'])
    await Promise.all([pawl.recurring.runNow(id), pawl.recurring.runNow(id)])
    await settle(pawl)
    expect((await pawl.recurring.history(id)).data).toHaveLength(5)
    expect((await pawl.verify()).findings).toEqual([])
  })

  it('R-024, R-027, X-10: what is dispatched says so in its metadata alone; the config is the user’s', async () => {
    const { note, pawl } = await opened()
    const request = { ...EVERY_TEN.do, metadata: { team: 'ops' } }
    const { id } = await pawl.recurring.create({ ...EVERY_TEN, do: request })
    await pawl.advance({ by: 10 * MINUTE })
    expect(note.calls.map(({ config }) => config)).toEqual([{ text: 'hi' }])
    const [action] = (await pawl.actions.list({ execution: id })).data
    expect(action).toMatchObject({
      source: { kind: 'recurrence', id },
      metadata: { team: 'ops', _recurring_dispatch: 'true', _recurring_id: id },
    })
  })

  it('X-21: overlap skip: while a run is under way, or was cancelled by a person', async () => {
    const note = spy('note')
    const pawl = await bed.open({ runners: [note] })
    const { id } = await pawl.recurring.create({
      ...EVERY_TEN,
      overlap: 'skip',
      do: { ...EVERY_TEN.do, delay: '15m' },
    })
    await pawl.advance({ by: 21 * MINUTE })
    const fates = async () =>
      (await pawl.recurring.history(id)).data.map(({ fate, reason }) => reason ?? fate)
    expect(await fates()).toEqual(['overlap', 'fired'])
    await pawl.advance({ by: 10 * MINUTE })
    expect(await fates()).toEqual(['fired', 'overlap', 'fired'])
    const [waiting] = (await pawl.actions.list({ status: 'queued' })).data
    await pawl.actions.cancel(waiting!.id)
    await pawl.advance({ by: 10 * MINUTE })
    expect((await fates())[0]).toBe('fired')
  })

  it('X-08, X-21: a failing one pauses itself and says why', async () => {
    const note = spy('note', () => {
      throw new Error('nobody home')
    })
    const pawl = await bed.open({ runners: [note] })
    const { id } = await pawl.recurring.create({
      ...EVERY_TEN,
      pauseAfterFailures: 2,
      do: { ...EVERY_TEN.do, retryPolicy: { maxAttempts: 1, backoffStrategy: 'fixed', baseDelay: 0 } },
    })
    await pawl.advance({ by: HOUR })
    expect(await pawl.recurring.get(id)).toMatchObject({
      enabled: false,
      failureCount: 2,
      executionCount: 2,
      error: 'paused after 2 failures in a row',
    })
  })

  it('written in code: begins by itself, once, in every process; changed, it is planned anew', async () => {
    const note = spy('note')
    const hourly = (cron: string) =>
      recurring({
        id: 'hourly',
        cron,
        timezone: 'UTC',
        catchUp: 'none',
        do: ({ scheduledAt, previousAt }) =>
          note({ text: `${previousAt?.toISOString()} ${scheduledAt.toISOString()}` }),
      })
    const pawl = await bed.open({ runners: [note], definitions: [hourly('0 * * * *')] })
    await pawl.advance({ by: 2 * HOUR })
    expect(note.calls.map(({ config }) => config)).toEqual([
      { text: `undefined ${at(HOUR)}` },
      { text: `${at(HOUR)} ${at(2 * HOUR)}` },
    ])
    expect(await pawl.recurring.get('hourly')).toMatchObject({
      words: expect.stringContaining('UTC'),
      executionCount: 2,
    })
  })

  it('tenants: nobody sees or changes another’s', async () => {
    const { pawl } = await opened()
    const { id } = await pawl.recurring.create(EVERY_TEN)
    const other = pawl.tenant('other')
    expect(await other.recurring.get(id)).toBeUndefined()
    expect((await other.recurring.list()).data).toEqual([])
    await expect(other.recurring.pause(id)).rejects.toMatchObject({ code: 'recurrence_not_found' })
    await expect(other.recurring.history(id)).rejects.toMatchObject({ code: 'recurrence_not_found' })
  })
})
