// Owns `pawl.dead`: dead letters as F-090 and F-091 name them, their groups, and what to do about each. One that is made
// anew (another config) is replayAction.

import { PawlError } from '../core/errors.ts'
import { normaliseMessage } from '../core/fingerprint.ts'
import type { Json } from '../core/json.ts'
import { makeAnew } from '../engine/replay.ts'
import type { ActionRow, Page, PageRequest } from '../store/reader.ts'
import type { Tenancy } from '../store/store.ts'
import { type DeadFilter, groupName, targetFilter } from './bulk.ts'
import type { Parts } from './parts.ts'
import { type ActionView, actionView } from './views.ts'

/** F-091. */
export interface FailedAction {
  readonly id: string
  readonly originalAction: ActionView
  readonly failureReason: string
  readonly failedAt: string
  readonly totalAttempts: number
  readonly lastAttemptAt: string
  /** Trying it again as it is may work. */
  readonly recoverable: boolean
  /** Somebody has to change something first. */
  readonly manualReviewRequired: boolean
  readonly suggestedFix?: string
}

export interface DeadGroupView {
  /** `eg_…`: what a replay of the group is asked by. */
  readonly id: string
  readonly actionType: string
  readonly errorType: string
  /** Without what differs from one to the next. */
  readonly message: string
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
}

/** F-090. */
export interface DeadLetterQueue {
  /** Newest first. */
  readonly list: (
    filter?: Pick<DeadFilter, 'type' | 'name' | 'tag' | 'execution'> & { readonly group?: string },
    page?: Partial<PageRequest>,
  ) => Promise<Page<FailedAction>>
  /** The newest first. */
  readonly groups: (limit?: number) => Promise<readonly DeadGroupView[]>
  readonly retry: (id: string) => Promise<void>
  /** As a bulk operation; answers how many are meant. */
  readonly retryAll: (filter?: DeadFilter) => Promise<number>
  readonly archive: (id: string) => Promise<void>
}

const LIMIT = 50

/** What a person can do about an error of this type. */
const FIXES: ReadonlyMap<string, string> = new Map([
  ['authentication_failed', 'Renew the credentials of the service, then replay.'],
  ['authorization_failed', 'Give the credentials the right to do this, then replay.'],
  ['invalid_configuration', 'Correct the config (edit and replay), and the definition it comes from.'],
  ['malformed_request', 'Correct the config (edit and replay): the receiver does not accept it.'],
  ['not_found', 'Correct the address or the id in the config, then replay.'],
  ['rate_limit', 'Replay at a lower rate, or give the type a limit.'],
  ['timeout', 'See whether the receiver is up, or allow more time; then replay.'],
  ['network_error', 'See whether the receiver can be reached; then replay.'],
  ['service_unavailable', 'See whether the receiver is up; then replay.'],
  ['destination_forbidden', 'Have the operator allow the destination, or name another.'],
  ['expired', 'It is past its time: archive it, or replay it as a new action.'],
  ['poison', 'It ended its process each time: mend the runner before it is replayed.'],
])

const instant = (at: number): string => new Date(at).toISOString()

const failedView = (row: ActionRow, view: ActionView): FailedAction => {
  const { type = 'unknown_error', message = '', retryable = false } = row.error ?? {}
  const fix = FIXES.get(type)
  const failedAt = instant(row.finishedAt ?? row.createdAt)
  return {
    id: row.id,
    originalAction: view,
    failureReason: `${type}: ${message}`,
    failedAt,
    totalAttempts: row.attempt,
    lastAttemptAt: failedAt,
    recoverable: retryable,
    manualReviewRequired: !retryable,
    ...(fix !== undefined && { suggestedFix: fix }),
  }
}

export const createDeadLetters = ({ engine, opened, clock }: Parts, of: Tenancy): DeadLetterQueue => {
  const { reader, store } = opened
  const { controls, triage } = engine
  return {
    list: async ({ group, ...filter } = {}, page = {}) => {
      const fingerprint = group?.replace(/^eg_/, '')
      const wanted = { ...filter, status: 'dead' as const, ...(fingerprint !== undefined && { fingerprint }) }
      const found = await reader.actions(of, wanted, { limit: LIMIT, ...page })
      const shown = { storeId: store.id, now: clock.now() }
      return { ...found, data: found.data.map((row) => failedView(row, actionView(row, [], shown))) }
    },
    groups: async (limit = LIMIT) =>
      (await reader.deadGroups(of, limit)).map(({ fingerprint, message, firstAt, lastAt, ...group }) => ({
        id: groupName(fingerprint),
        ...group,
        message: normaliseMessage(message),
        firstAt: instant(firstAt),
        lastAt: instant(lastAt),
      })),
    retry: (id) => controls.retry(of, id),
    retryAll: async (filter = {}) =>
      (await triage.bulks.begin(of, 'replay', { filter: targetFilter(filter) })).bulk.total,
    archive: (id) => controls.archive(of, id),
  }
}

/**
 * KERNEL §9: as it was, it is another attempt of the same action under the same key; with another config it is a new one,
 * linked, with a key of its own. What has ended well is only ever made anew.
 */
export const replayAction =
  ({ engine, opened, clock }: Parts, of: Tenancy) =>
  async (id: string, { config }: { readonly config?: Json } = {}): Promise<ActionView> => {
    const { reader, store } = opened
    const viewOf = async (name: string): Promise<ActionView> => {
      const row = (await reader.action(of, name))!
      return actionView(row, await reader.attempts(of, name), { storeId: store.id, now: clock.now() })
    }
    const row = await reader.action(of, id)
    if (row === undefined)
      throw new PawlError('action_not_found', `there is no action “${id.slice(0, 80)}”`, { path: 'action' })
    const { status } = row
    const isDead = status === 'dead' && row.archivedAt === undefined
    if (isDead && config === undefined) {
      await engine.controls.retry(of, id)
      return viewOf(id)
    }
    if (status === 'queued' || status === 'running' || status === 'review') throw notOver(id, status)
    const anew = await makeAnew(engine.anew, row, config ?? row.plan.config, () => [])
    if (anew.result.status === 'refused') throw anew.result.error
    if (anew.result.status !== 'ok') throw notOver(id, 'no longer what it was')
    return viewOf(anew.id)
  }

const notOver = (id: string, status: string): PawlError =>
  new PawlError('action_conflict', `the action “${id}” is ${status}`, {
    expected: 'one that has ended; a review is ended by resolve',
    status,
  })
