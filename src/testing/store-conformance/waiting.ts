// What is known of events that wait: whether an execution has any, which they are, what comes behind a place in the inbox,
// and for which definitions there are some.

import type { InboxEvent } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, same, sound } from './check.ts'
import { ELSEWHERE, event, execution, OF, OTHER } from './members.ts'

const idsOf = (rows: readonly InboxEvent[]): readonly string[] => rows.map((row) => row.event.id)

const deliver = ({ ok }: Bed, id: string, ids: readonly string[], of = OF) =>
  ok({ ...of, deliver: ids.map((one) => ({ execution: id, event: event(one) })) })

const pause = ({ control }: Bed, id: string) =>
  control({ kind: 'pause', scope: 'execution', value: id, reason: 'quiet' })

const isWaiting = async ({ store }: Bed, id: string, of = OF): Promise<boolean | undefined> =>
  sound(await store.load([{ ...of, id }]))[0]?.waiting

export const waitingCases: readonly Case[] = [
  {
    name: 'load: says whether events wait, held or not, until the last of them is applied',
    run: async (bed) => {
      await bed.start('e')
      await bed.start('e', {}, OTHER)
      const outside = [{ event: event('o'), from: 'outside' as const }]
      has(await bed.step('e', { consume: outside }), { status: 'ok' }, 'one from outside')
      same(await isWaiting(bed, 'e'), false, 'none was delivered')
      await deliver(bed, 'e', ['v1', 'v2'])
      same(await isWaiting(bed, 'e'), true, 'two wait')
      same(await isWaiting(bed, 'e', OTHER), false, 'the same id of another tenant')
      await bed.step('e', { consume: [{ event: event('v1'), from: 'inbox' }] })
      await pause(bed, 'e')
      same(await isWaiting(bed, 'e'), true, 'one waits, held')
      const last = [{ event: event('v2'), from: 'inbox' as const }]
      await bed.step('e', { execution: execution('e'), consume: last })
      same(await isWaiting(bed, 'e'), false, 'all are applied')
    },
  },
  {
    name: 'waitingFor: the first events of one execution, in order, held or not, as the inbox gives them',
    run: async (bed) => {
      for (const owner of [OF, OTHER, ELSEWHERE]) await bed.start('e', {}, owner)
      await bed.start('f')
      await deliver(bed, 'e', ['z', 'a'])
      await deliver(bed, 'f', ['x'])
      await deliver(bed, 'e', ['m'])
      await deliver(bed, 'e', ['y'], OTHER)
      const asked = async (limit: number) => sound(await bed.store.waitingFor({ ...OF, id: 'e' }, limit))
      same(idsOf(await asked(9)), ['z', 'a', 'm'], 'all')
      same(idsOf(await asked(2)), ['z', 'a'], 'the first')
      const listed = sound(await bed.store.inbox(['lease'], 99))
      same(
        await asked(9),
        listed.filter((row) => row.execution === 'e' && row.tenant === OF.tenant),
        'the rows',
      )
      await bed.step('e', { consume: [{ event: event('z'), from: 'inbox' }] })
      await pause(bed, 'e')
      same(idsOf(await asked(9)), ['a', 'm'], 'applied in part, and paused')
      same(await bed.store.waitingFor({ ...OF, id: 'nobody' }, 9), [], 'nobody')
      same(await bed.store.waitingFor({ ...ELSEWHERE, id: 'e' }, 9), [], 'another namespace')
    },
  },
  {
    name: 'waitingFor: an event that cannot be read is told, and the others with it',
    spoils: true,
    run: async (bed) => {
      await bed.start('e')
      await deliver(bed, 'e', ['bad', 'good'])
      await bed.spoil({ table: 'inbox', name: 'bad' })
      const rows = await bed.store.waitingFor({ ...OF, id: 'e' }, 9)
      same(
        rows.map((row) => ('unreadable' in row ? `${row.eventId}?` : row.event.id)),
        ['bad?', 'good'],
        'the rows',
      )
      same((await bed.store.inbox(['lease'], 9)).length, 2, 'not set aside by it')
    },
  },
  {
    name: 'inbox: goes on behind a row that was read, over all definitions, to the end',
    run: async (bed) => {
      await bed.start('e')
      await bed.start('f', { execution: execution('f', { definition: 'visa' }) })
      for (const n of [1, 2, 3]) {
        await deliver(bed, 'e', [`e${n}`])
        await deliver(bed, 'f', [`f${n}`])
      }
      const pages: (readonly string[])[] = []
      for (let after: number | undefined; ; ) {
        const page = sound(await bed.store.inbox(['visa', 'lease'], 4, after))
        pages.push(idsOf(page))
        if (page.length < 4) break
        isTrue(page.at(-1)!.seq > (after ?? 0), 'a later place')
        after = page.at(-1)!.seq
      }
      same(
        pages,
        [
          ['e1', 'f1', 'e2', 'f2'],
          ['e3', 'f3'],
        ],
        'pages',
      )
      const [first] = sound(await bed.store.inbox(['lease'], 1))
      await bed.step('e', { consume: [{ event: event('e1'), from: 'inbox' }] })
      same(idsOf(sound(await bed.store.inbox(['lease'], 1, first!.seq))), ['e2'], 'behind an applied one')
    },
  },
  {
    name: 'waitingDefinitions: each definition with events that inbox would give, once, with one of its tenants',
    run: async (bed) => {
      same(await bed.store.waitingDefinitions(), [], 'none')
      for (const [id, definition] of [
        ['a', 'lease'],
        ['b', 'lease'],
        ['c', 'visa'],
        ['d', 'held'],
        ['e', 'none'],
      ] as const) {
        await bed.start(id, { execution: execution(id, { definition }) })
        if (id !== 'e') await deliver(bed, id, ['v1', 'v2'])
      }
      await bed.start('z', { execution: execution('z', { ...OTHER, definition: 'aaa' }) }, OTHER)
      await deliver(bed, 'z', ['v'], OTHER)
      await pause(bed, 'd')
      const told = async () =>
        (await bed.store.waitingDefinitions()).toSorted((a, b) => (a.definition < b.definition ? -1 : 1))
      const [lease, visa] = ['lease', 'visa'].map((definition) => ({ ...OF, definition }))
      same(await told(), [{ ...OTHER, definition: 'aaa' }, lease, visa], 'three')
      await bed.step('c', {
        execution: execution('c', { definition: 'visa' }),
        consume: ['v1', 'v2'].map((id) => ({ event: event(id), from: 'inbox' as const })),
      })
      same(await told(), [{ ...OTHER, definition: 'aaa' }, lease], 'one less')
    },
  },
]
