// Batches of many tenants: what each of them has is counted, however a store writes such counts down, and at every moment.

import type { Member, Store, Tenancy } from '../../store/store.ts'
import { type Bed, claimAll } from './bed.ts'
import type { Case } from './case.ts'
import { has, same, sound } from './check.ts'
import { action, ELSEWHERE, NOW, OF, OTHER, settled } from './members.ts'

const HOUR = 3_600_000

/** Names of which one begins as another ends, in two namespaces. */
const CROWD: readonly Tenancy[] = [
  OF,
  OTHER,
  ELSEWHERE,
  ...['default', 'defaultt'].flatMap((namespace) =>
    ['t', 'tt', '', 'enant "é\\'].map((tenant) => ({ namespace, tenant: `t${tenant}` })),
  ),
]

/** More than any store would keep apart. */
const BATCHES = 70

const commitAll = async (store: Store, batch: readonly Member[]): Promise<void> => {
  const results = await store.commit(batch)
  same(
    results.map(({ status }) => status),
    batch.map(() => 'ok'),
    'a batch',
  )
}

/** One action of everybody. */
const enqueued = (batch: number): readonly Member[] =>
  CROWD.map((of, place) => ({
    ...of,
    at: NOW + batch * HOUR,
    enqueue: [action(`${batch}-${place}`, { dueAt: NOW })],
  }))

const counted = async ({ reader }: Bed, wanted: object): Promise<void> => {
  for (const of of CROWD) has((await reader.counts(of)).actions, wanted, `counts of ${JSON.stringify(of)}`)
}

/** Everything due, in as many batches as each tenant has something. */
const settleAll = async ({ store }: Bed): Promise<void> => {
  const claims = sound(await claimAll(store))
  for (const of of Map.groupBy(claims, ({ id }) => id.split('-')[0]).values())
    await commitAll(
      store,
      of.map((claim) => ({
        namespace: claim.namespace,
        tenant: claim.tenant,
        at: NOW,
        settle: [settled(claim)],
      })),
    )
}

const LIFE: Case['run'] = async (bed) => {
  const { store: other } = await bed.another()
  for (let batch = 0; batch < BATCHES; batch++) {
    await commitAll(batch % 3 === 0 ? other : bed.store, enqueued(batch))
    if (batch % 9 === 0) await counted(bed, { queued: batch + 1 })
  }
  await counted(bed, { queued: BATCHES, succeeded: 0 })
  await settleAll(bed)
  await counted(bed, { queued: 0, running: 0, succeeded: BATCHES })
}

const PRUNING = { doneBefore: NOW + 9 * HOUR, eventsBefore: 0, inboxBefore: 0, dedupBefore: 0 }

export const crowdCases: readonly Case[] = [
  { name: 'crowd: batches of many tenants count for each of them, whichever process writes', run: LIFE },
  {
    name: 'crowd: what was counted of many tenants is so after retention, too',
    prunes: true,
    run: async (bed) => {
      await commitAll(bed.store, enqueued(0))
      await settleAll(bed)
      while (await bed.keeper.prune(PRUNING, 100));
      await counted(bed, { queued: 0, succeeded: 1 })
      await commitAll(bed.store, enqueued(20))
      await counted(bed, { queued: 1, succeeded: 1 })
    },
  },
]
