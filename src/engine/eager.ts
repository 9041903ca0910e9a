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

/** The actions as they are written: claimed, if they were promised a slot. There are never more of those than slots. */
const claimedAmong = (actions: readonly NewAction[], promised: readonly Promised[]): readonly NewAction[] =>
  actions.map((action) => {
    const one = promised.find((each) => each.action === action)
    return one === undefined ? action : { ...action, claim: one.reservation.claim }
  })

const withClaims = (member: Member, promised: readonly Promised[]): Member => {
  const { advance, enqueue } = member
  if (advance === undefined) return { ...member, enqueue: claimedAmong(enqueue!, promised) }
  const moved = { ...advance, actions: claimedAmong(advance.actions, promised) }
  if (enqueue === undefined) return { ...member, advance: moved }
  return { ...member, advance: moved, enqueue: claimedAmong(enqueue, promised) }
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

const isDue = ({ plan }: NewAction, now: number): boolean =>
  plan.status === 'queued' && plan.window === undefined && plan.dueAt <= now

const byPriority = (a: Offered, b: Offered): number => b.action.plan.priority - a.action.plan.priority

/** What of it is due at once, the most urgent first. */
const dueIn = ({ advance, enqueue }: Member, now: number): readonly Offered[] => {
  const due: Offered[] = []
  if (advance)
    for (const action of advance.actions)
      if (isDue(action, now)) due.push({ action, execution: advance.execution.id })
  if (enqueue) for (const action of enqueue) if (isDue(action, now)) due.push({ action, execution: null })
  return due.length > 1 ? due.sort(byPriority) : due
}

const NONE: readonly Promised[] = []

export const createEager = (commit: Commit, clock: Pick<Clock, 'now' | 'clocks'>): Eager => {
  const hands = new Set<Hand>()

  const reserve = (of: Tenancy, action: NewAction): Reservation | undefined => {
    for (const hand of hands) {
      const reservation = hand.reserve(of, action)
      if (reservation !== undefined) return reservation
    }
    return undefined
  }
  const offer = (member: Member): readonly Promised[] => {
    const promised: Promised[] = []
    for (const { action, execution } of dueIn(member, clock.now())) {
      const reservation = reserve(member, action)
      if (reservation !== undefined) promised.push({ action, execution, reservation })
    }
    return promised
  }

  const commitPromised = async (member: Member, promised: readonly Promised[]): Promise<Result> => {
    try {
      const result = await commit(withClaims(member, promised))
      for (const one of promised) {
        const claimed = result.claimed?.find(({ id }) => id === one.action.id)
        if (claimed === undefined) one.reservation.cancel()
        else one.reservation.begin(claimedAction(member, one, claimed.lane))
      }
      return result
    } catch (error) {
      for (const one of promised) one.reservation.abandon(claimedAction(member, one, 0))
      throw error
    }
  }
  return {
    commit: (member) => {
      // What makes no action, as most settlements do, has nothing to offer.
      const isOffered = hands.size > 0 && (member.advance !== undefined || member.enqueue !== undefined)
      const promised = isOffered ? offer(member) : NONE
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
