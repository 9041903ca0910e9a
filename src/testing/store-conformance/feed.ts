// The feed and the cursors: every committed fact once, in order, resumed without loss; a cursor that was changed, or is
// of another query, is refused.

import type { FeedRow } from '../../store/reader.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { isTrue, rejects, same } from './check.ts'
import { advance, entry, NOW, OF, OTHER } from './members.ts'

const note = (n: number) => ({ type: 'noted', at: NOW + n, data: { n } })
const numbered = (rows: readonly FeedRow[]) => rows.map(({ data: { n } }) => n)

const follow = async ({ reader }: Bed, limit: number, from?: string): Promise<readonly FeedRow[]> => {
  const rows: FeedRow[] = []
  for (let after = from; ; after = rows.at(-1)!.cursor) {
    const more = await reader.feed(OF, after, limit)
    isTrue(more.length <= limit, `${more.length} rows, asked for ${limit}`)
    rows.push(...more)
    if (more.length === 0) return rows
  }
}

/** Every way a cursor can be spoiled without its being recognised by its shape alone. */
const spoiled = (cursor: string): readonly string[] => {
  const at = Math.floor(cursor.length / 3)
  const swapped = cursor[at] === 'A' ? 'B' : 'A'
  return [
    cursor.slice(0, at) + swapped + cursor.slice(at + 1),
    `${cursor.slice(0, -3)}AAA`,
    cursor.slice(0, -1),
    cursor.split('.')[0]!,
    '',
    '.',
    'not a cursor',
    '0',
    'x'.repeat(5000),
  ].filter((one) => one !== cursor)
}

export const feedCases: readonly Case[] = [
  {
    name: 'feed: history and recorded facts in the order of commits, as they were given',
    run: async (bed) => {
      await bed.start('e', { history: [entry('signed')] })
      await bed.ok({ record: [{ ...note(1), execution: 'e' }, note(2)] })
      await bed.step('e', { history: [entry('active')] }, { record: [note(3)] })
      await bed.caughtUp()
      const rows = (await bed.reader.feed(OF, undefined, 10)).map(({ cursor: _, ...row }) => row)
      same(
        rows,
        [
          { ...entry('signed'), execution: 'e' },
          { ...note(1), execution: 'e' },
          note(2),
          { ...entry('active'), execution: 'e' },
          note(3),
        ],
        'the feed',
      )
    },
  },
  {
    name: 'feed: recorded facts are not part of a chain',
    run: async (bed) => {
      await bed.start('e', { history: [entry('signed')] })
      await bed.ok({ record: [{ ...note(1), execution: 'e' }] })
      same((await bed.reader.history(OF, 'e', { limit: 9 })).data.length, 1, 'the history')
    },
  },
  {
    name: 'feed: resumed after any row it goes on with the next, whatever the limit',
    run: async (bed) => {
      for (let n = 0; n < 20; n += 2) await bed.ok({ record: [note(n), note(n + 1)] })
      await bed.caughtUp()
      const all = Array.from({ length: 20 }, (_, n) => n)
      for (const limit of [1, 3, 20, 100]) same(numbered(await follow(bed, limit)), all, `by ${limit}`)
      const rows = await bed.reader.feed(OF, undefined, 100)
      for (const [n, { cursor }] of rows.entries())
        same(numbered(await bed.reader.feed(OF, cursor, 100)), all.slice(n + 1), `after row ${n}`)
    },
  },
  {
    name: 'feed: a cursor at the end sees what is committed later, and no more',
    run: async (bed) => {
      await bed.ok({ record: [note(1)] })
      await bed.caughtUp()
      const end = (await follow(bed, 9)).at(-1)!.cursor
      same(await bed.reader.feed(OF, end, 9), [], 'nothing new')
      await bed.ok({ ...OTHER, record: [note(2)] })
      await bed.caughtUp()
      same(await bed.reader.feed(OF, end, 9), [], "another tenant's")
      await bed.ok({ record: [note(3)] })
      await bed.caughtUp()
      same(numbered(await bed.reader.feed(OF, end, 9)), [3], 'the next')
    },
  },
  {
    name: 'feed: followed while several commit at once, it loses and repeats nothing',
    run: async (bed) => {
      const { store: other } = await bed.another()
      const all = Array.from({ length: 120 }, (_, n) => n)
      let isDone = false
      const write = async (): Promise<void> => {
        const commits = all.map((n) =>
          (n % 2 ? other : bed.store).commit([{ ...OF, at: NOW, record: [note(n)] }]),
        )
        await Promise.all(commits)
        isDone = true
      }
      const writing = write()
      const seen: FeedRow[] = []
      while (!isDone) {
        seen.push(...(await follow(bed, 7, seen.at(-1)?.cursor)))
        // A store that answers within the turn would never let the writers in.
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writing
      await bed.caughtUp()
      seen.push(...(await follow(bed, 7, seen.at(-1)?.cursor)))
      same(
        numbered(seen).toSorted((a, b) => Number(a) - Number(b)),
        all,
        'followed',
      )
      same(numbered(await follow(bed, 50)), numbered(seen), 'read again')
    },
  },
  {
    name: 'feed: a transaction that rolled back leaves no trace and no gap',
    run: async (bed) => {
      await bed.ok({ record: [note(1)] })
      await bed
        .transact(async (commit) => {
          await commit([{ ...OF, at: NOW, record: [note(2)] }])
          throw new Error('changed my mind')
        })
        .catch(() => undefined)
      await bed.ok({ record: [note(3)] })
      await bed.caughtUp()
      same(numbered(await follow(bed, 1)), [1, 3], 'the feed')
    },
  },
  {
    name: 'S52: a feed cursor that was changed, or is of another tenant, is refused',
    run: async (bed) => {
      for (const owner of [OF, OTHER]) await bed.ok({ ...owner, record: [note(1), note(2)] })
      await bed.caughtUp()
      const [{ cursor } = { cursor: '' }] = await bed.reader.feed(OF, undefined, 1)
      for (const wrong of spoiled(cursor))
        await rejects('invalid_cursor', () => bed.reader.feed(OF, wrong, 9), `"${wrong.slice(0, 40)}"`)
      await rejects('invalid_cursor', () => bed.reader.feed(OTHER, cursor, 9), 'another tenant')
    },
  },
  {
    name: 'S52: a list cursor that was changed, or is of another query, is refused',
    run: async (bed) => {
      await bed.enqueue('a', 'b', 'c')
      for (const id of ['e', 'f', 'g'])
        await bed.ok({ advance: advance(id, { history: [entry('x'), entry('y')] }) })
      const page = (after: string) => ({ limit: 1, after })
      const { reader } = bed
      const actions = (await reader.actions(OF, {}, { limit: 1 })).next!
      const executions = (await reader.executions(OF, {}, { limit: 1 })).next!
      const history = (await reader.history(OF, 'e', { limit: 1 })).next!
      for (const wrong of spoiled(actions))
        await rejects(
          'invalid_cursor',
          () => reader.actions(OF, {}, page(wrong)),
          `actions "${wrong.slice(0, 40)}"`,
        )
      for (const wrong of spoiled(executions))
        await rejects(
          'invalid_cursor',
          () => reader.executions(OF, {}, page(wrong)),
          `executions "${wrong.slice(0, 40)}"`,
        )
      const refused: readonly (() => Promise<unknown>)[] = [
        () => reader.actions(OTHER, {}, page(actions)),
        () => reader.actions(OF, { status: 'queued' }, page(actions)),
        () => reader.actions(OF, {}, page(executions)),
        () => reader.executions(OTHER, {}, page(executions)),
        () => reader.executions(OF, { definition: 'lease' }, page(executions)),
        () => reader.history(OF, 'f', page(history)),
        () => reader.history(OTHER, 'e', page(history)),
        () => reader.feed(OF, actions, 9),
      ]
      for (const [n, work] of refused.entries()) await rejects('invalid_cursor', work, `carried over, ${n}`)
    },
  },
  {
    name: 'feed: what is behind a cursor is still behind it in a new epoch',
    run: async ({ ok, reader, keeper, caughtUp }) => {
      for (const type of ['a', 'b', 'c']) await ok({ record: [{ type, at: NOW, data: {} }] })
      await caughtUp()
      const [first] = await reader.feed(OF, undefined, 1)
      await keeper.newEpoch()
      await caughtUp()
      same(
        (await reader.feed(OF, first!.cursor, 9)).map(({ type }) => type),
        ['b', 'c'],
        'the rest',
      )
    },
  },
]
