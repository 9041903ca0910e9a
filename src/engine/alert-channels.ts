// Owns how an alert becomes a message: a channel is a template of an action, in which `{{alert…}}` stands for the alert, or
// a function. A few types need nothing but an address; any other runner serves with a config of its own.

import type { ActionRequest } from '../core/action.ts'
import { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { AlertRow } from '../store/triage.ts'

/** As in a config file: what is beside these names is the config of the runner. */
interface ChannelTemplate {
  /** The runner: `webhook`, `email`, `slack`, or any other. */
  readonly type: string
  /** Only for this tenant, or namespace; absent: for all. */
  readonly tenant?: string
  readonly namespace?: string
  readonly [config: string]: unknown
}

export type AlertChannel = ChannelTemplate | ((alert: AlertRow) => ActionRequest | undefined)

const HEADLINE = '{{alert.details.name}} failed: {{alert.details.error.type}}'

/** A failed action is asked about by its id, a recurrence by its own. */
const wordsOf = (alert: AlertRow): ReadonlyMap<string, JsonObject> => {
  const [what, id] =
    alert.type === 'action_failed'
      ? ['action', '{{alert.details.actionId}}']
      : ['recurrence', '{{alert.details.executionId}}']
  const text = `${HEADLINE}\n{{alert.details.error.message}}\n\n${what} ${id}, tenant {{alert.tenant}}, since {{alert.firstAt}}\npawl why ${id}`
  return new Map<string, JsonObject>([
    ['webhook', { payload: '{{alert}}' }],
    ['email', { subject: `Pawl: ${HEADLINE}`, text }],
    ['slack', { text }],
  ])
}

/** Undefined: this alert is not this channel's. */
export const requestFor = (channel: AlertChannel, alert: AlertRow): ActionRequest | undefined => {
  if (typeof channel === 'function') return channel(alert)
  const { type, tenant, namespace, ...config } = channel
  if (typeof type !== 'string' || type === '')
    throw new PawlError('invalid_option', 'an alert channel needs a type', {
      path: 'alerts.channels',
      expected: "{ type: 'webhook', url: 'https://…' }",
    })
  const isMeant =
    (tenant === undefined || tenant === alert.tenant) &&
    (namespace === undefined || namespace === alert.namespace)
  if (!isMeant) return undefined
  return {
    type,
    config: { ...wordsOf(alert).get(type), ...(config as JsonObject) },
    options: { name: `alert by ${type}`, retryPolicy: RETRY },
  }
}

/** Somebody is to be woken: worth a few minutes of trying. */
const RETRY = { maxAttempts: 8, backoffStrategy: 'exponential', baseDelay: 1000, jitter: true } as const
