// Holds the fence, around every call that claims or settles: a claim is handed to one process, and only whoever has it,
// or its expiry, ends it. Looked at before and after, by SQL, because afterwards a stolen claim looks like any other.

import type { Claim, Member, Result, Store } from '../../src/store/store.ts'
import type { Judge } from './judge.ts'
import type { Rows } from './rows.ts'

interface ClaimParts {
  readonly rows: Rows
  readonly judge: Judge
  readonly wall: () => number
  readonly monotonic: () => number
  readonly process: string
  readonly claims: Claims
}

/** `id token`, of all processes of a world. */
export interface Claims {
  readonly handed: Set<string>
  /** Ended by a commit that had the claim. */
  readonly ended: Set<string>
  /** When a process last took a step, or made its claim last longer, by its monotonic clock: `process step`. */
  readonly taken: Map<string, number>
  /** And the token it then got; none when there were several: an old attempt may still be under way. */
  readonly tokens: Map<string, number>
}

const SEVERAL = Number.NaN

/** Everything in a member that must have a claim. */
const fencedOf = (member: Member): readonly { readonly claim: Claim; readonly ifExpired: boolean }[] => [
  ...(member.settle ?? []).map(({ claim, onlyIfExpired }) => ({ claim, ifExpired: onlyIfExpired === true })),
  ...(member.control ?? []).flatMap((each) =>
    each.kind === 'hold' ? [{ claim: each.claim, ifExpired: false }] : [],
  ),
]

/** What a commit inserted as claimed. */
const bornClaimed = ({ advance, enqueue = [] }: Member, { claimed = [] }: Result): readonly Handed[] =>
  [
    ...(advance?.actions ?? []).map((action) => ({ ...action, execution: advance!.execution.id })),
    ...enqueue.map((action) => ({ ...action, execution: null })),
  ]
    .filter(({ id }) => claimed.some((one) => one.id === id))
    .map(({ id, plan, execution }) => ({ id, plan, execution, token: 1 }))

/** The members of a batch are as one after the other: what a later one pauses was claimed before its pause. */
const isPausedLater = (batch: readonly Member[], index: number): boolean => {
  const { tenant, advance } = batch[index]!
  const paused = [advance?.execution.id, advance?.execution.definition]
  return batch
    .slice(index + 1)
    .some(
      (later) =>
        later.tenant === tenant &&
        later.control?.some((each) => each.kind === 'pause' && paused.includes(each.value)),
    )
}

/** A claim, as its taker got it. */
interface Handed {
  readonly id: string
  readonly token: number
  readonly execution: string | null
  readonly plan?: { readonly stepKey: string }
}

export const watchClaims = (
  store: Store,
  { rows, judge, wall, monotonic, process, claims: { handed, ended, taken, tokens } }: ClaimParts,
): Store => {
  const steps = new Map<string, string>()
  const hand = (
    tenant: string,
    { id, token, execution, plan }: Handed,
    began: number,
    isPaused = false,
  ): void => {
    if (plan !== undefined) {
      taken.set(`${process} ${plan.stepKey}`, began)
      const step = `${process} ${plan.stepKey}`
      steps.set(id, step)
      tokens.set(step, tokens.has(step) ? SEVERAL : token)
    }
    const claim = `${id} ${token}`
    judge.hold(!handed.has(claim), 'I7', () => `${claim} was handed out twice`)
    handed.add(claim)
    const status = execution === null ? 'active' : rows.statusOf(tenant, execution)
    judge.hold(isPaused || status !== 'paused', 'I7', () => `${id} was claimed, and ${execution} is paused`)
  }
  return {
    ...store,
    commit: async (batch) => {
      const began = monotonic()
      const before = batch.map((member) =>
        fencedOf(member).map((fenced) => ({ ...fenced, row: rows.claim(fenced.claim.id) })),
      )
      const results: readonly Result[] = await store.commit(batch)
      for (const [index, member] of batch.entries())
        for (const action of bornClaimed(member, results[index]!))
          hand(member.tenant, action, began, isPausedLater(batch, index))
      for (const [index, { status }] of results.entries())
        for (const { claim, ifExpired, row } of status === 'ok' ? before[index]! : []) {
          ended.add(`${claim.id} ${claim.token}`)
          const isHeld = row?.status === 'running' && row.token === claim.token && row.nonce === claim.nonce
          judge.hold(
            isHeld,
            'I7',
            () => `${claim.id} was ended by token ${claim.token}, and is ${row?.status} ${row?.token}`,
          )
          const now = batch[index]!.lease ?? wall()
          const isDue = !ifExpired || row!.lease_until! <= now
          judge.hold(isDue, 'I7', () => `${claim.id} was reaped ${row!.lease_until! - now} ms early`)
        }
      return results
    },
    claim: async (request) => {
      const began = monotonic()
      const claimed = await store.claim(request)
      for (const action of claimed) hand(action.tenant, action, began)
      return claimed
    },
    extend: async (all, leaseMs, clocks) => {
      const began = monotonic()
      const told = await store.extend(all, leaseMs, clocks)
      for (const { id } of all)
        if (told.lost.every((claim) => claim.id !== id) && steps.has(id)) taken.set(steps.get(id)!, began)
      return told
    },
  }
}
