// Owns the work of bulk operations, in every process that works: one of them at a time per operation by a lease, one
// operation of a tenant sending at a time, paced. A step sends some actions on and says so in one commit; what was sent is
// heard of when it has ended.
// K1  Each action is sent once: its change, the item of it and the cursor behind it are one commit on one revision. A crash
//     before it sent nothing, after it goes on behind it.

import { type ActionError, actionError } from '../core/action-error.ts'
import { type Bulk, type Progress, paceOf, progress } from '../core/bulk.ts'
import { PawlError } from '../core/errors.ts'
import { mergePatch } from '../core/merge-patch.ts'
import type { ActionRow } from '../store/reader.ts'
import type { Control, Member, Result } from '../store/store.ts'
import type { BulkOutcome, BulkRow, Triage } from '../store/triage.ts'
import type { BulkChange, BulkItem } from '../store/triage-change.ts'
import { recordOf } from './bulk.ts'
import { searchTargets } from './bulk-targets.ts'
import type { Log } from './log.ts'
import { makeAnew, type ReplayParts } from './replay.ts'

export interface BulkWorkParts extends ReplayParts {
  readonly triage: Triage
  readonly log: Log
  readonly worker: string
  /** How long an operation waits for a process that is gone. */
  readonly bulkLeaseMs: number
}

export interface BulkWork {
  /** One look at all that runs; answers how much was done. `isPaced` false: as fast as it goes, for a virtual clock. */
  readonly pass: (isPaced?: boolean) => Promise<number>
  /** How long until the next step may be taken, while there is one to take. */
  readonly untilNext: () => number | undefined
  /** Others may go on at once. */
  readonly leave: () => Promise<void>
}

const LIMIT = 100
const HEAR = 250
const HEAR_MS = 200

/** What this process remembers of an operation it works on. */
interface Mine {
  leaseUntil: number
  /** No step before, by this process's monotonic clock. Another process takes over long after it. */
  mayAt: number
  /** When there is something to send again; never, while it only listens. */
  nextAt: number
  /** Where the search for those that ended goes on. */
  heardTo: string
}

export const createBulkWork = (parts: BulkWorkParts): BulkWork => {
  const mine = new Map<string, Mine>()
  const { triage, clock } = parts
  return {
    pass: async (isPaced = true) => {
      const rows = await triage.running(LIMIT)
      for (const key of mine.keys()) if (!rows.some((row) => keyOf(row) === key)) mine.delete(key)
      const sending = new Set<string>()
      let done = 0
      for (const row of rows) {
        const tenant = JSON.stringify([row.namespace, row.tenant])
        const wants = row.bulk.cursor !== null
        const own = await take(parts, mine, row)
        if (own !== undefined) done += await workOn(parts, row, own, wants && !sending.has(tenant), isPaced)
        if (wants) sending.add(tenant)
      }
      // Paced work is not done again at once: what is left has to wait for its time.
      return isPaced ? 0 : done
    },
    untilNext: () => {
      if (mine.size === 0) return undefined
      const next = Math.min(...Array.from(mine.values(), ({ nextAt }) => nextAt)) - clock.monotonic()
      return Math.min(HEAR_MS, Math.max(1, next))
    },
    leave: async () => {
      const rows = (await triage.running(LIMIT)).filter((row) => mine.has(keyOf(row)))
      for (const row of rows) await triage.take(row, row.id, parts.worker, 0, clock.clocks())
      mine.clear()
    },
  }
}

/** Undefined: another process works on it. */
const take = async (
  { triage, clock, worker, bulkLeaseMs }: BulkWorkParts,
  mine: Map<string, Mine>,
  row: BulkRow,
): Promise<Mine | undefined> => {
  const known = mine.get(keyOf(row))
  const now = clock.monotonic()
  if (known !== undefined && known.leaseUntil - now > bulkLeaseMs / 2) return known
  if (!(await triage.take(row, row.id, worker, bulkLeaseMs, clock.clocks()))) {
    mine.delete(keyOf(row))
    return undefined
  }
  const taken = known ?? { leaseUntil: 0, mayAt: 0, nextAt: 0, heardTo: '' }
  taken.leaseUntil = now + bulkLeaseMs
  mine.set(keyOf(row), taken)
  return taken
}

/** Answers how many actions were heard of or looked at. */
const workOn = async (
  parts: BulkWorkParts,
  row: BulkRow,
  own: Mine,
  maySend: boolean,
  isPaced: boolean,
): Promise<number> => {
  const { clock } = parts
  const heard = await hear(parts, row, own)
  const isSending = maySend && !heard.isLost && heard.row.bulk.status === 'running'
  own.nextAt = isSending ? own.mayAt : Infinity
  if (!isSending || (isPaced && clock.monotonic() < own.mayAt)) return heard.done
  const { step, gapMs } = paceOf(heard.row.bulk)
  own.mayAt = clock.monotonic() + gapMs
  own.nextAt = own.mayAt
  return heard.done + (await send(parts, heard.row, step))
}

const keyOf = ({ namespace, tenant, id }: BulkRow): string => JSON.stringify([namespace, tenant, id])

/** A change of an operation as part of a member, with its line in the feed when it has ended by it. */
const changeOf = (
  { id, revision, bulk: before }: BulkRow,
  bulk: Bulk,
  items: readonly BulkItem[],
  heard: readonly BulkItem[],
  at: number,
): { readonly change: BulkChange; readonly record: Pick<Member, 'record'> } => ({
  change: { kind: 'bulk', bulkId: id, expected: revision, bulk, items, heard },
  record: bulk.status === before.status ? {} : { record: [recordOf(bulk.status, id, bulk, at)] },
})

interface Heard {
  readonly row: BulkRow
  readonly done: number
  /** Someone else has changed it meanwhile. */
  readonly isLost: boolean
}

const hear = async (parts: BulkWorkParts, row: BulkRow, own: Mine): Promise<Heard> => {
  const { triage, commit, clock } = parts
  const { sent, succeeded, failed, cursor } = row.bulk
  if (sent === succeeded + failed && cursor !== null) return { row, done: 0, isLost: false }
  const seen = await triage.outcomes(row, row.id, own.heardTo, HEAR)
  own.heardTo = seen.length < HEAR ? '' : seen.at(-1)!.action
  const at = clock.now()
  const heard = seen
    .toSorted((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0))
    .flatMap((outcome) => itemOf(outcome, at))
  const outcomes = heard.map(({ status }) => status as 'succeeded' | 'failed')
  const bulk = progress(row.bulk, { outcomes }, at)
  if (heard.length === 0 && bulk.status === 'running') return { row, done: 0, isLost: false }
  const { change, record } = changeOf(row, bulk, [], heard, at)
  const { namespace, tenant } = row
  const result = await commit({ namespace, tenant, at, control: [change], ...record })
  if (result.status === 'refused') throw result.error
  const moved = { ...row, bulk, revision: row.revision + 1 }
  return { row: moved, done: heard.length, isLost: result.status !== 'ok' }
}

const GONE: ActionError = {
  type: 'unknown_error',
  message: 'it ended so long ago that it is no longer kept',
  retryable: false,
}

/** Nothing while its action is still to end. */
const itemOf = ({ action, watched, status, error }: BulkOutcome, at: number): readonly BulkItem[] => {
  if (status === 'queued' || status === 'running') return []
  if (status === 'succeeded' || status === 'skipped') return [{ action, watched, status: 'succeeded', at }]
  return [{ action, watched, status: 'failed', at, error: error ?? GONE }]
}

/** One step; answers how many actions were looked at. */
const send = async (parts: BulkWorkParts, row: BulkRow, step: number): Promise<number> => {
  const { triage } = parts
  const { rows, cursor } = await searchTargets(triage, row, row.bulk, row.bulk.cursor!, step)
  const ids = rows.map(({ id }) => id)
  const before = new Set(ids.length === 0 ? [] : await triage.sent(row, row.id, ids))
  const targets = rows.filter(({ id }) => !before.has(id))
  if (row.bulk.asNew) return sendAnew(parts, row, targets, cursor)
  await sendTogether(parts, row, targets, cursor)
  return Math.max(1, rows.length)
}

const controlOf = ({ kind, reason = 'cancelled with others' }: Bulk, id: string, now: number): Control => {
  if (kind === 'replay') return { kind: 'retry_dead', id, dueAt: now }
  return kind === 'archive' ? { kind: 'archive_dead', id } : { kind: 'cancel_action', id, reason }
}

/** All of a step in one commit. One that is no longer what it was is left out, and the rest tried again. */
const sendTogether = async (
  parts: BulkWorkParts,
  row: BulkRow,
  targets: readonly ActionRow[],
  cursor: string | null,
): Promise<void> => {
  const { namespace, tenant, bulk } = row
  const isHeard = bulk.kind !== 'replay'
  for (let left = targets.map(({ id }) => id); ; ) {
    const at = parts.clock.now()
    const skipped = targets.length - left.length
    const made: Progress = {
      sent: left.length,
      skipped,
      cursor,
      ...(isHeard && { outcomes: left.map(() => 'succeeded') }),
    }
    const status = isHeard ? 'succeeded' : 'sent'
    const items = left.map((action): BulkItem => ({ action, watched: action, status, at }))
    const { change, record } = changeOf(row, progress(bulk, made, at), items, [], at)
    const control = [...left.map((id) => controlOf(bulk, id, at)), change]
    const result = await parts.commit({ namespace, tenant, at, control, ...record })
    if (isOver(parts, row, result)) return
    left = left.filter((id) => id !== result.subject)
  }
}

/** True unless an action stood in the way: written, or overtaken by someone who changed the operation. */
const isOver = ({ log }: BulkWorkParts, { id }: BulkRow, result: Result): boolean => {
  if (result.status === 'refused') throw result.error
  if (result.status === 'conflict') {
    if (result.subject !== id) return false
    log.info('a bulk operation was changed by someone else', { bulk: id })
  }
  return true
}

/** One by one, because each may move an execution of its own. The cursor goes behind the last with the last. */
const sendAnew = async (
  parts: BulkWorkParts,
  row: BulkRow,
  targets: readonly ActionRow[],
  cursor: string | null,
): Promise<number> => {
  let current: BulkRow | undefined = row
  for (const target of targets)
    if (current?.bulk.status === 'running') current = await sendOneAnew(parts, current, target)
  if (current?.bulk.status === 'running') await sendTogether(parts, current, [], cursor)
  return Math.max(1, targets.length)
}

/** The operation as it then is; undefined when someone else has changed it. */
const sendOneAnew = async (
  parts: BulkWorkParts,
  row: BulkRow,
  target: ActionRow,
): Promise<BulkRow | undefined> => {
  const { bulk } = row
  const at = parts.clock.now()
  const moved = (made: Progress): Bulk => progress(bulk, made, at)
  const change = (to: Bulk, item: Omit<BulkItem, 'action' | 'at'>): BulkChange =>
    changeOf(row, to, [{ action: target.id, at, ...item }], [], at).change
  const after = (to: Bulk): BulkRow => ({ ...row, bulk: to, revision: row.revision + 1 })
  try {
    const config = mergePatch(target.plan.config, bulk.patch ?? {})
    const sent = moved({ sent: 1 })
    const { result } = await makeAnew(parts, target, config, (watched) => [
      change(sent, { watched, status: 'sent' }),
    ])
    if (!isOver(parts, row, result)) return row
    return result.status === 'ok' ? after(sent) : undefined
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== 'config_invalid') throw error
    const failed = moved({ sent: 1, outcomes: ['failed'] })
    const told = actionError({
      type: 'invalid_configuration',
      message: error.message,
      retryable: false,
      code: error.code,
    })
    const control = [change(failed, { watched: target.id, status: 'failed', error: told })]
    const { namespace, tenant } = row
    const result = await parts.commit({ namespace, tenant, at, control })
    return result.status === 'ok' ? after(failed) : undefined
  }
}
