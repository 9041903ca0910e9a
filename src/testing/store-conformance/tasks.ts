// Tasks: made once, done once, told of, listed for their tenant alone, and gone with retention when all is said.

import type { NewTask, TaskRow } from '../../store/tasks.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { isTrue, rejects, same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const task = (id: string, over: Partial<NewTask> = {}): NewTask => ({
  id,
  title: `Call the landlord about ${id}`,
  actionId: `act_${id}`,
  actionName: 'call_landlord',
  createdAt: NOW,
  ...over,
})

const FULL = {
  description: "o'brien\n漢字",
  assignee: 'ada',
  dueAt: NOW + 1000,
  data: { unit: 4, tags: ['a', null], 'k"ey': { deep: true } },
  execution: 'l_882',
}

const idsOf = (rows: readonly TaskRow[]): readonly string[] => rows.map(({ id }) => id)

const listed = async ({ tasks }: Bed, query: Parameters<Bed['tasks']['list']>[1]) =>
  idsOf((await tasks.list(OF, query, { limit: 50 })).data)

const fill = async ({ tasks }: Bed): Promise<void> => {
  await tasks.add(OF, task('t1', { assignee: 'ada', dueAt: NOW - 5, execution: 'x1' }))
  await tasks.add(OF, task('t2', { assignee: 'bob', dueAt: NOW + 5, createdAt: NOW + 1 }))
  await tasks.add(OF, task('t3', { assignee: 'ada', createdAt: NOW + 1, execution: 'x1' }))
  await tasks.add(OF, task('t4', { dueAt: NOW - 9, createdAt: NOW - 1 }))
  await tasks.add(OTHER, task('t1', { assignee: 'ada', dueAt: NOW - 5, execution: 'x1' }))
  await tasks.add(ELSEWHERE, task('t9', { assignee: 'ada', dueAt: NOW - 5, execution: 'x1' }))
  await tasks.complete(OF, 't4', { at: NOW + 2 })
}

export const taskCases: readonly Case[] = [
  {
    name: 'tasks: one comes back as it was made, in every process, and stays as it was when it is made again',
    run: async ({ tasks, another }) => {
      const made = await tasks.add(OF, task('t1', FULL))
      same(made, { ...OF, ...task('t1', FULL) }, 'as it was made')
      const { tasks: other } = await another()
      same(await other.add(OF, task('t1', { title: 'another' })), made, 'made again')
      same(await other.get(OF, 't1'), made, 'read elsewhere')
      same(await tasks.add(OF, task('t2')), { ...OF, ...task('t2') }, 'with nothing but a title')
      same((await tasks.get(OF, 'nobody')) ?? null, null, 'one that is not there')
      await rejects('commit_refused', () => tasks.add(OF, task('')), 'one without an id')
    },
  },
  {
    name: 'tasks: done once, whoever is faster, and both see by whom and with what',
    run: async ({ tasks, another }) => {
      await tasks.add(OF, task('t1', FULL))
      const { tasks: other } = await another()
      const completed = { at: NOW + 7, by: 'ada', result: { answer: ['yes', 0.5, null] } }
      const both = await Promise.all([
        tasks.complete(OF, 't1', completed),
        other.complete(OF, 't1', completed),
      ])
      same([...both].sort(), [false, true], 'one of them')
      isTrue(!(await tasks.complete(OF, 't1', { at: NOW + 9, by: 'bob', result: 'no' })), 'a third one')
      same(await other.get(OF, 't1'), { ...OF, ...task('t1', FULL), completed }, 'as the first said')
      isTrue(!(await tasks.complete(OF, 'nobody', { at: NOW })), 'one that is not there')
      await tasks.add(OF, task('t2'))
      isTrue(await tasks.complete(OF, 't2', { at: NOW, result: null }), 'with null')
      same((await tasks.get(OF, 't2'))?.completed, { at: NOW, result: null }, 'null is a result')
    },
  },
  {
    name: 'tasks: another tenant’s of the same id is another task',
    run: async ({ tasks }) => {
      await tasks.add(OF, task('t1'))
      for (const whose of [OTHER, ELSEWHERE]) {
        same((await tasks.get(whose, 't1')) ?? null, null, 'not seen')
        isTrue(!(await tasks.complete(whose, 't1', { at: NOW })), 'not done')
        same(await tasks.list(whose, {}, { limit: 9 }), { data: [] }, 'not listed')
        await tasks.add(whose, task('t1', { title: 'theirs' }))
        await tasks.told(whose, 't1')
      }
      same(await tasks.get(OF, 't1'), { ...OF, ...task('t1') }, 'untouched')
      isTrue(await tasks.complete(OTHER, 't1', { at: NOW }), 'theirs is done')
      same((await tasks.get(OF, 't1'))?.completed ?? null, null, 'ours is open')
    },
  },
  {
    name: 'tasks: lists are newest first, by every filter alone and together',
    run: async (bed) => {
      await fill(bed)
      const by: readonly (readonly [object, readonly string[]])[] = [
        [{}, ['t3', 't2', 't1', 't4']],
        [{ status: 'open' }, ['t3', 't2', 't1']],
        [{ status: 'done' }, ['t4']],
        [{ assignee: 'ada' }, ['t3', 't1']],
        [{ execution: 'x1' }, ['t3', 't1']],
        [{ dueBefore: NOW }, ['t1', 't4']],
        [{ status: 'open', dueBefore: NOW }, ['t1']],
        [{ status: 'open', assignee: 'ada' }, ['t3', 't1']],
        [{ status: 'done', assignee: 'ada' }, []],
        [{ execution: 'x1', dueBefore: NOW + 6, status: 'open' }, ['t1']],
        [{ execution: 'x1', assignee: 'bob' }, []],
        [{ assignee: 'ada', dueBefore: NOW - 4 }, ['t1']],
      ]
      for (const [query, ids] of by) same(await listed(bed, query), ids, JSON.stringify(query))
    },
  },
  {
    name: 'tasks: pages go on where the one before ended, and a cursor of another list is refused',
    run: async (bed) => {
      await fill(bed)
      const { tasks } = bed
      const first = await tasks.list(OF, { status: 'open' }, { limit: 2 })
      same(idsOf(first.data), ['t3', 't2'], 'the first page')
      const after = first.next!
      const second = await tasks.list(OF, { status: 'open' }, { limit: 2, after })
      same([idsOf(second.data), second.next ?? null], [['t1'], null], 'the second page')
      await rejects('invalid_cursor', () => tasks.list(OF, {}, { limit: 2, after }), 'another filter')
      await rejects(
        'invalid_cursor',
        () => tasks.list(OTHER, { status: 'open' }, { limit: 2, after }),
        'another tenant',
      )
    },
  },
  {
    name: 'tasks: those that are done and not told of are found, of every tenant, oldest first',
    run: async ({ tasks }) => {
      await tasks.add(OF, task('open'))
      for (const [of, id, at] of [
        [OF, 't1', NOW],
        [OTHER, 't2', NOW - 9],
        [OF, 't3', NOW + 50],
      ] as const) {
        await tasks.add(of, task(id))
        await tasks.complete(of, id, { at })
      }
      same(idsOf(await tasks.untold(NOW + 1, 9)), ['t2', 't1'], 'before then')
      same(idsOf(await tasks.untold(NOW + 99, 2)), ['t2', 't1'], 'so many')
      await tasks.told(OTHER, 't2')
      await tasks.told(OTHER, 't1')
      const [only, ...none] = await tasks.untold(NOW + 1, 9)
      same([only?.id, only?.tenant, only?.completed, none], ['t1', OF.tenant, { at: NOW }, []], 'the rest')
    },
  },
  {
    name: 'tasks: retention takes what is done, old and told of, and nothing else',
    run: async ({ tasks, keeper }) => {
      for (const [id, at] of [
        ['old', NOW - 10],
        ['untold', NOW - 10],
        ['new', NOW],
      ] as const) {
        await tasks.add(OF, task(id, { createdAt: NOW - 99 }))
        await tasks.complete(OF, id, { at })
        if (id !== 'untold') await tasks.told(OF, id)
      }
      await tasks.add(OF, task('open', { createdAt: NOW - 99 }))
      const before = { doneBefore: NOW - 5, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
      while (await keeper.prune(before, 10));
      same(
        idsOf((await tasks.list(OF, {}, { limit: 9 })).data).toSorted(),
        ['new', 'open', 'untold'],
        'what stays',
      )
    },
  },
]
