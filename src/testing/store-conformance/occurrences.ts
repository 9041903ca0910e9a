// What became of the occurrences of a recurrence: written with the step that decided it, one row for each instant.

import type { Kind } from '../../core/execution.ts'
import type { ToldOccurrence } from '../../core/triggers/occurrences.ts'
import type { Result } from '../../store/store.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { advance, ELSEWHERE, execution, NOW, OF, OTHER } from './members.ts'

const FIRED: ToldOccurrence = { at: NOW + 5, fate: 'fired', action: 'act_1' }
const MISSED: ToldOccurrence = { at: NOW - 20, fate: 'skipped', reason: 'missed', until: NOW - 10, count: 3 }
const COALESCED: ToldOccurrence = { at: NOW, fate: 'coalesced', reason: 'missed', into: NOW + 5 }

const told = (occurrences: readonly ToldOccurrence[], of = OF, id = 'daily') => ({
  ...of,
  at: NOW + 7,
  advance: { ...advance(id, {}, of), occurrences },
})

const row = (occurrence: ToldOccurrence) => ({ ...occurrence, toldAt: NOW + 7 })

export const occurrenceCases: readonly Case[] = [
  {
    name: 'occurrences: are there with the step that decided them, newest first, page by page, each tenant’s own',
    run: async ({ store, occurrences, another }) => {
      await store.commit([
        told([MISSED, COALESCED, FIRED]),
        told([FIRED], OF, 'weekly'),
        told([COALESCED], OTHER),
        told([COALESCED], ELSEWHERE),
      ])
      const { occurrences: other } = await another()
      same(
        (await other.list(OF, 'daily', { limit: 9 })).data,
        [FIRED, COALESCED, MISSED].map(row),
        'all of it',
      )
      same((await occurrences.list(OTHER, 'daily', { limit: 9 })).data, [row(COALESCED)], 'theirs')
      same((await occurrences.list(ELSEWHERE, 'daily', { limit: 9 })).data, [row(COALESCED)], 'elsewhere')
      const first = await occurrences.list(OF, 'daily', { limit: 2 })
      const after = first.next!
      same(
        await occurrences.list(OF, 'daily', { limit: 2, after }),
        { data: [row(MISSED)] },
        'the second page',
      )
      await rejects(
        'invalid_cursor',
        () => occurrences.list(OF, 'weekly', { limit: 2, after }),
        'another list',
      )
      same(await occurrences.list(OF, 'nobody', { limit: 2 }), { data: [] }, 'one that has none')
    },
  },
  {
    name: 'occurrences: what fired stays fired, anything else may still become it; a lost step tells nothing',
    run: async ({ store, occurrences }) => {
      const [begun] = await store.commit([told([COALESCED, FIRED])])
      const { revision, chain } = begun as Required<Result>
      const again = (expected: number, list: readonly ToldOccurrence[]) => {
        const member = told(list)
        return { ...member, at: NOW + 9, advance: { ...member.advance, expected, chain } }
      }
      const late: ToldOccurrence = { at: NOW, fate: 'fired', reason: 'backfill', action: 'act_2' }
      const results = await store.commit([
        again(revision, [late, { at: NOW + 5, fate: 'skipped', reason: 'asked' }]),
        again(revision, [{ at: NOW + 6, fate: 'skipped', reason: 'asked' }]),
      ])
      same(
        results.map(({ status }) => status),
        ['ok', 'conflict'],
        'the second step lost',
      )
      same(
        (await occurrences.list(OF, 'daily', { limit: 9 })).data,
        [row(FIRED), { ...late, toldAt: NOW + 9 }],
        'the fates',
      )
    },
  },
  {
    name: 'occurrences: those of a range, in order, bounded, of one recurrence and tenant',
    run: async ({ store, occurrences }) => {
      const fired = [1, 2, 3, 4].map((n): ToldOccurrence => ({ at: NOW + n, fate: 'fired', action: `a${n}` }))
      const shared: ToldOccurrence = {
        ...{ at: NOW + 5, fate: 'skipped', reason: 'missed' },
        ...{ until: NOW + 50, count: 7 },
      }
      await store.commit([
        told([...fired, shared]),
        told([{ ...FIRED, at: NOW + 9 }], OTHER),
        told([{ ...FIRED, at: NOW + 8 }], ELSEWHERE),
        told([{ ...FIRED, at: NOW + 7 }], OF, 'weekly'),
      ])
      const between = (from: number, to: number, limit = 9) =>
        occurrences.between(OF, 'daily', { from: NOW + from, to: NOW + to }, limit)
      same(await between(2, 4), fired.slice(1, 3).map(row), 'from, not to')
      same(await between(0, 99), [...fired, shared].map(row), 'all of them')
      same(await between(0, 99, 2), fired.slice(0, 2).map(row), 'the first so many')
    },
  },
  {
    name: 'occurrences: retention takes what was told long ago',
    run: async ({ store, occurrences, keeper }) => {
      await store.commit([{ ...told([COALESCED]), at: NOW - 100 }, told([FIRED], OF, 'weekly')])
      const before = { doneBefore: 0, eventsBefore: NOW - 50, inboxBefore: 0, dedupBefore: 0 }
      while (await keeper.prune(before, 10));
      same((await occurrences.list(OF, 'daily', { limit: 9 })).data, [], 'gone')
      same((await occurrences.list(OF, 'weekly', { limit: 9 })).data, [row(FIRED)], 'kept')
    },
  },
  {
    name: 'recurrences: listed by themselves, newest first, page by page, in any state, each tenant’s own',
    run: async ({ store, reader }) => {
      const begun = (id: string, at: number, kind: Kind, of = OF) => ({
        ...of,
        at,
        advance: advance(id, { execution: execution(id, { ...of, kind, definition: 'd' }) }, of),
      })
      await store.commit([
        begun('a', NOW, 'recurrence'),
        begun('b', NOW + 1, 'machine'),
        begun('d', NOW + 2, 'recurrence'),
        begun('c', NOW + 2, 'recurrence'),
        begun('e', NOW + 3, 'recurrence', OTHER),
        begun('f', NOW + 4, 'recurrence', ELSEWHERE),
      ])
      const list = async (limit: number, after?: string) => {
        const page = { limit, ...(after !== undefined && { after }) }
        const { data, next } = await reader.executions(OF, { kind: 'recurrence' }, page)
        return { ids: data.map((stored) => stored.execution.id), next }
      }
      const first = await list(2)
      same(first.ids, ['d', 'c'], 'the newest')
      same(await list(2, first.next), { ids: ['a'], next: undefined }, 'the rest')
      const paused = { kind: 'recurrence', status: 'paused' } as const
      same((await reader.executions(OF, paused, { limit: 9 })).data, [], 'narrowed')
    },
  },
]
