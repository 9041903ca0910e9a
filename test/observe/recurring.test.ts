// what a process tells of recurrences, over a real engine with a clock that is moved.

import { expect, it } from 'vitest'
import { PawlError } from '../../src/core/errors.ts'
import { realClock } from '../../src/engine/clock.ts'
import { createLogObserver } from '../../src/observe/log-observer.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { recurringFacts } from '../../src/observe/recurring-facts.ts'
import { createStateReader } from '../../src/observe/state.ts'
import { together } from '../../src/observe/together.ts'
import { openParts } from '../../src/pawl/open.ts'
import type { Advance, Member } from '../../src/store/store.ts'
import { spy } from '../engine/spies.ts'

const EVERY_TEN = { cron: '*/10 * * * *', timezone: 'UTC', do: { type: 'note', config: {} } }

const opened = async () => {
  const metrics = createMetrics({ version: '9.9.9', maxSeries: 10 })
  const lines: { level: string; event: unknown; id: unknown }[] = []
  const log = createLogObserver(
    (level, _, { event, recurring_id: id }) => void lines.push({ level, event: event!, id: id! }),
  )
  const parts = await openParts({
    store: 'sqlite::memory:',
    clock: 'virtual:2026-01-05T09:00:00Z',
    runners: [spy('note')],
    builtIns: false,
    observer: together([metrics.observer, log]),
  })
  metrics.watch(createStateReader(parts.ports, realClock))
  const told = (id: string) =>
    lines.filter((line) => line.id === id).map(({ level, event }) => `${level} ${String(event)}`)
  return { ...parts, metrics, told }
}

it('R-021, R-061: every change, dispatch and end of a recurrence is a line of its own name; R-060: and a figure', async () => {
  const { pawl, metrics, told } = await opened()
  const { id } = await pawl.recurring.create(EVERY_TEN)
  await pawl.advance({ by: '10m' })
  await pawl.recurring.pause(id)
  await pawl.recurring.resume(id)
  await pawl.recurring.update(id, { description: 'ours' })
  await pawl.recurring.remove(id)
  expect(told(id)).toEqual([
    'info recurring.create',
    'info recurring.dispatch',
    'info recurring.pause',
    'info recurring.resume',
    'info recurring.update',
    'info recurring.delete',
  ])
  const twice = await pawl.recurring.create({ ...EVERY_TEN, maxExecutions: 1 })
  const once = await pawl.recurring.create({ ...EVERY_TEN, cron: '0 20 9 5 1 * 2026' })
  const broken = await pawl.recurring.create({
    ...EVERY_TEN,
    do: { type: 'note', config: { to: '{{nobody}}' } },
  })
  await pawl.define({
    ...EVERY_TEN,
    do: undefined,
    action: EVERY_TEN.do,
    kind: 'recurring',
    id: 'defined',
  } as never)
  await pawl.advance({ by: '10m' })
  await pawl.recurring.remove('defined')
  expect(told(twice.id)).toEqual([
    'info recurring.create',
    'info recurring.dispatch',
    'warn recurring.expired',
  ])
  expect(told(once.id)).toEqual([
    'info recurring.create',
    'info recurring.dispatch',
    'warn recurring.no_next',
  ])
  expect(told(broken.id)).toEqual(['info recurring.create', 'error recurring.dispatch_error'])
  expect(told('defined').at(-1)).toBe('info recurring.delete')
  // what could not be fired is not tried again, and the schedule goes on.
  expect(await pawl.recurring.get(broken.id)).toMatchObject({
    enabled: true,
    nextAt: '2026-01-05T09:30:00.000Z',
  })
  const text = await metrics.text()
  for (const line of [
    'pawl_recurring_dispatched_total 4',
    'pawl_recurring_active 1',
    'pawl_recurring_errors_total 2',
    `pawl_occurrences_total{trigger_kind="recurrence",trigger_id="${id}",result="fired"} 1`,
    'pawl_occurrence_lateness_seconds_count{trigger_kind="recurrence"} 5',
  ])
    expect(text).toContain(`${line}\n`)
  await pawl.close()
})

it('R-042, R-043: lost to another process it is said to whoever debugs, refused by the store to everyone', () => {
  const timer = { event: { id: 't', type: 'timer.fired', payload: {}, at: 0 }, from: 'timer' as const }
  const advance = {
    execution: { kind: 'recurrence', id: 'r' },
    consume: [timer],
    history: [],
  } as unknown as Advance
  const member: Member = { namespace: 'n', tenant: 't', at: 0, advance }
  const events = (...args: Parameters<typeof recurringFacts>) =>
    recurringFacts(...args).map(({ level, event }) => [level, event])
  expect(events(member, { status: 'conflict' })).toEqual([['debug', 'recurring.skip_claimed']])
  const error = new PawlError('store_full', 'no room')
  expect(events(member, { status: 'refused', error })).toEqual([['error', 'recurring.dispatch_error']])
  expect(events({ ...member, advance: { ...advance, consume: [] } }, { status: 'conflict' })).toEqual([])
})
