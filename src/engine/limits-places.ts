// Owns places where only so many may run at once: taking one, giving it back, and calling who is next in line. A place is
// free again when its action no longer runs under the claim it was taken with, so nothing is lost with a crash.

import type { ActionRef, Candidate, LimitRef, Limits, Taken } from '../store/limits.ts'
import type { ClaimedAction } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { createDesk, nameOf } from './limits-desk.ts'
import { type Log, messageOf } from './log.ts'

export interface PlaceParts {
  readonly limits: Limits
  readonly clock: Clock
  readonly commit: Commit
  readonly log: Log
}

export interface Places {
  /** Answers how many wait when there is no place for it; undefined when it has one. */
  readonly take: (
    ref: LimitRef,
    max: number,
    action: ClaimedAction,
    waits: boolean,
  ) => Promise<number | undefined>
  /** Does any attempt of this process hold a place? */
  readonly isAnyHeld: () => boolean
  /** Whatever this attempt held goes to the next in line. */
  readonly giveBack: (action: ClaimedAction) => Promise<void>
  /** All but the newest leave the line and are cancelled. True: this one was among them. */
  readonly makeWay: (ref: LimitRef, action: ClaimedAction, reason: string) => Promise<boolean>
}

const KNOWN = 10_000
const ROOMY_MS = 500

interface Held {
  readonly ref: LimitRef
  readonly max: number
}

interface Ask {
  readonly max: number
  readonly candidate: Candidate
}

interface Left extends Pick<Candidate, 'id' | 'token'> {
  readonly max: number
}

interface Leaving {
  readonly candidate: Candidate
  readonly reason: string
}

const attemptOf = ({ id, token }: ClaimedAction): string => `${id}#${token}`

const candidateOf = (action: ClaimedAction, waits: boolean): Candidate => {
  const { namespace, tenant, id, token, plan, createdAt } = action
  return { namespace, tenant, id, token, since: Math.max(plan.dueAt, createdAt), waits }
}

/**
 * Where less than half was taken a moment ago nobody waits, and a place is free with its action: it need not be given back.
 * Who comes to wait within that moment looks again by itself.
 */
const createRoominess = ({ clock }: PlaceParts) => {
  const until = new Map<string, number>()
  return {
    isRoomy: (ref: LimitRef): boolean =>
      until.size > 0 && (until.get(nameOf(ref)) ?? Number.NEGATIVE_INFINITY) > clock.monotonic(),
    learn: (ref: LimitRef, max: number, { held, waiting }: Taken): void => {
      if (until.size >= KNOWN) until.clear()
      if (waiting === 0 && held <= max / 2) until.set(nameOf(ref), clock.monotonic() + ROOMY_MS)
      else until.delete(nameOf(ref))
    },
  }
}

const createTaking = ({ limits, clock }: PlaceParts, learn: ReturnType<typeof createRoominess>['learn']) =>
  createDesk<Ask, number | undefined>(clock, async (ref, asks) => {
    const answers = new Map<string, number | undefined>()
    // Actions of one key may say different numbers: each is measured by its own.
    for (const [max, group] of Map.groupBy(asks, (ask) => ask.max)) {
      const candidates = group.map(({ candidate }) => candidate).toSorted((a, b) => a.since - b.since)
      const answer = await limits.take(ref, candidates, max, clock.clocks())
      learn(ref, max, answer)
      const taken = new Set(answer.taken)
      for (const { id } of candidates) answers.set(id, taken.has(id) ? undefined : answer.waiting)
    }
    return asks.map(({ candidate }) => answers.get(candidate.id))
  })

/** Those that end together are one question: each would count all that are held, and wait for a transaction of its own. */
const createLeaving = ({ limits, clock }: PlaceParts) =>
  createDesk<Left, readonly ActionRef[]>(clock, async (ref, asks) => {
    const called: ActionRef[] = []
    for (const [max, held] of Map.groupBy(asks, (ask) => ask.max))
      called.push(...(await limits.release(ref, held, max, clock.clocks())))
    // The first calls them all.
    return asks.map((_, index) => (index === 0 ? called : []))
  })

type Tell = (of: ActionRef, control: 'run_now' | 'cancel_action', reason?: string) => Promise<void>

const createGivingWay = ({ limits, clock }: PlaceParts, told: Tell) =>
  createDesk<Leaving, boolean>(clock, async (ref, leaving) => {
    const candidates = leaving.map(({ candidate }) => candidate)
    await limits.take(ref, candidates, 0, clock.clocks())
    const evicted = new Map((await limits.evict(ref, 1)).map((each) => [each.id, each]))
    // Who is here is still running: its own attempt ends it.
    const answers = candidates.map(({ id }) => evicted.delete(id))
    const { reason } = leaving[0]!
    await Promise.all(Array.from(evicted.values(), (other) => told(other, 'cancel_action', reason)))
    return answers
  })

export const createPlaces = (parts: PlaceParts): Places => {
  const { clock, commit, log } = parts
  const held = new Map<string, Held[]>()
  const told: Tell = async (of, control, reason = '') => {
    const { namespace, tenant, id } = of
    const order = control === 'run_now' ? { kind: control, id } : { kind: control, id, reason }
    await commit({ namespace, tenant, at: clock.now(), control: [order] })
  }
  const { isRoomy, learn } = createRoominess(parts)
  const desk = createTaking(parts, learn)
  const leave = createLeaving(parts)
  const giveWay = createGivingWay(parts, told)

  return {
    take: async (ref, max, action, waits) => {
      const refused = await desk(ref, { max, candidate: candidateOf(action, waits) })
      if (refused !== undefined) return refused
      const mine = held.get(attemptOf(action)) ?? []
      const isNew = mine.every((each) => nameOf(each.ref) !== nameOf(ref))
      if (isNew) held.set(attemptOf(action), [...mine, { ref, max }])
      return undefined
    },
    isAnyHeld: () => held.size > 0,
    giveBack: async (action) => {
      const { id, token } = action
      const mine = held.get(attemptOf(action)) ?? []
      held.delete(attemptOf(action))
      for (const { ref, max } of mine.filter((each) => !isRoomy(each.ref)))
        try {
          const called = await leave(ref, { max, id, token })
          await Promise.all(called.map((next) => told(next, 'run_now')))
        } catch (error) {
          // Who waits looks again by itself, only later.
          log.warn('nobody could be called to a free place', { limit: ref.key, error: messageOf(error) })
        }
    },
    makeWay: (ref, action, reason) => giveWay(ref, { candidate: candidateOf(action, true), reason }),
  }
}
