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

/** A new action, and the slot that waits for it. */
interface Promised {
  readonly action: NewAction
  readonly reservation: Reservation
}

const newActionsOf = ({ advance, enqueue = [] }: Member): readonly NewAction[] =>
  advance === undefined ? enqueue : [...advance.actions, ...enqueue]

const withClaims = (member: Member, promised: readonly Promised[]): Member => {
  const claims = new Map(promised.map(({ action, reservation }) => [action.id, reservation.claim]))
  const claimed = (action: NewAction): NewAction => {
    const claim = claims.get(action.id)
    return claim === undefined ? action : { ...action, claim }
  }
  const { advance, enqueue } = member
  return {
    ...member,
    ...(advance && { advance: { ...advance, actions: advance.actions.map(claimed) } }),
    ...(enqueue && { enqueue: enqueue.map(claimed) }),
  }
}

/** As a claim would have given it. */
const claimedAction = (
  { namespace, tenant, at, lease = at, advance }: Member,
  { action, reservation }: Promised,
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
    execution: advance?.actions.includes(action) === true ? advance.execution.id : null,
    dueAt: plan.dueAt,
    createdAt: at,
    attempt: 0,
    lost: 0,
    reaps: 0,
    cancelRequested: false,
    leaseUntil: lease + leaseMs,
  }
}

export const createEager = (commit: Commit, clock: Pick<Clock, 'now' | 'clocks'>): Eager => {
  const hands = new Set<Hand>()

  const reserve = (of: Tenancy, action: NewAction): readonly Promised[] => {
    for (const hand of hands) {
      const reservation = hand.reserve(of, action)
      if (reservation !== undefined) return [{ action, reservation }]
    }
    return []
  }
  const offer = (member: Member): readonly Promised[] =>
    newActionsOf(member)
      .filter(
        ({ plan }) => plan.status === 'queued' && plan.window === undefined && plan.dueAt <= clock.now(),
      )
      .sort((a, b) => b.plan.priority - a.plan.priority)
      .flatMap((action) => reserve(member, action))

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
