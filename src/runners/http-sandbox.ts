// Owns what webhook and api_call do under `provider: 'sandbox'`: nothing is sent, the outbox gets what would have
// been, and the answer is the first that was expected. Values in marked places are hidden: the outbox is shown to people.

import { z } from 'zod'
import type { Json, JsonObject } from '../core/json.ts'
import type { HttpResult } from './http-exchange.ts'
import { keepIn, type Outbox } from './outbox.ts'
import type { RunnerContext } from './runner-context.ts'

export interface SandboxDeps {
  readonly outbox: Outbox
  /** For actions that name no provider. */
  readonly defaultProvider?: 'sandbox'
}

export const httpResult = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  data: z.custom<Json>(() => true),
  omitted: z.string().optional(),
})

/** What Pawl writes itself, and what says only how the content is written. */
const VISIBLE: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'idempotency-key', 'user-agent', 'webhook-id', 'webhook-timestamp'],
])

export const visibleHeaders = (headers: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, VISIBLE.has(name) ? value : '‹hidden›']),
  )

interface Captured {
  readonly type: string
  readonly content: JsonObject
  readonly expectedStatusCodes: readonly number[] | undefined
}

export const capture = async (
  outbox: Outbox,
  ctx: RunnerContext,
  { type, content, expectedStatusCodes }: Captured,
): Promise<HttpResult> => {
  await keepIn(outbox, ctx, type, content)
  return { statusCode: expectedStatusCodes?.[0] ?? 200, headers: {}, data: null }
}
