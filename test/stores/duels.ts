// Four PostgreSQL stores that want the same rows at the same time, two of them from the other end: where a lock is missing
// two of them win, where locks are taken in any order they wait for each other and the server has to break the knot.

import type { Claim, Member, Result, Store } from '../../src/store/store.ts'
import { claimAll } from '../../src/testing/store-conformance/bed.ts'
import { sound } from '../../src/testing/store-conformance/check.ts'
import {
  action,
  advance,
  entry,
  event,
  LEASE_MS,
  NOW,
  OF,
  RETRY,
  settled,
  step,
} from '../../src/testing/store-conformance/members.ts'
import { openDuelists } from './race-stores.ts'

const KEYS = 24
const ROUNDS = 12

type Status = Result['status']

interface Duel {
  /** Once, by one of them. */
  readonly prepare?: readonly Member[]
  /** Before each round, by one of them: the claims it made, where the duel is about claims. */
  readonly begin?: (store: Store, round: number) => Promise<readonly Claim[]>
  /** The member for one of the keys. */
  readonly member: (key: string, round: number, who: number, claim: Claim | undefined) => Partial<Member>
  /** What comes back for one key from all four, in the order of the alphabet. */
  readonly answers: readonly Status[]
  /** Beside the batch: what one of them does to all rows at once. */
  readonly beside?: (store: Store, claims: readonly Claim[]) => Promise<unknown>
}

const keys = Array.from({ length: KEYS }, (_, n) => `k${String(n).padStart(3, '0')}`)
const of = (over: Partial<Member>): Member => ({ ...OF, at: NOW, lease: NOW, ...over })
const each = (make: (key: string) => Partial<Member>): readonly Member[] => keys.map((key) => of(make(key)))
const ONCE: readonly Status[] = ['fenced', 'fenced', 'fenced', 'ok']
const ALL: readonly Status[] = ['ok', 'ok', 'ok', 'ok']

const claimEach = async (store: Store, round: number): Promise<readonly Claim[]> =>
  sound(await claimAll(store, `nonce ${round}`, { now: NOW + round, lease: NOW + round }))

const started = each((key) => ({ advance: advance(key, { actions: [step(`of ${key}`)] }) }))

const DUEL: Readonly<Record<string, Duel>> = {
  'one claim is requeued once': {
    prepare: each((key) => ({ enqueue: [action(key)] })),
    begin: claimEach,
    member: (_, round, __, claim) => ({ settle: [settled(claim!, { ...RETRY, dueAt: NOW + round })] }),
    answers: ONCE,
  },
  'claims are extended and settled': {
    prepare: each((key) => ({ enqueue: [action(key)] })),
    begin: claimEach,
    member: (_, round, __, claim) => ({ settle: [settled(claim!, { ...RETRY, dueAt: NOW + round })] }),
    beside: (store, claims) => store.extend(claims, LEASE_MS, { now: NOW, lease: NOW }),
    answers: ONCE,
  },
  'actions are touched': {
    prepare: each((key) => ({ enqueue: [action(key)] })),
    member: (key) => ({ control: [{ kind: 'run_now', id: key }] }),
    answers: ALL,
  },
  'actions are inserted': {
    member: (key, round) => ({ enqueue: [action(`${key} ${round}`)] }),
    answers: ['duplicate', 'duplicate', 'duplicate', 'ok'],
  },
  'keys are taken': {
    member: (key, round, who) => ({
      enqueue: [action(`${key} ${round} ${who}`, { dedup: { key: `${key} ${round}` } })],
    }),
    answers: ALL,
  },
  'lanes are interned': {
    member: (key, round, who) => ({
      enqueue: [action(`${key} ${round} ${who}`, { type: `type ${key} ${round}` })],
    }),
    answers: ALL,
  },
  'tenants are counted': {
    member: (key, round, who) => ({ tenant: key, enqueue: [action(`${key} ${round} ${who}`)] }),
    answers: ALL,
  },
  'executions begin': {
    member: (key, round) => ({ advance: advance(`${key} ${round}`, { history: [entry('signed')] }) }),
    answers: ['duplicate', 'duplicate', 'duplicate', 'ok'],
  },
  'executions are sent events': {
    prepare: each((key) => ({ advance: advance(key) })),
    member: (key, round, who) => ({ deliver: [{ execution: key, event: event(`${round} ${who}`) }] }),
    answers: ALL,
  },
  'an event is sent twice': {
    prepare: each((key) => ({ advance: advance(key) })),
    member: (key, round) => ({ deliver: [{ execution: key, event: event(`e${round}`) }] }),
    answers: ['duplicate', 'duplicate', 'duplicate', 'ok'],
  },
  'executions are paused and resumed': {
    prepare: started,
    member: (key, round) => ({
      control: [
        round % 2 === 0
          ? { kind: 'pause', scope: 'execution', value: key, reason: 'a duel' }
          : { kind: 'resume', scope: 'execution', value: key },
      ],
    }),
    answers: ['conflict', 'conflict', 'conflict', 'ok'],
  },
  'types are paused and resumed': {
    member: (key, round) => ({
      control: [
        round % 2 === 0
          ? { kind: 'pause', scope: 'type', value: key, reason: 'a duel' }
          : { kind: 'resume', scope: 'type', value: key },
      ],
    }),
    answers: ['conflict', 'conflict', 'conflict', 'ok'],
  },
  'alerts are raised': {
    member: (key, round) => ({
      control: [
        {
          kind: 'alert_raise',
          alert: { id: `${key} ${round}`, type: 'action_failed', severity: 'high', cause: key, details: {} },
        },
      ],
    }),
    answers: ALL,
  },
  'contents are defined': {
    member: (key, round) => ({
      control: [
        {
          kind: 'define',
          definition: { kind: 'machine', id: key, hash: `h${round}`, content: { round } },
        },
      ],
    }),
    answers: ALL,
  },
}

export const DUELS: readonly string[] = Object.keys(DUEL)

/** What each key was answered by all of them, sorted; a batch that failed as a whole throws. */
const strike = async (stores: readonly Store[], duel: Duel, round: number): Promise<void> => {
  const claims = (await duel.begin?.(stores[0]!, round)) ?? []
  const claimOf = new Map(claims.map((claim) => [claim.id, claim]))
  const answered = new Map<string, Status[]>(keys.map((key) => [key, []]))
  const offer = async (store: Store, who: number): Promise<void> => {
    const order = who % 2 === 0 ? keys : keys.toReversed()
    const batch = order.map((key) => of(duel.member(key, round, who, claimOf.get(key))))
    const results = await store.commit(batch)
    for (const [index, { status }] of results.entries()) answered.get(order[index]!)!.push(status)
  }
  const others = duel.beside === undefined ? [] : [duel.beside(stores[0]!, claims)]
  await Promise.all([...stores.map(offer), ...others])
  for (const [key, statuses] of answered)
    if (statuses.toSorted().join() !== duel.answers.join())
      throw new Error(`${key}, round ${round}: ${statuses.toSorted()} instead of ${duel.answers}`)
}

export const duel = async (name: string): Promise<void> => {
  const one = DUEL[name]!
  const deadlocks = await openDuelists(async (stores) => {
    if (one.prepare !== undefined) {
      const results = await stores[0]!.commit(one.prepare)
      const failed = results.find(({ status }) => status !== 'ok')
      if (failed !== undefined) throw new Error(`prepare: ${failed.status} ${String(failed.error)}`)
    }
    for (let round = 0; round < ROUNDS; round++) await strike(stores, one, round)
  })
  if (deadlocks > 0) throw new Error(`${deadlocks} deadlocks`)
}
