// Owns `pawl.bulk`: work on many actions at once, in people's words, and how an operation is shown.

import type { ActionError } from '../core/action-error.ts'
import type { BulkKind, BulkStatus, TargetFilter } from '../core/bulk.ts'
import type { JsonObject } from '../core/json.ts'
import { parseInstant } from '../core/time/instant.ts'
import { type BulkRequest, bulkMissing } from '../engine/bulk.ts'
import type { Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import type { BulkRow } from '../store/triage.ts'
import type { Parts } from './parts.ts'

type PageOf = Partial<PageRequest>

/** Which ones are meant; what is absent means any. */
export interface DeadFilter extends Omit<TargetFilter, 'since' | 'until'> {
  /** When it died (of what is queued: is due), RFC 3339 or milliseconds: from then … */
  readonly since?: string | number
  /** … and before then. */
  readonly until?: string | number
}

interface Common {
  readonly filter?: DeadFilter
  /** Default 100. All operations of a tenant take turns. */
  readonly ratePerSecond?: number
  /** Only counts what is meant. */
  readonly dryRun?: boolean
  readonly by?: string
  /** A name of the caller's: begun again under it, it is the same operation. */
  readonly id?: string
}

export interface ArchiveRequest extends Common {
  /** One group of dead letters, `eg_…`. */
  readonly group?: string
}

export interface ReplayRequest extends ArchiveRequest {
  /** So many failures in a row stop it. */
  readonly stopAfterFailures?: number
  /** As new actions with keys of their own, instead of another attempt of the same. */
  readonly asNew?: boolean
  /** Laid over each config (RFC 7396: null removes); makes new actions. */
  readonly patch?: JsonObject
}

export interface CancelRequest extends Common {
  readonly reason?: string
}

export interface BulkView {
  readonly id: string
  readonly kind: BulkKind
  readonly status: BulkStatus
  /** Counted when it began. */
  readonly total: number
  readonly sent: number
  /** Heard of: `succeeded` and `failed` together. */
  readonly done: number
  readonly succeeded: number
  readonly failed: number
  /** Were no longer what they had been when their turn came. */
  readonly skipped: number
  readonly ratePerSecond: number
  readonly filter: JsonObject
  readonly group?: string
  readonly reason?: string
  readonly by?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly finishedAt?: string
  readonly namespace: string
  readonly tenant: string
}

export interface BulkFailure {
  readonly actionId: string
  readonly at: string
  readonly error: ActionError
}

export interface BulkDesk {
  readonly replay: (request: ReplayRequest) => Promise<BulkView | { readonly count: number }>
  readonly archive: (request: ArchiveRequest) => Promise<BulkView | { readonly count: number }>
  /** What is queued: scheduled, ready or waiting for another try. */
  readonly cancel: (request: CancelRequest) => Promise<BulkView | { readonly count: number }>
  readonly get: (id: string) => Promise<BulkView | undefined>
  /** Newest first. */
  readonly list: (page?: PageOf) => Promise<Page<BulkView>>
  readonly pause: (id: string, reason?: string) => Promise<BulkView>
  readonly resume: (id: string) => Promise<BulkView>
  readonly stop: (id: string, reason?: string) => Promise<BulkView>
  readonly failures: (id: string, page?: PageOf) => Promise<Page<BulkFailure>>
}

const GROUP = 'eg_'
const LIMIT = 50

export const groupName = (fingerprint: string): string => `${GROUP}${fingerprint}`
const fingerprintOf = (group: string): string => (group.startsWith(GROUP) ? group.slice(GROUP.length) : group)

const instant = (at: number): string => new Date(at).toISOString()

export const targetFilter = ({ since, until, ...rest }: DeadFilter): TargetFilter => ({
  ...rest,
  ...(since !== undefined && { since: parseInstant(since) }),
  ...(until !== undefined && { until: parseInstant(until) }),
})

const shownFilter = ({ since, until, ...rest }: TargetFilter): JsonObject => ({
  ...(rest as JsonObject),
  ...(since !== undefined && { since: instant(since) }),
  ...(until !== undefined && { until: instant(until) }),
})

const bulkView = ({ id, bulk, createdAt, updatedAt, namespace, tenant }: BulkRow): BulkView => {
  const { kind, status, total, sent, succeeded, failed, skipped, ratePerSecond } = bulk
  const { filter, group, reason, by, finishedAt } = bulk
  return {
    id,
    kind,
    status,
    total,
    sent,
    done: succeeded + failed,
    succeeded,
    failed,
    skipped,
    ratePerSecond,
    filter: shownFilter(filter),
    ...(group !== undefined && { group: groupName(group) }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    ...(finishedAt !== undefined && { finishedAt: instant(finishedAt) }),
    namespace,
    tenant,
  }
}

export const createBulkDesk = ({ engine, opened }: Parts, of: Tenancy): BulkDesk => {
  const { bulks } = engine.triage
  const { triage } = opened
  const begin =
    (kind: BulkKind) =>
    async ({ dryRun = false, filter = {}, ...rest }: ReplayRequest & CancelRequest) => {
      const group = 'group' in rest && rest.group !== undefined ? { group: fingerprintOf(rest.group) } : {}
      const request: BulkRequest = { ...rest, ...group, filter: targetFilter(filter) }
      if (dryRun) return { count: await bulks.count(of, kind, request) }
      return bulkView(await bulks.begin(of, kind, request))
    }
  const turn = async (...[id, to, reason]: [string, 'paused' | 'running' | 'stopped', string?]) =>
    bulkView(await bulks.turn(of, id, to, reason))
  return {
    replay: begin('replay'),
    archive: begin('archive'),
    cancel: begin('cancel'),
    get: async (id) => {
      const row = await triage.bulk(of, id)
      return row && bulkView(row)
    },
    list: async (page = {}) => {
      const found = await triage.bulks(of, { limit: LIMIT, ...page })
      return { ...found, data: found.data.map(bulkView) }
    },
    pause: (id, reason) => turn(id, 'paused', reason),
    resume: (id) => turn(id, 'running'),
    stop: (id, reason) => turn(id, 'stopped', reason),
    failures: async (id, page = {}) => {
      if ((await triage.bulk(of, id)) === undefined) throw bulkMissing(id)
      const found = await triage.failures(of, id, { limit: LIMIT, ...page })
      const data = found.data.map(({ action, at, error }) => ({
        actionId: action,
        at: instant(at),
        error: error!,
      }))
      return { ...found, data }
    },
  }
}
