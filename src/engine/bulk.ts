// Owns what people ask of many actions at once: how many are meant, begin, pause, resume, stop. The work itself is
// bulk-work.ts, in any process that works; nothing here waits for it.

import {
  type Bulk,
  type BulkKind,
  DEFAULT_RATE,
  MAX_RATE,
  START,
  type TargetFilter,
  turn,
} from '../core/bulk.ts'
import { PawlError } from '../core/errors.ts'
import { assertStorable, type JsonObject } from '../core/json.ts'
import type { Recorded, Tenancy } from '../store/store.ts'
import type { BulkRow, Triage } from '../store/triage.ts'
import { everyTarget, type Wanted } from './bulk-targets.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { assertId } from './ids.ts'
import type { Chance } from './random.ts'

export interface BulkRequest {
  readonly filter?: TargetFilter
  /** The fingerprint of one group of dead letters. */
  readonly group?: string
  /** Default 100; never more than that many in a second, of all operations of a tenant together. */
  readonly ratePerSecond?: number
  readonly stopAfterFailures?: number
  readonly asNew?: boolean
  readonly patch?: JsonObject
  readonly reason?: string
  readonly by?: string
  /** A name of the caller's: begun again under it, it is the same operation. */
  readonly id?: string
}

export interface Bulks {
  /** How many are meant, as of now. */
  readonly count: (of: Tenancy, kind: BulkKind, request: BulkRequest) => Promise<number>
  readonly begin: (of: Tenancy, kind: BulkKind, request: BulkRequest) => Promise<BulkRow>
  readonly turn: (
    of: Tenancy,
    id: string,
    to: 'paused' | 'running' | 'stopped',
    reason?: string,
  ) => Promise<BulkRow>
}

export interface BulksParts {
  readonly triage: Triage
  readonly commit: Commit
  readonly clock: Clock
  readonly chance: Chance
}

const MAX_IDS = 10_000
/** Its worker changes it too: look again this often. */
const MAX_TRIES = 20

export const createBulks = (parts: BulksParts): Bulks => ({
  count: async (of, kind, request) => {
    assertRequest(request)
    return countTargets(parts, of, wantedOf(kind, request, parts.clock.now()))
  },
  begin: (of, kind, request) => begin(parts, of, kind, request),
  turn: (of, id, to, reason) => turnTo(parts, of, id, to, reason),
})

export const bulkMissing = (id: string): PawlError =>
  new PawlError('bulk_not_found', `there is no bulk operation “${id.slice(0, 80)}”`, { path: 'bulk' })

/** What has died since is not meant: it would be replayed again and again. */
const wantedOf = (kind: BulkKind, { filter = {}, group }: BulkRequest, now: number): Wanted => ({
  kind,
  filter: kind === 'cancel' ? filter : { ...filter, until: Math.min(filter.until ?? Infinity, now + 1) },
  ...(group !== undefined && { group }),
})

const countTargets = async ({ triage, clock }: BulksParts, of: Tenancy, wanted: Wanted): Promise<number> => {
  let count = 0
  for await (const { rows } of everyTarget(triage, of, wanted)) {
    count += rows.length
    await clock.timers.turn()
  }
  return count
}

const refuse = (path: string, message: string, expected: string): PawlError =>
  new PawlError('invalid_option', message, { path, expected })

const assertRequest = ({ ratePerSecond, stopAfterFailures, filter, patch, id }: BulkRequest): void => {
  if (ratePerSecond !== undefined && !(ratePerSecond > 0 && ratePerSecond <= MAX_RATE))
    throw refuse(
      'ratePerSecond',
      `${ratePerSecond} a second is not possible`,
      `more than 0, at most ${MAX_RATE}`,
    )
  if (stopAfterFailures !== undefined && !(Number.isInteger(stopAfterFailures) && stopAfterFailures > 0))
    throw refuse(
      'stopAfterFailures',
      `${stopAfterFailures} failures cannot be counted`,
      'a whole number from 1',
    )
  if ((filter?.ids?.length ?? 0) > MAX_IDS)
    throw refuse('filter.ids', `${filter!.ids!.length} ids are too many`, `at most ${MAX_IDS}, or a group`)
  if (patch !== undefined) assertStorable(patch, 'the patch')
  if (id !== undefined) assertId(id, 'id')
}

const bulkOf = (wanted: Wanted, request: BulkRequest, total: number): Bulk => {
  const { ratePerSecond = DEFAULT_RATE, stopAfterFailures, asNew = false, patch, by, reason } = request
  return {
    ...wanted,
    status: 'running',
    ratePerSecond,
    ...(stopAfterFailures !== undefined && { stopAfterFailures }),
    ...((asNew || patch !== undefined) && { asNew: true }),
    ...(patch !== undefined && { patch }),
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
    total,
    sent: 0,
    succeeded: 0,
    failed: 0,
    skipped: 0,
    row: 0,
    cursor: START,
  }
}

const begin = async (
  parts: BulksParts,
  of: Tenancy,
  kind: BulkKind,
  request: BulkRequest,
): Promise<BulkRow> => {
  assertRequest(request)
  const { namespace, tenant } = of
  const now = parts.clock.now()
  const wanted = wantedOf(kind, request, now)
  const id = request.id ?? parts.chance.id('blk', now)
  const bulk = bulkOf(wanted, request, await countTargets(parts, of, wanted))
  const result = await parts.commit({
    namespace,
    tenant,
    at: now,
    control: [{ kind: 'bulk', bulkId: id, expected: 0, bulk, items: [], heard: [] }],
    record: [recordOf('started', id, bulk, now)],
  })
  if (result.status === 'refused') throw result.error
  if (result.status === 'ok')
    return { namespace, tenant, id, revision: 1, bulk, createdAt: now, updatedAt: now }
  return (await parts.triage.bulk(of, id))!
}

/** A line of the feed. */
export const recordOf = (what: string, id: string, bulk: Bulk, at: number): Recorded => {
  const { kind, status, total, sent, succeeded, failed, reason, by } = bulk
  const told = { ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) }
  return { type: `bulk.${what}`, at, data: { id, kind, status, total, sent, succeeded, failed, ...told } }
}

const WORDS = { paused: 'paused', running: 'resumed', stopped: 'stopped' } as const

const turnTo = async (
  { triage, commit, clock }: BulksParts,
  of: Tenancy,
  id: string,
  to: keyof typeof WORDS,
  reason: string | undefined,
): Promise<BulkRow> => {
  const { namespace, tenant } = of
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const row = await triage.bulk(of, id)
    if (row === undefined) throw bulkMissing(id)
    const at = clock.now()
    const bulk = turn(row.bulk, to, reason, at)
    const { status } = row.bulk
    if (bulk === undefined)
      throw new PawlError('bulk_conflict', `the bulk operation “${id}” is ${status}`, { status })
    const { revision: expected } = row
    const result = await commit({
      namespace,
      tenant,
      at,
      control: [{ kind: 'bulk', bulkId: id, expected, bulk, items: [], heard: [] }],
      record: [recordOf(WORDS[to], id, bulk, at)],
    })
    if (result.status === 'refused') throw result.error
    if (result.status === 'ok') return { ...row, bulk, revision: expected + 1, updatedAt: at }
  }
  throw new PawlError('bulk_conflict', `the bulk operation “${id}” changes too fast to be changed`, {
    expected: 'another try',
  })
}
