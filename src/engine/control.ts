// Owns what people ask of actions and executions: pause, resume, cancel, run now, retry, archive, resolve. Each is one
// commit, fenced by the status it needs; what was not so is an error that says how it is.

import type { ActionError } from '../core/action-error.ts'
import { PawlError } from '../core/errors.ts'
import { droppedEvent, type Event, failedEvent, SUCCEEDED, succeededEvent } from '../core/event.ts'
import { type Execution, hasEnded } from '../core/execution.ts'
import { isObject, type Json } from '../core/json.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { ActionRow, Reader } from '../store/reader.ts'
import type {
  Advance,
  Control,
  Delivered,
  Member,
  PauseScope,
  Result,
  StoredExecution,
  Tenancy,
} from '../store/store.ts'
import { missing } from './advance.ts'
import type { ExecutionCache } from './cache.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { isStalled, type Move } from './move.ts'

export interface Resolution {
  /** `succeeded` and `failed` say what happened; `retry` says that it did not. */
  readonly outcome: 'succeeded' | 'failed' | 'retry'
  readonly result?: Json
  readonly error?: { readonly type?: string; readonly message?: string }
}

export interface Controls {
  readonly cancelAction: (of: Tenancy, id: string, reason: string) => Promise<void>
  readonly runNow: (of: Tenancy, id: string) => Promise<void>
  readonly retry: (of: Tenancy, id: string) => Promise<void>
  readonly archive: (of: Tenancy, id: string) => Promise<void>
  readonly resolve: (of: Tenancy, id: string, resolution: Resolution) => Promise<void>
  readonly pause: (of: Tenancy, scope: PauseScope, value: string, reason: string) => Promise<void>
  readonly resume: (of: Tenancy, scope: PauseScope, value: string) => Promise<void>
  readonly cancelExecution: (of: Tenancy, id: string, reason: string) => Promise<void>
}

export interface ControlParts {
  readonly reader: Pick<Reader, 'action' | 'actions' | 'execution'>
  readonly commit: Commit
  readonly move: Move
  readonly cache: ExecutionCache
  readonly clock: Clock
  readonly runnerOf: (type: string) => AnyRunner | undefined
}

/** Someone else may be changing the same thing: look again this often. */
const MAX_TRIES = 8

export const createControls = (parts: ControlParts): Controls => ({
  cancelAction: (of, id, reason) => cancelAction(parts, of, id, reason),
  runNow: (of, id) => onAction(parts, of, id, { kind: 'run_now', id }, 'one that is queued'),
  retry: (of, id) =>
    onAction(parts, of, id, { kind: 'retry_dead', id, dueAt: parts.clock.now() }, 'a dead letter'),
  archive: (of, id) =>
    onAction(parts, of, id, { kind: 'archive_dead', id }, 'a dead letter or one in review'),
  resolve: (of, id, resolution) => resolve(parts, of, id, resolution),
  pause: (of, scope, value, reason) => pause(parts, of, { kind: 'pause', scope, value, reason }),
  resume: (of, scope, value) => resume(parts, of, { kind: 'resume', scope, value }),
  cancelExecution: (of, id, reason) =>
    change(parts, of, id, async ({ execution }) => {
      if (hasEnded(execution)) throw refuse(execution, 'one that has not ended')
      return {
        execution: { ...execution, status: 'cancelled', pending: { timers: [], actions: [] } },
        history: { type: 'execution.cancelled', at: parts.clock.now(), data: { reason } },
        cancel: { timers: execution.pending.timers, actions: [] },
        control: await cancellable(parts, of, id),
      }
    }),
})

const memberOf = ({ clock }: ControlParts, { namespace, tenant }: Tenancy): Member => ({
  namespace,
  tenant,
  at: clock.now(),
})

const actionOf = async ({ reader }: ControlParts, of: Tenancy, id: string): Promise<ActionRow> => {
  const action = await reader.action(of, id)
  if (action !== undefined) return action
  throw new PawlError('action_not_found', `there is no action “${id.slice(0, 80)}”`, { path: 'action' })
}

const executionOf = async ({ reader }: ControlParts, of: Tenancy, id: string): Promise<StoredExecution> => {
  const loaded = await reader.execution(of, id)
  if (loaded === undefined) throw missing({ ...of, id })
  return loaded
}

const refuse = ({ id, status }: Execution, expected: string): PawlError =>
  new PawlError('execution_conflict', `the execution “${id}” is ${status}`, { expected, status })

const onAction = async (
  parts: ControlParts,
  of: Tenancy,
  id: string,
  control: Control,
  needs: string,
): Promise<void> => {
  const result = await parts.commit({ ...memberOf(parts, of), control: [control] })
  if (result.status !== 'ok') await refuseAction(parts, of, id, result, needs)
}

const refuseAction = async (
  parts: ControlParts,
  of: Tenancy,
  id: string,
  result: Result,
  needs: string,
): Promise<never> => {
  if (result.status === 'refused') throw result.error
  const { status } = await actionOf(parts, of, id)
  throw new PawlError('action_conflict', `the action “${id}” is ${status}`, { expected: needs, status })
}

/**
 * A recurrence counts what is under way. That a queued one will not be is told it in the same commit, which holds only while it
 * is queued; one that runs tells its own end.
 */
const cancelAction = async (parts: ControlParts, of: Tenancy, id: string, reason: string): Promise<void> => {
  const plain: Control = { kind: 'cancel_action', id, reason }
  for (let tries = 1; ; tries++) {
    const row = await parts.reader.action(of, id)
    const isCounted = row?.source.kind === 'recurrence' && row.execution !== null
    const only = isCounted && (row.status === 'queued' || row.status === 'running') ? row.status : undefined
    const result = await parts.commit({
      ...memberOf(parts, of),
      control: [only === undefined ? plain : { ...plain, only }],
      deliver: only === 'queued' ? [toldOfCancel(parts, row!)] : [],
    })
    if (result.status === 'ok') return
    // Claimed, or let go, between the look and the commit.
    const isAnother = result.status === 'conflict' && only !== undefined && tries < MAX_TRIES
    if (!isAnother) return refuseAction(parts, of, id, result, 'one that is queued or running')
  }
}

const toldOfCancel = ({ clock }: ControlParts, { id, plan, execution }: ActionRow): Delivered => ({
  execution: execution!,
  event: droppedEvent({ id, name: plan.name, settlement: 0 }, 'cancelled', clock.now()),
})

/** What a person says happened is told to the execution in the same commit. */
const resolve = async (
  parts: ControlParts,
  of: Tenancy,
  id: string,
  resolution: Resolution,
): Promise<void> => {
  const row = await actionOf(parts, of, id)
  const control = resolutionOf(id, resolution)
  const event = row.status === 'review' ? resolvedEvent(parts, row, control) : undefined
  if (event !== undefined && row.execution !== null) {
    const { namespace, tenant } = of
    const ref = { namespace, tenant, id: row.execution }
    const consumed = [{ event, from: 'result' as const }]
    const moved = await parts.move(ref, { consumed, control: [control], isFresh: true })
    // Fenced: someone else has resolved it meanwhile, and the action says how.
    if (moved.kind !== 'missing' && moved.kind !== 'fenced') return
  }
  await onAction(parts, of, id, control, 'one in review')
}

type Resolve = Extract<Control, { readonly kind: 'resolve_review' }>

/** Nothing is heard of one that is tried again. Its id is its own: the review itself was heard of before. */
const resolvedEvent = (
  { clock, runnerOf }: ControlParts,
  { id, plan }: ActionRow,
  { status, result = null, error }: Resolve,
): Event | undefined => {
  if (status === 'queued') return undefined
  const now = clock.now()
  const ended = { id, name: plan.name, settlement: 0 }
  const type = runnerOf(plan.type)?.event ?? SUCCEEDED
  const payload = isObject(result) ? result : {}
  const event =
    status === 'dead'
      ? failedEvent(ended, 'dead', error!, now)
      : succeededEvent(ended, result, { type, payload }, now)
  return { ...event, id: `${id}/resolved/${now}` }
}

const pause = async (
  parts: ControlParts,
  of: Tenancy,
  control: Extract<Control, { readonly kind: 'pause' }>,
): Promise<void> => {
  const { scope, value } = control
  if (scope === 'execution') {
    const { execution } = await executionOf(parts, of, value)
    if (hasEnded(execution)) throw refuse(execution, 'one that has not ended')
  }
  const result = await parts.commit({ ...memberOf(parts, of), control: [control] })
  if (scope === 'execution') parts.cache.drop({ ...of, id: value })
  if (result.status === 'refused') throw result.error
  if (result.status !== 'ok')
    throw new PawlError('execution_conflict', `the ${scope} “${value}” is paused already`)
}

const resume = async (
  parts: ControlParts,
  of: Tenancy,
  control: Extract<Control, { readonly kind: 'resume' }>,
): Promise<void> => {
  const { scope, value } = control
  if (scope === 'execution') {
    const { execution } = await executionOf(parts, of, value)
    parts.cache.drop({ ...of, id: value })
    if (execution.status !== 'paused') return revive(parts, of, value)
  }
  const result = await parts.commit({ ...memberOf(parts, of), control: [control] })
  if (result.status === 'refused') throw result.error
  if (result.status !== 'ok')
    throw new PawlError('execution_conflict', `the ${scope} “${value}” is not paused by itself`, {
      expected: 'what was paused: see the pauses',
    })
}

/** Its code was mended: it goes on with the event it failed over, which waits in the inbox. */
const revive = (parts: ControlParts, of: Tenancy, id: string): Promise<void> =>
  change(parts, of, id, async ({ execution }) => {
    if (!isStalled(execution)) throw refuse(execution, 'one that is paused, or failed by its code')
    const { error, ...rest } = execution
    return {
      execution: { ...rest, status: 'active' },
      history: { type: 'execution.resumed', at: parts.clock.now(), data: { after: { ...error! } } },
    }
  })

interface Change {
  readonly execution: Execution
  readonly history: Advance['history'][number]
  readonly cancel?: Execution['pending']
  readonly control?: readonly Control[]
}

/** Changes an execution that nobody decides: on the revision it was read, or read again. */
const change = async (
  parts: ControlParts,
  of: Tenancy,
  id: string,
  next: (loaded: StoredExecution) => Promise<Change>,
): Promise<void> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const loaded = await executionOf(parts, of, id)
    const { execution, history, cancel = NOTHING, control } = await next(loaded)
    const { revision: expected, chain } = loaded
    const result = await parts.commit({
      ...memberOf(parts, of),
      ...(control && { control }),
      advance: {
        execution,
        expected,
        chain,
        consume: [],
        actions: [],
        timers: [],
        cancel,
        history: [history],
      },
    })
    parts.cache.drop({ ...of, id })
    if (result.status === 'ok') return
    if (result.status === 'refused') throw result.error
  }
  throw new PawlError('execution_conflict', `the execution “${id}” changes too fast to be changed`, {
    expected: 'another try, or a pause first',
  })
}

const NOTHING: Execution['pending'] = { timers: [], actions: [] }

const cancellable = async (
  { reader }: ControlParts,
  of: Tenancy,
  execution: string,
): Promise<readonly Control[]> => {
  const controls: Control[] = []
  let after: string | undefined
  do {
    const page = await reader.actions(
      of,
      { execution },
      { limit: 250, ...(after !== undefined && { after }) },
    )
    for (const { id, status, cancelRequested } of page.data)
      if ((status === 'queued' || status === 'running') && !cancelRequested)
        controls.push({ kind: 'cancel_action', id, reason: 'its execution was cancelled' })
    after = page.next
  } while (after !== undefined)
  return controls
}

const resolutionOf = (id: string, { outcome, result, error }: Resolution): Resolve => {
  if (outcome === 'retry') return { kind: 'resolve_review', id, status: 'queued' }
  if (outcome === 'succeeded')
    return { kind: 'resolve_review', id, status: 'succeeded', result: result ?? null }
  const told: ActionError = {
    type: error?.type ?? 'resolved_failed',
    message: error?.message ?? 'a person said that it failed',
    retryable: false,
  }
  return { kind: 'resolve_review', id, status: 'dead', error: told }
}
