// What REQUIREMENTS says of keys, ticks and crashes, as it can be seen from outside: on each store, by its ids.

import { expect, it } from 'vitest'
import { PawlError } from '../../src/core/errors.ts'
import { machine } from '../../src/index.ts'
import { openParts, openWith } from '../../src/pawl/open.ts'
import { openStore } from '../../src/pawl/open-store.ts'
import type { Member, Result, Store } from '../../src/store/store.ts'
import { at, type Bed, DAY, HOUR, MINUTE, NOW, onEachShared, START } from '../engine/bed.ts'
import { settle, spy } from '../engine/spies.ts'
import { byHand } from './by-hand.ts'

const EVERY_TEN = { cron: '*/10 * * * *', timezone: 'UTC', do: { type: 'note', config: {} } }
const CLOCK = `virtual:${START}`

const isFiring = ({ advance }: Member): boolean =>
  advance?.execution.kind === 'recurrence' && advance.consume.some(({ from }) => from === 'timer')

type Commit = Store['commit']

/** A process whose first commit of a firing is made by `instead`. */
const openBroken = (bed: Bed, note: ReturnType<typeof spy>, instead: (commit: Commit) => Commit) =>
  openWith(
    {
      store: bed.url(),
      clock: CLOCK,
      runners: [note],
      flow: { eager: false },
      log: () => undefined,
      secrets: { env: {} },
    },
    {
      openStore: async (...given) => {
        const opened = await openStore(...given)
        const { commit } = opened.store
        let isMade = false
        const broken: Commit = (batch) => {
          if (isMade || !batch.some(isFiring)) return commit(batch)
          isMade = true
          return instead(commit)(batch)
        }
        return { ...opened, store: { ...opened.store, commit: broken } }
      },
    },
  )

const gone = (): never => {
  throw new PawlError('store_unavailable', 'the process was gone before it heard')
}

onEachShared('the contract of recurrences', (bed) => {
  it('R-010, R-011: the recurrence and its next instant are kept without an end; only what became of it is forgotten', async () => {
    const { pawl, ports } = await openParts({ store: bed.url(), clock: CLOCK, runners: [spy('note')] })
    const { id } = await pawl.recurring.create({ ...EVERY_TEN, cron: '0 10 5 1 *' })
    await pawl.advance({ by: HOUR })
    expect((await pawl.recurring.history(id)).data).toHaveLength(1)
    const next = '2027-01-05T10:00:00.000Z'
    const later = NOW + 300 * DAY
    const retention = { doneBefore: later, eventsBefore: later, inboxBefore: later, dedupBefore: later }
    while (await ports.keeper.prune(retention, 100));
    expect((await pawl.recurring.history(id)).data).toEqual([])
    expect(await pawl.recurring.get(id)).toMatchObject({ enabled: true, nextAt: next, executionCount: 1 })
    await pawl.advance({ to: Date.parse(next) })
    expect(await pawl.recurring.get(id)).toMatchObject({ executionCount: 2, successCount: 2 })
    await pawl.close()
  })

  it('R-012: next instants stand in one order with all other timers, and are found as those are', async () => {
    const note = spy('note')
    const waits = machine({
      id: 'waits',
      events: {},
      uses: [note],
      initial: 'here',
      states: { here: { after: { '15m': 'there' } }, there: { final: true } },
    })
    const parts = { store: bed.url(), clock: CLOCK, runners: [note], definitions: [waits] }
    const { pawl, ports } = await openParts(parts)
    await pawl.recurring.create({ ...EVERY_TEN, id: 'third', cron: '20 * * * *' })
    await pawl.recurring.create({ ...EVERY_TEN, id: 'first', cron: '10 * * * *' })
    await pawl.start('waits', { id: 'second' })
    const due = async (minutes: number) =>
      (await ports.store.dueTimers(9, { now: NOW + minutes * MINUTE })).map(({ execution }) => execution)
    expect(await due(30)).toEqual(['first', 'second', 'third'])
    expect(await due(10)).toEqual(['first'])
    await pawl.close()
  })

  it('R-033: listed whole, among any number of other executions, however many were removed', async () => {
    const { pawl, ports } = await openParts({ store: bed.url(), clock: CLOCK, runners: [spy('note')] })
    for (const id of ['first', 'gone', 'off', 'away', 'last'])
      await pawl.recurring.create({ ...EVERY_TEN, id, enabled: id !== 'off' })
    await pawl.recurring.remove('gone')
    await pawl.recurring.remove('away')
    await byHand(
      bed,
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2100)
       insert into pawl.executions (namespace, tenant, id, kind, definition, definition_hash, status, state, revision,
         chain_number, chain_hash, created_at, updated_at, visits, pending, variables)
       select 'default', 'default', 'e' || i, 'machine', 'd', 'h', 'active', 'scheduled', 1, 0, 'h', ${NOW} + i, 0,
         '{}', '{}', '{}' from n`,
    )
    const ids = async (filter: { enabled?: boolean }, limit: number) => {
      const { data, next } = await pawl.recurring.list(filter, { limit })
      return [data.map(({ id }) => id), next === undefined]
    }
    expect(await ids({}, 50)).toEqual([['off', 'last', 'first'], true])
    expect(await ids({ enabled: true }, 2)).toEqual([['last', 'first'], expect.any(Boolean)])
    expect(await ids({ enabled: false }, 1)).toEqual([['off'], false])
    const of = { namespace: 'default', tenant: 'default' }
    const { data, window } = await ports.reader.executions(of, { kind: 'recurrence' }, { limit: 9 })
    expect([data.length, window]).toEqual([5, undefined])
    await pawl.close()
  })

  it('R-023 c, R-045: one whose definition is missing is set aside, told once, and holds up no other', async () => {
    const note = spy('note')
    const first = await bed.open({ runners: [note] })
    await first.recurring.create({ ...EVERY_TEN, id: 'gone', do: { ...EVERY_TEN.do, name: 'gone' } })
    await first.recurring.create({ ...EVERY_TEN, id: 'there' })
    await first.close()
    await byHand(bed, `delete from pawl.executions where id = 'gone'`)
    const pawl = await bed.open({ runners: [note] })
    await pawl.advance({ by: 30 * MINUTE })
    expect(note.calls.map((call) => call.at - NOW)).toEqual([10, 20, 30].map((n) => n * MINUTE))
    expect(bed.lines.filter(({ message }) => message.includes('“gone”, which is gone'))).toHaveLength(1)
  })

  it('R-023 d, e: one that is off is passed over; one whose end has come is switched off, and nothing of it is due', async () => {
    const { pawl, ports } = await openParts({ store: bed.url(), clock: CLOCK, runners: [spy('note')] })
    await pawl.recurring.create({ ...EVERY_TEN, id: 'off', enabled: false })
    await pawl.recurring.create({ ...EVERY_TEN, id: 'ends', endsAt: at(15 * MINUTE) })
    await pawl.advance({ by: HOUR })
    expect(await pawl.recurring.get('off')).toMatchObject({ enabled: false, nextAt: null, executionCount: 0 })
    expect(await pawl.recurring.get('ends')).toMatchObject({
      enabled: false,
      nextAt: null,
      executionCount: 1,
    })
    expect(await ports.store.dueTimers(9, { now: NOW + 400 * DAY })).toEqual([])
    await pawl.close()
  })

  it('R-047: what there was no room for is not lost: nothing is written, and the next tick fires it', async () => {
    const note = spy('note')
    const full: Result = { status: 'refused', error: new PawlError('store_full', 'no room') }
    const pawl = await openBroken(bed, note, () => async (batch) => batch.map(() => full))
    const { id } = await pawl.recurring.create(EVERY_TEN)
    await pawl.advance({ by: 10 * MINUTE })
    expect(note.calls).toEqual([])
    expect((await pawl.recurring.history(id)).data).toEqual([])
    expect(await pawl.recurring.get(id)).toMatchObject({ executionCount: 0, nextAt: at(10 * MINUTE) })
    await settle(pawl)
    expect(note.calls).toHaveLength(1)
    expect((await pawl.recurring.history(id)).data).toMatchObject([{ at: at(10 * MINUTE), fate: 'fired' }])
    await pawl.close()
  })

  it.each([
    ['before its commit', () => async () => gone()],
    [
      'after its commit',
      (commit: Commit) => async (batch: Parameters<Commit>[0]) => {
        await commit(batch)
        return gone()
      },
    ],
  ] as const)('R-051, X-12: gone %s: another fires it at once, or knows that it has', async (_, instead) => {
    const note = spy('note')
    const first = await openBroken(bed, note, instead)
    const { id } = await first.recurring.create(EVERY_TEN)
    await first.advance({ by: 10 * MINUTE }).catch(() => undefined)
    await first.close()
    const other = await bed.open({ runners: [note], clock: `virtual:${at(10 * MINUTE)}` })
    await settle(other)
    expect(note.calls).toHaveLength(1)
    expect((await other.recurring.history(id)).data).toHaveLength(1)
    expect(await other.recurring.get(id)).toMatchObject({ executionCount: 1, nextAt: at(20 * MINUTE) })
    expect((await other.verify()).findings).toEqual([])
  })

  it('F13: changed, paused and resumed while others fire it: no instant twice, none without its fate', async () => {
    const note = spy('note')
    const pawls = [await bed.open({ runners: [note] }), await bed.open({ runners: [note] })] as const
    const { id } = await pawls[0].recurring.create({ ...EVERY_TEN, cron: '* * * * *' })
    for (let minute = 1; minute <= 12; minute++) {
      const people = pawls[minute % 2]!.recurring
      await Promise.all([
        ...pawls.map((pawl) => pawl.advance({ to: NOW + minute * MINUTE })),
        people.update(id, { description: `v${minute}` }),
        people.pause(id).then(() => people.resume(id)),
      ])
    }
    // What the last resumption brought back may have come after both had looked.
    for (const pawl of pawls) await pawl.advance({ to: NOW + 12 * MINUTE })
    const { data } = await pawls[0].recurring.history(id)
    const minutes = Array.from({ length: 12 }, (_, n) => at((12 - n) * MINUTE))
    expect(data.map((row) => row.at)).toEqual(minutes)
    const fired = data.filter(({ fate }) => fate === 'fired')
    expect(note.calls).toHaveLength(fired.length)
    expect(data.filter(({ fate }) => fate !== 'fired').map(({ reason }) => reason)).toEqual(
      Array(12 - fired.length).fill('paused'),
    )
    expect(await pawls[1].recurring.get(id)).toMatchObject({
      executionCount: fired.length,
      nextAt: at(13 * MINUTE),
    })
    expect((await pawls[0].verify()).findings).toEqual([])
  })
})
