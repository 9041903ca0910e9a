// Lists and searches, one row at a time: each row once and in order, though many have one instant, and the same rows are
// there under the same names in another tenant, in another namespace and beside the filter.

import { beginning, positionOf } from '../../store/agenda.ts'
import type { Page, PageRequest } from '../../store/reader.ts'
import type { Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { same } from './check.ts'
import { action, DEAD, ELSEWHERE, execution, NOW, OF, OTHER, REVIEW, settled, timer } from './members.ts'
import { bulk, change, item } from './triage-bulk.ts'

const TENANTS = [OF, OTHER, ELSEWHERE]
/** Two of one instant, one later: in no order. */
const ROWS = [
  ['b', NOW],
  ['c', NOW + 1],
  ['a', NOW],
] as const
const NEWEST = ['c', 'b', 'a']
const OLDEST = ['a', 'b', 'c']
/** More than any list here has. */
const MANY = 30

type Named = { readonly id: string }

const walk = async <Row>(
  list: (page: PageRequest) => Promise<Page<Row>>,
  nameOf: (row: Row) => string,
): Promise<readonly string[]> => {
  const names: string[] = []
  let after: string | undefined
  while (names.length < MANY) {
    const { data, next } = await list({ limit: 1, ...(after !== undefined && { after }) })
    names.push(...data.map(nameOf))
    if (next === undefined) return names
    after = next
  }
  throw new Error(`the pages do not end: ${names}`)
}
const idOf = ({ id }: Named): string => id
const OLDEST_OF_ALL = ['a', 'a', 'a', 'b', 'b', 'b', 's', 's', 'c', 'c', 'c']

/** A search that goes on behind its last place. */
const search = async <Place>(
  find: (after: Place) => Promise<{ readonly rows: readonly Named[]; readonly last?: Place }>,
  start: Place,
): Promise<readonly string[]> => {
  const names: string[] = []
  for (let after = start; names.length < MANY; ) {
    const { rows, last } = await find(after)
    names.push(...rows.map(idOf))
    if (last === undefined) return names
    after = last
  }
  throw new Error(`the search does not end: ${names}`)
}

/** The first of a lane that is due soon runs. */
const take = ({ store }: Bed, lane: number) =>
  store.claim({
    shares: [{ lane, n: 1 }],
    batch: 1,
    worker: 'w',
    nonce: 'n',
    leaseMs: 9,
    byteBudget: 9999,
    now: NOW + 5,
    lease: NOW,
  })

const addTasks = async ({ tasks }: Bed, of: Tenancy): Promise<void> => {
  const task = { title: 't', actionId: 'a', actionName: 'n' }
  for (const [id, createdAt] of ROWS)
    await tasks.add(of, { ...task, id, createdAt, assignee: 'ada', execution: 'e' })
  await tasks.add(of, { ...task, id: 'd', createdAt: NOW, assignee: 'bob', execution: 'f' })
  await tasks.complete(of, 'd', { at: NOW })
}

const raise = (id: string) =>
  ({
    kind: 'alert_raise',
    alert: { id, type: 'action_failed', severity: 'high', cause: id, details: {} },
  }) as const

/** Dead letters of one group and of another, and in review two of the same group, all of one instant. */
const bury = async (bed: Bed, of: Tenancy, mark: string): Promise<void> => {
  const ids = ['b', 'a', 'other', 'review', 'rreview'].map((id) => `${mark}${id}`)
  await bed.ok({ ...of, enqueue: ids.map((id) => action(id)) })
  for (const claim of await bed.claim(`nonce of ${mark}`)) {
    const fingerprint = claim.id.endsWith('other') ? 'g' : 'f'
    const over = claim.id.endsWith('review') ? REVIEW : DEAD
    await bed.ok({ ...of, settle: [settled(claim, over, { fingerprint })] })
  }
}

const searches: Case = {
  name: 'pages: dead letters and queued actions are found once each, in order, beside others of their group and lane',
  run: async (bed) => {
    const { triage } = bed
    for (const [index, owner] of TENANTS.entries()) await bury(bed, owner, `${index}`)
    const dead = (group?: string) =>
      search((after) => triage.dead(OF, group, after, 1), { fingerprint: '', id: '' })
    same(
      [await dead(), await dead('f')],
      [
        ['0a', '0b', '0other'],
        ['0a', '0b'],
      ],
      'dead letters',
    )
    const listed = (status: 'dead' | 'review') =>
      walk((page) => bed.reader.actions(OF, { fingerprint: 'f', status }, page), idOf)
    same(
      [await listed('dead'), await listed('review')],
      [
        ['0b', '0a'],
        ['0rreview', '0review'],
      ],
      'lists of a group',
    )
    const all = ['0a', '0b', '0other', '1a', '1b', '1other', '2a', '2b', '2other']
    same(await search((after) => triage.deadBefore(NOW + 99, after, 1), { at: 0, id: '' }), all, 'of all')
    for (const [index, owner] of TENANTS.entries())
      await bed.ok({ ...owner, enqueue: ['b', 'a'].map((id) => action(`q${index}${id}`, { type: 'q' })) })
    await bed.enqueue(action('r', { type: 'q', dueAt: NOW - 9 }))
    const [head] = (await bed.store.heads({ now: NOW })).filter(
      ({ tenant, namespace }) => tenant === OF.tenant && namespace === OF.namespace,
    )
    await take(bed, head!.lane)
    for (const owner of [OTHER, ELSEWHERE])
      await bed.ok({ ...owner, enqueue: [action(`t${owner.tenant}${owner.namespace}`, { type: 'theirs' })] })
    const types = new Set((await triage.lanes(OF)).map(({ type }) => type))
    same([types.has('q'), types.has('theirs')], [true, false], 'lanes of a tenant')
    const queued = (of: Tenancy) =>
      search((after) => triage.queued(of, head!.lane, after, 1), { at: 0, id: '' })
    same(await Promise.all(TENANTS.map(queued)), [['q0a', 'q0b'], [], []], 'queued in one lane')
  },
}

const lists: readonly Case[] = [
  {
    name: 'pages: tasks of a tenant, by status, by who does them, by execution: newest first, one by one',
    run: async (bed) => {
      for (const owner of TENANTS) await addTasks(bed, owner)
      const list = (query: object) => walk((page) => bed.tasks.list(OF, query, page), idOf)
      same(await list({}), ['c', 'd', 'b', 'a'], 'all')
      for (const query of [{ status: 'open' }, { assignee: 'ada' }, { execution: 'e' }])
        same(await list(query), NEWEST, JSON.stringify(query))
      for (const query of [{ status: 'done' }, { assignee: 'bob' }, { execution: 'f' }])
        same(await list(query), ['d'], JSON.stringify(query))
    },
  },
  {
    name: 'pages: alerts and operations newest first, those to be told of oldest first, failures by action',
    run: async (bed) => {
      const { triage } = bed
      for (const owner of TENANTS) {
        for (const [id, at] of ROWS) await bed.ok({ ...owner, at, control: [raise(id), change(id, 0)] })
        if (owner !== OF) await bed.ok({ ...owner, control: [raise('s'), change('s', 0)] })
        for (const control of [
          raise('d'),
          { kind: 'alert_acknowledge', alertId: 'd', by: 'ada' },
          { kind: 'alert_tell', alertId: 'd' },
        ] as const)
          await bed.ok({ ...owner, control: [control] })
        const items = OLDEST.toReversed().map((name) => item(name, { status: 'failed' }))
        for (const id of ['a', 'b'])
          await bed.ok({ ...owner, control: [change(id, 1, { bulk: bulk(), items })] })
      }
      const alerts = (filter: { readonly open?: boolean }) =>
        walk((page) => triage.alerts(OF, filter, page), idOf)
      same(await alerts({ open: true }), NEWEST, 'open ones')
      same(
        [await alerts({}), await alerts({ open: false })],
        [['c', 'd', 'b', 'a'], ['d']],
        'all, and those that are not',
      )
      same((await triage.untold(MANY)).map(idOf), OLDEST_OF_ALL, 'to be told of')
      same(await walk((page) => triage.bulks(OF, page), idOf), NEWEST, 'operations')
      same((await triage.running(MANY)).map(idOf), OLDEST_OF_ALL, 'those that run')
      const failed = await walk(
        (page) => triage.failures(OF, 'a', page),
        ({ action: name }) => name,
      )
      same(failed, OLDEST, 'what failed')
    },
  },
]

/** Four timers of one instant each: of a recurrence and of a machine, and elsewhere the other way round. */
const arm = async (bed: Bed): Promise<void> => {
  const timers = ['next/b', 'next/a', 'm', 'z'].map((key) => timer(key, NOW + 5))
  for (const [index, owner] of TENANTS.entries())
    for (const id of ['y', 'x']) {
      const kind = (index === 0) === (id === 'y') ? 'recurrence' : 'machine'
      const begun = execution(id, { ...owner, kind, definition: `${index}${id}` })
      await bed.start(id, { execution: begun, timers }, owner)
    }
}

const agenda: Case = {
  name: 'pages: what is to come of one instant, by name; recurrences by the timers that are their own',
  run: async (bed) => {
    await arm(bed)
    const machine = execution('w', { definition: '0w' })
    await bed.start('w', { execution: machine, timers: [timer('m', NOW + 5)] })
    await bed.enqueue(
      ...['c', 'b', 'a'].map((id) => action(id, { dueAt: NOW + 5 })),
      action('0', { dueAt: NOW + 6 }),
      action('1', { dueAt: NOW + 7 }),
    )
    await bed.enqueue(
      action('ab', { dueAt: NOW + 5, type: 'more' }),
      action('9', { dueAt: NOW + 8, type: 'more' }),
    )
    for (const owner of [OTHER, ELSEWHERE]) {
      const ids = ['x', 'y', 'z'].map((id) => `${owner.namespace} ${owner.tenant} ${id}`)
      await bed.ok({ ...owner, enqueue: ids.map((id) => action(id, { dueAt: NOW + 1 })) })
    }
    await bed.enqueue(action('running', { dueAt: NOW + 5, type: 'other' }))
    const other = (await bed.store.heads({ now: NOW })).find(({ type }) => type === 'other')!
    await take(bed, other.lane)
    const found: string[] = []
    for (let after = beginning(NOW); found.length < MANY; ) {
      const { data, isMore } = await bed.office.agenda.between(OF, after, NOW + 9, 1)
      const [coming] = data
      if (coming === undefined) break
      found.push(
        coming.kind === 'action'
          ? coming.action.id
          : `${coming.timer.execution} ${coming.timer.timer.key} ${coming.source.id}`,
      )
      if (!isMore) break
      after = positionOf(coming)
    }
    const ofX = ['m', 'next/a', 'next/b', 'z'].map((key) => `x ${key} 0x`)
    same(found, ['a', 'ab', 'b', 'c', 'w m 0w', ...ofX, '0', '1', '9'], 'actions and timers')
    const armed: string[] = []
    for (let after = beginning(0); armed.length < MANY; ) {
      const [row] = await bed.office.agenda.recurrences(OF, after, NOW + 9, 1)
      if (row === undefined) break
      armed.push(`${row.stored!.execution.definition} ${row.position[3]}`)
      after = row.position
    }
    same(armed, ['0y next/a', '0y next/b'], 'occurrences')
    for (const owner of TENANTS)
      same((await bed.office.agenda.timersOf(owner, 'x', 9)).length, 4, 'of one execution')
  },
}

export const pageCases: readonly Case[] = [...lists, searches, agenda]
