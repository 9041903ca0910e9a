// What is to come: armed timers and queued actions of one tenant in order of time, page by page; and where the feed
// stands.

import type { Agenda, Coming } from '../../store/agenda.ts'
import type { PageRequest } from '../../store/reader.ts'
import type { Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { action, event, NOW, OF, OTHER, timer } from './members.ts'

/** More than any case has. */
const MANY = 100
const RANGE = { from: NOW, to: NOW + 100 }

const named = (coming: Coming): string =>
  coming.kind === 'action' ? coming.action.id : `${coming.timer.execution}/${coming.timer.timer.key}`

const pages = async (
  agenda: Agenda,
  limit: number,
  of: Tenancy = OF,
  range = RANGE,
): Promise<readonly string[]> => {
  const found: string[] = []
  let page: PageRequest = { limit }
  while (found.length <= MANY) {
    const { data, next } = await agenda.between(of, range, page)
    found.push(...data.map(named))
    if (next === undefined) return found
    page = { limit, after: next }
  }
  throw new Error('the pages do not end')
}

const fill = async (bed: Bed): Promise<void> => {
  await bed.start('x', { timers: [timer('late', NOW + 50), timer('now', NOW), timer('same', NOW + 10)] })
  await bed.start('y', {
    timers: [timer('same', NOW + 10), timer('never', NOW + 100), timer('past', NOW - 1)],
  })
  await bed.start('x', { timers: [timer('foreign', NOW + 20)] }, OTHER)
  await bed.enqueue(
    action('act_b', { dueAt: NOW + 10 }),
    action('act_a', { dueAt: NOW + 10, type: 'mail' }),
    action('act_c', { dueAt: NOW + 60, priority: 9 }),
    action('act_past', { dueAt: NOW - 1 }),
    action('act_never', { dueAt: NOW + 100 }),
  )
}

const ORDER = ['x/now', 'act_a', 'act_b', 'x/same', 'y/same', 'x/late', 'act_c']

export const agendaCases: readonly Case[] = [
  {
    name: 'agenda: what is due in a range, in order of time, actions before timers, nothing of another tenant',
    run: async (bed) => {
      await fill(bed)
      const { agenda } = bed.office
      for (const limit of [250, 7, 3, 1]) same(await pages(agenda, limit), ORDER, `pages of ${limit}`)
      same(await pages(agenda, 10, OTHER), ['x/foreign'], 'the other tenant')
      const { data } = await agenda.between(OF, { from: NOW + 60, to: NOW + 61 }, { limit: 5 })
      same(data[0]?.kind === 'action' && data[0].action.plan.priority, 9, 'the row itself')
    },
  },
  {
    name: 'agenda: what is paused is not to come, and comes again when it is resumed',
    run: async (bed) => {
      await fill(bed)
      const { agenda } = bed.office
      await bed.control({ kind: 'pause', scope: 'execution', value: 'x', reason: '' })
      same(await pages(agenda, 2), ['act_a', 'act_b', 'y/same', 'act_c'], 'while it is paused')
      await bed.control({ kind: 'resume', scope: 'execution', value: 'x' })
      same(await pages(agenda, 2), ORDER, 'resumed')
    },
  },
  {
    name: 'agenda: one that cannot be read is left out, and what comes after it is not',
    spoils: true,
    run: async (bed) => {
      await fill(bed)
      await bed.spoil({ table: 'timers', name: 'now' })
      await bed.spoil({ table: 'actions', name: 'act_b' })
      const readable = ORDER.filter((name) => name !== 'x/now' && name !== 'act_b')
      same(await pages(bed.office.agenda, 2), readable, 'the rest')
    },
  },
  {
    name: 'agenda: a cursor is of one range and one tenant',
    run: async (bed) => {
      await fill(bed)
      const { agenda } = bed.office
      const { next: after } = await agenda.between(OF, RANGE, { limit: 1 })
      const page = { limit: 1, after: after! }
      await rejects('invalid_cursor', () => agenda.between(OF, { ...RANGE, to: NOW + 99 }, page), 'a range')
      await rejects('invalid_cursor', () => agenda.between(OTHER, RANGE, page), 'a tenant')
    },
  },
  {
    name: 'agenda: the timers of one execution, in order of time, also while it stands still',
    run: async (bed) => {
      await fill(bed)
      await bed.control({ kind: 'pause', scope: 'execution', value: 'x', reason: '' })
      const keysOf = async (of: Tenancy, limit: number) =>
        (await bed.office.agenda.timersOf(of, 'x', limit)).map((row) => row.timer.key)
      same(await keysOf(OF, 10), ['now', 'same', 'late'], 'all of them')
      same(await keysOf(OF, 2), ['now', 'same'], 'the first two')
      same(await keysOf(OTHER, 10), ['foreign'], 'of another tenant')
    },
  },
  {
    name: 'feed: from its end on only what is committed later is seen, and all of that',
    run: async (bed) => {
      const note = (type: string) => bed.ok({ record: [{ type, at: NOW, data: { of: event('e').id } }] })
      await note('before')
      await bed.caughtUp()
      const end = await bed.reader.feedEnd(OF)
      same(await bed.reader.feed(OF, end, 10), [], 'nothing yet')
      await note('after')
      await note('later')
      await bed.caughtUp()
      const rows = await bed.reader.feed(OF, end, 10)
      same(
        rows.map(({ type }) => type),
        ['after', 'later'],
        'what came',
      )
      await rejects('invalid_cursor', () => bed.reader.feed(OTHER, end, 10), 'of another tenant')
    },
  },
]
