// Owns the advice about an action's definition: each rule sees one thing that works today and hurts later, and says what to
// do. A rule that cannot be sure says nothing.

import type { ActionPlan } from '../core/action.ts'
import { retryableByType } from '../core/action-error.ts'
import type { ActionData } from '../core/definition.ts'
import { isObject, type Json } from '../core/json.ts'
import { nextDelay } from '../core/retry.ts'
import type { Settlement } from '../core/settle.ts'
import { secretPlaces } from '../core/template/secrets.ts'
import { printDuration } from '../core/time/duration-words.ts'
import { isStandIn } from './stand-in.ts'

export interface Recommendation {
  readonly code: string
  /** Where in the definition. */
  readonly path: string
  readonly text: string
}

export interface Examined {
  readonly action: ActionData
  readonly plan: ActionPlan
  readonly hasRunner: boolean
  /** How it ended, if it was performed. */
  readonly settlement?: Settlement
  readonly attempts?: number
}

type Rule = (examined: Examined) => readonly Recommendation[]

const LEASE_MS = 30_000

/** Words of a name in any of its spellings: `chargeCard`, `charge_card`, `charge-card`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const MONEY = new Set([
  'billing',
  'charge',
  'debit',
  'invoice',
  'mint',
  'pay',
  'payment',
  'payout',
  'refund',
  'transfer',
])

const moneyWithoutPolicy: Rule = ({ action: { actionId, type, retryPolicy }, plan }) => {
  const word = [...wordsOf(type), ...wordsOf(actionId)].find((each) => MONEY.has(each))
  if (word === undefined || retryPolicy !== undefined) return []
  const { maxAttempts } = plan.retryPolicy
  const text = `“${word}” sounds like money and there is no retryPolicy: the default tries ${maxAttempts} times. Say how often, and after which errors.`
  return [{ code: 'retry_policy_missing', path: 'retryPolicy', text }]
}

const longTimeout: Rule = ({ plan: { timeoutMs } }) =>
  timeoutMs <= LEASE_MS
    ? []
    : [
        {
          code: 'timeout_beyond_lease',
          path: 'timeout',
          text: `its timeout of ${printDuration(timeoutMs)} is longer than a lease (${printDuration(LEASE_MS)}): a worker that stalls loses it, and another begins before this one gives up. Make it shorter, or give Pawl.open a longer leaseMs.`,
        },
      ]

/** Providers of these know no key by which they could tell a repetition. */
const KEYLESS = new Map([
  ['sms', 'at_most_once'],
  ['docusign_envelope', 'reconcile'],
  ['blockchain_mint', 'reconcile'],
  ['slack', 'reconcile'],
])

const mayRepeat: Rule = ({ action: { type, delivery } }) => {
  const better = KEYLESS.get(type)
  if (better === undefined || delivery !== 'at_least_once') return []
  const text = `a ${type} that was sent and not recorded is sent twice: its provider honours no key. Leave delivery out, which means ${better}.`
  return [{ code: 'may_repeat', path: 'delivery', text }]
}

/** Where a value is read by people, logged by servers or kept by the receiver. */
const IN_SIGHT = new Set([
  'url',
  'endpoint',
  'subject',
  'message',
  'text',
  'title',
  'to',
  'cc',
  'bcc',
  'template',
])

const dotted = (pointer: string): string => `config${pointer.replaceAll('/', '.')}`

const secretInSight: Rule = ({ action: { config } }) =>
  secretPlaces(config)
    .filter((pointer) => pointer.split('/').some((part) => IN_SIGHT.has(part)))
    .map((pointer) => ({
      code: 'secret_in_sight',
      path: dotted(pointer),
      text: 'a secret stands where it is logged or read by others. Put it into a header, or where the runner asks for it.',
    }))

const SECRET_NAME = /(password|passwd|secret|token|api_?key|authorization|credential)s?$/i

const secretWrittenOut: Rule = ({ action: { config } }) =>
  membersOf(config, 'config')
    .filter(([path, value]) => {
      const name = path.split('.').at(-1)!
      return SECRET_NAME.test(name) && typeof value === 'string' && value !== '' && !value.includes('{{')
    })
    .map(([path]) => ({
      code: 'secret_written_out',
      path,
      text: 'this looks like a secret in plain text, and a definition is stored and shown. Store it as a secret and write {{secrets.name}}.',
    }))

const membersOf = (value: Json, path: string): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value)) return value.flatMap((item, index) => membersOf(item, `${path}.${index}`))
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) => membersOf(item, `${path}.${key}`))
  return [[path, value]]
}

const emptied: Rule = ({ action, plan }) => {
  if (plan.status !== 'queued') return []
  const rendered = new Map(membersOf(plan.config, 'config'))
  return membersOf(action.config, 'config')
    .filter(([path, value]) => {
      const became = rendered.get(path)
      return typeof value === 'string' && value.includes('{{') && (became === '' || became === null)
    })
    .map(([path, value]) => ({
      code: 'empty_value',
      path,
      text: `${String(value).slice(0, 80)} renders to nothing in this context. Give it a default, or a condition that skips the action.`,
    }))
}

const expiresFirst: Rule = ({ plan: { expiresAt, dueAt, retryPolicy, stepKey } }) => {
  if (expiresAt === undefined || retryPolicy.maxAttempts < 2) return []
  const wait = nextDelay(retryPolicy, 1, stepKey)
  const text = `it expires after ${printDuration(expiresAt - dueAt)} and would be tried again after ${printDuration(wait)}: it is never tried twice. Make one longer or the other shorter.`
  return expiresAt - dueAt > wait ? [] : [{ code: 'expires_before_retry', path: 'expiresAfter', text }]
}

const excludedError: Rule = ({ plan, settlement, attempts = 0 }) => {
  const { retryableErrors = [], maxAttempts } = plan.retryPolicy
  const type = settlement?.error?.type
  if (settlement?.reason !== 'not_retryable' || type === undefined || retryableErrors.length === 0) return []
  if (!retryableByType(type) || retryableErrors.includes(type)) return []
  const text = `${type} ended it at attempt ${attempts} of ${maxAttempts}: only ${retryableErrors.join(', ')} are tried again. Add it, or leave the list out.`
  return [{ code: 'error_not_listed', path: 'retryPolicy.retryableErrors', text }]
}

const disabled: Rule = ({ action: { enabled, triggerState } }) =>
  enabled !== false
    ? []
    : [
        {
          code: 'disabled',
          path: 'enabled',
          text: `it was tested all the same, but entering ${triggerState} will not ask for it. Leave enabled out when it is ready.`,
        },
      ]

const unknownType: Rule = ({ action: { type }, hasRunner }) =>
  hasRunner || isStandIn(type)
    ? []
    : [
        {
          code: 'unknown_type',
          path: 'type',
          text: `nobody checked its config: Pawl brings no runner for “${type.slice(0, 80)}”. Give yours in runners.`,
        },
      ]

const RULES: readonly Rule[] = [
  moneyWithoutPolicy,
  longTimeout,
  mayRepeat,
  secretInSight,
  secretWrittenOut,
  emptied,
  expiresFirst,
  excludedError,
  disabled,
  unknownType,
]

export const recommend = (examined: Examined): readonly Recommendation[] =>
  RULES.flatMap((rule) => rule(examined))
