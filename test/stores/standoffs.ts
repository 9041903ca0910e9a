// What a PostgreSQL store does while another transaction is open and holds rows: it goes past what it does not need, and
// what it does need it waits for with nothing behind it in hand, and then sees. SQLite has one writer, and no such moment.

import type { Claim, Member, Result } from '../../src/store/store.ts'
import { makeBed } from '../../src/testing/store-conformance/bed.ts'
import { same } from '../../src/testing/store-conformance/check.ts'
import {
  action,
  advance,
  DEAD,
  ELSEWHERE,
  event,
  execution,
  LEASE_MS,
  NOW,
  OF,
  OTHER,
  RETRY,
  settled,
  step,
} from '../../src/testing/store-conformance/members.ts'
import { bulk, change } from '../../src/testing/store-conformance/triage-bulk.ts'
import { COUNT_STANDOFFS } from './count-standoffs.ts'
import { givenColumns } from './given-columns.ts'
import { openArena } from './open-postgres.ts'
import { goesPast, type Place, type Standoff, TIMES, waitsFor } from './standoff.ts'

const AT = { now: NOW, lease: NOW }
const TENANTS = [OF, OTHER, ELSEWHERE]
const KEYS = Array.from({ length: 16 }, (_, n) => `k${String(n).padStart(2, '0')}`)
const BACKWARDS = KEYS.toReversed()

const raise = (id: string) =>
  ({
    kind: 'alert_raise',
    alert: { id, type: 'action_failed', severity: 'high', cause: id, details: {} },
  }) as const

const begin = (id: string) => change(id, 0)
const turn = (scope: 'execution' | 'definition', value: string) =>
  ({ kind: 'pause', scope, value, reason: 'quiet' }) as const
const shut = (value: string) => ({ kind: 'pause', scope: 'type', value, reason: 'quiet' }) as const
const gather = (id: string, key: string) =>
  action(id, { dueAt: NOW + 100, dedup: { key }, gather: { kind: 'debounce', waitMs: 100 } })

/** In each tenant the same: an execution with an action, an alert, an operation, one that gathers; here some more. */
const furnish = async (place: Place): Promise<readonly Claim[]> => {
  for (const [index, owner] of TENANTS.entries()) {
    await place.start('e', { actions: [step(`${index} e`)] }, owner)
    await place.ok({
      ...owner,
      control: ['x', 'y'].flatMap((id) => [raise(id), begin(id)]),
      enqueue: ['k', 'l'].map((key) => gather(`${index} ${key}`, key)),
    })
  }
  const dead = await place.claimed('dead')
  const trip = { definition: 'trip' }
  await place.start('f', { execution: execution('f'), actions: [step('f 1')] })
  await place.start('g', {
    execution: execution('g', { ...trip, status: 'completed' }),
    actions: [step('g 1')],
  })
  await place.start('h', { execution: execution('h', trip), actions: [step('h 1')] })
  await place.settle(dead, DEAD)
  await place.query(`update pawl.actions set execution = 'f' where id = 'dead'`)
  const claims = [await place.claimed('held'), await place.claimed('own')]
  await place.enqueue(action('first', { type: 'other' }), action('second', { type: 'other' }))
  return claims
}

const HERE = `namespace = 'default' and tenant = 'acme'`
const HELD = [
  `select from pawl.actions where id in ('0 e', '0 k', 'dead', 'g 1', 'held', 'first') for update`,
  ...['executions', 'alerts', 'bulk_operations'].map(
    (table) => `select from pawl.${table} where ${HERE} and id in ('e', 'x') for update`,
  ),
]

/** The next step of an execution, which leaves its state. */
const leave = async (place: Place, id: string, of = OF) => {
  const { execution: before, revision: expected, chain } = await place.execution(id, of)
  const cancel = { timers: [], actions: [`${TENANTS.indexOf(of)} ${id}`] }
  return place.ok({ ...of, advance: advance(id, { execution: before, expected, chain, cancel }, of) })
}

const others = (place: Place, id: string, memberOf: (id: string) => Partial<Member>, own = 'y') =>
  [
    [OF, own],
    [OTHER, id],
    [ELSEWHERE, id],
  ].map(([of, one]) => place.ok({ ...(of as typeof OF), ...memberOf(one as string) }))

const bystanders: Standoff = async (place) => {
  const [, own] = await furnish(place)
  await goesPast(place, HELD, {
    'a claim': async () => {
      same(
        (await place.claim('n')).map(({ id }) => id),
        ['second'],
        'what is claimed',
      )
    },
    'a lease': () => place.store.extend([own!], LEASE_MS, AT),
    'a settlement': () => place.settle(own!),
    'steps that leave a state': async () => {
      await leave(place, 'f')
      for (const owner of [OTHER, ELSEWHERE]) await leave(place, 'e', owner)
    },
    alerts: () => Promise.all(others(place, 'x', (id) => ({ control: [raise(id)] }))),
    operations: () => Promise.all(others(place, 'x', (id) => ({ control: [change(id, 1)] }))),
    gathering: () => Promise.all(others(place, 'k', (key) => ({ enqueue: [gather('z', key)] }), 'l')),
    pauses: () => Promise.all(others(place, 'e', (id) => ({ control: [turn('execution', id)] }), 'h')),
    'pauses of definitions': () =>
      Promise.all(others(place, 'lease', (id) => ({ control: [turn('definition', id)] }), 'trip')),
  })
}

const furnishKeys = async (place: Place): Promise<readonly Claim[]> => {
  // The other way round than they are named: whoever goes by the place on the disk meets the last one first.
  for (const key of BACKWARDS)
    await place.ok({
      advance: advance(key, { actions: [step(`of ${key}`)] }),
      control: [raise(key), begin(key)],
    })
  return place.claim()
}

const FIRST = `id in ('of ${KEYS[0]}', '${KEYS[0]}')`
const all = (table: string): readonly [string, number] => [`pawl.${table}`, KEYS.length]
const holding = (table: string): string => `select from pawl.${table} where ${FIRST} for update`

const batch = (place: Place, memberOf: (key: string, at: number) => Partial<Member>) => async () => {
  const results = await place.store.commit(
    BACKWARDS.map((key, at) => ({ ...OF, ...TIMES, ...memberOf(key, KEYS.length - 1 - at) })),
  )
  same([...new Set(results.map(({ status }) => status))], ['ok'], 'the batch')
}

/** What is written only once: the column it is named by, and what is left of it elsewhere. */
const NEW = {
  actions: { name: 'id', left: [], memberOf: (id: string): Partial<Member> => ({ enqueue: [action(id)] }) },
  definitions: {
    name: 'id',
    left: [],
    memberOf: (id: string): Partial<Member> => ({
      control: [{ kind: 'define', definition: { kind: 'machine', id, hash: 'h', content: {} } }],
    }),
  },
  executions: {
    name: 'id',
    left: [['events', 'execution']],
    memberOf: (id: string): Partial<Member> => ({ advance: advance(id) }),
  },
  pauses: { name: 'value', left: [], memberOf: (value: string) => ({ control: [shut(value)] }) },
} as const
const NAMES = KEYS.map((key) => `new ${key}`)
const ROUNDS = 3

/**
 * What nobody has written yet cannot be held: whoever had written one of the others before it waits for the first would
 * wait for us, and we for it, which the server tells at once to whoever comes second. We leave nothing behind.
 */
const inOrder = async (place: Place, table: keyof typeof NEW): Promise<void> => {
  const { name, left, memberOf } = NEW[table]
  const [first, ...others] = NAMES as [string, ...string[]]
  const [given] = await place.query(givenColumns(table))
  const columns = String(given!['columns'])
  const write = `insert into pawl.${table} (${columns}) select ${columns} from (
    select (jsonb_populate_record(t, jsonb_build_object('${name}', k))).*
    from pawl.${table} t, unnest(array['${others.join("','")}']) k where t.${name} = '${first}') copied`
  const undone = `begin ${write}; raise 'undone'; exception when raise_exception then null; end;`
  const gone = (names: readonly string[]): string =>
    [[table, name], ...left]
      .map(([from, column]) => `delete from pawl.${from} where ${column} in ('${names.join("','")}');`)
      .join(' ')
  await place.query(`set deadlock_timeout = '1ms'`)
  for (let round = 0; round < ROUNDS; round++) {
    const works = batch(place, (key) => memberOf(`new ${key}`))
    await waitsFor(place, memberOf(first), works, [], `do $$ begin ${undone} ${gone([first])} end $$`)
    await place.query(gone(NAMES))
  }
  await place.query('reset deadlock_timeout')
}

/** Whoever locks many rows locks them in one order: while the first is held by another, all others are free. */
const ordered: Standoff = async (place) => {
  const claims = (await furnishKeys(place)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const { store, keeper } = place
  const actions = all('actions')
  await waitsFor(place, holding('actions'), () => store.extend(claims.toReversed(), LEASE_MS, AT), [actions])
  const again = batch(place, (_, at) => ({
    control: [{ kind: 'cancel_action', id: claims[at]!.id, reason: 'r' }],
  }))
  await waitsFor(place, holding('actions'), again, [actions])
  await waitsFor(
    place,
    holding('executions'),
    batch(place, (key) => ({ deliver: [{ execution: key, event: event('v') }] })),
    [all('executions')],
  )
  const move = batch(place, (key) => ({ advance: advance(key, { expected: 1, was: 'active' }) }))
  await waitsFor(place, holding('executions'), move, [all('executions')])
  await waitsFor(
    place,
    holding('alerts'),
    batch(place, (key) => ({ control: [raise(key)] })),
    [all('alerts')],
  )
  await waitsFor(
    place,
    holding('bulk_operations'),
    batch(place, (key) => ({ control: [change(key, 1)] })),
    [all('bulk_operations')],
  )
  // Actions before executions, also where a definition stands for them.
  await waitsFor(place, holding('actions'), () => place.control(turn('definition', 'lease')), [
    actions,
    all('executions'),
  ])
  await waitsFor(place, holding('actions'), keeper.newEpoch, [actions])
  for (const table of Object.keys(NEW)) await inOrder(place, table as keyof typeof NEW)
  await waitsFor(
    place,
    { control: [turn('definition', KEYS[0]!)] },
    () => place.commit({ control: BACKWARDS.map((key) => turn('definition', key)) }),
    [],
    `select from unnest(array['${KEYS.slice(1).join("','")}']) k
     where not pg_try_advisory_xact_lock_shared(hashtextextended('default/acme/' || k, 0))`,
  )
  await place.enqueue(...BACKWARDS.map((key) => action(`s ${key}`, { type: 'late' })))
  const late = (await place.claim('late')).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await waitsFor(
    place,
    `select from pawl.actions where id = 's ${KEYS[0]}' for update`,
    batch(place, (_, at) => ({ settle: [settled(late[at]!)] })),
    [[`pawl.actions where id like 's %'`, KEYS.length]],
  )
}

const FAR = NOW + 10 ** 9
const PAST = { doneBefore: FAR, eventsBefore: FAR, inboxBefore: FAR, dedupBefore: FAR }
const SWEPT = [
  'counters',
  'health',
  'idempotency',
  'limits',
  'limit_places',
  'occurrences',
  'outbox',
  'tasks',
  'workers',
]

/** One row past its time in each table that is swept. */
const litter = async (place: Place): Promise<void> => {
  const { health, office, limits, outbox, tasks, workers } = place
  const measured = { ended: 1, succeeded: 1, retried: 0, retries: 0, attempts: 1, durationMs: 1, cost: 0 }
  await health.put([
    {
      ...OF,
      name: 'n',
      type: 't',
      bucket: 1,
      writer: 'w',
      measured: { ...measured, latency: {}, errors: {} },
    },
  ])
  await office.idempotency.take(OF, { key: 'k', requestHash: 'h', holder: 'w' }, NOW, NOW + 1)
  await limits.swap({ ...OF, key: 'k', version: 0, state: {}, idleAt: NOW, shut: false })
  await limits.take({ ...OF, key: 'k' }, [{ ...OF, id: 'a', token: 1, since: NOW, waits: true }], 0, AT)
  await place.ok({ advance: { ...advance('e'), occurrences: [{ at: NOW, fate: 'fired', action: 'a' }] } })
  await outbox.put(OF, { id: 'o', at: NOW, type: 't', action: 'a', key: 'k', content: {} })
  await tasks.add(OF, { id: 't', title: 't', actionId: 'a', actionName: 'n', createdAt: NOW })
  await tasks.complete(OF, 't', { at: NOW })
  await tasks.told(OF, 't')
  await workers.beat(worker('old'))
  await place.query('update pawl.workers set seen_at = 0')
}

const worker = (id: string) => ({
  id,
  startedAt: NOW,
  slots: 1,
  types: [],
  definitions: [],
  version: '1',
  host: 'h',
})

/** Whoever sweeps leaves to others what they hold. */
const sweeping: Standoff = async (place) => {
  await litter(place)
  await goesPast(
    place,
    SWEPT.map((table) => `select from pawl.${table} for update`),
    {
      retention: () => place.keeper.prune(PAST, 99),
      limits: () => place.limits.sweep(FAR, 9),
      keys: () =>
        place.office.idempotency.take(OF, { key: 'l', requestHash: 'h', holder: 'w' }, FAR, FAR + 1),
      workers: () => place.workers.beat(worker('new')),
    },
  )
  while (await place.keeper.prune(PAST, 99));
  // Folded once, there are counts to add to: in one order, whoever adds.
  for (const round of [1, 2]) {
    for (const tenant of BACKWARDS)
      for (const namespace of ['zz', 'default'])
        await place.ok({ namespace, tenant, enqueue: [action(`${namespace} ${tenant} ${round}`)] })
    await place.start(`e${round}`, {}, { ...OF, tenant: KEYS[0]! })
    if (round === 1) while (await place.keeper.prune(PAST, 99));
  }
  const counts = `pawl.counters where bucket = 0 and tenant like 'k%'`
  await waitsFor(
    place,
    `select from ${counts} and namespace = 'default' and tenant = '${KEYS[0]}' and name = 'actions.open' for update`,
    () => place.keeper.prune(PAST, 99),
    [[counts, 2 * KEYS.length + 1]],
  )
}

/** What it waited for decides. */
const seen: Standoff = async (place) => {
  await place.start('e')
  await place.ok({ control: [raise('x'), begin('x')] })
  await waitsFor(place, { control: [turn('execution', 'e')] }, () =>
    place.ok({ deliver: [{ execution: 'e', event: event('v') }] }),
  )
  same(await place.store.inbox(['lease'], 9), [], 'events of one that was paused')
  await waitsFor(place, { control: [raise('x')] }, () => place.ok({ control: [raise('x')] }))
  same((await place.triage.alert(OF, 'x'))?.count, 3, 'how often it was met')
  const moved = await waitsFor(place, { control: [change('x', 1, { bulk: bulk({ sent: 1 }) })] }, () =>
    place.control(change('x', 1)),
  )
  same((moved as { status: string }).status, 'conflict', 'a change on the same revision')
  const claim = await place.claimed('a')
  const extended = await waitsFor(place, { settle: [settled(claim, RETRY)] }, () =>
    place.store.extend([claim], LEASE_MS, AT),
  )
  same((extended as { lost: readonly Claim[] }).lost.length, 1, 'leases that are lost')
  await waitsFor(place, { settle: [settled(await place.claimed('b'), RETRY)] }, place.keeper.newEpoch)
  const leased = await place.query(
    `select from pawl.actions where status = 'queued' and lease_until is not null`,
  )
  same(leased, [], 'leases of nobody')
}

/** A key past its time goes to whoever takes it over first; who held it before lets go of nothing any more. */
const keys: Standoff = async (place) => {
  const keyed = (id: string, forMs?: number) =>
    action(id, { dueAt: NOW, dedup: { key: 'k', ...(forMs !== undefined && { forMs }) } })
  const late = { at: NOW + 2000 }
  await place.enqueue(keyed('first', 1000))
  const [claim] = await place.claim()
  const taken = await waitsFor(place, { ...late, enqueue: [keyed('second', 1000)] }, () =>
    place.ok({ ...late, enqueue: [keyed('third')] }),
  )
  same((taken as Result).deduplicated, [{ id: 'third', existing: 'second' }], 'taken over twice')
  const later = { at: NOW + 4000 }
  await place.settle(claim!)
  const [second] = await place.claim('n')
  await waitsFor(place, { ...later, enqueue: [keyed('fourth')] }, () =>
    place.ok({ ...later, settle: [settled(second!, DEAD)] }),
  )
  const { deduplicated } = await place.ok({ ...later, enqueue: [keyed('fifth')] })
  same(deduplicated, [{ id: 'fifth', existing: 'fourth' }], 'let go by the one before')
}

const STANDOFF: Readonly<Record<string, Standoff>> = {
  'whoever needs none of what is held goes past': bystanders,
  'whoever waits for the first holds none of the others': ordered,
  ...COUNT_STANDOFFS,
  'whoever waited sees what was written': seen,
  'whoever takes a key over first has it': keys,
  'whoever sweeps leaves what others hold': sweeping,
}

export const STANDOFFS: readonly string[] = Object.keys(STANDOFF)

export const standoff = async (name: string): Promise<void> => {
  const arena = await openArena()
  try {
    await STANDOFF[name]!({ ...makeBed(arena), query: arena.query, isWaitedFor: arena.isWaitedFor })
  } finally {
    await arena.close()
  }
}
