// Owns what stands in for a runner that is known by its type alone: the event it tells and a plausible result, in the
// words of the real ones (F-071, F-076). Any config fits; definitions in data are tested before a provider is chosen.

import { SUCCEEDED } from '../core/event.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import type { Schema } from '../core/schema.ts'
import { type AnyRunner, type RunnerDefinition, runner } from '../runners/runner.ts'

interface StandIn {
  readonly event: string
  readonly result: (config: JsonObject) => JsonObject
}

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value as Json]

const STAND_INS: ReadonlyMap<string, StandIn> = new Map(
  Object.entries<StandIn>({
    api_call: { event: 'api_called', result: () => ({ statusCode: 200, headers: {}, data: null }) },
    blockchain_mint: { event: 'token_minted', result: () => ({ transactionHash: '0x01', tokenId: '1' }) },
    database: { event: 'database_executed', result: () => ({ rowCount: 1 }) },
    delay: { event: 'delay_elapsed', result: () => ({}) },
    docusign_envelope: { event: 'envelope_sent', result: () => ({ envelopeId: 'env_1', status: 'sent' }) },
    email: {
      event: 'email_sent',
      result: ({ to, cc, template }) => ({
        messageId: 'msg_1',
        recipients: [...listOf(to), ...listOf(cc)],
        ...(template !== undefined && { template }),
      }),
    },
    notification: { event: 'notification_sent', result: () => ({ notificationId: 'ntf_1' }) },
    slack: { event: 'slack_posted', result: () => ({ ts: '1.0' }) },
    sms: { event: 'sms_sent', result: ({ to }) => ({ sid: 'sms_1', ...(to !== undefined && { to }) }) },
    task: { event: 'task_created', result: () => ({ taskId: 'task_1' }) },
    webhook: { event: 'webhook_called', result: () => ({ statusCode: 200, headers: {}, data: null }) },
  }),
)

const ANYTHING: Schema<Json> = { '~standard': { version: 1, validate: (value) => ({ value }) } }

export const standInFor = (type: string): AnyRunner => {
  const { event = SUCCEEDED, result = () => ({}) } = STAND_INS.get(type) ?? {}
  const definition: RunnerDefinition = {
    type,
    event,
    config: ANYTHING,
    execute: ({ config }) => result(isObject(config) ? config : {}),
    reconcile: () => undefined,
  }
  return runner(definition)
}

/** A type Pawl itself has a word for. */
export const isStandIn = (type: string): boolean => STAND_INS.has(type)
