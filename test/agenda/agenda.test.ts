// What is to come, through the library: recurrences foreseen, timers, queued actions, in order and page by page; and that
// what was foretold for a year is what was done in it.

import { expect, it } from 'vitest'
import type { AgendaEntry, AgendaQuery, NewRecurrence, Pawl } from '../../src/index.ts'
import { machine, recurring } from '../../src/index.ts'
import { at, DAY, MINUTE, NOW, onEachStore, START } from '../engine/bed.ts'
import { spy } from '../engine/spies.ts'

const DO = { type: 'note', config: {} }
const note = () => spy('note')

const all = async (pawl: Pawl, query: AgendaQuery, limit = 250): Promise<readonly AgendaEntry[]> => {
  const found: AgendaEntry[] = []
  let after: string | undefined
  do {
    const page = await pawl.agenda(query, { limit, ...(after && { after }) })
    found.push(...page.data)
    after = page.next
  } while (after !== undefined)
  return found
}

const lease = machine({
  id: 'lease',
  events: {},
  initial: 'active',
  states: { active: { after: { '30d': 'over' } }, over: { final: true } },
})

onEachStore('the agenda', (bed) => {
  const filled = async (): Promise<Pawl> => {
    const told = note()
    const hourly = recurring({
      id: 'hourly',
      cron: '0 */6 * * *',
      timezone: 'Asia/Kolkata',
      do: () => told({}),
    })
    const pawl = await bed.open({ runners: [told], definitions: [lease, hourly] })
    const daily = { cron: '0 9 * * *', timezone: 'Europe/London', do: { ...DO, summary: 'Say hello' } }
    await pawl.recurring.create({ id: 'daily', ...daily })
    await pawl.recurring.create({ id: 'thrice', ...daily, maxExecutions: 3 })
    await pawl.recurring.create({ id: 'ends', ...daily, endsAt: at(3 * DAY) })
    await pawl.recurring.create({ id: 'off', ...daily, enabled: false })
    await pawl.start(lease, { id: 'l_1' })
    await pawl.dispatch(told({}), { id: 'a', delay: '1d' })
    return pawl
  }

  it('is one list in order of time, whatever the size of its pages', async () => {
    const pawl = await filled()
    const query = { to: at(40 * DAY) }
    const whole = await all(pawl, query)
    for (const limit of [1, 7, 100]) expect(await all(pawl, query, limit)).toEqual(whole)
    expect(whole.map((entry) => entry.at)).toEqual(whole.map((entry) => entry.at).toSorted())
    const count = (id: string) => whole.filter(({ source }) => source.id === id).length
    expect(['daily', 'thrice', 'ends', 'off', 'hourly', 'lease'].map(count)).toEqual([39, 3, 2, 39, 160, 1])
    expect(whole).toHaveLength(39 + 3 + 2 + 39 + 160 + 1 + 1)
  })

  it('tells each in the viewer’s wall time and in the schedule’s, and marks what stands still', async () => {
    const pawl = await filled()
    const [first] = await all(pawl, { zone: 'America/New_York', definition: 'daily' })
    expect(first).toEqual({
      at: at(DAY),
      local: '2026-01-06T04:00:00-05:00',
      zone: 'America/New_York',
      what: 'Say hello',
      type: 'occurrence',
      source: { kind: 'recurrence', id: 'daily' },
      schedule: {
        local: '2026-01-06T09:00:00+00:00',
        zone: 'Europe/London',
        words: 'Every day at 09:00 (Europe/London)',
      },
      executionId: 'daily',
    })
    const [off] = await all(pawl, { definition: 'off' })
    expect(off).toMatchObject({ at: at(DAY), paused: true })
    expect(await all(pawl, { definition: 'off', paused: false })).toEqual([])
    await pawl.executions.pause('daily')
    expect((await all(pawl, { definition: 'daily' }))[0]).toMatchObject({ at: at(DAY), paused: true })
    await pawl.pause({ type: 'note' })
    const [action] = await all(pawl, { kind: 'direct' })
    expect(action).toMatchObject({ at: at(DAY), type: 'action', what: 'note (note)', paused: true })
    await pawl.pause({ tenant: true })
    const [timer] = await all(pawl, { kind: 'machine', to: at(40 * DAY) })
    expect(timer).toMatchObject({ at: at(30 * DAY), source: { kind: 'machine', id: 'lease' }, paused: true })
  })

  it('marks the days on which the clock changes, in the zone of the schedule', async () => {
    const pawl = await bed.open({ runners: [note()], clock: 'virtual:2026-03-01T00:00:00Z' })
    const nightly = { timezone: 'Europe/London', do: DO }
    await pawl.recurring.create({ id: 'night', cron: '30 1 * * *', ...nightly })
    await pawl.recurring.create({ id: 'noon', cron: '0 12 * * *', ...nightly })
    const marks = async (from: string, to: string) =>
      (await all(pawl, { from, to })).flatMap(({ source, at: when, mark }) =>
        mark ? [[source.id, when, mark.kind, mark.text]] : [],
      )
    expect(await marks('2026-03-27T00:00:00Z', '2026-03-31T00:00:00Z')).toEqual([
      ['night', '2026-03-29T01:30:00.000Z', 'gap', '01:30 does not exist; runs at 02:30'],
      ['noon', '2026-03-29T11:00:00.000Z', 'change', 'clocks go forward 1h on Sun 2026-03-29 at 01:00'],
    ])
    expect(await marks('2026-10-24T12:00:00Z', '2026-10-26T00:00:00Z')).toEqual([
      ['night', '2026-10-25T00:30:00.000Z', 'overlap', '01:30 happens twice; runs once, at the first'],
      ['noon', '2026-10-25T12:00:00.000Z', 'change', 'clocks go back 1h on Sun 2026-10-25 at 02:00'],
    ])
  })

  it('a cursor is of one question and of one tenant; of a range that was not given, of that of the first page', async () => {
    const pawl = await filled()
    const { next: after } = await pawl.agenda({}, { limit: 2 })
    const page = { limit: 2, after: after! }
    for (const ask of [
      () => pawl.agenda({ kind: 'recurrence' }, page),
      () => pawl.agenda({ to: at(DAY) }, page),
      () => pawl.tenant('other').agenda({}, page),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'invalid_cursor' })
    const before = await pawl.agenda({}, page)
    await pawl.advance({ by: MINUTE })
    expect(await pawl.agenda({}, page)).toEqual(before)
    expect((await pawl.tenant('other').agenda()).data).toEqual([])
  })
})

/** Every policy in zones that change at night, by half an hour, at midnight, southward, and never. */
const YEAR: readonly NewRecurrence[] = [
  ...(['shift', 'skip'] as const).flatMap((gap) =>
    (['first', 'last', 'both'] as const).flatMap((overlap) =>
      (
        [
          ['Europe/London', '30 1 * 3,10 SUN'],
          ['America/New_York', '30 2 * 3,11 SUN'],
          ['Australia/Lord_Howe', '45 1 * 4,10 SUN'],
          ['America/Santiago', '30 0,23 1-9 4,9 SAT,SUN'],
        ] as const
      ).map(([timezone, cron]) => ({ timezone, cron, dst: { gap, overlap }, do: DO })),
    ),
  ),
  { timezone: 'Asia/Kolkata', cron: '0 9 1,15 * *', do: DO },
  { timezone: 'Africa/Casablanca', cron: '0 */8 1 * *', do: DO },
  { timezone: 'Pacific/Chatham', cron: '30 2 L * *', do: DO, maxExecutions: 7 },
  { timezone: 'UTC', cron: '0 0 * * MON', do: DO, endsAt: at(200 * DAY) },
]

onEachStore('a year', (bed) => {
  it('F26: what the agenda foretold is what was done, to the instant', async () => {
    const told = note()
    const pawl = await bed.open({ runners: [told] })
    const made = await Promise.all(YEAR.map((settings) => pawl.recurring.create(settings)))
    const foretold = await all(pawl, { from: START, to: at(365 * DAY) })
    for (let day = 73; day <= 365; day += 73) await pawl.advance({ to: NOW + day * DAY - 1 })
    const done: string[] = []
    for (const { id } of made) {
      let after: string | undefined
      do {
        const page = await pawl.recurring.history(id, { limit: 250, ...(after && { after }) })
        expect(page.data.every(({ fate, outcome }) => fate === 'fired' && outcome === 'succeeded')).toBe(true)
        done.push(...page.data.map((row) => `${row.at} ${id}`))
        after = page.next
      } while (after !== undefined)
    }
    expect(done.toSorted()).toEqual(foretold.map((entry) => `${entry.at} ${entry.source.id}`))
    expect(told.calls).toHaveLength(done.length)
    expect(done.length).toBeGreaterThan(400)
    expect(new Set(foretold.flatMap(({ mark }) => mark?.kind ?? []))).toEqual(
      new Set(['gap', 'overlap', 'change']),
    )
  }, 120_000)
})
