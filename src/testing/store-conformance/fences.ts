// What a change must not touch: whatever is done to one action, execution, definition or key, those beside it stay as they
// were. A write whose condition says too little is seen here, and nowhere else when it is tried alone.

import type { Control, Member } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { everyRow } from './conserve.ts'
import {
  action,
  advance,
  DEAD,
  ELSEWHERE,
  event,
  execution,
  NOW,
  OF,
  OTHER,
  RETRY,
  REVIEW,
  settled,
  step,
  timer,
} from './members.ts'

const LATER = NOW + 60_000

/** One action in each status, by these names. */
const furnish = async (bed: Bed, mark: string) => {
  await bed.settle(await bed.claimed(`${mark} dead`), DEAD, { fingerprint: 'f' })
  await bed.settle(await bed.claimed(`${mark} review`), REVIEW, { fingerprint: 'f' })
  const running = await bed.claimed(`${mark} running`)
  await bed.enqueue(action(`${mark} queued`, { dueAt: LATER, dedup: { key: `${mark} key` } }))
  return running
}

const rowsOf = async ({ reader, store }: Bed, mark: string): Promise<object> => ({
  rows: await Promise.all(
    ['dead', 'review', 'running', 'queued'].map((status) => reader.action(OF, `${mark} ${status}`)),
  ),
  leases: sound(await store.reap(9, { lease: NOW + 10 ** 9 })).filter(({ id }) => id.startsWith(mark)),
})

type Verb = readonly [what: string, member: (claim: Parameters<typeof settled>[0]) => Partial<Member>]
const settling = (what: string, over: Parameters<typeof settled>[1]): Verb => [
  `settled: ${what}`,
  (claim) => ({ settle: [settled(claim, over, { fingerprint: 'g' })] }),
]
const asked = (control: Control): Verb => [control.kind, () => ({ control: [control] })]

const VERBS: readonly Verb[] = [
  settling('succeeded', {}),
  settling('again', RETRY),
  settling('dead', DEAD),
  settling('review', REVIEW),
  ['hold', (claim) => ({ control: [{ kind: 'hold', claim, dueAt: NOW + 1, hold: 'rate:x' }] })],
  asked({ kind: 'cancel_action', id: 'own running', reason: 'enough' }),
  asked({ kind: 'cancel_action', id: 'own queued', reason: 'enough' }),
  asked({ kind: 'run_now', id: 'own queued' }),
  asked({ kind: 'retry_dead', id: 'own dead', dueAt: NOW }),
  asked({ kind: 'archive_dead', id: 'own dead' }),
  asked({ kind: 'resolve_review', id: 'own review', status: 'succeeded' }),
  asked({ kind: 'resolve_review', id: 'own review', status: 'queued' }),
  asked({ kind: 'resolve_review', id: 'own review', status: 'dead' }),
]

const bystanders: readonly Case[] = VERBS.map(([what, memberOf]) => ({
  name: `fences: ${what} changes one action (${VERBS.findIndex(([, other]) => other === memberOf)}), those beside it stay as they are`,
  run: async (bed) => {
    await furnish(bed, 'other')
    const claim = await furnish(bed, 'own')
    const before = await rowsOf(bed, 'other')
    await bed.ok(memberOf(claim))
    same(await rowsOf(bed, 'other'), before, 'the others')
  },
}))

const claiming: readonly Case[] = [
  {
    name: 'fences: a claim and an extension change the rows they name, those beside them stay as they are',
    run: async (bed) => {
      await furnish(bed, 'other')
      const before = await rowsOf(bed, 'other')
      const own = await bed.claimed('own')
      has(await bed.store.extend([own], 90_000, { lease: NOW }), { lost: [], cancelled: [] }, 'the extension')
      same(await rowsOf(bed, 'other'), before, 'the others')
      const rest = await bed.action('other queued')
      await bed.keeper.newEpoch()
      same(await bed.action('other queued'), rest, 'what nobody holds, after a new epoch')
      has(await bed.action('other dead'), { leaseUntil: undefined }, 'a dead one')
    },
  },
  {
    name: 'fences: an id that another tenant’s history has is free',
    run: async (bed) => {
      for (const owner of [OTHER, ELSEWHERE]) {
        const id = `of ${owner.namespace} ${owner.tenant}`
        const born = { ...owner, enqueue: [action(id, { status: 'skipped' })] }
        has(await bed.commit(born), { status: 'ok' }, 'theirs')
        has(await bed.commit(born), { status: 'duplicate' }, 'theirs again')
        has(await bed.commit({ enqueue: [action(id)] }), { status: 'ok' }, 'ours')
      }
    },
  },
]

/** An execution with an action, a timer and an event that waits. */
const busy = async (bed: Bed, id: string, definition: string, of = OF, over = {}): Promise<void> => {
  const begun = execution(id, { ...of, definition, ...over })
  const actions = [step(`${of.namespace} ${of.tenant} ${id}`)]
  await bed.ok({ ...of, advance: advance(id, { execution: begun, actions, timers: [timer('t')] }, of) })
  await bed.ok({ ...of, deliver: [{ execution: id, event: event('v') }] })
}

/** The executions of which something is due: by their actions, their timers, their events. */
const due = async ({ store, reader }: Bed) => {
  const rows = await everyRow((page) => reader.actions(OF, { status: 'queued' }, page))
  const isOwn = ({ namespace, tenant }: typeof OF): boolean =>
    namespace === OF.namespace && tenant === OF.tenant
  const names = (found: readonly { readonly execution: string }[]) => found.map((row) => row.execution).sort()
  return {
    actions: rows
      .filter(({ hold }) => hold === undefined)
      .map((row) => row.execution)
      .sort(),
    timers: names(sound(await store.dueTimers(99, { now: NOW })).filter(isOwn)),
    events: names(sound(await store.inbox(['lease', 'visa'], 99)).filter(isOwn)),
  }
}
const all = (...ids: readonly string[]) => ({ actions: ids, timers: ids, events: ids })

const paused = (scope: 'execution' | 'definition', value: string): Control => ({
  kind: 'pause',
  scope,
  value,
  reason: 'quiet',
})

const pausing: readonly Case[] = [
  {
    name: 'fences: of two that are paused one goes on, the other stays',
    run: async (bed) => {
      await busy(bed, 'e', 'lease')
      await busy(bed, 'f', 'lease')
      await busy(bed, 'g', 'visa')
      for (const id of ['e', 'f', 'g']) await bed.control(paused('execution', id))
      same(await due(bed), all(), 'all paused')
      await bed.control({ kind: 'resume', scope: 'execution', value: 'e' })
      same(await due(bed), all('e'), 'one goes on')
      for (const id of ['f', 'g']) await bed.control({ kind: 'resume', scope: 'execution', value: id })
      for (const id of ['lease', 'visa']) await bed.control(paused('definition', id))
      same(await due(bed), all(), 'both definitions paused')
      await bed.control({ kind: 'resume', scope: 'definition', value: 'visa' })
      same(await due(bed), all('g'), 'one definition goes on')
    },
  },
  {
    name: 'fences: executions of one name and other definitions in other tenants decide nothing here',
    run: async (bed) => {
      await busy(bed, 'e', 'visa')
      await busy(bed, 'f', 'lease')
      for (const owner of [OTHER, ELSEWHERE]) {
        await busy(bed, 'e', 'lease', owner)
        await bed.control(paused('execution', 'e'), owner)
      }
      await bed.control(paused('definition', 'lease'))
      same(await due(bed), all('e'), 'while the other definition is paused')
      await bed.control(paused('execution', 'e'))
      for (const owner of [OTHER, ELSEWHERE])
        await bed.control({ kind: 'resume', scope: 'execution', value: 'e' }, owner)
      await bed.control({ kind: 'resume', scope: 'definition', value: 'lease' })
      same(await due(bed), all('f'), 'when it goes on')
    },
  },
  {
    name: 'fences: what an ended execution left behind is not stopped by a pause of its definition',
    run: async (bed) => {
      await busy(bed, 'e', 'lease', OF, { status: 'completed' })
      await busy(bed, 'f', 'lease')
      await bed.control(paused('definition', 'lease'))
      same((await due(bed)).actions, ['e'], 'actions')
      same((await due(bed)).timers, ['e'], 'timers')
      same((await due(bed)).events, ['e'], 'events')
    },
  },
]

const ENDED = ['dead', 'review'] as const

const leaving: readonly Case[] = [
  {
    name: 'fences: leaving a state cancels by its own steps, of its own execution, what has not ended',
    run: async (bed) => {
      for (const id of ['e', 'f'])
        await bed.start(id, {
          actions: [step('left'), ...ENDED.map((name) => step(name))].map((one) => ({
            ...one,
            id: `${id} ${one.id}`,
          })),
        })
      for (const owner of [OTHER, ELSEWHERE])
        await bed.start(
          'e',
          { actions: [{ ...step('left'), id: `${owner.namespace} ${owner.tenant} left` }] },
          owner,
        )
      for (const claim of await bed.claim()) {
        const end = claim.id.endsWith('dead') ? DEAD : claim.id.endsWith('review') ? REVIEW : RETRY
        await bed.commit({
          ...(({ namespace, tenant }) => ({ namespace, tenant }))(claim),
          settle: [settled(claim, end, { fingerprint: 'f' })],
        })
      }
      has(
        await bed.step('e', { cancel: { timers: [], actions: ['left', ...ENDED] } }),
        { status: 'ok' },
        'the step',
      )
      const statuses = async (id: string) =>
        Promise.all(['left', ...ENDED].map(async (name) => (await bed.action(`${id} ${name}`)).status))
      same(await statuses('e'), ['cancelled', 'dead', 'review'], 'its own')
      same(await statuses('f'), ['queued', 'dead', 'review'], 'of another execution')
      for (const owner of [OTHER, ELSEWHERE])
        has(
          await bed.action(`${owner.namespace} ${owner.tenant} left`, owner),
          { status: 'queued' },
          'of another tenant',
        )
    },
  },
]

const listing: readonly Case[] = [
  {
    name: 'fences: the actions of one execution are its own, ended and live, newest first, in pages of any size',
    run: async (bed) => {
      const ids = (id: string): readonly string[] => [1, 2, 3, 4, 5].map((number) => `${number} of ${id}`)
      for (const id of ['e', 'f']) await bed.start(id, { actions: ids(id).map((name) => step(name)) })
      for (const claim of await bed.claim()) if (!claim.id.startsWith('4')) await bed.settle(claim)
      for (const limit of [1, 2, 250]) {
        const rows = await everyRow((page) => bed.reader.actions(OF, { execution: 'e' }, page), limit)
        same(
          rows.map(({ id }) => id),
          ids('e').toReversed(),
          `in pages of ${limit}`,
        )
      }
    },
  },
]

export const fenceCases: readonly Case[] = [...bystanders, ...claiming, ...pausing, ...leaving, ...listing]
