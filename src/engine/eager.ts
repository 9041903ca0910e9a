// Owns eager dispatch (KERNEL §4): a new action that is due at once, and that nothing known comes before, is inserted
// already claimed by a worker of this process and starts when its commit is answered: one commit less, and no claim.
// E1  Nothing starts before the store has said that it is stored, and claimed: what it inserted as queued is claimed like
//     any other, by whoever comes.
// E2  When the answer is lost nobody knows whether there is a claim: it is let go of, and is fenced if it never was.

import type { ClaimedAction, Member, NewAction, Result, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'

/** A slot kept for one action while it is being written. */
export interface Reservation {
  readonly claim: NonNullable<NewAction['claim']>
  readonly begin: (action: ClaimedAction) => void
  /** It was not claimed. */
  readonly cancel: () => void
  /** It may have been claimed; it does not begin here. */
  readonly abandon: (action: ClaimedAction) => void
}

/** A worker that takes what it is offered, or not. */
export interface Hand {
  readonly reserve: (of: Tenancy, action: NewAction) => Reservation | undefined
}

export interface Eager {
  /** Commits, and starts what may. */
  readonly commit: Commit
  /** From now on this worker is offered what is due at once. Returns how to end that. */
  readonly join: (hand: Hand) => () => void
}

/** A new action, and the execution that asks for it. */
interface Offered {
  readonly action: NewAction
  readonly execution: string | null
}

/** With the slot that waits for it. */
interface Promised extends Offered {
  readonly reservation: Reservation
}

/** The action as it is written: claimed, if it was promised a slot. */
const claimedBy = (promised: readonly Promised[]): ((action: NewAction) => NewAction) => {
  const claims = new Map(promised.map(({ action, reservation }) => [action, reservation.claim]))
  return (action) => {
    const claim = claims.get(action)
    return claim === undefined ? action : { ...action, claim }
  }
}

const withClaims = (member: Member, promised: readonly Promised[]): Member => {
  const { advance, enqueue } = member
  const claimed = claimedBy(promised)
  return {
    ...member,
    ...(advance && { advance: { ...advance, actions: advance.actions.map(claimed) } }),
    ...(enqueue && { enqueue: enqueue.map(claimed) }),
  }
}

/** As a claim would have given it. */
const claimedAction = (
  { namespace, tenant, at, lease = at }: Member,
  { action, reservation, execution }: Promised,
  lane: number,
): ClaimedAction => {
  const { id, plan, source } = action
  const { nonce, leaseMs } = reservation.claim
  return {
    id,
    namespace,
    tenant,
    lane,
    plan,
    source,
    token: 1,
    nonce,
    execution,
    dueAt: plan.dueAt,
    createdAt: at,
    attempt: 0,
    lost: 0,
    reaps: 0,
    cancelRequested: false,
    leaseUntil: lease + leaseMs,
  }
}

/** What of it is due at once, the most urgent first. */
const dueIn = ({ advance, enqueue = [] }: Member, now: number): readonly Offered[] => {
  const isDue = ({ plan }: NewAction): boolean =>
    plan.status === 'queued' && plan.window === undefined && plan.dueAt <= now
  const due: Offered[] = []
  for (const action of advance?.actions ?? [])
    if (isDue(action)) due.push({ action, execution: advance!.execution.id })
  for (const action of enqueue) if (isDue(action)) due.push({ action, execution: null })
  return due.sort((a, b) => b.action.plan.priority - a.action.plan.priority)
}

export const createEager = (commit: Commit, clock: Pick<Clock, 'now' | 'clocks'>): Eager => {
  const hands = new Set<Hand>()

  const reserve = (of: Tenancy, action: NewAction): Reservation | undefined => {
    for (const hand of hands) {
      const reservation = hand.reserve(of, action)
      if (reservation !== undefined) return reservation
    }
    return undefined
  }
  const offer = (member: Member): readonly Promised[] =>
    dueIn(member, clock.now()).flatMap((one) => {
      const reservation = reserve(member, one.action)
      return reservation === undefined ? [] : [{ ...one, reservation }]
    })

  const commitPromised = async (member: Member, promised: readonly Promised[]): Promise<Result> => {
    try {
      const result = await commit(withClaims(member, promised))
      const lanes = new Map(result.claimed?.map(({ id, lane }) => [id, lane]))
      for (const one of promised) {
        const lane = lanes.get(one.action.id)
        if (lane === undefined) one.reservation.cancel()
        else one.reservation.begin(claimedAction(member, one, lane))
      }
      return result
    } catch (error) {
      for (const one of promised) one.reservation.abandon(claimedAction(member, one, 0))
      throw error
    }
  }
  return {
    commit: (member) => {
      const promised = hands.size === 0 ? [] : offer(member)
      if (promised.length === 0) return commit(member)
      const { lease } = clock.clocks()
      return commitPromised(lease === undefined ? member : { ...member, lease }, promised)
    },
    join: (hand) => {
      hands.add(hand)
      return () => void hands.delete(hand)
    },
  }
}
