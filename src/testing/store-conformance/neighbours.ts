// P5, the long way: three tenants live the same life under the same names, step by step and side by side. What one of them
// does moves nothing that another one sees, and each is told what the first was told.

import type { ClaimedAction, Control, Member, Result, Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { same, sound } from './check.ts'
import {
  action,
  advance,
  DEAD,
  ELSEWHERE,
  entry,
  event,
  execution,
  LEASE_MS,
  NOW,
  OF,
  OTHER,
  REVIEW,
  settled,
  step,
  timer,
} from './members.ts'

/** One tenant: the ids of actions belong to the whole store, all other names are the same for all. */
interface Neighbour {
  readonly of: Tenancy
  readonly mark: string
}

const NEIGHBOURS: readonly Neighbour[] = [
  { of: OF, mark: 'one-' },
  { of: OTHER, mark: 'two-' },
  { of: ELSEWHERE, mark: 'tri-' },
]

type Step = (bed: Bed, neighbour: Neighbour) => Promise<unknown>

const isOf =
  ({ namespace, tenant }: Tenancy) =>
  (row: Tenancy): boolean =>
    row.namespace === namespace && row.tenant === tenant

const tell = ({ status, deduplicated, version, revision }: Result) => ({
  status,
  deduplicated,
  version,
  revision,
})

const commit = async (bed: Bed, { of }: Neighbour, member: Partial<Member>): Promise<object> =>
  tell(await bed.commit({ ...of, ...member }))

const controls =
  (control: (mark: string) => Control): Step =>
  (bed, who) =>
    commit(bed, who, { control: [control(who.mark)] })

const defines = (kind: 'machine' | 'journey', id: string, hash: string): Step =>
  controls(() => ({ kind: 'define', definition: { kind, id, hash, content: { hash } } }))

const starts =
  (id: string, definition: string): Step =>
  (bed, who) =>
    commit(bed, who, {
      advance: advance(
        id,
        {
          execution: execution(id, { ...who.of, definition }),
          actions: [step(`${who.mark}${id}-stays`), step(`${who.mark}${id}-goes`)],
          timers: [timer('t'), timer('u')],
          history: [entry('begun')],
        },
        who.of,
      ),
    })

const moves =
  (id: string, over: (mark: string) => Parameters<typeof advance>[1]): Step =>
  async (bed, who) => {
    const { execution: before, revision, chain } = await bed.execution(id, who.of)
    const given = { execution: before, expected: revision, chain, ...over(who.mark) }
    return commit(bed, who, { advance: advance(id, given, who.of) })
  }

const delivers =
  (...executions: readonly string[]): Step =>
  (bed, who) =>
    commit(bed, who, { deliver: executions.map((id) => ({ execution: id, event: event('v') })) })

const enqueues =
  (id: string, plan: Parameters<typeof action>[1]): Step =>
  (bed, who) =>
    commit(bed, who, { enqueue: [action(`${who.mark}${id}`, plan)] })

const claims = async (bed: Bed, { of, mark }: Neighbour): Promise<readonly ClaimedAction[]> => {
  const own = (await bed.store.heads({ now: NOW })).filter(isOf(of)).filter(({ paused }) => !paused)
  const shares = own.map(({ lane }) => ({ lane, n: 99 }))
  const request = { shares, batch: 99, worker: 'w1', nonce: `${mark}nonce`, leaseMs: LEASE_MS }
  return sound(await bed.store.claim({ ...request, byteBudget: 10 ** 7, now: NOW, lease: NOW }))
}

/** Claims what is due, and ends each action by its name. */
const works: Step = async (bed, who) => {
  const endings: Readonly<Record<string, Parameters<typeof settled>[1]>> = { dies: DEAD, waits: REVIEW }
  const claimed = await claims(bed, who)
  const kept = claimed.filter(({ id }) => !id.endsWith('runs'))
  const settle = kept.map((claim) =>
    settled(claim, endings[claim.id.slice(who.mark.length)], { fingerprint: 'f' }),
  )
  return [claimed.length, await commit(bed, who, { settle })]
}

/** The ids in each list: one of a neighbour keeps its mark, and is told apart. */
const looks: Step = async ({ reader }, { of, mark }) => {
  const page = { limit: 250 }
  const filters = [
    { execution: 'e' },
    { status: 'running' },
    { type: 'notify' },
    { fingerprint: 'f' },
  ] as const
  const lists = []
  for (const filter of filters) lists.push((await reader.actions(of, filter, page)).data.map(({ id }) => id))
  const found = (await reader.executions(of, { state: 'signed' }, page)).data
  return [
    lists,
    found.map(({ execution: { id, tenant, namespace } }) => [
      id,
      tenant === of.tenant && namespace === of.namespace,
    ]),
    (await reader.attempts(of, `${mark}dies`)).length,
  ]
}

const secret = {
  name: 'key',
  version: 1,
  keyId: 'k1',
  nonce: 'bm9uY2Ugb2YgMTI=',
  hosts: [],
  createdAt: NOW,
  updatedAt: NOW,
  fingerprint: 'f',
}

const pauses = (scope: 'execution' | 'definition' | 'type' | 'tenant', value: string): readonly Step[] => [
  controls(() => ({ kind: 'pause', scope, value, reason: 'quiet' })),
  controls(() => ({ kind: 'resume', scope, value })),
]

const LIFE: readonly Step[] = [
  defines('machine', 'lease', 'h1'),
  defines('machine', 'lease', 'h2'),
  defines('machine', 'visa', 'h1'),
  defines('journey', 'lease', 'h1'),
  defines('machine', 'lease', 'h1'),
  starts('e', 'lease'),
  starts('f', 'visa'),
  starts('e', 'lease'),
  delivers('e', 'f'),
  delivers('e'),
  ...pauses('execution', 'e'),
  ...pauses('definition', 'lease'),
  ...pauses('type', 'notify'),
  (bed, who) =>
    commit(bed, who, {
      control: [{ kind: 'pause', scope: 'tenant', value: who.of.tenant, reason: 'quiet' }],
    }),
  (bed, who) => commit(bed, who, { control: [{ kind: 'resume', scope: 'tenant', value: who.of.tenant }] }),
  moves('e', () => ({ consume: [{ event: event('o'), from: 'outside' }], timers: [timer('t', NOW - 5)] })),
  moves('e', () => ({ consume: [{ event: event('o'), from: 'outside' }] })),
  moves('e', () => ({ consume: [{ event: event('v'), from: 'inbox' }] })),
  moves('e', () => ({ consume: [{ event: timer('t', NOW - 5).event, from: 'timer' }] })),
  moves('e', (mark) => ({ cancel: { timers: ['u'], actions: [`${mark}e-goes`] } })),
  enqueues('dies', { dedup: { key: 'dying' } }),
  enqueues('waits', {}),
  enqueues('done', { dedup: { key: 'kept', forMs: 1000 } }),
  enqueues('again', { dedup: { key: 'kept', forMs: 1000 } }),
  enqueues('runs', { dedup: { key: 'running' }, type: 'sms' }),
  works,
  looks,
  enqueues('afterwards', { dedup: { key: 'dying' }, dueAt: NOW + 9 }),
  enqueues('never', { dedup: { key: 'running' } }),
  enqueues('later', { dueAt: NOW + 9 }),
  controls((mark) => ({ kind: 'run_now', id: `${mark}later` })),
  async (bed, who) => {
    const [claim] = await claims(bed, who)
    return commit(bed, who, { control: [{ kind: 'hold', claim: claim!, dueAt: NOW + 9, hold: 'rate:x' }] })
  },
  controls((mark) => ({ kind: 'cancel_action', id: `${mark}later`, reason: 'enough' })),
  controls((mark) => ({ kind: 'cancel_action', id: `${mark}runs`, reason: 'enough' })),
  controls((mark) => ({ kind: 'retry_dead', id: `${mark}dies`, dueAt: NOW })),
  controls((mark) => ({ kind: 'resolve_review', id: `${mark}waits`, status: 'dead' })),
  controls((mark) => ({ kind: 'archive_dead', id: `${mark}waits` })),
  async (bed, { of, mark }) => bed.vault.put(of, { ...secret, ciphertext: mark.repeat(4) }),
  async (bed, { of }) => bed.vault.remove(of, 'key'),
  works,
  looks,
]

/** Everything each can be shown, and everything the engine would do for it. */
const viewsOf = async ({ reader, store, vault }: Bed): Promise<readonly string[]> => {
  const page = { limit: 250 }
  const forAll = await Promise.all([
    store.dueTimers(99, { now: NOW }).then(sound),
    store.inbox(['lease', 'visa'], 99).then(sound),
    store.heads({ now: NOW }),
    store.reap(99, { lease: NOW + LEASE_MS }).then(sound),
  ])
  const view = async ({ of }: Neighbour): Promise<string> => {
    const refs = ['e', 'f'].map((id) => ({ ...of, id }))
    const loaded = store.load(refs).then(sound)
    const seen = await Promise.all([
      reader.actions(of, {}, page).then(({ data }) => data),
      reader.executions(of, { definition: 'lease' }, page).then(({ data }) => data),
      reader.deadGroups(of, 9),
      reader.counts(of),
      reader.definitions(of),
      reader.pauses(of),
      loaded.then((rows) => rows.toSorted((a, b) => (a.execution.id < b.execution.id ? -1 : 1))),
      store.waitingFor(refs[0]!, 9).then(sound),
      vault.get(of, 'key').then((found) => found ?? null),
    ])
    const own = forAll.map((rows) => (rows as readonly Tenancy[]).filter(isOf(of)))
    return JSON.stringify([seen, own])
  }
  return Promise.all(NEIGHBOURS.map(view))
}

export const neighbourCases: readonly Case[] = [
  {
    name: 'P5: three tenants live the same life side by side, and none moves what another one sees',
    run: async (bed) => {
      let views = await viewsOf(bed)
      for (const [number, live] of LIFE.entries()) {
        const told: string[] = []
        for (const [index, who] of NEIGHBOURS.entries()) {
          told.push(JSON.stringify((await live(bed, who)) ?? null).replaceAll(who.mark, ''))
          const after = await viewsOf(bed)
          const others = (all: readonly string[]) => all.filter((_, at) => at !== index)
          same(others(after), others(views), `step ${number} of ${who.of.namespace}/${who.of.tenant}`)
          views = after
        }
        same(told, [told[0], told[0], told[0]], `what each is told of step ${number}`)
      }
    },
  },
]
