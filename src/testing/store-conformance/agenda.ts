// What is to come: armed timers and queued actions of one tenant in order of time, page by page, and the recurrences whose
// next occurrence is armed; and where the feed stands.

import { type Agenda, beginning, type Coming, positionOf } from '../../store/agenda.ts'
import type { Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { action, event, execution, NOW, OF, OTHER, timer } from './members.ts'

/** More than any case has. */
const MANY = 100

const named = (coming: Coming): string =>
  coming.kind === 'action' ? coming.action.id : `${coming.timer.execution}/${coming.timer.timer.key}`

const pages = async (agenda: Agenda, limit: number, of: Tenancy = OF): Promise<readonly string[]> => {
  const found: string[] = []
  let after = beginning(NOW)
  while (found.length <= MANY) {
    const { data, isMore } = await agenda.between(of, after, NOW + 100, limit)
    found.push(...data.map(named))
    const last = data.at(-1)
    if (!isMore || last === undefined) return found
    after = positionOf(last)
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
      const { data } = await agenda.between(OF, beginning(NOW + 50), NOW + 61, 5)
      const [timed, queued] = data
      same(timed?.kind === 'timer' && timed.source, { kind: 'machine', id: 'lease' }, 'whose timer it is')
      same(queued?.kind === 'action' && queued.action.plan.priority, 9, 'the row itself')
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
    name: 'agenda: recurrences in the order of their timers, none that stands still, and no timer of theirs',
    run: async (bed) => {
      await fill(bed)
      const start = (id: string, due: number, of = OF) =>
        bed.start(
          id,
          {
            execution: execution(id, { ...of, kind: 'recurrence' }),
            timers: [timer(`next/${due}`, due)],
          },
          of,
        )
      for (const [id, due] of [
        ['a', 30],
        ['b', 20],
        ['c', 20],
        ['d', 90],
        ['e', 25],
      ] as const)
        await start(id, NOW + due)
      await start('f', NOW + 20, OTHER)
      await bed.control({ kind: 'pause', scope: 'execution', value: 'e', reason: '' })
      const { agenda } = bed.office
      const found: string[] = []
      for (let after = beginning(0); ; ) {
        const [row] = await agenda.recurrences(OF, after, NOW + 90, 1)
        if (row === undefined) break
        found.push(row.stored!.execution.id)
        after = row.position
      }
      same(found, ['b', 'c', 'a'], 'one by one')
      same(await pages(agenda, 9), ORDER, 'the rest')
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
