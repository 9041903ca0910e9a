// What people ask for, in every phase an action can be in: each control works where it may, and is a conflict elsewhere.

import type { ActionStatus } from '../../core/action.ts'
import type { Control } from '../../store/store.ts'
import type { Bed } from './bed.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, CANCELLED, DEAD, ERROR, LEASE_MS, NOW, OF, RETRY, REVIEW, step } from './members.ts'

/** One action in each status, called by it; `archived` was dead. */
const inEveryPhase = async (bed: Bed): Promise<void> => {
  const ends = { succeeded: {}, cancelled: CANCELLED, dead: DEAD, review: REVIEW, archived: DEAD }
  for (const [id, over] of Object.entries(ends))
    await bed.settle(await bed.claimed(id), over, { attempt: 2, fingerprint: 'f' })
  await bed.control({ kind: 'archive_dead', id: 'archived' })
  await bed.claimed('running')
  await bed.start('e', { actions: [step('skipped', { status: 'skipped' })] })
  await bed.enqueue(action('queued', { dueAt: NOW + 9 }))
}

const PHASES = [
  'queued',
  'running',
  'succeeded',
  'cancelled',
  'skipped',
  'dead',
  'review',
  'archived',
  'nobody',
]

/** In the phases not named it must be a conflict that changes nothing. */
const onlyIn = async (
  bed: Bed,
  control: (id: string) => Control,
  phases: readonly string[],
): Promise<void> => {
  for (const id of PHASES.filter((phase) => !phases.includes(phase))) {
    const before = (await bed.reader.action(OF, id)) ?? null
    has(await bed.control(control(id)), { status: 'conflict', subject: id }, `when ${id}`)
    same((await bed.reader.action(OF, id)) ?? null, before, `the row when ${id}`)
  }
  for (const id of phases) has(await bed.control(control(id)), { status: 'ok' }, `when ${id}`)
}

const statusOf = async (bed: Bed, id: string): Promise<ActionStatus> => (await bed.action(id)).status

export const controlCases: readonly Case[] = [
  {
    name: 'cancel_action: a queued one ends, a running one is asked to, anything else is a conflict',
    run: async (bed) => {
      await inEveryPhase(bed)
      await onlyIn(bed, (id) => ({ kind: 'cancel_action', id, reason: 'not wanted' }), ['queued', 'running'])
      const error = { type: 'cancelled', message: 'not wanted', retryable: false }
      has(await bed.action('queued'), { status: 'cancelled', error, finishedAt: NOW }, 'queued')
      has(await bed.action('running'), { status: 'running', cancelRequested: true }, 'running')
      has(
        await bed.control({ kind: 'cancel_action', id: 'queued', reason: '' }),
        { status: 'conflict' },
        'again',
      )
    },
  },
  {
    name: 'cancel_action: where its status matters to what is told of it, only while it is so',
    run: async (bed) => {
      await inEveryPhase(bed)
      for (const only of ['running', 'queued'] as const)
        await onlyIn(bed, (id) => ({ kind: 'cancel_action', id, reason: '', only }), [only])
    },
  },
  {
    name: 'cancel_action: what was asked to stop tells so when it is reaped',
    run: async (bed) => {
      await bed.claimed('a')
      await bed.control({ kind: 'cancel_action', id: 'a', reason: 'x' })
      const [reaped] = await bed.store.reap(9, { lease: NOW + LEASE_MS })
      has(reaped, { id: 'a', cancelRequested: true }, 'reaped')
      await bed.settle(reaped!, CANCELLED, { onlyIfExpired: true })
      same(await statusOf(bed, 'a'), 'running', 'by the clock of the commit its lease holds')
    },
  },
  {
    name: 'cancel_action: what was asked to stop is due at once when it is given back, held or to be tried again',
    run: async (bed) => {
      const [a, b] = [await bed.claimed('a'), await bed.claimed('b')]
      for (const id of ['a', 'b']) await bed.control({ kind: 'cancel_action', id, reason: 'x' })
      await bed.control({ kind: 'hold', claim: a, dueAt: NOW + 50, hold: 'window' })
      await bed.settle(b, { ...RETRY, dueAt: NOW + 50 })
      for (const id of ['a', 'b']) has(await bed.action(id), { status: 'queued', dueAt: NOW }, id)
      same(
        (await bed.claim('n3')).map(({ id, cancelRequested }) => [id, cancelRequested]),
        [
          ['a', true],
          ['b', true],
        ],
        'the next claim',
      )
    },
  },
  {
    name: 'run_now: a queued one is due at once, anything else is a conflict',
    run: async (bed) => {
      await inEveryPhase(bed)
      await onlyIn(bed, (id) => ({ kind: 'run_now', id }), ['queued'])
      has(await bed.action('queued'), { status: 'queued', dueAt: NOW }, 'queued')
      same(
        (await bed.claim('n2')).map(({ id }) => id),
        ['queued'],
        'claimed',
      )
    },
  },
  {
    name: 'hold: a claimed one goes back with a reason, no attempt counted; another claim is fenced',
    run: async (bed) => {
      const claim = await bed.claimed('a')
      const hold = (one: typeof claim) =>
        bed.control({ kind: 'hold', claim: one, dueAt: NOW + 50, hold: 'limit:mail' })
      has(await hold({ ...claim, nonce: 'x' }), { status: 'fenced', subject: 'a' }, 'a wrong claim')
      has(await hold(claim), { status: 'ok' }, 'the claim')
      has(
        await bed.action('a'),
        { status: 'queued', hold: 'limit:mail', dueAt: NOW + 50, attempt: 0 },
        'the row',
      )
      has(await hold(claim), { status: 'fenced', subject: 'a' }, 'again')
      same(await bed.reader.attempts(OF, 'a'), [], 'attempts')
      const [next] = await bed.claim('n2', { now: NOW + 50, lease: NOW })
      has(next, { id: 'a', token: claim.token + 1 }, 'the next claim')
      has(await bed.action('a'), { hold: undefined }, 'the hold of a claimed one')
    },
  },
  {
    name: 'run_now clears a hold',
    run: async (bed) => {
      const claim = await bed.claimed('a')
      await bed.control({ kind: 'hold', claim, dueAt: NOW + 50, hold: 'window' })
      await bed.control({ kind: 'run_now', id: 'a' })
      has(await bed.action('a'), { hold: undefined, dueAt: NOW }, 'the row')
    },
  },
  {
    name: 'retry_dead: a dead one is queued anew: numbers go on, the policy starts over',
    run: async (bed) => {
      await inEveryPhase(bed)
      await onlyIn(bed, (id) => ({ kind: 'retry_dead', id, dueAt: NOW + 1 }), ['dead'])
      const row = await bed.action('dead')
      has(row, { status: 'queued', attempt: 2, lost: 2, reaps: 0, dueAt: NOW + 1, error: ERROR }, 'the row')
      has(row, { fingerprint: undefined, finishedAt: undefined, cancelRequested: false }, 'the row')
      const claims = await bed.claim('n2', { now: NOW + 1, lease: NOW })
      const again = claims.find(({ id }) => id === 'dead')
      has(await bed.settle(again!, { lost: 2 }, { attempt: 3 }), { status: 'ok' }, 'its settlement')
      has(await bed.action('dead'), { status: 'succeeded', attempt: 3 }, 'the end')
    },
  },
  {
    name: 'archive_dead: dead and review go to history under their status, and are no longer counted or grouped',
    run: async (bed) => {
      await inEveryPhase(bed)
      await onlyIn(bed, (id) => ({ kind: 'archive_dead', id }), ['dead', 'review'])
      has(await bed.action('dead'), { status: 'dead', archivedAt: NOW, error: ERROR, attempt: 2 }, 'dead')
      has(await bed.action('review'), { status: 'review', archivedAt: NOW }, 'review')
      has((await bed.reader.counts(OF)).actions, { dead: 0, review: 0 }, 'counts')
      same(await bed.reader.deadGroups(OF, 9), [], 'groups')
    },
  },
  {
    name: 'resolve_review: succeeded, with its result',
    run: async (bed) => {
      await inEveryPhase(bed)
      const resolve = (id: string): Control => ({
        kind: 'resolve_review',
        id,
        status: 'succeeded',
        result: { by: 'hand' },
      })
      await onlyIn(bed, resolve, ['review'])
      has(
        await bed.action('review'),
        { status: 'succeeded', result: { by: 'hand' }, finishedAt: NOW },
        'the row',
      )
    },
  },
  {
    name: 'resolve_review: dead with its error, or queued again',
    run: async (bed) => {
      await inEveryPhase(bed)
      await bed.settle(await bed.claimed('second'), REVIEW, { attempt: 4 })
      const error = { type: 'by_hand', message: 'it did not arrive', retryable: false }
      has(
        await bed.control({ kind: 'resolve_review', id: 'review', status: 'dead', error }),
        { status: 'ok' },
        'dead',
      )
      has(await bed.action('review'), { status: 'dead', error, fingerprint: 'f' }, 'dead')
      has(
        await bed.control({ kind: 'resolve_review', id: 'second', status: 'queued' }),
        { status: 'ok' },
        'queued',
      )
      has(
        await bed.action('second'),
        { status: 'queued', attempt: 4, lost: 4, reaps: 0, dueAt: NOW },
        'queued',
      )
    },
  },
  {
    name: 'define: one content has one version, however often it is given; versions count per definition',
    run: async ({ control, reader }) => {
      const define = (id: string, hash: string) =>
        control({ kind: 'define', definition: { kind: 'machine', id, hash, content: { hash } } })
      const given = [
        ['lease', 'h1'],
        ['lease', 'h2'],
        ['visa', 'h1'],
        ['lease', 'h1'],
        ['lease', 'h3'],
      ] as const
      const versions: (number | undefined)[] = []
      for (const [id, hash] of given) versions.push((await define(id, hash)).version)
      same(versions, [1, 2, 1, 1, 3], 'versions')
      const stored = await reader.definitions(OF, 'machine', 'lease')
      same(
        stored.map(({ version, hash }) => [version, hash]).sort(),
        [
          [1, 'h1'],
          [2, 'h2'],
          [3, 'h3'],
        ],
        'stored',
      )
      const first = {
        kind: 'machine',
        id: 'lease',
        hash: 'h1',
        content: { hash: 'h1' },
        version: 1,
        createdAt: NOW,
      }
      same(
        stored.find(({ version }) => version === 1),
        first,
        'as it was given',
      )
      same((await reader.definitions(OF)).length, 4, 'all')
      same(await reader.definitions(OF, 'journey'), [], 'another kind')
    },
  },
]
