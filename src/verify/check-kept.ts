// Owns what stands for itself: alerts, the sandbox's outbox, and what limits remember. Each can be read and agrees with
// itself; an entry of the outbox names an action of its own tenant, unless retention may have taken that.

import type { PawlError } from '../core/errors.ts'
import { isObject, own } from '../core/json.ts'
import type { AlertFacts, LimitFacts, OutboxFacts } from '../store/inspect.ts'
import { type Broken, type Finding, judged, type Where } from './finding.ts'

const unreadable = (rule: string, where: Where, content: object): Broken | false =>
  'unreadable' in content && {
    invariant: 'readable',
    rule,
    where,
    text: (content as { readonly unreadable: PawlError }).unreadable.message,
    expected: 'the row as it was written',
    found: 'one that cannot be read',
  }

export const checkAlert = (facts: AlertFacts): readonly Finding[] => {
  const { namespace, tenant, id, firstAt, lastAt, acknowledgedAt, acknowledgedBy, details } = facts
  const where: Where = { namespace, tenant, alert: id }
  return judged(
    unreadable('alert', where, details),
    firstAt > lastAt && {
      invariant: 'I2',
      rule: 'alert_backwards',
      where,
      text: `the alert ${id} was last met before it was first met`,
      expected: `not before ${firstAt}`,
      found: String(lastAt),
    },
    (acknowledgedAt === null) !== (acknowledgedBy === null) && {
      invariant: 'I2',
      rule: 'alert_half_acknowledged',
      where,
      text: `the alert ${id} is acknowledged by nobody, or by somebody at no time`,
      expected: 'who, and when, or neither',
      found: `by ${acknowledgedBy ?? 'nobody'} at ${acknowledgedAt ?? 'no time'}`,
    },
  )
}

/** `horizon`: before it, retention may have taken the action. */
export const checkOutbox = (facts: OutboxFacts, horizon: number | null): readonly Finding[] => {
  const { namespace, tenant, id, at, action, isOwned, entry } = facts
  const where: Where = { namespace, tenant, outbox: id, ...(action !== null && { action }) }
  const mayBeGone = horizon === null || at < horizon
  return judged(
    unreadable('outbox', where, entry),
    !isOwned &&
      !mayBeGone && {
        invariant: 'I11',
        rule: 'no_action',
        where,
        text: `an entry of the outbox is of ${action}, which its tenant does not have`,
        expected: 'an action of the same tenant, or none',
        found: `none called ${action} in ${namespace}/${tenant}`,
      },
  )
}

const BREAKER = 'breaker:'

/** Workers look for what is shut by a flag beside the state: a breaker that is shut in one alone is never tried, or never seen. */
export const checkLimit = ({ namespace, tenant, key, isShut, state }: LimitFacts): readonly Finding[] => {
  const where: Where = { namespace, tenant, limit: key }
  const until = isObject(state) ? own(state, 'until') : undefined
  const saysShut = key.startsWith(BREAKER) && typeof until === 'number' && until > 0
  return judged(
    unreadable('limit', where, state),
    !('unreadable' in state) &&
      isShut !== saysShut && {
        invariant: 'I7',
        rule: 'limit_misfiled',
        where,
        text: isShut
          ? `${key} is kept among what is shut, and says that it is not`
          : `${key} is shut, and is not kept among what is: nobody would see it`,
        expected: saysShut ? 'shut' : 'not shut',
        found: isShut ? 'shut' : 'not shut',
      },
  )
}
