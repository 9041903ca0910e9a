// Owns REQUIREMENTS F-041's ActionResult: what a performance looks like to those who know that shape. Inside Pawl the
// performance itself is used; nothing is decided here.

import type { ActionError } from '../core/action-error.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Performance } from './perform.ts'

interface ResultEvent {
  readonly type: string
  readonly payload: JsonObject
  readonly source: 'action_runner'
  readonly timestamp: string
}

export interface ActionResult {
  readonly actionId: string
  readonly success: boolean
  readonly result?: Json
  readonly error?: ActionError
  readonly startTime: number
  readonly endTime: number
  readonly duration: number
  readonly costEstimate?: number
  readonly resultEvents: readonly ResultEvent[]
  readonly attempt: number
  readonly runner: string
  readonly metadata: JsonObject
}

export const actionResult = (
  { outcome, startedAt, endedAt, costEstimate, metadata }: Performance,
  of: { readonly actionId: string; readonly attempt: number; readonly runner: string },
): ActionResult => ({
  ...of,
  ...(outcome.kind === 'succeeded'
    ? {
        success: true,
        result: outcome.result,
        resultEvents: [resultEvent(outcome.event, of.actionId, endedAt)],
      }
    : { success: false, error: outcome.failure.error, resultEvents: [] }),
  startTime: startedAt,
  endTime: endedAt,
  duration: endedAt - startedAt,
  ...(costEstimate !== undefined && { costEstimate }),
  metadata,
})

const resultEvent = (
  { type, payload }: { readonly type: string; readonly payload: JsonObject },
  actionId: string,
  at: number,
): ResultEvent => ({
  type,
  payload: { ...payload, actionId },
  source: 'action_runner',
  timestamp: new Date(at).toISOString(),
})
