// Owns the shapes of what the API answers with, as they are described to programs. Tests compare every answer with its
// shape; nothing is filtered by them when it is sent.

import { z } from 'zod'

const instant = z.iso.datetime()
const json = z.unknown()
const jsonObject = z.record(z.string(), z.unknown())

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    errors: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          expected: z.string().optional(),
          suggestion: z.string().optional(),
          line: z.number().optional(),
          column: z.number().optional(),
        }),
      )
      .optional(),
    actual: z.string().optional(),
    scope: z.string().optional(),
    underWay: z.array(z.string()).optional(),
    requestId: z.string(),
    error: z.string(),
  })
  .meta({ id: 'Problem', description: 'Why a request was refused (RFC 9457).' })

const actionError = z.object({
  type: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  code: z.string().optional(),
})

export const execution = z
  .object({
    id: z.string(),
    kind: z.string(),
    definition: z.string(),
    version: z.string(),
    status: z.enum(['active', 'waiting', 'paused', 'completed', 'failed', 'cancelled']),
    state: z.string().nullable(),
    variables: jsonObject,
    createdAt: instant,
    updatedAt: instant,
    nextAt: instant.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    namespace: z.string(),
    tenant: z.string(),
  })
  .meta({ id: 'Execution', description: 'One running instance of a definition.' })

const attempt = z.object({
  number: z.number(),
  startedAt: instant,
  endedAt: instant.optional(),
  outcome: z.enum(['succeeded', 'failed', 'timed_out', 'cancelled', 'lost']),
  error: actionError.loose().optional(),
  worker: z.string(),
})

export const action = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    status: z.enum(['queued', 'running', 'succeeded', 'dead', 'review', 'cancelled', 'skipped']),
    shown: z.string(),
    executionId: z.string().optional(),
    source: z.object({ kind: z.string(), id: z.string() }),
    config: json,
    dueAt: instant,
    priority: z.number(),
    attempt: z.number(),
    maxAttempts: z.number(),
    idempotencyKey: z.string(),
    stepKey: z.string(),
    result: json.optional(),
    error: actionError.loose().optional(),
    createdAt: instant,
    startedAt: instant.optional(),
    finishedAt: instant.optional(),
    archivedAt: instant.optional(),
    attempts: z.array(attempt),
    tags: z.array(z.string()),
    metadata: jsonObject,
    summary: z.string().optional(),
    dedupKey: z.string().optional(),
    hold: z.string().optional(),
    costEstimate: json.optional(),
    deduplicated: z.boolean().optional(),
    namespace: z.string(),
    tenant: z.string(),
  })
  .meta({ id: 'Action', description: 'One effect, asked for and carried out, however often it takes.' })

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    page: z.object({ next: z.string().optional(), hasMore: z.boolean(), window: z.number().optional() }),
  })

export const sent = z.object({
  accepted: z.boolean().optional(),
  applied: z.boolean(),
  duplicate: z.boolean(),
  reason: z.string().optional(),
  execution,
})

export const patched = z.object({
  execution,
  plan: z.object({
    variables: jsonObject,
    actions: z.array(z.object({ name: z.string(), type: z.string(), dueAt: instant })),
    timers: z.array(z.object({ key: z.string(), dueAt: instant })),
    cancelled: z.object({ actions: z.array(z.string()), timers: z.array(z.string()) }),
  }),
})

export const historyEntry = z.object({
  seq: z.number(),
  type: z.string(),
  at: instant,
  data: jsonObject,
  hash: z.string(),
  prevHash: z.string(),
})

export const timelineEntry = z.object({
  when: z.enum(['past', 'now', 'planned']),
  at: instant,
  type: z.string(),
  what: z.string(),
  actionId: z.string().optional(),
  data: jsonObject.optional(),
})

export const why = z.object({
  id: z.string(),
  status: z.string(),
  reasons: z.array(z.object({ code: z.string(), text: z.string(), until: instant.optional() })),
  eta: instant.optional(),
})

export const deadGroup = z.object({
  id: z.string(),
  actionType: z.string(),
  errorType: z.string(),
  message: z.string(),
  count: z.number(),
  firstAt: instant,
  lastAt: instant,
})

const definitionHead = {
  kind: z.string(),
  id: z.string(),
  version: z.number(),
  hash: z.string(),
}
export const defined = z.object({ ...definitionHead, warnings: z.array(jsonObject).optional() })
export const definitionRow = z.object({ ...definitionHead, createdAt: instant })
export const definition = z.object({
  ...definitionHead,
  createdAt: instant,
  content: jsonObject,
  versions: z.array(definitionRow),
})

export const agendaEntry = z.object({
  at: instant,
  local: z.string(),
  zone: z.string(),
  what: z.string(),
  type: z.enum(['action', 'timer', 'occurrence']),
  source: z.object({ kind: z.string(), id: z.string() }),
  schedule: z
    .object({ local: z.string(), zone: z.string(), words: z.string() })
    .optional()
    .describe('When its schedule says, in the schedule’s own zone.'),
  mark: z
    .object({ kind: z.enum(['gap', 'overlap', 'change']), text: z.string() })
    .optional()
    .describe('The clock changes that day.'),
  paused: z.literal(true).optional().describe('It was stopped: it comes only if it goes on before then.'),
  actionId: z.string().optional(),
  executionId: z.string().optional(),
})

export const key = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  namespace: z.string(),
  tenant: z.string(),
  scopes: z.array(z.string()),
  operator: z.boolean(),
  createdAt: instant,
  expiresAt: instant.optional(),
  revokedAt: instant.optional(),
  token: z.string().optional().describe('Only in the answer that makes the key.'),
})

export const secret = z.object({
  name: z.string(),
  version: z.number(),
  fingerprint: z.string(),
  hosts: z.array(z.string()),
  createdAt: instant,
  updatedAt: instant,
  shadowedBy: z.string().optional(),
})

export const auditEntry = z.object({
  seq: z.number(),
  type: z.string(),
  at: instant,
  actor: z.string(),
  subject: z.string(),
  requestId: z.string(),
  before: json,
  after: json,
  hash: z.string(),
  prevHash: z.string(),
})

export const worker = z.object({
  id: z.string(),
  startedAt: instant,
  seenAt: instant,
  slots: z.number(),
  types: z.array(z.string()),
  definitions: z.array(z.string()),
  version: z.string(),
  host: z.string(),
})

export const clock = z.object({ now: instant, virtual: z.boolean() })
export const health = z.object({ status: z.string(), checks: jsonObject.optional() })

/** Shapes that belong to their own verbs, and are shown as those give them. */
export const open = jsonObject
