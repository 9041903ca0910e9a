import { expect, it } from 'vitest'
import type { ActionPlan } from '../core/action.ts'
import type { ClaimedAction, Member } from '../store/store.ts'
import { realClock } from './clock.ts'
import { createLog } from './log.ts'
import { createReaper } from './reaper.ts'
import { createSettling } from './settlement.ts'

const plan = {
  name: 'notify',
  type: 'notify',
  stepKey: 'act_1',
  delivery: 'at_least_once',
  retryPolicy: { maxAttempts: 3, backoffStrategy: 'fixed' },
} as unknown as ActionPlan

const expired: ClaimedAction = {
  namespace: 'n',
  tenant: 't',
  id: 'act_1',
  token: 4,
  nonce: 'drawn',
  lane: 1,
  execution: null,
  source: { kind: 'direct', id: 'act_1' },
  plan,
  dueAt: 0,
  createdAt: 0,
  attempt: 1,
  lost: 0,
  reaps: 0,
  cancelRequested: false,
  leaseUntil: 1,
}

it('B2: what it settles holds only by the claim it saw, and only while that has really run out', async () => {
  const committed: Member[] = []
  const commit = async (member: Member) => {
    committed.push(member)
    return { status: 'ok' as const }
  }
  const settling = createSettling({
    move: () => Promise.reject(new Error('no execution')),
    commit,
    clock: realClock,
  })
  const store = { reap: async () => [expired] }
  const log = createLog(() => undefined)
  const reap = createReaper({ store, settling, clock: realClock, log, worker: 'wrk_1' })
  expect(await reap(10)).toBe(1)
  expect(committed[0]?.settle).toEqual([
    expect.objectContaining({
      claim: { id: 'act_1', token: 4, nonce: 'drawn' },
      onlyIfExpired: true,
      attempt: 2,
      settlement: expect.objectContaining({ status: 'queued', outcome: 'lost', lost: 1, reaps: 1 }),
    }),
  ])
})

it('a worker that came back in time keeps its action', async () => {
  const commit = async () => ({ status: 'fenced' as const })
  const settling = createSettling({
    move: () => Promise.reject(new Error('no execution')),
    commit,
    clock: realClock,
  })
  const log = createLog(() => undefined)
  const reap = createReaper({
    store: { reap: async () => [expired] },
    settling,
    clock: realClock,
    log,
    worker: 'w',
  })
  expect(await reap(10)).toBe(0)
})
