// Owns what must be true of one action by itself: it is in one place, complete for its status, claimed by someone who may
// be alive, in the lane that is offered for it, within its policy, and its tenant's throughout.

import type { ActionPlan } from '../core/action.ts'
import { MAX_REAPS } from '../core/settle.ts'
import type { ActionFacts } from '../store/inspect.ts'
import { misfit } from './check-fit.ts'
import { type Broken, type Finding, judged, type Where } from './finding.ts'

export interface LeaseClock {
  /** By the clock that leases are made by. */
  readonly now: number
  readonly leaseMs: number
  /** A process was at work a while ago, and should have reaped what ran out. */
  readonly isWorkedOn: boolean
}

/** B4: later than this after its start nobody has extended a claim, and nobody has reaped it. */
const MAX_LEASES = 3

type Rule = (facts: ActionFacts, where: Where) => Broken | false | undefined

const broken = (
  invariant: Broken['invariant'],
  rule: string,
  where: Where,
  words: Pick<Broken, 'text' | 'expected' | 'found'>,
): Broken => ({ invariant, rule, where, ...words })

const inOnePlace: Rule = ({ id, twins, isLive }, where) =>
  twins > 0 &&
  broken('I2', 'two_places', where, {
    text: `${id} is there more than once: what has ended is never live again`,
    expected: 'one row, live or finished',
    found: `this ${isLive ? 'live' : 'finished'} row and ${twins} more`,
  })

const liveIsComplete = ({ status, finishedAt, archivedAt, hasError, fingerprint }: ActionFacts): string => {
  const isOpen = status === 'queued' || status === 'running'
  if (isOpen) return finishedAt === null && archivedAt === null ? '' : 'it has an end'
  if (finishedAt === null) return 'it does not say when it ended'
  if (archivedAt !== null) return 'it is archived and not put away'
  if (!hasError) return 'it does not say what failed'
  return fingerprint === null ? 'it is in no group of dead letters' : ''
}

const doneIsComplete = ({ status, archivedAt, hasError, hasResult }: ActionFacts): string => {
  const isLetter = status === 'dead' || status === 'review'
  if (isLetter !== (archivedAt !== null)) return isLetter ? 'nobody has archived it' : 'it is archived'
  if (status === 'succeeded') return hasResult ? '' : 'it has no result'
  return (isLetter || status === 'skipped') && !hasError ? 'it does not say why' : ''
}

const isComplete: Rule = (facts, where) => {
  const lack = facts.isLive ? liveIsComplete(facts) : doneIsComplete(facts)
  return (
    lack !== '' &&
    broken('I2', 'incomplete', where, {
      text: `${facts.id} is ${facts.status}, and ${lack}`,
      expected: `what belongs to ${facts.status}`,
      found: lack,
    })
  )
}

const wasStarted: Rule = ({ id, status, attempt, startedAt }, where) =>
  status === 'succeeded' &&
  (attempt < 1 || startedAt === null) &&
  broken('I4', 'success_without_attempt', where, {
    text: `${id} succeeded, and nobody has started it`,
    expected: 'at least one attempt, with its start',
    found: `${attempt} attempts, started at ${startedAt}`,
  })

const isUnclaimed: Rule = ({ id, isLive, status, nonce, leaseUntil }, where) =>
  isLive &&
  status !== 'running' &&
  (nonce !== null || leaseUntil !== null) &&
  broken('I7', 'claim_left', where, {
    text: `${id} is ${status} and still has a claim`,
    expected: 'no nonce and no lease',
    found: `nonce ${nonce === null ? 'none' : 'set'}, lease until ${leaseUntil}`,
  })

const isHeld = ({ id, status, leaseUntil }: ActionFacts, where: Where, clock: LeaseClock) => {
  const { now, leaseMs, isWorkedOn } = clock
  const overdue = now - (leaseUntil ?? 0)
  if (status !== 'running' || overdue <= (MAX_LEASES - 1) * leaseMs) return undefined
  const words = {
    text: `${id} is running, and nobody has extended its lease for ${Math.round(overdue / 1000)} s`,
    expected: `a lease that is extended, or reaped within ${MAX_LEASES} leases of ${leaseMs} ms`,
    found: isWorkedOn ? `a lease until ${leaseUntil}` : `a lease until ${leaseUntil}, and no worker`,
  }
  const severity = isWorkedOn ? ('error' as const) : ('warning' as const)
  return { ...broken('I7', 'lease_run_out', where, words), severity }
}

const laneIsOwn: Rule = ({ id, namespace, tenant, lane, laneRow }, where) => {
  const isOwn = laneRow?.namespace === namespace && laneRow.tenant === tenant
  if (laneRow === null)
    return broken('I7', 'no_lane', where, {
      text: `${id} is in lane ${lane}, which does not exist: nobody will ever claim it`,
      expected: 'a lane of its type and priority',
      found: `lane ${lane}`,
    })
  return (
    !isOwn &&
    broken('I11', 'foreign_lane', where, {
      text: `${id} is in a lane of ${laneRow.namespace}/${laneRow.tenant}`,
      expected: `a lane of ${namespace}/${tenant}`,
      found: `lane ${lane} of ${laneRow.namespace}/${laneRow.tenant}`,
    })
  )
}

const laneFits = ({ id, lane, laneRow }: ActionFacts, where: Where, plan: ActionPlan): Broken | false => {
  const type = plan.runner === undefined ? plan.type : `${plan.type}@${plan.runner}`
  return (
    laneRow !== null &&
    (laneRow.type !== type || laneRow.priority !== plan.priority) &&
    broken('I7', 'wrong_lane', where, {
      text: `${id} is in a lane that is offered to others: it would never run, or in another's place`,
      expected: `a lane of ${type}, priority ${plan.priority}`,
      found: `lane ${lane} of ${laneRow.type}, priority ${laneRow.priority}`,
    })
  )
}

const isParkedRightly: Rule = ({ id, isLive, lane, execution, executionStatus }, where) => {
  // One that failed by its code may be parked like a paused one.
  if (!isLive || executionStatus === 'failed') return false
  const isPaused = executionStatus === 'paused'
  if (lane < 0 === isPaused) return false
  return broken('I7', isPaused ? 'not_parked' : 'parked', where, {
    text: isPaused
      ? `${id} can be claimed, and its execution is paused`
      : `${id} is parked, and nothing is paused: nobody will ever claim it`,
    expected: isPaused ? 'a parked lane' : 'a lane that is offered',
    found: `lane ${lane}, ${execution === null ? 'no execution' : `${execution} is ${executionStatus}`}`,
  })
}

const countsFit: Rule = ({ id, attempt, lost, reaps, token, tries, lastTry }, where) => {
  const found = `attempt ${attempt}, lost ${lost}, reaps ${reaps}, claims ${token}, ${tries} rows up to ${lastTry ?? 0}`
  const wrong =
    (reaps > MAX_REAPS && `${id} was reaped ${reaps} times`) ||
    (lost > attempt && `${id} lost more attempts than it had`) ||
    (attempt > token && `${id} was started more often than claimed`) ||
    (tries > token && `${id} has more attempts on record than claims`) ||
    ((lastTry ?? 0) > attempt && `${id} has an attempt on record that it never counted`)
  const expected = `lost ≤ attempt ≤ claims, rows ≤ claims, reaps ≤ ${MAX_REAPS}`
  return wrong !== false && broken('I10', 'counts', where, { text: wrong, expected, found })
}

const withinPolicy = ({ id, attempt, lost }: ActionFacts, where: Where, plan: ActionPlan): Broken | false => {
  const { maxAttempts } = plan.retryPolicy
  return (
    attempt - lost > maxAttempts &&
    broken('I10', 'too_many_attempts', where, {
      text: `${id} was tried more often than its policy allows`,
      expected: `at most ${maxAttempts} attempts that count`,
      found: `${attempt} attempts, ${lost} of them lost`,
    })
  )
}

const isTenants: Rule = ({ id, execution, executionStatus, foreignTries }, where) =>
  (execution !== null &&
    executionStatus === null &&
    broken('I11', 'no_execution', where, {
      text: `${id} belongs to ${execution}, which its tenant does not have`,
      expected: 'an execution of the same tenant, or none',
      found: execution,
    })) ||
  (foreignTries > 0 &&
    broken('I11', 'foreign_attempts', where, {
      text: `attempts of ${id} are another tenant's`,
      expected: 'all of the same tenant',
      found: `${foreignTries} of another`,
    }))

export const checkAction = (facts: ActionFacts, clock: LeaseClock): readonly Finding[] => {
  const { namespace, tenant, id, execution, plan } = facts
  const where: Where = { namespace, tenant, action: id, ...(execution !== null && { execution }) }
  const rules: readonly Rule[] = [
    misfit,
    inOnePlace,
    isComplete,
    wasStarted,
    isUnclaimed,
    laneIsOwn,
    isParkedRightly,
    countsFit,
    isTenants,
  ]
  return judged(
    ...rules.map((rule) => rule(facts, where)),
    isHeld(facts, where, clock),
    ...('unreadable' in plan
      ? [
          broken('readable', 'plan', where, {
            text: plan.unreadable.message,
            expected: 'the plan as it was written',
            found: 'a plan that cannot be read',
          }),
        ]
      : [laneFits(facts, where, plan), withinPolicy(facts, where, plan)]),
  )
}
