// Owns the words of recurring actions on the wire, to and from those of the library.

import type { Json, JsonObject } from '../../core/json.ts'
import { DEDUP_FOR } from '../../core/triggers/recurrence-data.ts'
import type { RecurrenceView } from '../../pawl/recurring-view.ts'

export type Fields = Readonly<Record<string, Json | undefined>>

/** On the wire, in the library. */
const NAMES: readonly (readonly [string, string])[] = [
  ['cron_expr', 'cron'],
  ['timezone', 'timezone'],
  ['enabled', 'enabled'],
  ['ends_at', 'endsAt'],
  ['description', 'description'],
  ['labels', 'labels'],
  ['misfire', 'misfire'],
  ['overlap', 'overlap'],
  ['dst', 'dst'],
  ['jitter', 'jitter'],
  ['max_executions', 'maxExecutions'],
  ['pause_after_failures', 'pauseAfterFailures'],
]

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null

const requestOf = ({ provider, action_type, payload, metadata, dedup_key }: Fields): JsonObject => ({
  type: provider!,
  name: action_type!,
  config: payload!,
  ...(isGiven(metadata) && { metadata: metadata! }),
  ...(isGiven(dedup_key) && { dedup: { key: dedup_key!, for: DEDUP_FOR } }),
})

/** Null stays: it takes a setting away. */
export const settingsOf = (fields: Fields): JsonObject => ({
  ...Object.fromEntries(
    NAMES.flatMap(([wire, own]) => (fields[wire] === undefined ? [] : [[own, fields[wire]]])),
  ),
  ...(fields['provider'] !== undefined && { do: requestOf(fields) }),
})

const objectOf = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject

const templateOf = ({ settings }: RecurrenceView): Fields => {
  const request = objectOf(settings['do'])
  return {
    provider: request['type'],
    action_type: request['name'],
    payload: request['config'],
    metadata: request['metadata'] ?? {},
    dedup_key: objectOf(request['dedup'])['key'] ?? null,
  }
}

/** The template's fields as they stand: what an update does not name stays. */
export const partsOf = templateOf

const timingOf = ({ settings }: RecurrenceView): JsonObject =>
  Object.fromEntries(NAMES.map(([wire, own]) => [wire, settings[own] ?? null]))

export const created = (view: RecurrenceView): JsonObject => ({
  recurring_id: view.id,
  next_execution: view.nextAt,
  cron_expr: view.settings['cron']!,
  timezone: view.settings['timezone']!,
  enabled: view.enabled,
})

export const full = (view: RecurrenceView): JsonObject => ({
  ...timingOf(view),
  id: view.id,
  namespace: view.namespace,
  tenant: view.tenant,
  enabled: view.enabled,
  words: view.words,
  labels: view.settings['labels'] ?? {},
  action_template: templateOf(view) as JsonObject,
  next_execution_at: view.nextAt,
  last_executed_at: view.lastAt,
  execution_count: view.executionCount,
  success_count: view.successCount,
  failure_count: view.failureCount,
  error: view.error,
  created_at: view.createdAt,
  updated_at: view.updatedAt,
})

export const listed = (view: RecurrenceView): JsonObject => {
  const { provider, action_type } = templateOf(view)
  return {
    id: view.id,
    cron_expr: view.settings['cron'] ?? null,
    timezone: view.settings['timezone'] ?? null,
    enabled: view.enabled,
    description: view.settings['description'] ?? null,
    provider: provider ?? null,
    action_type: action_type ?? null,
    next_execution_at: view.nextAt,
    last_executed_at: view.lastAt,
    execution_count: view.executionCount,
    created_at: view.createdAt,
    labels: view.settings['labels'] ?? {},
  }
}
