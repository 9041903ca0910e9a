// Bulk operations: progress and what was done are one commit, on one revision, each action once; one process at a time
// works on one; and the searches for what it is about find every row once.

import { type Bulk, START } from '../../core/bulk.ts'
import type { Member } from '../../store/store.ts'
import type { BulkChange, BulkItem } from '../../store/triage-change.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, rejects, same } from './check.ts'
import { action, DEAD, ERROR, NOW, OF, OTHER } from './members.ts'

export const bulk = (over: Partial<Bulk> = {}): Bulk => ({
  kind: 'replay',
  status: 'running',
  filter: {},
  ratePerSecond: 100,
  total: 3,
  sent: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  row: 0,
  cursor: START,
  ...over,
})

export const change = (id: string, expected: number, over: Partial<BulkChange> = {}): BulkChange => ({
  kind: 'bulk',
  bulkId: id,
  expected,
  bulk: bulk(),
  items: [],
  heard: [],
  ...over,
})

export const item = (name: string, over: Partial<BulkItem> = {}): BulkItem => ({
  action: name,
  watched: name,
  status: 'sent',
  at: NOW,
  ...over,
})

const begin = (bed: Bed, id: string, over: Partial<Bulk> = {}, at: number = NOW) =>
  bed.ok({ at, control: [change(id, 0, { bulk: bulk(over) })] })

const bury = async (bed: Bed, ids: readonly string[], fingerprint: string, of = OF): Promise<void> => {
  await bed.ok({ ...of, enqueue: ids.map((id) => action(id)) })
  for (const claim of await bed.claim(`nonce of ${ids.join()}`))
    await bed.commit({
      ...of,
      settle: [
        {
          claim,
          settlement: {
            status: 'dead',
            outcome: 'failed',
            reason: 'attempts_exhausted',
            lost: 0,
            reaps: 0,
            ...DEAD,
          },
          worker: 'w1',
          attempt: 1,
          startedAt: NOW,
          endedAt: NOW + Number(claim.id.replace(/\D/g, '')),
          fingerprint,
        },
      ],
    })
}

export const bulkCases: readonly Case[] = [
  {
    name: 'bulk: begun once, changed on the revision it was decided on, and for its tenant alone',
    run: async (bed) => {
      await begin(bed, 'blk_1')
      has(await bed.control(change('blk_1', 0)), { status: 'conflict', subject: 'blk_1' }, 'begun twice')
      const moved = bulk({ sent: 1, cursor: 'x' })
      await bed.ok({ at: NOW + 5, control: [change('blk_1', 1, { bulk: moved })] })
      has(await bed.control(change('blk_1', 1)), { status: 'conflict', subject: 'blk_1' }, 'an old revision')
      has(await bed.control(change('blk_1', 2), OTHER), { status: 'conflict' }, 'another tenant')
      const row = await bed.triage.bulk(OF, 'blk_1')
      has(row, { revision: 2, bulk: moved, createdAt: NOW, updatedAt: NOW + 5, ...OF }, 'the row')
      same((await bed.triage.bulk(OTHER, 'blk_1')) ?? null, null, 'for another tenant')
    },
  },
  {
    name: 'bulk: a retry and the item of it are one commit; a lost revision retries nothing',
    run: async (bed) => {
      await bury(bed, ['a1', 'a2'], 'f')
      await begin(bed, 'blk_1')
      const retry = (id: string) => ({ kind: 'retry_dead', id, dueAt: NOW }) as const
      const lost = await bed.commit({
        control: [retry('a1'), change('blk_1', 7, { items: [item('a1')] })],
      })
      same(lost.status, 'conflict', 'on another revision')
      has(await bed.action('a1'), { status: 'dead' }, 'not retried')
      await bed.ok({ control: [retry('a1'), change('blk_1', 1, { items: [item('a1')] })] })
      has(await bed.action('a1'), { status: 'queued' }, 'retried')
      const gone = await bed.commit({
        control: [retry('a2'), retry('a1'), change('blk_1', 2, { items: [item('a2')] })],
      })
      same(gone, { status: 'conflict', subject: 'a1' }, 'one that is no dead letter any more')
      has(await bed.triage.bulk(OF, 'blk_1'), { revision: 2 }, 'the operation has not moved')
      has(await bed.action('a2'), { status: 'dead' }, 'nor has its neighbour')
    },
  },
  {
    name: 'bulk: an action is sent once by an operation, whatever its revision',
    run: async (bed) => {
      await begin(bed, 'blk_1')
      await bed.ok({ control: [change('blk_1', 1, { items: [item('a')] })] })
      const again = await bed.control(change('blk_1', 2, { items: [item('a')] }))
      same(again.status, 'refused', 'a second time')
      same(await bed.triage.sent(OF, 'blk_1', ['b', 'a']), ['a'], 'it is known')
      same(await bed.triage.sent(OTHER, 'blk_1', ['a']), [], 'not to another tenant')
      has(await bed.triage.bulk(OF, 'blk_1'), { revision: 2 }, 'nothing of it is written')
      await begin(bed, 'blk_2')
      await bed.ok({ control: [change('blk_2', 1, { items: [item('a')] })] })
    },
  },
  {
    name: 'bulk: what was sent is heard of once, whoever says so, and only what was sent',
    run: async (bed) => {
      const heard = (...actions: readonly string[]) => ({
        heard: actions.map((action) => item(action, { status: 'succeeded' })),
      })
      await begin(bed, 'blk_1')
      await begin(bed, 'blk_2')
      await bed.ok({ control: [change('blk_1', 1, { items: [item('a'), item('b'), item('c')] })] })
      const no = { status: 'conflict', subject: 'blk_1' } as const
      same(await bed.control(change('blk_1', 2, heard('a', 'x'))), no, 'never sent')
      same(await bed.control(change('blk_1', 2, heard('a', 'a'))), no, 'twice in one word')
      same(
        await bed.control(change('blk_2', 1, heard('a'))),
        { ...no, subject: 'blk_2' },
        'sent by another operation',
      )
      has(await bed.triage.bulk(OF, 'blk_1'), { revision: 2 }, 'nothing of it is written')
      const member = (over: Partial<Member>): Member => ({ ...OF, at: NOW, ...over })
      const both = await bed.store.commit([
        member({ control: [change('blk_1', 2, heard('a'))] }),
        member({ control: [change('blk_1', 3, heard('a', 'b'))] }),
        member({ control: [change('blk_1', 3, heard('b'))] }),
      ])
      same(
        both.map(({ status }) => status),
        ['ok', 'conflict', 'ok'],
        'in one batch as one after the other',
      )
      same(await bed.control(change('blk_1', 4, heard('b'))), no, 'a second time')
      await bed.ok({ control: [change('blk_1', 4, { items: [item('d')], ...heard('d') })] })
      const left = await bed.triage.outcomes(OF, 'blk_1', '', 10)
      same(
        left.map(({ action }) => action),
        ['c'],
        'what is left to hear of',
      )
    },
  },
  {
    name: 'bulk: outcomes tell what became of what was sent, until it was heard of',
    run: async (bed) => {
      await begin(bed, 'blk_1')
      await bury(bed, ['a1'], 'f')
      const done = await bed.claimed('c3')
      await bed.settle(done)
      await bed.enqueue('b2')
      const sent = ['a1', 'b2', 'c3', 'd4'].map((name) => item(name))
      await bed.ok({ control: [change('blk_1', 1, { items: [...sent, item('e5', { watched: 'b2' })] })] })
      const outcomes = await bed.triage.outcomes(OF, 'blk_1', '', 10)
      same(
        outcomes.map(({ action: name, watched, status }) => [name, watched, status ?? null]),
        [
          ['a1', 'a1', 'dead'],
          ['b2', 'b2', 'queued'],
          ['c3', 'c3', 'succeeded'],
          ['d4', 'd4', null],
          ['e5', 'b2', 'queued'],
        ],
        'the outcomes',
      )
      has(outcomes[0], { error: ERROR, finishedAt: NOW + 1 }, 'the dead one')
      same(
        (await bed.triage.outcomes(OF, 'blk_1', 'b2', 1)).map(({ action: name }) => name),
        ['c3'],
        'behind',
      )
      same(await bed.triage.outcomes(OTHER, 'blk_1', '', 10), [], 'for another tenant')
      const heard = [
        item('a1', { status: 'failed', at: NOW + 9, error: ERROR }),
        item('c3', { status: 'succeeded' }),
      ]
      await bed.ok({ control: [change('blk_1', 2, { heard })] })
      const left = await bed.triage.outcomes(OF, 'blk_1', '', 10)
      same(
        left.map(({ action: name }) => name),
        ['b2', 'd4', 'e5'],
        'not yet heard of',
      )
      const failures = await bed.triage.failures(OF, 'blk_1', { limit: 10 })
      same(failures.data, [item('a1', { status: 'failed', at: NOW + 9, error: ERROR })], 'those that failed')
      same((await bed.triage.failures(OTHER, 'blk_1', { limit: 10 })).data, [], 'for another tenant')
    },
  },
  {
    name: 'bulk: what was never sent, or was heard of before, cannot be heard of',
    run: async (bed) => {
      await begin(bed, 'blk_1')
      const heard = [item('a', { status: 'succeeded' })]
      const result = await bed.control(change('blk_1', 1, { heard }))
      isTrue(result.status !== 'ok', `it was ${result.status}`)
      has(await bed.triage.bulk(OF, 'blk_1'), { revision: 1 }, 'nothing of it is written')
    },
  },
  {
    name: 'bulk: one process at a time works on one, by lease; only on what runs',
    run: async (bed) => {
      await begin(bed, 'blk_1')
      const take = (holder: string, lease: number, of = OF) =>
        bed.triage.take(of, 'blk_1', holder, 1000, { lease })
      same(await take('w1', NOW), true, 'the first')
      same(await take('w2', NOW + 999), false, 'another')
      same(await take('w1', NOW + 999), true, 'the first again')
      same(await take('w2', NOW + 1998), false, 'another, while the longer lease runs')
      same(await take('w2', NOW + 1999), true, 'another, after it')
      same(await take('w3', NOW + 9999, OTHER), false, 'for another tenant')
      has(await bed.triage.bulk(OF, 'blk_1'), { revision: 1 }, 'a lease is no change')
      await bed.ok({ control: [change('blk_1', 1, { bulk: bulk({ status: 'paused' }) })] })
      same(await take('w2', NOW + 2000), false, 'on a paused one')
    },
  },
  {
    name: 'bulk: what runs is found across tenants, oldest first; lists are newest first, in pages',
    run: async (bed) => {
      await begin(bed, 'blk_2', {}, NOW + 1)
      await begin(bed, 'blk_1', {}, NOW + 1)
      await begin(bed, 'blk_3', { status: 'paused' }, NOW + 2)
      await begin(bed, 'blk_4', {}, NOW)
      await bed.ok({ ...OTHER, control: [change('blk_5', 0)] })
      const running = await bed.triage.running(10)
      same(
        running.map(({ id }) => id),
        ['blk_4', 'blk_5', 'blk_1', 'blk_2'],
        'running',
      )
      same((await bed.triage.running(1)).length, 1, 'at most so many')
      const first = await bed.triage.bulks(OF, { limit: 3 })
      same(
        first.data.map(({ id }) => id),
        ['blk_3', 'blk_2', 'blk_1'],
        'the first page',
      )
      const rest = await bed.triage.bulks(OF, { limit: 3, after: first.next! })
      same(
        rest.data.map(({ id }) => id),
        ['blk_4'],
        'the second',
      )
      same(rest.next ?? null, null, 'no third')
      await rejects(
        'invalid_cursor',
        () => bed.triage.bulks(OTHER, { limit: 3, after: first.next! }),
        'a foreign cursor',
      )
    },
  },
  {
    name: 'triage: dead letters are found group by group, each once, in slices; of one group, of one tenant',
    run: async (bed) => {
      await bury(bed, ['a3', 'a1'], 'g')
      await bury(bed, ['a2', 'a4'], 'f')
      await bury(bed, ['a9'], 'f', OTHER)
      const all: string[] = []
      for (let after = { fingerprint: '', id: '' }; ; ) {
        const { rows, last } = await bed.triage.dead(OF, undefined, after, 3)
        all.push(...rows.map(({ id }) => id))
        if (last === undefined) break
        after = last
      }
      same(all, ['a2', 'a4', 'a1', 'a3'], 'all')
      const group = await bed.triage.dead(OF, 'g', { fingerprint: '', id: 'a1' }, 9)
      same(
        group.rows.map(({ id }) => id),
        ['a3'],
        'one group, behind',
      )
      const old = await bed.triage.deadBefore(NOW + 3, { at: 0, id: '' }, 9)
      same(
        old.rows.map(({ id }) => id),
        ['a1', 'a2', 'a3'],
        'by age',
      )
      const behind = await bed.triage.deadBefore(NOW + 9, { at: NOW + 3, id: 'a3' }, 9)
      same(
        behind.rows.map(({ id }) => id),
        ['a4', 'a9'],
        'by age, behind, of all tenants',
      )
    },
  },
  {
    name: 'triage: queued actions are found lane by lane, each once, in slices, of one tenant',
    run: async (bed) => {
      await bed.enqueue(
        action('b1', { type: 'sought', dueAt: NOW + 2 }),
        action('b2', { type: 'sought', dueAt: NOW + 1 }),
        action('b3', { type: 'other' }),
      )
      await bed.ok({ ...OTHER, enqueue: [action('b9', { type: 'sought' })] })
      const lanes = await bed.triage.lanes(OF)
      const lane = lanes.find(({ type }) => type === 'sought')!.lane
      const first = await bed.triage.queued(OF, lane, { at: 0, id: '' }, 1)
      same(
        first.rows.map(({ id }) => id),
        ['b2'],
        'the first due',
      )
      const second = await bed.triage.queued(OF, lane, first.last!, 9)
      same(
        second.rows.map(({ id }) => id),
        ['b1'],
        'behind',
      )
      same((await bed.triage.queued(OTHER, lane, { at: 0, id: '' }, 9)).rows, [], 'for another tenant')
    },
  },
  {
    name: 'bulk: retention removes operations that ended, with their items; those that run stay',
    prunes: true,
    run: async (bed) => {
      await begin(bed, 'blk_1')
      await begin(bed, 'blk_2')
      const items = ['a', 'b'].map((name) => item(name, { status: 'failed', error: ERROR }))
      for (const [id, status] of [
        ['blk_1', 'completed'],
        ['blk_2', 'running'],
      ] as const)
        await bed.ok({ control: [change(id, 1, { bulk: bulk({ status }), items })] })
      const none = { eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
      while (await bed.keeper.prune({ ...none, doneBefore: NOW }, 1));
      same((await bed.triage.failures(OF, 'blk_1', { limit: 9 })).data.length, 2, 'not before their time')
      while (await bed.keeper.prune({ ...none, doneBefore: NOW + 1 }, 1));
      same((await bed.triage.bulk(OF, 'blk_1')) ?? null, null, 'the ended one')
      same((await bed.triage.failures(OF, 'blk_1', { limit: 9 })).data, [], 'its items')
      same((await bed.triage.failures(OF, 'blk_2', { limit: 9 })).data.length, 2, 'items of what runs')
    },
  },
]
