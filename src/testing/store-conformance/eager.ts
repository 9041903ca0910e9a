// Actions that are inserted already claimed: who is told so, and when they are inserted as queued instead.

import type { PauseScope, Wake } from '../../store/store.ts'
import type { Case } from './case.ts'
import { has, same } from './check.ts'
import { action, execution, NOW, OTHER, step } from './members.ts'

const EAGER = { worker: 'w7', nonce: 'n7', leaseMs: 5000 }

const idsOf = (claimed: readonly { readonly id: string }[] | undefined): readonly string[] | undefined =>
  claimed?.map(({ id }) => id)

const closing = (scope: PauseScope, value: string): Case => ({
  name: `eager: while its ${scope} is paused an action is inserted as queued, and nobody is told it was claimed`,
  run: async ({ ok, control, action: read, claim }) => {
    await control({ kind: 'pause', scope, value, reason: 'quiet' })
    const result = await ok({ enqueue: [{ ...action('a'), claim: EAGER }] })
    same(result.claimed, undefined, 'claimed')
    has(await read('a'), { status: 'queued' }, 'the row')
    const theirs = await ok({ ...OTHER, enqueue: [{ ...action('b'), claim: EAGER }] })
    same(idsOf(theirs.claimed), ['b'], 'of another tenant')
    await control({ kind: 'resume', scope, value })
    same(idsOf(await claim()), ['a'], 'to claim after that')
  },
})

export const eagerCases: readonly Case[] = [
  {
    name: 'eager: a commit tells which actions it inserted as claimed, and their lanes',
    run: async ({ ok, store, enqueue, commit }) => {
      const result = await ok({
        enqueue: [{ ...action('a'), claim: EAGER }, action('b'), { ...action('c'), claim: EAGER }],
      })
      same(idsOf(result.claimed), ['a', 'c'], 'claimed')
      const [head] = await store.heads({ now: NOW })
      same(
        result.claimed?.map(({ lane }) => lane),
        [head!.lane, head!.lane],
        'their lane',
      )
      same((await enqueue('d')).claimed, undefined, 'without a claim')
      const again = await commit({ enqueue: [{ ...action('a'), claim: EAGER }] })
      has(again, { status: 'duplicate' }, 'the same id')
      same(again.claimed, undefined, 'the same id')
    },
  },
  {
    name: 'eager: one whose key is held, or that is not to be queued, is not claimed',
    run: async ({ ok }) => {
      const dedup = { key: 'k' }
      await ok({ enqueue: [action('a', { dedup })] })
      const error = { type: 'condition_false', message: 'no', retryable: false }
      const result = await ok({
        enqueue: [
          { ...action('b', { dedup }), claim: EAGER },
          { ...action('c', { status: 'skipped', error }), claim: EAGER },
          { ...action('d', { status: 'dead', error }), claim: EAGER },
        ],
      })
      same(result.claimed, undefined, 'claimed')
      same(result.deduplicated, [{ id: 'b', existing: 'a' }], 'deduplicated')
    },
  },
  closing('type', 'notify'),
  closing('tenant', '*'),
  {
    name: 'eager: an execution that begins while its definition is paused has its actions parked, not claimed',
    run: async ({ start, control, action: read }) => {
      await control({ kind: 'pause', scope: 'definition', value: 'lease', reason: 'quiet' })
      const result = await start('e', {
        execution: execution('e'),
        actions: [{ ...step('a'), claim: EAGER }],
      })
      same(result.claimed, undefined, 'claimed')
      has(await read('a'), { status: 'queued', hold: 'paused:definition' }, 'the row')
    },
  },
  {
    name: 'eager: a definition that is paused does not close the lane of the type that bears its name',
    run: async ({ ok, control }) => {
      await control({ kind: 'pause', scope: 'definition', value: 'notify', reason: 'quiet' })
      const result = await ok({ enqueue: [{ ...action('a'), claim: EAGER }] })
      same(idsOf(result.claimed), ['a'], 'claimed')
    },
  },
  {
    name: 'eager: a pause earlier in the same batch counts',
    run: async ({ store }) => {
      const member = { namespace: 'default', tenant: 'acme', at: NOW, lease: NOW }
      const results = await store.commit([
        { ...member, control: [{ kind: 'pause', scope: 'type', value: 'notify', reason: 'quiet' }] },
        { ...member, enqueue: [{ ...action('a'), claim: EAGER }] },
        { ...member, control: [{ kind: 'resume', scope: 'type', value: 'notify' }] },
        { ...member, enqueue: [{ ...action('b'), claim: EAGER }] },
      ])
      same(
        results.map(({ claimed }) => idsOf(claimed)),
        [undefined, undefined, undefined, ['b']],
        'claimed',
      )
    },
  },
  {
    name: 'eager: nobody is woken for what is claimed already',
    run: async ({ ok, store }) => {
      const lanes: number[] = []
      const stop = store.wake((wake: Wake) => void lanes.push(...wake.lanes))
      await ok({ enqueue: [{ ...action('a'), claim: EAGER }] })
      same(lanes, [], 'woken for the claimed one')
      await ok({ enqueue: [action('b')] })
      same(lanes.length, 1, 'lanes woken for the queued one')
      stop()
    },
  },
]
