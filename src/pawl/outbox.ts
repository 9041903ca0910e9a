// Owns `pawl.outbox`: what runners under `provider: 'sandbox'` would have sent, kept in the store, and how it looks to
// people: a mail as a mail, a request as a request. Also how long the sandbox pretends to take.

import { spread } from '../core/hash.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { EngineTimers } from '../engine/clock.ts'
import type { Outbox, OutboxEntry } from '../runners/outbox.ts'
import type { OutboxQuery, OutboxRow, OutboxStore } from '../store/outbox.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { type Preview, previewOf } from './outbox-preview.ts'

export interface OutboxView {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly actionId?: string
  /** The idempotency key it would have been sent with. */
  readonly key: string
  readonly content: JsonObject
  readonly preview: Preview
  /** what a simulated service says of it. */
  readonly output: JsonObject
}

export interface OutboxDesk {
  /** Newest first. */
  readonly list: (filter?: OutboxQuery, page?: Partial<PageRequest>) => Promise<Page<OutboxView>>
  readonly get: (id: string) => Promise<OutboxView | undefined>
}

/** How long an action of the sandbox takes: nothing, so many milliseconds, or about what such a service takes. */
export type Latency = number | 'realistic'

const RANGES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  email: [200, 800],
  slack: [300, 1000],
  webhook: [500, 1500],
  database: [100, 500],
  notification: [150, 600],
}
const ANY: readonly [number, number] = [200, 1000]

export const latencyOf = (latency: Latency, type: string, key: string): number => {
  if (latency !== 'realistic') return latency
  const [least, most] = (Object.hasOwn(RANGES, type) ? RANGES[type] : undefined) ?? ANY
  return Math.round(least + (most - least) * spread(key))
}

/** One entry per action: made again by a repeated attempt, it is the same entry. */
const idOf = (key: string): string => `out_${key.replace(/^key_/, '')}`

export const createDurableOutbox = (
  store: Pick<OutboxStore, 'put'>,
  timers: Pick<EngineTimers, 'sleep'>,
  latency: Latency = 0,
): Outbox => ({
  put: async ({ namespace, tenant, actionId, key, at, type, content }: OutboxEntry) => {
    const ms = latencyOf(latency, type, key)
    const action = actionId === undefined ? {} : { action: actionId }
    const row = { id: idOf(key), at, type, ...action, key, content, ...(ms > 0 && { latencyMs: ms }) }
    await store.put({ namespace, tenant }, row)
    if (ms > 0) await timers.sleep(ms)
  },
})

const DEFAULT_LIMIT = 50

const toOf = ({ to, url, assignee, service }: JsonObject): Json => {
  if (!Array.isArray(to)) return url ?? assignee ?? service ?? null
  return (to as readonly JsonObject[]).map(({ address }) => address ?? null).join(', ')
}

const outputOf = ({ type, at, key, content, latencyMs = 0 }: OutboxRow): JsonObject => ({
  service: type,
  action: type,
  executedAt: new Date(at).toISOString(),
  executionDuration: `${latencyMs}ms`,
  type,
  to: toOf(content),
  subject: content['subject'] ?? content['title'] ?? null,
  status: 'sent',
  messageId: `msg_${key.replace(/^key_/, '')}`,
})

const outboxView = (row: OutboxRow): OutboxView => {
  const { id, at, type, action, key, content } = row
  return {
    id,
    at: new Date(at).toISOString(),
    type,
    ...(action !== undefined && { actionId: action }),
    key,
    content,
    preview: previewOf(type, content),
    output: outputOf(row),
  }
}

export const createOutboxDesk = (store: OutboxStore, of: Tenancy): OutboxDesk => ({
  list: async (filter = {}, { limit = DEFAULT_LIMIT, after } = {}) => {
    const found = await store.list(of, filter, { limit, ...(after !== undefined && { after }) })
    return { ...found, data: found.data.map(outboxView) }
  },
  get: async (id) => {
    const row = await store.get(of, id)
    return row && outboxView(row)
  },
})
