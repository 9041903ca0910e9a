// Housekeeping: chores by lease, retention in slices that keep what must stay, checkpoints, epochs.

import type { Execution } from '../../core/execution.ts'
import type { Retention, WatchedPlace } from '../../store/keeper.ts'
import type { Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, isTrue, rejects, same, sound } from './check.ts'
import { action, DEAD, entry, event, execution, NOW, OF, OTHER, REVIEW, settled, timer } from './members.ts'

const DAY = 86_400_000
const NOTHING: Retention = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
/** A month on, everything so far is past its time. */
const LATER = NOW + 31 * DAY

/** How many slices it took. */
const pruneAll = async ({ keeper }: Bed, over: Partial<Retention>, limit: number): Promise<number> => {
  for (let slices = 1; slices < 500; slices++)
    if (!(await keeper.prune({ ...NOTHING, ...over }, limit))) return slices
  throw new Error('retention comes to no end')
}

const finish = async (bed: Bed, ids: readonly string[], endedAt = NOW): Promise<void> => {
  await bed.enqueue(...ids)
  const claims = await bed.claim(`nonce ${ids[0]}`)
  await bed.ok({ settle: claims.map((one) => settled(one, {}, { attempt: 2, endedAt })) })
}

const outside = (id: string) => ({ event: event(id), from: 'outside' as const })

export const keeperCases: readonly Case[] = [
  {
    name: 'recurrences: of every tenant, those whose timer is due before an instant, or is not there',
    run: async ({ keeper, start, control }) => {
      const begin = (id: string, due: number | undefined, over: Partial<Execution> = {}, of: Tenancy = OF) =>
        start(
          id,
          {
            execution: execution(id, { ...of, kind: 'recurrence', state: 'scheduled', ...over }),
            timers: due === undefined ? [] : [timer(`next/${due}`, due)],
          },
          of,
        )
      await begin('b', NOW + 10)
      await begin('a', NOW + 90)
      await begin('c', undefined)
      await begin('d', NOW + 10, { state: 'disabled' })
      await begin('e', NOW + 10, { kind: 'machine' })
      await begin('f', NOW + 10)
      await begin('g', NOW + 10, {}, OTHER)
      await control({ kind: 'pause', scope: 'execution', value: 'f', reason: '' })
      const found: string[] = []
      for (
        let of = await keeper.tenantAfter({ namespace: '', tenant: '' });
        of;
        of = await keeper.tenantAfter(of)
      ) {
        let after: WatchedPlace | undefined
        do {
          const [row] = await keeper.recurrences(of, after, NOW + 50, 1)
          if (row !== undefined)
            found.push(`${of.tenant} ${row.id} ${row.dueAt === null ? 'none' : row.dueAt - NOW}`)
          same(row?.stored?.execution.id, row?.id, 'the execution itself')
          after = row
        } while (after !== undefined)
      }
      same(
        found.toSorted(),
        [`${OF.tenant} b 10`, `${OF.tenant} c none`, `${OTHER.tenant} g 10`].toSorted(),
        'one by one',
      )
      const all = await keeper.recurrences(OF, undefined, NOW + 91, 9)
      same(all.map(({ id }) => id).toSorted(), ['a', 'b', 'c'], 'the later one too')
    },
  },
  {
    name: 'zone rules: what was last written',
    run: async ({ keeper }) => {
      same(await keeper.zoneRules(), undefined, 'at first')
      for (const rules of ['2026a', '2025b']) {
        await keeper.setZoneRules(rules)
        same(await keeper.zoneRules(), rules, rules)
      }
    },
  },
  {
    name: 'take: a chore is one worker’s until its time; its holder may take it again, another chore is free',
    run: async ({ keeper, another }) => {
      const { keeper: other } = await another()
      same(await keeper.take('prune', 'w1', 60_000), true, 'the first')
      same(await other.take('prune', 'w2', 60_000), false, 'another')
      same(await keeper.take('prune', 'w1', 60_000), true, 'the holder again')
      same(await other.take('checkpoint', 'w2', 60_000), true, 'another chore')
      same(await keeper.take('prune', 'w1', -1), true, 'given up by its holder')
      same(await other.take('prune', 'w2', 60_000), true, 'then another')
    },
  },
  {
    name: 'prune: ended actions and their attempts go in slices, live ones and dead ones stay',
    prunes: true,
    run: async (bed) => {
      await finish(
        bed,
        Array.from({ length: 25 }, (_, n) => `a${n}`),
      )
      await bed.settle(await bed.claimed('dead'), DEAD)
      await bed.settle(await bed.claimed('review'), REVIEW)
      await bed.claimed('running')
      await bed.enqueue(action('queued', { dueAt: NOW + 9 }))
      isTrue((await pruneAll(bed, { doneBefore: NOW + DAY }, 10)) >= 3, 'it takes several slices')
      same(
        (await bed.reader.actions(OF, {}, { limit: 250 })).data.map(({ id }) => id),
        ['running', 'review', 'queued', 'dead'],
        'what stays',
      )
      same(await bed.reader.attempts(OF, 'a0'), [], 'attempts of what went')
      same((await bed.reader.attempts(OF, 'dead')).length, 1, 'attempts of what stays')
      has(
        (await bed.reader.counts(OF)).actions,
        { succeeded: 25, queued: 1, running: 1, dead: 1, review: 1 },
        'counts',
      )
    },
  },
  {
    name: 'prune: months later all that ended is gone, and nothing that did not end',
    prunes: true,
    run: async (bed) => {
      await finish(bed, ['a', 'b', 'c'])
      await finish(bed, ['far'], NOW + 400 * DAY)
      await bed.settle(await bed.claimed('dead'), DEAD)
      await bed.claimed('running')
      await pruneAll(
        bed,
        { doneBefore: LATER, eventsBefore: LATER, inboxBefore: LATER, dedupBefore: LATER },
        10,
      )
      const { data } = await bed.reader.actions(OF, {}, { limit: 250 })
      same(
        data.map(({ id }) => id),
        ['running', 'far', 'dead'],
        'what stays',
      )
      same(await bed.reader.attempts(OF, 'a'), [], 'attempts of what went')
      await finish(bed, ['again'])
      has(await bed.action('again'), { status: 'succeeded' }, 'a row of the month that went')
    },
  },
  {
    name: 'prune: only what is past its time goes; a slice is at most its limit',
    prunes: true,
    run: async (bed) => {
      await finish(bed, ['old1', 'old2', 'old3'], NOW)
      await finish(bed, ['new1', 'new2'], NOW + DAY)
      const left = async () => (await bed.reader.actions(OF, {}, { limit: 250 })).data.length
      same(await bed.keeper.prune({ ...NOTHING, doneBefore: NOW + 1 }, 2), true, 'a slice')
      same(await left(), 3, 'after a slice of two')
      await pruneAll(bed, { doneBefore: NOW + 1 }, 2)
      same(await left(), 2, 'in the end')
      same(await bed.keeper.prune({ ...NOTHING, doneBefore: NOW + 1 }, 2), false, 'nothing left')
    },
  },
  {
    name: 'prune: archived dead letters go by when they were archived',
    prunes: true,
    run: async (bed) => {
      await bed.settle(await bed.claimed('a'), DEAD)
      await bed.ok({ at: NOW + DAY, control: [{ kind: 'archive_dead', id: 'a' }] })
      await pruneAll(bed, { doneBefore: NOW + DAY }, 9)
      has(await bed.action('a'), { status: 'dead', archivedAt: NOW + DAY }, 'not yet')
      await pruneAll(bed, { doneBefore: NOW + DAY + 1 }, 9)
      same((await bed.reader.action(OF, 'a')) ?? null, null, 'then')
    },
  },
  {
    name: 'prune: an applied event id is known until its time; a waiting event stays for ever',
    prunes: true,
    run: async (bed) => {
      await bed.start('e', { consume: [outside('v')] })
      await bed.ok({ deliver: [{ execution: 'e', event: event('waits') }] })
      await pruneAll(bed, { inboxBefore: NOW }, 9)
      has(await bed.step('e', { consume: [outside('v')] }), { status: 'duplicate' }, 'before its time')
      await pruneAll(bed, { inboxBefore: LATER }, 9)
      has(await bed.step('e', { consume: [outside('v')] }), { status: 'ok' }, 'after it')
      same(
        sound(await bed.store.inbox(['lease'], 9)).map((row) => row.event.id),
        ['waits'],
        'what waits',
      )
    },
  },
  {
    name: 'prune: dedup keys past their time go, keys of active actions stay',
    prunes: true,
    run: async (bed) => {
      await bed.enqueue(
        action('a', { dedup: { key: 'timed', forMs: 1000 } }),
        action('b', { dedup: { key: 'active' } }),
      )
      await pruneAll(bed, { dedupBefore: LATER }, 9)
      const again = await bed.enqueue(
        action('c', { dedup: { key: 'timed' } }),
        action('d', { dedup: { key: 'active' } }),
      )
      same(again.deduplicated, [{ id: 'd', existing: 'b' }], 'deduplicated')
    },
  },
  {
    name: 'prune: events past their time go; executions, their heads and their timers stay',
    prunes: true,
    run: async (bed) => {
      await bed.start('e', { history: [entry('x', NOW), entry('y', NOW + DAY)], timers: [timer('t')] })
      const { chain } = await bed.execution('e')
      await pruneAll(bed, { eventsBefore: NOW + 1 }, 9)
      same(
        (await bed.reader.history(OF, 'e', { limit: 9 })).data.map(({ number }) => number),
        [2],
        'the history',
      )
      await bed.caughtUp()
      same((await bed.reader.feed(OF, undefined, 9)).length, 1, 'the feed')
      has(await bed.execution('e'), { chain, revision: 1 }, 'the execution')
      same(sound(await bed.store.dueTimers(9, { now: NOW })).length, 1, 'the timer')
      has(await bed.step('e', { history: [entry('z', NOW + DAY)] }), { status: 'ok' }, 'the chain goes on')
    },
  },
  {
    name: 'prune: with nothing past its time nothing goes',
    run: async (bed) => {
      await finish(bed, ['a', 'b'])
      await bed.start('e', { consume: [outside('v')], history: [entry('x')] })
      same(await bed.keeper.prune(NOTHING, 100), false, 'pruned')
    },
  },
  {
    name: 'prepare: may be called at any time, for any month, twice',
    run: async (bed) => {
      for (const at of [NOW, NOW, LATER, NOW + 370 * DAY, 0]) await bed.keeper.prepare(at)
      await finish(bed, ['a'], NOW + 370 * DAY)
      has(await bed.action('a'), { status: 'succeeded' }, 'a row of a far month')
      await finish(bed, ['b'], 1000)
      has(await bed.action('b'), { status: 'succeeded' }, 'a row of long ago')
    },
  },
  {
    name: 'checkpoint: counts the chain heads, and its hash changes with every fact',
    run: async (bed) => {
      const empty = await bed.keeper.checkpoint(NOW)
      has(empty, { at: NOW, heads: 0 }, 'empty')
      await bed.start('e', { history: [entry('x')] })
      await bed.start('f', { history: [entry('x')] })
      await bed.caughtUp()
      const two = await bed.keeper.checkpoint(NOW + 1)
      has(two, { at: NOW + 1, heads: 2 }, 'two')
      await bed.ok({ record: [{ type: 'noted', at: NOW, data: {} }] })
      await bed.caughtUp()
      const three = await bed.keeper.checkpoint(NOW + 2)
      same(new Set([empty.hash, two.hash, three.hash]).size, 3, 'hashes')
      isTrue(/^[0-9a-f]{64}$/.test(three.hash), 'a sha-256')
    },
  },
  {
    name: 'checkpoint: rivals are each told one that stands, and the next one is another',
    run: async (bed) => {
      await bed.start('e', { history: [entry('x')] })
      await bed.caughtUp()
      const { keeper: other } = await bed.another()
      const keepers = [bed.keeper, other, bed.keeper, other]
      const told = await Promise.all(keepers.map((keeper) => keeper.checkpoint(NOW)))
      for (const one of told) has(one, { at: NOW, heads: 1 }, 'told')
      const next = await bed.keeper.checkpoint(NOW + 1)
      isTrue(
        told.every(({ hash }) => hash !== next.hash),
        'the next one is another',
      )
    },
  },
  {
    name: 'checkpoint: chains whose events are purged are still covered',
    prunes: true,
    run: async (bed) => {
      await bed.start('e', { history: [entry('x')] })
      await bed.start('f', { history: [entry('x')] })
      await bed.start('without history')
      while (await bed.keeper.prune({ ...NOTHING, eventsBefore: NOW + 1 }, 100));
      same((await bed.reader.history(OF, 'e', { limit: 9 })).data, [], 'purged')
      await bed.caughtUp()
      has(await bed.keeper.checkpoint(NOW), { heads: 2 }, 'the checkpoint')
    },
  },
  {
    name: 'virtualNow: none until it is set, then where it was set, never backwards, for every process',
    run: async ({ keeper, another }) => {
      same((await keeper.virtualNow()) ?? null, null, 'before')
      same(await keeper.setVirtualNow(NOW), NOW, 'set')
      same(await keeper.setVirtualNow(NOW - 1), NOW, 'backwards')
      const { keeper: other } = await another()
      same(await other.virtualNow(), NOW, 'as another process sees it')
      const raised = await Promise.all([5, 3, 9, 1].map((ms) => other.setVirtualNow(NOW + ms)))
      isTrue(
        raised.every((at, index) => at >= NOW + [5, 3, 9, 1][index]!),
        'each is at least what it asked for',
      )
      same(await keeper.virtualNow(), NOW + 9, 'the latest stands')
      for (const at of [Number.NaN, 1.5, Number.POSITIVE_INFINITY])
        await rejects('invalid_option', () => keeper.setVirtualNow(at), String(at))
      same(await keeper.virtualNow(), NOW + 9, 'nothing changed')
      same(
        await keeper.setVirtualNow(8_640_000_000_000_000),
        8_640_000_000_000_000,
        'the last instant there is',
      )
    },
  },
]
