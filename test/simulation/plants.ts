// Owns bugs that are planted on purpose, between the processes and the store: each is a mistake somebody has made in an
// engine like this one. A simulation that does not find them would not find ours either.

import type { DatabaseSync } from 'node:sqlite'
import type { JsonObject } from '../../src/core/json.ts'
import type { Ports } from '../../src/engine/engine.ts'
import type { Advance, ClaimedAction, Member, Settle, Store } from '../../src/store/store.ts'
import type { Invariant } from './judge.ts'
import { CANARY } from './runners.ts'
import type { Seeded } from './seeded.ts'

/** What a plant has to work with. */
export interface Ground {
  readonly ports: Ports
  readonly db: DatabaseSync
  readonly chance: Seeded
}

export type Plant = (ground: Ground) => Ports

export interface Planted {
  readonly name: string
  readonly plant: Plant
  /** The first seed, where the first worlds do not see it. */
  readonly from?: number
  /** The invariants that may find it first. */
  readonly finds: readonly Invariant[]
}

type Verbs = Partial<Store>
const withStore =
  (change: (store: Store, ground: Ground) => Verbs): Plant =>
  (ground) => ({ ...ground.ports, store: { ...ground.ports.store, ...change(ground.ports.store, ground) } })

/** Writes another member than it was given, and answers for the one it was given. */
const rewriting = (rewrite: (member: Member, ground: Ground) => Member): Plant =>
  withStore((store, ground) => ({
    commit: (batch) => store.commit(batch.map((member) => rewrite(member, ground))),
  }))

const settling = (rewrite: (settle: Settle, ground: Ground) => Settle): Plant =>
  rewriting((member, ground) =>
    member.settle ? { ...member, settle: member.settle.map((settle) => rewrite(settle, ground)) } : member,
  )

const advancing = (rewrite: (advance: Advance, ground: Ground) => Advance): Plant =>
  rewriting((member, ground) =>
    member.advance ? { ...member, advance: rewrite(member.advance, ground) } : member,
  )

const claiming = (rewrite: (action: ClaimedAction) => ClaimedAction): Plant =>
  withStore((store) => ({
    claim: async (request) =>
      (await store.claim(request)).map((action) => ('plan' in action ? rewrite(action) : action)),
  }))

const without = <Part extends keyof Member>(member: Member, ...parts: readonly Part[]): Member =>
  Object.fromEntries(
    Object.entries(member).filter(([part]) => !parts.includes(part as Part)),
  ) as unknown as Member

/** The claim as it stands, whoever has it. */
const stolen = ({ db }: Ground, settle: Settle): Settle => {
  const row = db.prepare('select token, nonce from actions where id = ?').get(settle.claim.id)
  if (row?.['nonce'] == null) return settle
  return { ...settle, claim: { ...settle.claim, token: Number(row['token']), nonce: String(row['nonce']) } }
}

/** The execution as it stands, whatever was decided on. */
const onNewest = ({ db }: Ground, advance: Advance): Advance => {
  const { namespace, tenant, id } = advance.execution
  const row = db
    .prepare(
      'select revision, chain_number, chain_hash from executions where namespace = ? and tenant = ? and id = ?',
    )
    .get(namespace, tenant, id)
  if (row === undefined || advance.expected === 0) return advance
  const chain = { number: Number(row['chain_number']), hash: String(row['chain_hash']) }
  return { ...advance, expected: Number(row['revision']), chain }
}

const recurring = (rewrite: (advance: Advance, ground: Ground) => Advance): Plant =>
  advancing((advance, ground) =>
    advance.execution.kind === 'recurrence' ? rewrite(advance, ground) : advance,
  )

/** Neither the revision, nor the timer's row, nor the names of actions keep two schedulers apart. */
const firedByTwo = (advance: Advance, ground: Ground): Advance => {
  const { namespace, tenant, id } = advance.execution
  const isThere = (sql: string, ...values: readonly string[]): boolean =>
    ground.db.prepare(sql).get(...values) !== undefined
  const isArmed = (key: string): boolean =>
    isThere(
      'select 1 from timers where namespace = ? and tenant = ? and execution = ? and key = ?',
      namespace,
      tenant,
      id,
      key,
    )
  return {
    ...onNewest(ground, advance),
    consume: advance.consume.filter(({ event, from }) => from !== 'timer' || isArmed(event.timer!)),
    actions: advance.actions.map((action) => {
      const isMade = isThere(
        'select 1 from actions where id = ? union all select 1 from actions_done where id = ?',
        action.id,
        action.id,
      )
      if (!isMade) return action
      const name = `${action.id}${ground.chance.below(1e9)}`
      return { ...action, id: name, plan: { ...action.plan, stepKey: name } }
    }),
  }
}

/** In its rows and in its history: only the schedule still knows. */
const passOver = (advance: Advance): Advance => ({
  ...advance,
  occurrences: advance.occurrences?.filter(({ fate }) => fate === 'fired') ?? [],
  history: advance.history.map(({ data, ...line }) => {
    const told = (data['occurrences'] ?? []) as readonly { readonly fate: string }[]
    return {
      ...line,
      data: { ...data, occurrences: told.filter(({ fate }) => fate === 'fired') } as JsonObject,
    }
  }),
})

const claimTwice: Plant = withStore((store, { chance }) => {
  let last: Awaited<ReturnType<Store['claim']>> = []
  return {
    claim: async (request) => {
      const before = chance.chance(0.2) ? last : []
      last = await store.claim(request)
      return [...last, ...before]
    },
  }
})

const loseWrites: Plant = withStore((store, { chance }) => ({
  commit: async (batch) => {
    const isLost = batch.map(({ enqueue }) => enqueue !== undefined && chance.chance(0.3))
    const results = [...(await store.commit(batch.filter((_, index) => !isLost[index])))]
    return batch.map((_, index) => (isLost[index] ? { status: 'ok' as const } : results.shift()!))
  },
}))

const reapEverything: Plant = withStore((store) => ({
  reap: (limit) => store.reap(limit, { lease: Number.MAX_SAFE_INTEGER }),
  commit: (batch) =>
    store.commit(
      batch.map((member) => ({
        ...member,
        ...(member.settle && { settle: member.settle.map(({ onlyIfExpired: _, ...settle }) => settle) }),
      })),
    ),
}))

/** Reads who is late, and writes it later: by then it may be another's, or over (riverqueue/river 1302). */
const reapById: Plant = withStore((store, { db }) => {
  let seen: readonly string[] = []
  const requeue = `update actions set status = 'queued', nonce = null, lease_until = null where id = ?`
  return {
    reap: async (limit, clocks) => {
      for (const id of seen) db.prepare(requeue).run(id)
      seen = (await store.reap(limit, clocks)).map(({ id }) => id)
      return []
    },
  }
})

const parkNothing: Plant = withStore((store, { db }) => ({
  commit: async (batch) => {
    const results = await store.commit(batch)
    db.prepare('update actions set lane = abs(lane)').run()
    return results
  },
}))

const miscount: Plant = withStore((store, { db }) => ({
  claim: (request) => {
    db.prepare(`update counters set value = value + 1 where name = 'actions.open'`).run()
    return store.claim(request)
  },
}))

const endsChange: Plant = withStore((store, { db }) => ({
  claim: (request) => {
    db.prepare(`update actions_done set status = 'cancelled' where status = 'succeeded'`).run()
    return store.claim(request)
  },
}))

const crossTenants: Plant = rewriting((member, { chance }) =>
  member.enqueue && chance.chance(0.3) ? { ...member, tenant: member.tenant === 't1' ? 't2' : 't1' } : member,
)

const EMPTY = { timers: [], actions: [] }

export const PLANTED: readonly Planted[] = [
  {
    name: 'a settlement without its event',
    plant: rewriting((member) => (member.settle ? without(member, 'advance', 'deliver') : member)),
    finds: ['I5'],
  },
  {
    name: 'a settlement by whoever comes',
    plant: settling((settle, ground) => stolen(ground, settle)),
    finds: ['I7', 'I5'],
    from: 101,
  },
  {
    name: 'a decision on an old state',
    plant: advancing((advance, ground) => onNewest(ground, advance)),
    finds: ['I1', 'I2', 'I3', 'I9'],
  },
  { name: 'a claim handed to two', plant: claimTwice, finds: ['I7'] },
  { name: 'reaping before the lease has run out', plant: reapEverything, finds: ['I7'] },
  { name: 'reaping by id alone', plant: reapById, finds: ['I2', 'I7'] },
  {
    name: 'a key of its own for each attempt',
    plant: claiming((action) => ({
      ...action,
      plan: { ...action.plan, stepKey: `${action.plan.stepKey}#${action.attempt}` },
    })),
    finds: ['I3', 'I4'],
  },
  {
    name: 'other bytes for each attempt',
    plant: claiming((action) => ({
      ...action,
      plan: { ...action.plan, config: { ...(action.plan.config as object), attempt: action.attempt } },
    })),
    finds: ['I3'],
  },
  {
    name: 'events that are not remembered',
    plant: advancing((advance) => ({
      ...advance,
      consume: advance.consume.filter(({ from }) => from !== 'outside'),
    })),
    finds: ['I1', 'I6'],
  },
  {
    name: 'inbox rows that stay',
    plant: advancing((advance) => ({
      ...advance,
      consume: advance.consume.filter(({ from }) => from !== 'inbox'),
    })),
    finds: ['I1'],
  },
  {
    name: 'timers that stay',
    plant: advancing((advance) => ({
      ...advance,
      consume: advance.consume.filter(({ from }) => from !== 'timer'),
    })),
    finds: ['I1', 'I9'],
  },
  {
    name: 'a step that forgets an action',
    plant: advancing((advance) => ({ ...advance, actions: advance.actions.slice(1) })),
    finds: ['I6'],
  },
  {
    name: 'a step that forgets a timer',
    plant: advancing((advance) => ({ ...advance, timers: [] })),
    finds: ['I9'],
  },
  {
    name: 'a state that is left and cancels nothing',
    plant: advancing((advance) => ({ ...advance, cancel: EMPTY })),
    finds: ['I9'],
  },
  {
    name: 'at_most_once sent again',
    plant: settling((settle) =>
      settle.settlement.status === 'review'
        ? { ...settle, settlement: { ...settle.settlement, status: 'queued', dueAt: settle.endedAt } }
        : settle,
    ),
    finds: ['I10'],
  },
  {
    name: 'no end of attempts',
    plant: settling((settle) =>
      settle.settlement.status === 'dead'
        ? { ...settle, settlement: { ...settle.settlement, status: 'queued', dueAt: settle.endedAt } }
        : settle,
    ),
    finds: ['I10', 'I5', 'I1', 'I9'],
  },
  { name: 'nobody reaps', plant: withStore(() => ({ reap: async () => [] })), finds: ['I9'] },
  { name: 'nobody fires timers', plant: withStore(() => ({ dueTimers: async () => [] })), finds: ['I9'] },
  { name: 'nobody applies the inbox', plant: withStore(() => ({ inbox: async () => [] })), finds: ['I9'] },
  { name: 'a commit that says ok and is lost', plant: loseWrites, finds: ['I6'] },
  {
    name: 'dedup keys ignored',
    plant: rewriting((member) =>
      member.enqueue
        ? {
            ...member,
            enqueue: member.enqueue.map((action) => {
              const { dedup: _, ...plan } = action.plan
              return { ...action, plan }
            }),
          }
        : member,
    ),
    finds: ['I6'],
  },
  { name: 'a write for another tenant', plant: crossTenants, finds: ['I11'] },
  { name: 'an end that changes', plant: endsChange, finds: ['I2'] },
  {
    name: 'a history that is rewritten',
    plant: advancing((advance, { chance }) => ({
      ...advance,
      chain: { ...advance.chain, hash: chance.chance(0.2) ? 'f'.repeat(64) : advance.chain.hash },
    })),
    finds: ['chain'],
  },
  {
    name: 'no line for a step',
    plant: advancing((advance) => ({ ...advance, history: advance.history.slice(1) })),
    finds: ['I1', 'I5', 'I6'],
  },
  {
    name: 'an occurrence without its row',
    plant: recurring((advance) => ({ ...advance, occurrences: [] })),
    finds: ['I8'],
  },
  {
    name: 'an occurrence without its action',
    plant: recurring((advance) => ({ ...advance, actions: [] })),
    finds: ['I6'],
  },
  { name: 'an occurrence that two fire', plant: recurring(firedByTwo), finds: ['I1', 'I8'], from: 12 },
  { name: 'occurrences passed over in silence', plant: recurring(passOver), finds: ['I8'] },
  {
    name: 'a recurrence whose next timer is armed by another commit',
    plant: recurring((advance) => ({ ...advance, timers: [] })),
    finds: ['I9'],
  },
  {
    name: 'a recurrence that does not remember how far it came',
    plant: recurring((advance) => ({
      ...advance,
      execution: { ...advance.execution, variables: { ...advance.execution.variables, through: 0 } },
    })),
    finds: ['I8'],
  },
  { name: 'a pause that parks nothing', plant: parkNothing, finds: ['I7', 'I9'] },
  { name: 'a counter that counts more', plant: miscount, finds: ['I6'] },
  {
    name: 'a secret kept with an error',
    plant: settling((settle) =>
      settle.settlement.error
        ? {
            ...settle,
            settlement: { ...settle.settlement, error: { ...settle.settlement.error, message: CANARY } },
          }
        : settle,
    ),
    finds: ['I12'],
  },
]

/** Changes that a right engine bears: a harness that cries at them cries at everything. */
export const HARMLESS: readonly Omit<Planted, 'finds'>[] = [
  {
    name: 'every commit sent twice',
    plant: withStore((store) => ({
      commit: async (batch) => {
        const results = await store.commit(batch)
        await store.commit(batch)
        return results
      },
    })),
  },
  { name: 'nobody is ever woken', plant: withStore(() => ({ wake: () => () => undefined })) },
  {
    name: 'claims in another order',
    plant: withStore((store) => ({ claim: async (request) => (await store.claim(request)).toReversed() })),
  },
]
