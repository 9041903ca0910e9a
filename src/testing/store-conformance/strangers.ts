// What others of the same name must not be taken for: operations, kept answers, keys, recurrences and pauses that have
// their twins in another tenant, in another namespace, or under the next name.

import type { Tenancy } from '../../store/store.ts'
import type { Case } from './case.ts'
import { has, isTrue, same } from './check.ts'
import {
  action,
  advance,
  ELSEWHERE,
  ERROR,
  entry,
  event,
  execution,
  NOW,
  OF,
  OTHER,
  timer,
} from './members.ts'
import { bulk, change, item } from './triage-bulk.ts'

const TENANTS = [OF, OTHER, ELSEWHERE]
const AT = { now: NOW, lease: NOW }
const FAR = NOW + 10 ** 9

const failed = (name: string) => item(name, { status: 'failed', error: ERROR })

const operations: readonly Case[] = [
  {
    name: 'strangers: an operation is taken, sends and hears for itself alone',
    run: async (bed) => {
      const { triage } = bed
      const taken = (holder: string, id: string, of = OF) => triage.take(of, id, holder, 1000, AT)
      for (const owner of TENANTS)
        for (const id of ['x', 'y']) await bed.ok({ ...owner, control: [change(id, 0)] })
      same([await taken('w1', 'x'), await taken('w2', 'x')], [true, false], 'one of them')
      same(
        await Promise.all([taken('w2', 'y'), taken('w2', 'x', OTHER), taken('w2', 'x', ELSEWHERE)]),
        [true, true, true],
        'the others',
      )
      await bed.ok({ control: [change('x', 1, { items: [item('a'), item('b')] })] })
      const sent = await Promise.all(
        [
          ['x', OF],
          ['y', OF],
          ['x', OTHER],
          ['x', ELSEWHERE],
        ].map(([id, of]) => triage.sent(of as Tenancy, id as string, ['a'])),
      )
      same(sent, [['a'], [], [], []], 'who sent it')
      await bed.ok({ control: [change('x', 2, { heard: [failed('a')] })] })
      const again = await bed.control(change('x', 3, { heard: [item('a', { status: 'succeeded' })] }))
      isTrue(again.status !== 'ok', `heard of twice: ${again.status}`)
    },
  },
  {
    name: 'strangers: what an operation watches is its own tenant’s, running or ended',
    run: async (bed) => {
      const watched: string[] = []
      for (const [index, owner] of [OTHER, ELSEWHERE].entries()) {
        await bed.ok({ ...owner, enqueue: [action(`done${index}`)] })
        const [claim] = await bed.claim(`n${index}`)
        await bed.ok({
          ...owner,
          settle: [
            {
              claim: claim!,
              settlement: { status: 'succeeded', outcome: 'succeeded', reason: 'done', lost: 0, reaps: 0 },
              worker: 'w',
              attempt: 1,
              startedAt: NOW,
              endedAt: NOW,
            },
          ],
        })
        await bed.ok({ ...owner, enqueue: [action(`live${index}`, { dueAt: FAR })] })
        watched.push(`done${index}`, `live${index}`)
      }
      await bed.ok({ control: [change('x', 0)] })
      await bed.ok({ control: [change('x', 1, { items: watched.map((name) => item(name)) })] })
      const outcomes = await bed.triage.outcomes(OF, 'x', '', 9)
      same(
        outcomes.map(({ status }) => status ?? null),
        [null, null, null, null],
        'outcomes',
      )
      // What has ended there is not known here: the id is free.
      for (const index of [0, 1]) has(await bed.enqueue(`done${index}`), { status: 'ok' }, 'an id of theirs')
    },
  },
  {
    name: 'strangers: retention takes what ended, with its items, and nothing of what runs or ended late under its name',
    prunes: true,
    run: async (bed) => {
      const { triage, keeper } = bed
      const begin = async (
        id: string,
        status: 'completed' | 'running',
        of: Tenancy,
        names: readonly string[],
        at = NOW,
      ) => {
        await bed.ok({ ...of, at, control: [change(id, 0)] })
        await bed.ok({
          ...of,
          at,
          control: [change(id, 1, { bulk: bulk({ status }), items: names.map(failed) })],
        })
      }
      await begin('x', 'completed', OF, ['a', 'b'])
      for (const owner of [OTHER, ELSEWHERE]) await begin('x', 'running', owner, ['a', 'b'])
      await begin('bare', 'running', OF, [])
      await begin('late', 'completed', OF, [], NOW + 10)
      const retention = { doneBefore: NOW + 5, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }
      while (await keeper.prune(retention, 1));
      const items = TENANTS.map(
        async (owner) => (await triage.failures(owner, 'x', { limit: 9 })).data.length,
      )
      same(await Promise.all(items), [0, 2, 2], 'items')
      const left = TENANTS.map(async (owner) =>
        (await triage.bulks(owner, { limit: 9 })).data.map(({ id }) => id),
      )
      same(await Promise.all(left), [['late', 'bare'], ['x'], ['x']], 'operations')
    },
  },
]

const asked = (key: string, holder = 'w') => ({ key, requestHash: 'h', holder })
const answer = (body: string) => ({ status: 201, headers: {}, body })

const office: readonly Case[] = [
  {
    name: 'strangers: an answer is kept, and let go, under one key of one tenant',
    run: async ({ office: { idempotency } }) => {
      const take = (of: Tenancy, key: string) => idempotency.take(of, asked(key, 'other'), NOW, FAR)
      const kinds = async (key: string) =>
        (await Promise.all(TENANTS.map((owner) => take(owner, key)))).map(({ kind }) => kind)
      for (const owner of TENANTS)
        for (const key of ['x', 'y', 'z']) await idempotency.take(owner, asked(key), NOW, FAR)
      for (const owner of TENANTS) {
        const told = answer(`${owner.namespace} ${owner.tenant}`)
        await idempotency.keep(owner, asked('x'), told, FAR)
      }
      for (const owner of TENANTS)
        same(
          await take(owner, 'x'),
          { kind: 'kept', answer: answer(`${owner.namespace} ${owner.tenant}`) },
          'its own',
        )
      same(
        [await kinds('y'), await kinds('z')],
        [Array(3).fill('busy'), Array(3).fill('busy')],
        'those not answered',
      )
      await idempotency.take(OF, asked('p'), NOW, NOW + 1)
      for (const [owner, key] of [
        [OF, 'q'],
        [OTHER, 'p'],
        [ELSEWHERE, 'p'],
      ] as const)
        await idempotency.take(owner, asked(key), NOW, FAR)
      // Whoever takes one forgets some of those that are past their time.
      await idempotency.take(OF, asked('r'), NOW + 5, FAR)
      same(
        [await kinds('p'), (await take(OF, 'q')).kind],
        [['taken', 'busy', 'busy'], 'busy'],
        'past its time',
      )
      await idempotency.release(OF, asked('y'))
      same([await kinds('y'), await kinds('z')], [['taken', 'busy', 'busy'], Array(3).fill('busy')], 'let go')
    },
  },
  {
    name: 'strangers: a key is read and revoked in its own tenant and namespace',
    run: async ({ office: { keys } }) => {
      const key = {
        id: 'k',
        name: 'n',
        prefix: 'p',
        hash: 'h',
        scopes: ['read'],
        isOperator: false,
        createdAt: NOW,
      }
      await keys.put({ ...OF, ...key, scopes: ['read'] })
      for (const owner of [OTHER, ELSEWHERE]) {
        same((await keys.get(owner, 'k')) ?? null, null, 'theirs')
        await keys.revoke(owner, 'k', NOW)
      }
      has(await keys.get(OF, 'k'), { id: 'k', revokedAt: undefined }, 'still good')
    },
  },
]

const recurrences: Case = {
  name: 'strangers: a recurrence is watched by its own timer, newest first; one that is set aside is none',
  spoils: true,
  run: async (bed) => {
    const begin = (id: string, due: number, of: Tenancy, at: number) =>
      bed.ok({
        ...of,
        at,
        advance: advance(
          id,
          {
            execution: execution(id, { ...of, kind: 'recurrence', state: 'scheduled' }),
            timers: [timer(`next/${id}`, due)],
          },
          of,
        ),
      })
    for (const [index, owner] of TENANTS.entries()) {
      await begin('late', index === 0 ? NOW + 40 : NOW + 10, owner, NOW)
      await begin('early', index === 0 ? NOW + 40 : FAR, owner, NOW - 1)
    }
    for (const owner of [OTHER, ELSEWHERE]) await begin('theirs', NOW + 10, owner, NOW)
    await begin('spoilt', FAR, OF, NOW + 1)
    await bed.spoil({ table: 'timers', name: 'next/spoilt' })
    await bed.store.dueTimers(99, { now: FAR })
    const found: string[] = []
    for (let after: { id: string; createdAt: number } | undefined; found.length < 9; ) {
      const [row] = await bed.keeper.recurrences(OF, after, NOW + 50, 1)
      if (row === undefined) break
      found.push(`${row.id} ${row.dueAt === null ? 'none' : row.dueAt - NOW}`)
      after = row
    }
    same(found, ['spoilt none', 'late 40', 'early 40'], 'one by one')
  },
}

/** A pause and its end somewhere else. */
const ELSE: readonly (readonly [Tenancy, string])[] = [
  [OF, 'visa'],
  [OTHER, 'lease'],
  [ELSEWHERE, 'lease'],
]

const setAside: Case = {
  name: 'strangers: what was set aside is not brought back by a pause of another definition, or of another tenant’s',
  spoils: true,
  run: async (bed) => {
    await bed.start('e', { timers: [timer('t'), timer('r')] })
    const deliver = (of: Tenancy, id: string, name: string) =>
      bed.ok({ ...of, deliver: [{ execution: id, event: event(name) }] })
    await deliver(OF, 'e', 'v')
    await bed.spoil({ table: 'timers', name: 't' })
    await bed.spoil({ table: 'inbox', name: 'v' })
    await bed.start('g', { timers: [timer('t')] })
    for (const owner of [OTHER, ELSEWHERE]) {
      await bed.start('e', { timers: [timer('t')] }, owner)
      await deliver(owner, 'e', 'v')
    }
    for (const [id, name] of [
      ['e', 'u'],
      ['g', 'v'],
    ] as const)
      await deliver(OF, id, name)
    const due = async () =>
      [
        (await bed.store.dueTimers(9, { now: NOW })).length,
        (await bed.store.inbox(['lease'], 9)).length,
      ].join()
    same([await due(), await due()], ['5,5', '4,4'], 'told of once')
    for (const [owner, value] of ELSE) {
      await bed.start('f', { execution: execution('f', { ...owner, definition: value }) }, owner)
      await bed.control({ kind: 'pause', scope: 'definition', value, reason: 'r' }, owner)
      same(await due(), owner === OF ? '4,4' : '3,3', `${owner.namespace} ${owner.tenant} ${value} is paused`)
      await bed.control({ kind: 'resume', scope: 'definition', value }, owner)
      same(await due(), '4,4', `${owner.namespace} ${owner.tenant} ${value} goes on`)
    }
  },
}

const chains: Case = {
  name: 'strangers: a chain whose events are purged is covered, whatever others have and whatever was noted since',
  prunes: true,
  run: async (bed) => {
    const old = NOW - 9000
    const begin = (id: string, of: Tenancy, at: number) =>
      bed.ok({ ...of, at, advance: advance(id, { history: [entry('signed', at)] }, of) })
    await begin('e', OF, old)
    for (const [id, owner] of [
      ['f', OF],
      ['e', OTHER],
      ['e', ELSEWHERE],
    ] as const)
      await begin(id, owner, NOW)
    await bed.ok({ record: [{ type: 'noted', at: NOW, data: {}, execution: 'e' }] })
    const retention = { doneBefore: 0, eventsBefore: NOW - 1, inboxBefore: 0, dedupBefore: 0 }
    while (await bed.keeper.prune(retention, 1));
    await bed.caughtUp()
    same((await bed.keeper.checkpoint(NOW)).heads, 4, 'chains that are covered')
  },
}

const eager: Case = {
  name: 'strangers: an action is inserted as claimed while only another type, or the type elsewhere, is paused',
  run: async (bed) => {
    for (const [owner, value] of [
      [OF, 'other'],
      [OTHER, 'notify'],
      [ELSEWHERE, 'notify'],
    ] as const)
      await bed.control({ kind: 'pause', scope: 'type', value, reason: 'quiet' }, owner)
    for (const owner of [OTHER, ELSEWHERE])
      await bed.control({ kind: 'pause', scope: 'tenant', value: 't', reason: 'quiet' }, owner)
    const claim = { worker: 'w7', nonce: 'n7', leaseMs: 5000 }
    same((await bed.ok({ enqueue: [{ ...action('a'), claim }] })).claimed?.length, 1, 'claimed')
  },
}

export const strangerCases: readonly Case[] = [...operations, ...office, recurrences, setAside, chains, eager]
