// Eight connections race for the same actions. Every insert and every settlement is offered twice at once, by two of
// them and in opposite order, which is how locks are made to meet: one must win, the other must be told, nothing may
// fail.

import type { Member, Result, Store } from '../../src/store/store.ts'
import type { Ports } from '../../src/testing/store-conformance/bed.ts'
import { action, LEASE_MS, NOW, OF, settled } from '../../src/testing/store-conformance/members.ts'

export interface RaceSummary {
  readonly actions: number
  readonly inserted: number
  readonly duplicates: number
  readonly claimed: number
  readonly settled: number
  readonly fenced: number
  /** Answers that are none of those. */
  readonly others: number
  readonly errors: readonly string[]
  /** Succeeded actions, as the store counts them. */
  readonly counted: number
  readonly isHeld: boolean
}

const CHUNK = 50
const member = (over: Partial<Member>): Member => ({ ...OF, at: NOW, lease: NOW, ...over })

interface Tally {
  readonly answers: Map<string, number>
  readonly errors: string[]
}

const offer = async (store: Store, tally: Tally, phase: string, batch: readonly Member[]): Promise<void> => {
  const count = ({ status }: Result): void => {
    const name = `${phase} ${status}`
    tally.answers.set(name, (tally.answers.get(name) ?? 0) + 1)
  }
  await store.commit(batch).then(
    (results) => results.forEach(count),
    (error: unknown) => tally.errors.push(String(error)),
  )
}

/** The same batch, forwards by one and backwards by another. */
const offerTwice = async (
  stores: readonly Store[],
  first: number,
  tally: Tally,
  phase: string,
  batch: readonly Member[],
): Promise<void> => {
  const [one, other] = [stores[first]!, stores[(first + 3) % stores.length]!]
  await Promise.all([offer(one, tally, phase, batch), offer(other, tally, phase, batch.toReversed())])
}

const insertAll = async (stores: readonly Store[], tally: Tally, ids: readonly string[]): Promise<void> => {
  let next = 0
  const work = async (_: Store, first: number): Promise<void> => {
    while (next < ids.length) {
      const chunk = ids.slice(next, next + CHUNK)
      next += CHUNK
      const batch = chunk.map((id) =>
        member({ enqueue: [action(id, { type: `type ${Number(id.slice(1)) % 4}` })] }),
      )
      await offerTwice(stores, first, tally, 'insert', batch)
    }
  }
  await Promise.all(stores.map(work))
}

const settleAll = async (stores: readonly Store[], tally: Tally): Promise<readonly string[]> => {
  const claimed: string[] = []
  const work = async (store: Store, first: number): Promise<void> => {
    for (let turn = 0; ; turn++) {
      const shares = (await store.heads({ now: NOW })).map(({ lane }) => ({ lane, n: CHUNK }))
      const nonce = `n ${first} ${turn}`
      const request = { batch: CHUNK, worker: `w${first}`, nonce, leaseMs: LEASE_MS, byteBudget: 10 ** 7 }
      const claims = await store.claim({ ...request, shares, now: NOW, lease: NOW })
      // Rows that another is about to take are passed over, so nothing to claim means all are gone only without heads.
      if (claims.length === 0 && shares.length === 0) return
      claimed.push(...claims.map(({ id }) => id))
      const batch = claims.map((claim) => member({ settle: [settled(claim, { result: claim.id })] }))
      await offerTwice(stores, first, tally, 'settle', batch)
    }
  }
  const fail = (error: unknown): void => {
    tally.errors.push(String(error))
  }
  await Promise.all(stores.map((store, first) => work(store, first).catch(fail)))
  return claimed
}

export const race = async (ports: readonly Ports[], actions: number): Promise<RaceSummary> => {
  const stores = ports.map(({ store }) => store)
  const tally: Tally = { answers: new Map(), errors: [] }
  const ids = Array.from({ length: actions }, (_, n) => `a${String(n).padStart(6, '0')}`)
  await insertAll(stores, tally, ids)
  const claimed = await settleAll(stores, tally)
  const { succeeded, queued, running } = (await ports[0]!.reader.counts(OF)).actions
  const of = (name: string): number => tally.answers.get(name) ?? 0
  const told = {
    inserted: of('insert ok'),
    duplicates: of('insert duplicate'),
    claimed: new Set(claimed).size,
    settled: of('settle ok'),
    fenced: of('settle fenced'),
    counted: succeeded,
  }
  const others = [...tally.answers.values()].reduce((a, b) => a + b, 0) - 4 * actions
  const isExact = Object.values(told).every((count) => count === actions) && claimed.length === actions
  const isHeld = isExact && others === 0 && tally.errors.length === 0 && queued === 0 && running === 0
  return { actions, ...told, others, errors: tally.errors.slice(0, 5), isHeld }
}
