// What keeps keys, definitions, counts and waiting events apart when their names are the same, or almost: each case is
// the smallest neighbourhood in which a condition too few is seen.

import type { PauseScope } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { action, advance, ELSEWHERE, event, execution, NOW, OF, OTHER, settled, timer } from './members.ts'

const STRANGERS = [OTHER, ELSEWHERE]
const FAR = NOW + 10 ** 10
const KEEP = { doneBefore: 0, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }

const pruneAll = async ({ keeper }: Bed, retention: Partial<typeof KEEP>): Promise<void> => {
  for (let slice = 0; slice < 200; slice++) if (!(await keeper.prune({ ...KEEP, ...retention }, 1))) return
  throw new Error('retention comes to no end')
}

const define = async (
  bed: Bed,
  kind: 'machine' | 'journey',
  id: string,
  hash: string,
  of = OF,
): Promise<number> => {
  const { version } = await bed.control({ kind: 'define', definition: { kind, id, hash, content: {} } }, of)
  return version!
}

const keys: readonly Case[] = [
  {
    name: 'apart: a key kept for a time and taken over is not let go by the end of the one before',
    run: async (bed) => {
      await bed.enqueue(action('first', { dedup: { key: 'k', forMs: 1000 } }))
      const [claim] = await bed.claim()
      const at = NOW + 2000
      await bed.ok({ at, enqueue: [action('second', { dedup: { key: 'k' } })] })
      await bed.ok({ at, settle: [settled(claim!)] })
      const { deduplicated } = await bed.ok({ at, enqueue: [action('third', { dedup: { key: 'k' } })] })
      same(deduplicated, [{ id: 'third', existing: 'second' }], 'who holds the key')
    },
  },
  {
    name: 'apart: of two keys the one whose action has ended is free, in whatever order they were taken',
    run: async (bed) => {
      const isFree = async (id: string): Promise<void> => {
        const { deduplicated = [] } = await bed.ok({
          enqueue: [action(`next ${id}`, { dedup: { key: id } })],
        })
        same(deduplicated, [], `the key of ${id}`)
      }
      for (const id of ['a', 'b', 'c']) await bed.enqueue(action(id, { dedup: { key: id } }))
      const claims = await bed.claim()
      for (const id of ['b', 'a', 'c']) {
        await bed.settle(claims.find((one) => one.id === id)!)
        await isFree(id)
      }
      for (const id of ['d', 'e', 'f']) await bed.enqueue(action(id, { dedup: { key: id } }))
      for (const id of ['e', 'd', 'f']) {
        await bed.control({ kind: 'cancel_action', id, reason: '' })
        await isFree(id)
      }
    },
  },
  {
    name: 'apart: one batch takes over keys of one name past their time, in every tenant, beside another key',
    run: async (bed) => {
      const keyed = [...[OF, ...STRANGERS].map((owner) => ({ owner, key: 'k' })), { owner: OF, key: 'l' }]
      const members = (mark: string, at: number) =>
        keyed.map(({ owner, key }, index) => ({
          ...owner,
          at,
          enqueue: [action(`${mark}${index}`, { dedup: { key, forMs: 1000 } })],
        }))
      for (const [mark, at] of [
        ['first', NOW],
        ['second', NOW + 2000],
      ] as const)
        same(
          (await bed.store.commit(members(mark, at))).map(({ status, deduplicated = [] }) => [
            status,
            deduplicated,
          ]),
          keyed.map(() => ['ok', []]),
          mark,
        )
    },
  },
  {
    name: 'apart: pruning takes keys past their time, and no other',
    prunes: true,
    run: async (bed) => {
      for (const [id, forMs] of [
        ['short', 1000],
        ['long', 9000],
        ['longer', 9500],
      ] as const)
        await bed.enqueue(action(id, { dedup: { key: id, forMs } }))
      await bed.enqueue(action('active', { dedup: { key: 'active' } }))
      await pruneAll(bed, { dedupBefore: NOW + 5000 })
      for (const [key, isHeld] of [
        ['short', false],
        ['long', true],
        ['longer', true],
        ['active', true],
      ] as const) {
        const { deduplicated = [] } = await bed.ok({ enqueue: [action(`next ${key}`, { dedup: { key } })] })
        same(deduplicated.length, isHeld ? 1 : 0, `held: ${key}`)
      }
    },
  },
]

const definitions: readonly Case[] = [
  {
    name: 'apart: one content has a number of its own in every tenant, kind and name',
    run: async (bed) => {
      for (const owner of STRANGERS)
        for (const hash of ['x', 'y', 'h']) await define(bed, 'machine', 'lease', hash, owner)
      same(await define(bed, 'machine', 'lease', 'h'), 1, 'here')
      for (const hash of ['x', 'y', 'z']) await define(bed, 'machine', 'visa', hash)
      same(await define(bed, 'machine', 'visa', 'h'), 4, 'under another name')
      same(await define(bed, 'journey', 'visa', 'z'), 1, 'as another kind')
      same(await define(bed, 'journey', 'visa', 'h'), 2, 'the next of that kind')
      const rows = await bed.reader.definitions(OF)
      same(
        rows.map(({ kind, id, version, hash }) => `${kind} ${id} ${version} ${hash}`),
        [
          'journey visa 1 z',
          'journey visa 2 h',
          'machine lease 1 h',
          ...['x', 'y', 'z', 'h'].map((hash, at) => `machine visa ${at + 1} ${hash}`),
        ],
        'all of them',
      )
    },
  },
]

const pauses: readonly Case[] = [
  {
    name: 'apart: a definition goes on but for those paused by themselves, whatever else has their names',
    run: async (bed) => {
      for (const owner of [OF, ...STRANGERS]) await bed.start('e', {}, owner)
      await bed.start('alone')
      await bed.start('v', { execution: execution('v', { definition: 'visa' }) })
      const pause = (scope: 'execution' | 'type' | 'definition', value: string, of = OF) =>
        bed.control({ kind: 'pause', scope, value, reason: 'quiet' }, of)
      for (const owner of STRANGERS) await pause('execution', 'e', owner)
      await pause('type', 'e')
      await pause('execution', 'alone')
      await pause('definition', 'visa')
      await pause('definition', 'lease')
      has(
        await bed.control({ kind: 'resume', scope: 'definition', value: 'lease' }),
        { status: 'ok' },
        'it goes on',
      )
      has((await bed.execution('e')).execution, { status: 'active' }, 'one of it')
      has((await bed.execution('alone')).execution, { status: 'paused' }, 'one that is paused by itself')
      has((await bed.execution('v')).execution, { status: 'paused' }, 'one of another definition')
      for (const owner of STRANGERS)
        has((await bed.execution('e', owner)).execution, { status: 'paused' }, 'theirs')
    },
  },
]

const counts: readonly Case[] = [
  {
    name: 'apart: folding old counts loses none, of any tenant and name, in slices of one',
    prunes: true,
    run: async (bed) => {
      for (const owner of [OF, ...STRANGERS]) {
        await bed.start('e', {}, owner)
        await bed.ok({ ...owner, enqueue: [action(`${owner.namespace} ${owner.tenant}`)] })
        await bed.ok({
          ...owner,
          at: NOW + 3_600_000,
          enqueue: [action(`${owner.namespace} ${owner.tenant} later`)],
        })
      }
      await pruneAll(bed, { doneBefore: FAR, eventsBefore: FAR })
      for (const owner of [OF, ...STRANGERS]) {
        const { actions, executions } = await bed.reader.counts(owner)
        same([actions.queued, executions.active], [2, 1], `counts of ${owner.namespace}/${owner.tenant}`)
      }
    },
  },
]

const waiting: readonly Case[] = [
  {
    name: 'apart: an execution waits for its own events, and a definition for those that may be applied',
    run: async (bed) => {
      for (const id of ['quiet', 'told', 'paused', 'over'])
        await bed.start(id, { execution: execution(id, { definition: `of ${id}` }) })
      for (const id of ['told', 'paused', 'over'])
        await bed.ok({ deliver: [{ execution: id, event: event('v') }] })
      for (const owner of STRANGERS) {
        await bed.start('quiet', {}, owner)
        await bed.ok({ ...owner, deliver: [{ execution: 'quiet', event: event('v') }] })
        await bed.control({ kind: 'pause', scope: 'execution', value: 'quiet', reason: 'quiet' }, owner)
      }
      await bed.control({ kind: 'pause', scope: 'execution', value: 'paused', reason: 'quiet' })
      await bed.step('over', { consume: [{ event: event('v'), from: 'inbox' }] })
      const ids = ['over', 'paused', 'quiet', 'told']
      const loaded = sound(await bed.store.load(ids.map((id) => ({ ...OF, id }))))
      same(
        loaded
          .filter((row) => row.waiting)
          .map((row) => row.execution.id)
          .sort(),
        ['paused', 'told'],
        'executions with events',
      )
      same(
        (await bed.store.waitingDefinitions()).map(({ definition }) => definition),
        ['of told'],
        'definitions with events that can be applied',
      )
    },
  },
]

const aged: readonly Case[] = [
  {
    name: 'apart: old events go in small slices, with newer ones behind them',
    prunes: true,
    run: async (bed) => {
      for (const [type, at] of [
        ['old', NOW - 9000],
        ['older', NOW - 8000],
        ['new', NOW],
        ['newer', NOW],
      ] as const)
        await bed.ok({ record: [{ type, at, data: {} }] })
      await bed.keeper.prune({ ...KEEP, eventsBefore: NOW - 5000 }, 1)
      await bed.caughtUp()
      same((await bed.reader.feed(OF, undefined, 9)).length, 3, 'after one slice')
      await pruneAll(bed, { eventsBefore: NOW - 5000 })
      await bed.caughtUp()
      same(
        (await bed.reader.feed(OF, undefined, 9)).map(({ type }) => type),
        ['new', 'newer'],
        'the feed',
      )
      // Whole months of events, none of actions.
      await pruneAll(bed, { eventsBefore: FAR })
    },
  },
  {
    name: 'apart: a definition with events is told with a tenant that has one to apply',
    run: async (bed) => {
      for (const owner of [OTHER, ELSEWHERE, OF]) {
        await bed.start('e', {}, owner)
        await bed.ok({ ...owner, deliver: [{ execution: 'e', event: event('v') }] })
      }
      const { execution: before, revision: expected, chain } = await bed.execution('e', OTHER)
      const consume = [{ event: event('v'), from: 'inbox' as const }]
      await bed.ok({
        ...OTHER,
        advance: advance('e', { execution: before, expected, chain, consume }, OTHER),
      })
      await bed.control({ kind: 'pause', scope: 'execution', value: 'e', reason: 'quiet' }, ELSEWHERE)
      same(await bed.store.waitingDefinitions(), [{ ...OF, definition: 'lease' }], 'one of them')
    },
  },
]

const timers: readonly Case[] = [
  {
    name: 'apart: a timer is one of its execution, key and tenant: others neither stand for it nor go with it',
    run: async (bed) => {
      await bed.start('e', { timers: [timer('t'), timer('u'), timer('w')] })
      await bed.start('f', { timers: [timer('t'), timer('w')] })
      for (const owner of STRANGERS) await bed.start('e', { timers: [timer('t')] }, owner)
      const fired = { consume: [{ event: timer('t').event, from: 'timer' as const }] }
      has(await bed.step('e', fired), { status: 'ok' }, 'the first time')
      has(await bed.step('e', fired), { status: 'duplicate' }, 'again')
      has(await bed.step('e', { cancel: { timers: ['w'], actions: [] } }), { status: 'ok' }, 'taken away')
      const left = sound(await bed.store.dueTimers(99, { now: NOW }))
      same(
        left.map((due) => `${due.namespace} ${due.tenant} ${due.execution} ${due.timer.key}`).sort(),
        [
          'default acme e u',
          'default acme f t',
          'default acme f w',
          'default umbrella e t',
          'staging acme e t',
        ],
        'those that are armed',
      )
    },
  },
  {
    name: 'apart: a timer that cannot be read is set aside alone',
    spoils: true,
    run: async (bed) => {
      await bed.start('e', { timers: [timer('t')] })
      await bed.spoil({ table: 'timers', name: 't' })
      await bed.start('f', { timers: [timer('t')] })
      for (const owner of STRANGERS) await bed.start('e', { timers: [timer('t')] }, owner)
      const told = await bed.store.dueTimers(99, { now: NOW })
      same(told.filter((due) => 'unreadable' in due).length, 1, 'told of')
      const left = sound(await bed.store.dueTimers(99, { now: NOW }))
      same(
        left.map((due) => `${due.namespace} ${due.tenant} ${due.execution}`).sort(),
        ['default acme f', 'default umbrella e', 'staging acme e'],
        'the others',
      )
    },
  },
]

const named: readonly Case[] = [
  {
    name: 'apart: pauses of one name and other scopes, and of one scope and other names, come and go alone',
    run: async (bed) => {
      await bed.start('x')
      const pause = (scope: PauseScope, value: string) =>
        bed.control({ kind: 'pause', scope, value, reason: 'quiet' })
      const wanted: readonly (readonly [PauseScope, string])[] = [
        ['definition', 'x'],
        ['execution', 'x'],
        ['type', 'x'],
        ['type', 'y'],
      ]
      await bed.enqueue(action('a', { type: 'x' }))
      for (const owner of STRANGERS)
        await bed.control({ kind: 'pause', scope: 'type', value: 'x', reason: 'quiet' }, owner)
      for (const [index, [scope, value]] of wanted.entries()) {
        const [head] = await bed.store.heads({ now: NOW })
        same(head?.paused, index > 2, `the lane of type x before ${scope} ${value}`)
        has(await pause(scope, value), { status: 'ok' }, `${scope} ${value}`)
      }
      for (const [index, [scope, value]] of wanted.entries()) {
        has(
          await bed.control({ kind: 'resume', scope, value }),
          { status: 'ok' },
          `${scope} ${value} is over`,
        )
        const left = (await bed.reader.pauses(OF)).map((row) => `${row.scope} ${row.value}`)
        same(
          left,
          wanted.slice(index + 1).map((one) => one.join(' ')),
          'those that are left',
        )
      }
      for (const owner of STRANGERS) same((await bed.reader.pauses(owner)).length, 1, 'theirs')
    },
  },
  {
    name: 'apart: of two secrets one is taken away',
    run: async ({ vault }) => {
      const row = {
        version: 1,
        keyId: 'k',
        nonce: 'bm9uY2Ugb2YgMTI=',
        ciphertext: 'Yw==',
        hosts: [],
        createdAt: NOW,
        updatedAt: NOW,
        fingerprint: 'f',
      }
      for (const name of ['a', 'b']) await vault.put(OF, { ...row, name })
      for (const owner of STRANGERS) await vault.put(owner, { ...row, name: 'a' })
      same(await vault.remove(OF, 'a'), true, 'it was there')
      same(
        (await vault.list(OF)).map(({ name }) => name),
        ['b'],
        'the other',
      )
      for (const owner of STRANGERS) same((await vault.list(owner)).length, 1, 'theirs')
    },
  },
]

export const apartCases: readonly Case[] = [
  ...keys,
  ...definitions,
  ...pauses,
  ...counts,
  ...waiting,
  ...aged,
  ...timers,
  ...named,
]
