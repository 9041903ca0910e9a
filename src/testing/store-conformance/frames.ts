// What a write of tasks, alerts, bulk operations, limits and the like leaves alone: three tenants have the same two rows of
// everything, and each write may change the parts that it names, of its own tenant, and nothing else that can be read.

import type { LimitRef } from '../../store/limits.ts'
import type { ClaimedAction, Control, Tenancy } from '../../store/store.ts'
import type { BulkChange, BulkItem } from '../../store/triage-change.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { isTrue, same } from './check.ts'
import { action, advance, ELSEWHERE, ERROR, NOW, OF, OTHER } from './members.ts'
import { bulk, change, item } from './triage-bulk.ts'

/** One tenant: the ids of actions belong to the whole store, all other names are the same for all. */
interface Owner {
  readonly of: Tenancy
  readonly mark: string
  /** Its actions under way, in the order of their names. */
  readonly claims: readonly ClaimedAction[]
}

type View = Readonly<Record<string, unknown>>
type Write = (bed: Bed, owner: Owner) => Promise<unknown>

/** The parts of its tenant that a write changes, and it. */
type Framed = readonly [changes: readonly string[], write: Write]

const TENANTS = [OF, OTHER, ELSEWHERE]
const ROWS = ['x', 'y'] as const
const PAGE = { limit: 9 }
const AT = { now: NOW, lease: NOW }
const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)
const isOf =
  ({ namespace, tenant }: Tenancy) =>
  (row: Tenancy): boolean =>
    row.namespace === namespace && row.tenant === tenant

/** One part for each of the two rows. */
const each = async (part: string, read: (name: (typeof ROWS)[number]) => Promise<unknown>): Promise<View> => {
  const values = await Promise.all(ROWS.map(read))
  return Object.fromEntries(ROWS.map((name, index) => [`${part} ${name}`, values[index] ?? null]))
}

const keyOf = ({ mark }: Owner, name: string): string => `${mark}${name}`
const limitOf = (of: Tenancy, key: string): LimitRef => ({ ...of, key })

type Look = (bed: Bed, owner: Owner) => Promise<View>

const tasksOf: Look = async ({ tasks }, { of }) => ({
  ...(await each('task', (id) => tasks.get(of, id))),
  ...(await each('tasks for', async (who) => idsOf((await tasks.list(of, { assignee: who }, PAGE)).data))),
  ...(await each('tasks of', async (id) => idsOf((await tasks.list(of, { execution: id }, PAGE)).data))),
  'tasks open': idsOf((await tasks.list(of, { status: 'open' }, PAGE)).data),
  'tasks done': idsOf((await tasks.list(of, { status: 'done' }, PAGE)).data),
  tasks: idsOf((await tasks.list(of, {}, PAGE)).data),
  'tasks untold': idsOf((await tasks.untold(NOW + 99, 9)).filter(isOf(of))),
})

const bulksOf: Look = async ({ triage }, { of }) => ({
  ...(await each('bulk', (id) => triage.bulk(of, id))),
  ...(await each('sent', (id) => triage.outcomes(of, id, '', 9))),
  ...(await each('failed', async (id) => (await triage.failures(of, id, PAGE)).data)),
  bulks: idsOf((await triage.bulks(of, PAGE)).data),
})

const alertsOf: Look = async ({ triage }, { of }) => ({
  ...(await each('alert', (id) => triage.alert(of, id))),
  alerts: idsOf((await triage.alerts(of, {}, PAGE)).data),
  'alerts open': idsOf((await triage.alerts(of, { open: true }, PAGE)).data),
  'alerts untold': idsOf((await triage.untold(99)).filter(isOf(of))),
})

const limitsOf: Look = async ({ limits }, { of }) => ({
  ...(await each('limit', async (key) => (await limits.read([limitOf(of, key)], AT)).states[0]!.version)),
  ...(await each('held', async (key) => (await limits.line(limitOf(of, key), '')).held)),
})

const officeOf: Look = async ({ office, outbox, templates }, owner) => ({
  ...(await each('outbox', (id) => outbox.get(owner.of, id))),
  outbox: idsOf((await outbox.list(owner.of, {}, PAGE)).data),
  ...(await each('template', (name) => templates.get(owner.of, name))),
  templates: (await templates.list(owner.of)).map(({ name }) => name),
  ...(await each('key', (name) => office.keys.get(owner.of, keyOf(owner, name)))),
  keys: (await office.keys.list(owner.of)).length,
  audit: (await office.audit.list(owner.of, PAGE)).data,
})

const restOf: Look = async ({ occurrences, health }, { of }) => ({
  ...(await each('occurrences', async (id) => (await occurrences.list(of, id, PAGE)).data)),
  ...(await each('between', (id) => occurrences.between(of, id, { from: 0, to: NOW + 99 }, 9))),
  ...(await each('health', (name) => health.read(of, { since: 0, name }, 9))),
  health: (await health.read(of, { since: 0 }, 9)).length,
})

const controls =
  (control: Control, at = NOW): Write =>
  async (bed, { of }) =>
    (await bed.commit({ ...of, at, control: [control] })).status

const task =
  (id: string): Write =>
  async (bed, { of }) => {
    const {
      tenant: _,
      namespace: __,
      ...kept
    } = await bed.tasks.add(of, {
      id,
      title: id,
      assignee: id,
      actionId: 'a',
      actionName: id,
      execution: id,
      createdAt: NOW,
    })
    return kept
  }

const TASKS: readonly Framed[] = [
  ...ROWS.map(
    (id): Framed => [[`task ${id}`, `tasks for ${id}`, `tasks of ${id}`, 'tasks open', 'tasks'], task(id)],
  ),
  [[], task('x')],
  [
    ['task x', 'tasks open', 'tasks done', 'tasks untold'],
    ({ tasks }, { of }) => tasks.complete(of, 'x', { at: NOW, by: 'ada' }),
  ],
  [[], ({ tasks }, { of }) => tasks.complete(of, 'x', { at: NOW, by: 'bob' })],
  [['tasks untold'], ({ tasks }, { of }) => tasks.told(of, 'x')],
  [
    ['task y', 'tasks open', 'tasks done', 'tasks untold'],
    ({ tasks }, { of }) => tasks.complete(of, 'y', { at: NOW, by: 'ada' }),
  ],
]

const failed = (name: string): BulkItem => item(name, { status: 'failed', error: ERROR })

const moves = (id: string, expected: number, over: Partial<BulkChange> = {}): Write =>
  controls(change(id, expected, { bulk: bulk({ row: expected }), ...over }))

const takes =
  (id: string, holder: string): Write =>
  ({ triage }, { of }) =>
    triage.take(of, id, holder, 1000, AT)

const BULKS: readonly Framed[] = [
  ...ROWS.map((id): Framed => [[`bulk ${id}`, 'bulks'], moves(id, 0)]),
  ...ROWS.map(
    (id): Framed => [[`bulk ${id}`, `sent ${id}`], moves(id, 1, { items: [item('a'), item('b')] })],
  ),
  [[], takes('x', 'w1')],
  [[], takes('y', 'w2')],
  [[], takes('x', 'w2')],
  [['bulk x', 'sent x', 'failed x'], moves('x', 2, { heard: [failed('a')] })],
  [['bulk x', 'sent x'], moves('x', 3, { heard: [item('b', { status: 'succeeded' })] })],
  [['bulk y', 'sent y', 'failed y'], moves('y', 2, { heard: [failed('b')] })],
  [
    [],
    async ({ triage }, { of }) => [await triage.sent(of, 'x', ['a', 'c']), await triage.sent(of, 'z', ['a'])],
  ],
]

const raises = (id: string): Write =>
  controls({
    kind: 'alert_raise',
    alert: { id, type: 'action_failed', severity: 'high', cause: id, details: { id } },
  })

const ALERTS: readonly Framed[] = [
  ...ROWS.map((id): Framed => [[`alert ${id}`, 'alerts', 'alerts open', 'alerts untold'], raises(id)]),
  [['alert x'], raises('x')],
  [['alerts untold'], controls({ kind: 'alert_tell', alertId: 'x' })],
  [['alert x', 'alerts open'], controls({ kind: 'alert_acknowledge', alertId: 'x', by: 'ada' })],
  [['alerts untold'], controls({ kind: 'alert_tell', alertId: 'y' })],
]

const fires =
  (id: string): Write =>
  async (bed, { of }) =>
    (
      await bed.commit({
        ...of,
        advance: { ...advance(id, {}, of), occurrences: [{ at: NOW, fate: 'fired', action: 'a' }] },
      })
    ).status

const keeps =
  (key: string, version: number): Write =>
  ({ limits }, { of }) =>
    limits.swap({ ...limitOf(of, key), version, state: {}, idleAt: NOW + 9, shut: false })

/** Each of its actions wants a place of both limits; there is one of each. */
const queues =
  (key: string): Write =>
  async ({ limits }, { of, mark, claims }) => {
    const candidates = claims.map(({ id, token }) => ({ ...of, id, token, since: NOW, waits: true }))
    const { taken, waiting } = await limits.take(limitOf(of, key), candidates, 1, AT)
    return [taken.map((id) => id.replace(mark, '')), waiting]
  }

const leaves =
  (key: string, index: number): Write =>
  async ({ limits }, { of, claims }) =>
    (await limits.release(limitOf(of, key), [claims[index]!], 1, AT)).length

const stands: Write = async ({ limits }, { of, claims }) =>
  Promise.all(
    ROWS.flatMap((key) => claims.map(async ({ id }) => (await limits.line(limitOf(of, key), id)).before)),
  )

const LIMITS: readonly Framed[] = [
  ...ROWS.map((key): Framed => [[`limit ${key}`], keeps(key, 0)]),
  [['limit x'], keeps('x', 1)],
  ...ROWS.map((key): Framed => [[`held ${key}`], queues(key)]),
  [[], stands],
  [[], leaves('x', 1)],
  [['held x'], leaves('x', 0)],
  [[], stands],
  [[], async ({ limits }, { of }) => (await limits.evict(limitOf(of, 'y'), 1)).length],
  [[], stands],
]

const entry = (id: string, type: string) => ({ id, at: NOW, type, action: id, key: id, content: { id } })
const asked = (key: string, holder: string) => ({ key, requestHash: 'h', holder })
const ANSWER = { status: 201, headers: {}, body: 'made' }

const OFFICE: readonly Framed[] = [
  ...ROWS.map(
    (id): Framed => [[`outbox ${id}`, 'outbox'], ({ outbox }, { of }) => outbox.put(of, entry(id, 'a'))],
  ),
  [['outbox x'], ({ outbox }, { of }) => outbox.put(of, entry('x', 'b'))],
  ...ROWS.map(
    (name): Framed => [
      [`template ${name}`, 'templates'],
      ({ templates }, { of }) => templates.put(of, { name, updatedAt: NOW, text: name }),
    ],
  ),
  [['template x', 'templates'], ({ templates }, { of }) => templates.remove(of, 'x')],
  ...ROWS.map(
    (name): Framed => [
      [`key ${name}`, 'keys'],
      ({ office }, owner) =>
        office.keys.put({
          ...owner.of,
          id: keyOf(owner, name),
          name,
          prefix: 'p',
          hash: keyOf(owner, name),
          scopes: ['read'],
          isOperator: false,
          createdAt: NOW,
        }),
    ],
  ),
  [['key x'], ({ office }, owner) => office.keys.revoke(owner.of, keyOf(owner, 'x'), NOW)],
  [
    ['audit'],
    async ({ office }, { of }) => (await office.audit.append(of, { type: 't', at: NOW, data: {} })).number,
  ],
  [
    ['audit'],
    async ({ office }, { of }) => (await office.audit.append(of, { type: 't', at: NOW, data: {} })).number,
  ],
  ...ROWS.map(
    (key): Framed => [
      [],
      ({ office }, { of }) => office.idempotency.take(of, asked(key, 'w1'), NOW, NOW + 9),
    ],
  ),
  [[], ({ office }, { of }) => office.idempotency.take(of, asked('x', 'w2'), NOW, NOW + 9)],
  [[], ({ office }, { of }) => office.idempotency.release(of, asked('x', 'w1'))],
  [[], ({ office }, { of }) => office.idempotency.take(of, asked('y', 'w2'), NOW, NOW + 9)],
  [[], ({ office }, { of }) => office.idempotency.keep(of, asked('y', 'w1'), ANSWER, NOW + 9)],
  [[], ({ office }, { of }) => office.idempotency.take(of, asked('x', 'w3'), NOW, NOW + 9)],
  [[], ({ office }, { of }) => office.idempotency.take(of, asked('y', 'w3'), NOW, NOW + 9)],
]

const NOTHING = { ended: 1, succeeded: 1, retried: 0, retries: 0, attempts: 1, durationMs: 1, cost: 0 }
const measures =
  (name: string, attempts: number, writer = 'w1'): Write =>
  ({ health }, { of }) => {
    const measured = { ...NOTHING, attempts, latency: {}, errors: {} }
    return health.put([{ ...of, name, type: 't', bucket: 0, writer, measured }])
  }

const REST: readonly Framed[] = [
  ...ROWS.map((id): Framed => [[`occurrences ${id}`, `between ${id}`], fires(id)]),
  ...ROWS.map((name): Framed => [[`health ${name}`, 'health'], measures(name, 1)]),
  [['health x'], measures('x', 2)],
  [['health x', 'health'], measures('x', 1, 'w2')],
]

/** What each owns before it begins: two actions that run. */
const settle = async (bed: Bed): Promise<readonly Owner[]> => {
  const owners: Owner[] = []
  for (const [index, of] of TENANTS.entries()) {
    const mark = `${index + 1}-`
    await bed.ok({ ...of, enqueue: ['1', '2'].map((id) => action(`${mark}${id}`)) })
    const claims = await bed.claim(`nonce of ${mark}`)
    owners.push({ of, mark, claims: claims.toSorted((a, b) => (a.id < b.id ? -1 : 1)) })
  }
  return owners
}

const changed = (before: View, after: View): readonly string[] =>
  Object.keys(after).filter((part) => JSON.stringify(after[part]) !== JSON.stringify(before[part]))

const frame = (name: string, viewOf: Look, life: readonly Framed[]): Case => ({
  name: `P5, frames: ${name}`,
  run: async (bed) => {
    const owners = await settle(bed)
    const views = new Map<Owner, View>()
    for (const owner of owners) views.set(owner, await viewOf(bed, owner))
    for (const [number, [parts, write]] of life.entries()) {
      const told: unknown[] = []
      for (const actor of owners) {
        told.push((await write(bed, actor)) ?? null)
        const seen = await Promise.all(owners.map((owner) => viewOf(bed, owner)))
        for (const [index, owner] of owners.entries()) {
          const after = seen[index]!
          const allowed = owner === actor ? parts.toSorted() : []
          const where = `write ${number} of ${actor.mark}, seen by ${owner.mark}`
          same(changed(views.get(owner)!, after).toSorted(), allowed, where)
          views.set(owner, after)
        }
      }
      isTrue(
        told.every((one) => JSON.stringify(one) === JSON.stringify(told[0])),
        `what each is told of write ${number}: ${JSON.stringify(told)}`,
      )
    }
  },
})

export const frameCases: readonly Case[] = [
  frame('what is done with one task leaves all others', tasksOf, TASKS),
  frame('what one bulk operation comes to leaves all others', bulksOf, BULKS),
  frame('an alert is raised, told and acknowledged alone', alertsOf, ALERTS),
  frame('a limit and its places are its own', limitsOf, LIMITS),
  frame('of outbox, templates, keys, audit and kept answers each is its own', officeOf, OFFICE),
  frame('occurrences and health are told of one', restOf, REST),
]
