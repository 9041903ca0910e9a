import { expect, it } from 'vitest'
import type { ActionPlan } from '../core/action.ts'
import type { Advance, ClaimedAction, Member, NewAction, Result, Tenancy } from '../store/store.ts'
import { createEager, type Hand } from './eager.ts'

const NOW = 1_800_000_000_000
const OF: Tenancy = { namespace: 'n', tenant: 't' }

const action = (id: string, plan: Partial<ActionPlan> = {}): NewAction => ({
  id,
  source: { kind: 'direct', id },
  plan: { status: 'queued', dueAt: NOW, priority: 50, type: 'mail', ...plan } as ActionPlan,
})
const enqueue = (...actions: readonly NewAction[]): Member => ({ ...OF, at: NOW, enqueue: actions })

interface Told {
  readonly how: 'begin' | 'cancel' | 'abandon'
  readonly id: string
  readonly action?: ClaimedAction
}

/** A worker with some slots, and a store that claims what it is asked to, unless told otherwise. */
const bed = (slots: number, answer?: (member: Member) => Result, lease?: number) => {
  const told: Told[] = []
  const committed: Member[] = []
  let left = slots
  const hand: Hand = {
    reserve: (_, { id }) => {
      if (left === 0) return undefined
      left -= 1
      return {
        claim: { worker: 'w', nonce: `nonce of ${id}`, leaseMs: 1000 },
        begin: (begun) => void told.push({ how: 'begin', id, action: begun }),
        cancel: () => void told.push({ how: 'cancel', id }),
        abandon: (abandoned) => void told.push({ how: 'abandon', id, action: abandoned }),
      }
    },
  }
  const claimsAll = ({ enqueue: queued = [], advance }: Member): Result => {
    const claimed = [...queued, ...(advance?.actions ?? [])].filter(({ claim }) => claim !== undefined)
    return { status: 'ok', claimed: claimed.map(({ id }) => ({ id, lane: 7 })) }
  }
  const eager = createEager(
    async (member) => {
      committed.push(member)
      return (answer ?? claimsAll)(member)
    },
    { now: () => NOW, clocks: () => (lease === undefined ? {} : { lease }) },
  )
  const leave = eager.join(hand)
  return { ...eager, leave, told, committed, ways: () => told.map(({ how, id }) => `${how} ${id}`) }
}

it('what is due is inserted as claimed and begins as a claim would have given it', async () => {
  const { commit, told, committed } = bed(1)
  expect(await commit(enqueue(action('a')))).toMatchObject({ status: 'ok' })
  expect(committed[0]!.enqueue![0]!.claim).toEqual({ worker: 'w', nonce: 'nonce of a', leaseMs: 1000 })
  expect(told).toEqual([
    {
      how: 'begin',
      id: 'a',
      action: {
        ...OF,
        id: 'a',
        token: 1,
        nonce: 'nonce of a',
        lane: 7,
        execution: null,
        source: { kind: 'direct', id: 'a' },
        plan: action('a').plan,
        dueAt: NOW,
        createdAt: NOW,
        attempt: 0,
        lost: 0,
        reaps: 0,
        cancelRequested: false,
        leaseUntil: NOW + 1000,
      },
    },
  ])
})

it('a step of an execution begins as its own; what is only enqueued beside it does not', async () => {
  const { commit, told } = bed(2)
  const advance = { execution: { id: 'e' }, actions: [action('a')] } as unknown as Advance
  await commit({ ...OF, at: NOW, advance, enqueue: [action('b')] })
  expect(told.map(({ id, action: begun }) => [id, begun!.execution])).toEqual([
    ['a', 'e'],
    ['b', null],
  ])
})

it('leases are counted by the clock of leases, where there is one', async () => {
  const { commit, told, committed } = bed(1, undefined, 5)
  await commit(enqueue(action('a')))
  expect(committed[0]!.lease).toBe(5)
  expect(told[0]!.action!.leaseUntil).toBe(1005)
})

it.each<[string, Partial<ActionPlan>]>([
  ['is due later', { dueAt: NOW + 1 }],
  ['was born dead', { status: 'dead' }],
  ['is skipped', { status: 'skipped' }],
  ['has a delivery window', { window: 'office' }],
])('what %s is not offered to anyone', async (_, plan) => {
  const { commit, ways, committed } = bed(1)
  const member = enqueue(action('a', plan))
  await commit(member)
  expect(committed[0]).toBe(member)
  expect(ways()).toEqual([])
})

it('E1: what the store did not claim does not begin; its slot is free again', async () => {
  const { commit, ways } = bed(2, () => ({ status: 'ok', claimed: [{ id: 'b', lane: 7 }] }))
  await commit(enqueue(action('a'), action('b')))
  expect(ways()).toEqual(['cancel a', 'begin b'])
})

it.each(['conflict', 'duplicate', 'fenced', 'refused'] as const)(
  'E1: nothing begins of what was %s',
  async (status) => {
    const { commit, ways } = bed(1, () => ({ status }))
    expect(await commit(enqueue(action('a')))).toEqual({ status })
    expect(ways()).toEqual(['cancel a'])
  },
)

it('E2: when the answer is lost nothing begins, and the claim is let go of', async () => {
  const { commit, told, ways } = bed(1, () => {
    throw new Error('away')
  })
  await expect(commit(enqueue(action('a')))).rejects.toThrow('away')
  expect(ways()).toEqual(['abandon a'])
  expect(told[0]!.action).toMatchObject({ id: 'a', token: 1, nonce: 'nonce of a' })
})

it('where there is room for some, those of higher priority get it', async () => {
  const { commit, ways } = bed(1)
  await commit(enqueue(action('a', { priority: 10 }), action('b', { priority: 90 })))
  expect(ways()).toEqual(['begin b'])
})

it('whoever has left is offered nothing; the next is asked when one declines', async () => {
  const { commit, leave, join, ways, committed } = bed(0)
  const asked: string[] = []
  const leaveToo = join({ reserve: (_, { id }) => void asked.push(id) })
  await commit(enqueue(action('a')))
  expect(asked).toEqual(['a'])
  leave()
  leaveToo()
  const member = enqueue(action('b'))
  await commit(member)
  expect(asked).toEqual(['a'])
  expect(committed[1]).toBe(member)
  expect(ways()).toEqual([])
})
