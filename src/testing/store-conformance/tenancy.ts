// P5: nothing of another tenant is ever returned or changed. Every read and every user write is tried with a foreign
// tenant of the same namespace, and with the same tenant's name in another namespace.

import type { Control, Member, Tenancy } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import {
  action,
  advance,
  DEAD,
  ELSEWHERE,
  entry,
  event,
  NOW,
  OF,
  OTHER,
  REVIEW,
  settled,
  step,
  timer,
} from './members.ts'

/** A tenant with something in every table. */
const furnish = async (bed: Bed): Promise<void> => {
  await bed.control({ kind: 'define', definition: { kind: 'machine', id: 'lease', hash: 'h1', content: {} } })
  await bed.settle(await bed.claimed('dead'), DEAD, { fingerprint: 'f' })
  await bed.settle(await bed.claimed('review'), REVIEW)
  await bed.settle(await bed.claimed('done'))
  await bed.claimed('running', { dedup: { key: 'k' } })
  await bed.start('e', {
    actions: [step('queued', { dueAt: NOW + 5 })],
    timers: [timer('t')],
    history: [entry('x'), entry('y')],
  })
  await bed.ok({
    deliver: [{ execution: 'e', event: event('v') }],
    record: [{ type: 'noted', at: NOW, data: {} }],
  })
  await bed.control({ kind: 'pause', scope: 'type', value: 'sms', reason: 'r' })
}

const ACTIONS = ['dead', 'review', 'done', 'running', 'queued']

/** Everything the read port can tell one tenant. */
const readAll = async ({ reader, store, caughtUp }: Bed, of: Tenancy): Promise<readonly unknown[]> => {
  await caughtUp()
  const page = { limit: 250 }
  const answers = [
    ...(await Promise.all(ACTIONS.map((id) => reader.action(of, id)))),
    ...(await Promise.all(ACTIONS.map((id) => reader.attempts(of, id)))),
    (await reader.actions(of, {}, page)).data,
    (await reader.actions(of, { execution: 'e' }, page)).data,
    (await reader.actions(of, { fingerprint: 'f' }, page)).data,
    (await reader.actions(of, { status: 'dead' }, page)).data,
    (await reader.actions(of, { type: 'notify' }, page)).data,
    await reader.execution(of, 'e'),
    (await reader.executions(of, {}, page)).data,
    (await reader.executions(of, { definition: 'lease' }, page)).data,
    (await reader.executions(of, { status: 'active' }, page)).data,
    (await reader.executions(of, { state: 'signed' }, page)).data,
    (await reader.history(of, 'e', page)).data,
    (await reader.feed(of, undefined, 250)).map(({ cursor: _, ...row }) => row),
    await reader.deadGroups(of, 9),
    await reader.definitions(of),
    await reader.definitions(of, 'machine', 'lease'),
    await reader.pauses(of),
    await store.load([{ ...of, id: 'e' }]),
  ]
  return answers.map((answer) => answer ?? [])
}

/** Every user write, aimed at what acme has. */
const writes = (claim: Parameters<typeof settled>[0]): readonly Partial<Member>[] => {
  const controls: readonly Control[] = [
    { kind: 'cancel_action', id: 'queued', reason: 'mine' },
    { kind: 'cancel_action', id: 'running', reason: 'mine' },
    { kind: 'run_now', id: 'queued' },
    { kind: 'hold', claim, dueAt: NOW, hold: 'mine' },
    { kind: 'retry_dead', id: 'dead', dueAt: NOW },
    { kind: 'archive_dead', id: 'dead' },
    { kind: 'archive_dead', id: 'review' },
    { kind: 'resolve_review', id: 'review', status: 'succeeded' },
    { kind: 'resolve_review', id: 'review', status: 'queued' },
    { kind: 'pause', scope: 'execution', value: 'e', reason: 'mine' },
    { kind: 'resume', scope: 'execution', value: 'e' },
    { kind: 'resume', scope: 'type', value: 'sms' },
  ]
  return [
    ...controls.map((control) => ({ control: [control] })),
    { settle: [settled(claim)] },
    { deliver: [{ execution: 'e', event: event('w') }] },
    { advance: advance('e', { expected: 1 }) },
  ]
}

const STRANGERS = [OTHER, ELSEWHERE]

export const tenancyCases: readonly Case[] = [
  {
    name: 'P5: no read method returns anything of another tenant or namespace',
    run: async (bed) => {
      await furnish(bed)
      const own = await readAll(bed, OF)
      same(
        own.filter((answer) => JSON.stringify(answer) === '[]').length,
        3,
        'the attempts of done, running and queued are empty, nothing else',
      )
      for (const owner of STRANGERS) {
        const found = (await readAll(bed, owner)).filter((answer) => JSON.stringify(answer) !== '[]')
        same(found, [], `read by ${owner.namespace}/${owner.tenant}`)
        const { actions, executions } = await bed.reader.counts(owner)
        same(
          [...Object.values(actions), ...Object.values(executions)].filter((count) => count !== 0),
          [],
          'counts',
        )
      }
    },
  },
  {
    name: 'P5: no user write of another tenant or namespace changes anything',
    run: async (bed) => {
      await furnish(bed)
      const [claim] = await bed.store.reap(9, { lease: NOW + 10 ** 9 })
      const before = await readAll(bed, OF)
      for (const owner of STRANGERS)
        for (const write of writes(claim!)) {
          const { status } = await bed.commit({ ...write, ...owner })
          const shown = JSON.stringify(write)
          same(status === 'ok', false, `${shown} by ${owner.namespace}/${owner.tenant} was ${status}`)
          same(await readAll(bed, OF), before, `after ${shown}`)
        }
      same((await bed.store.dueTimers(9, { now: NOW })).length, 1, 'the timer')
      same((await bed.store.inbox(['lease'], 9)).length, 1, 'the event')
    },
  },
  {
    name: 'P5: a success is settled by its own tenant alone, whether it has a key or not',
    run: async (bed) => {
      const claims = [await bed.claimed('plain'), await bed.claimed('keyed', { dedup: { key: 'k' } })]
      for (const claim of claims)
        for (const more of [{}, { isKeyed: true as const }])
          for (const owner of STRANGERS) {
            const { status } = await bed.commit({ ...owner, settle: [settled(claim, {}, more)] })
            same(status, 'fenced', `${claim.id} by ${owner.namespace}/${owner.tenant}`)
          }
      for (const claim of claims) has(await bed.settle(claim), { status: 'ok' }, claim.id)
    },
  },
  {
    name: 'P5: writes that need nothing of their target stay with their own tenant',
    run: async (bed) => {
      await furnish(bed)
      const before = await readAll(bed, OF)
      for (const owner of STRANGERS) {
        const controls: readonly Control[] = [
          { kind: 'pause', scope: 'type', value: 'notify', reason: 'mine' },
          { kind: 'pause', scope: 'definition', value: 'lease', reason: 'mine' },
          { kind: 'pause', scope: 'tenant', value: OF.tenant, reason: 'mine' },
          { kind: 'define', definition: { kind: 'machine', id: 'lease', hash: 'h9', content: {} } },
        ]
        for (const control of controls) has(await bed.control(control, owner), { status: 'ok' }, control.kind)
        const theirs = action(`of ${owner.namespace} ${owner.tenant}`, { dedup: { key: 'k' } })
        same((await bed.ok({ ...owner, enqueue: [theirs] })).deduplicated ?? [], [], 'the dedup key')
      }
      same(await readAll(bed, OF), before, 'what acme sees')
      const heads = (await bed.store.heads({ now: NOW })).filter(
        (head) => head.tenant === OF.tenant && head.namespace === OF.namespace,
      )
      same(
        heads.map(({ paused }) => paused),
        [false],
        "acme's lane",
      )
      same(
        (await bed.reader.definitions(OTHER)).map(({ version }) => version),
        [1],
        'versions of the other',
      )
    },
  },
  {
    name: "P5: an action id that another tenant's live action has is not taken over",
    run: async (bed) => {
      await bed.enqueue('a')
      const before = await bed.action('a')
      for (const owner of STRANGERS) {
        const { status } = await bed.commit({ ...owner, enqueue: [action('a', { type: 'mine' })] })
        same(status === 'ok', false, `the enqueue was ${status}`)
        same((await bed.reader.action(owner, 'a')) ?? null, null, 'what the stranger sees')
      }
      same(await bed.action('a'), before, 'the action')
    },
  },
  {
    name: 'P5: two tenants may use the same execution, event, timer and definition names',
    run: async (bed) => {
      for (const owner of [OF, ...STRANGERS]) {
        const consume = [{ event: event('v'), from: 'outside' as const }]
        await bed.start('e', { consume, timers: [timer('t')], history: [entry(owner.tenant)] }, owner)
        await bed.ok({ ...owner, deliver: [{ execution: 'e', event: event('w') }] })
      }
      same((await bed.store.dueTimers(9, { now: NOW })).length, 3, 'timers')
      same((await bed.store.inbox(['lease'], 9)).length, 3, 'events')
      for (const owner of [OF, ...STRANGERS])
        has((await bed.execution('e', owner)).execution, owner, 'the execution')
    },
  },
]
