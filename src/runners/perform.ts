// Owns one attempt, from a config to what came of it (F-042). It never throws: whatever the runner's code does is an
// outcome. Timeouts, cancellation and lost leases are the engine's; here they are only a signal the runner may heed.
// P1  A config that does not fit is refused before the effect and is not retried (F-044, X-15).
// P2  After the effect nothing leads to a repetition: what cannot be read of its result is said, not retried.

import type { Delivery } from '../core/action.ts'
import { actionError, permanent } from '../core/action-error.ts'
import { classify } from '../core/classify.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { placeOf } from '../core/place.ts'
import { plain } from '../core/plain.ts'
import { type Checked, checkWith, inWords, type Misfit, misfit } from '../core/schema.ts'
import type { Outcome } from '../core/settle.ts'
import type { AnyRunner, Done } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'

/** One attempt to be made. */
export interface Task {
  /** Rendered, secrets filled in. */
  readonly config: Json
  readonly delivery: Delivery
  readonly ctx: RunnerContext
  /** Called when reconcile() has found nothing; the signal tells whether the effect may still be made. */
  readonly onNothingFound?: () => void
}

export interface Performance {
  readonly outcome: Extract<Outcome, { readonly kind: 'succeeded' | 'failed' }>
  readonly startedAt: number
  readonly endedAt: number
  readonly costEstimate?: number
  readonly metadata: JsonObject
}

export const perform = async (runner: AnyRunner, task: Task): Promise<Performance> => {
  const { now } = task.ctx
  const startedAt = now()
  const notes = await attempt(runner, task, startedAt).catch((failure: unknown) =>
    failed(withPlace(classify(failure, now()), placeOf(failure))),
  )
  return { metadata: {}, ...notes, startedAt, endedAt: now() }
}

type Notes = Pick<Performance, 'outcome' | 'costEstimate'> & Partial<Pick<Performance, 'metadata'>>
type Failure = Extract<Outcome, { readonly kind: 'failed' }>['failure']

const withPlace = (failure: Failure, place: string | undefined): Failure =>
  place === undefined ? failure : { ...failure, place }

const failed = (failure: Failure): Notes => ({ outcome: { kind: 'failed', failure } })

const attempt = async (runner: AnyRunner, task: Task, startedAt: number): Promise<Notes> => {
  const { definition, type } = runner
  const config = checkWith(definition.config)(task.config)
  if (!config.fits) return failed(unfit(`the config of ${type} does not fit`, config.misfits))
  const work = { config: config.value, ctx: task.ctx }
  const isReconciled = task.delivery === 'reconcile'
  if (isReconciled && definition.reconcile === undefined)
    return failed(unfit(`the runner ${type} cannot reconcile: it has no reconcile()`, []))
  const isRepetition = isReconciled && task.ctx.attempt > 1
  const found = isRepetition ? await definition.reconcile?.(work) : undefined
  if (isRepetition && found === undefined) {
    // Looking took time, in which the lease may have been lost: then it is another's to send.
    task.onNothingFound?.()
    task.ctx.signal.throwIfAborted()
  }
  const raw = found === undefined ? await definition.execute(work) : found
  return conclude(runner, { config: config.value, result: raw, durationMs: task.ctx.now() - startedAt })
}

const unfit = (message: string, misfits: readonly Misfit[]): Failure =>
  permanent('invalid_configuration', [message, inWords(misfits)].filter(Boolean).join(': '), {
    ...(misfits.length > 0 && { details: { misfits: misfits.map((each) => ({ ...each })) } }),
  }).failure

/** The effect has happened: from here on nothing throws (P2). */
const conclude = ({ definition, type, event }: AnyRunner, raw: Done<unknown, unknown>): Notes => {
  const checked = definition.result ? checkWith(definition.result)(raw.result) : accepted(raw.result)
  if (!checked.fits) return failed(unreadable(`the result of ${type} does not fit`, checked.misfits))
  const done = { ...raw, result: checked.value }
  const result = told(() => done.result)
  if (!result.fits) return failed(unreadable(`the result of ${type} cannot be stored`, result.misfits))
  const fields = definition.eventPayload ? told(() => definition.eventPayload?.(done)) : result
  if (!fields.fits) return failed(unreadable(`the event of ${type} cannot be stored`, fields.misfits))
  const cost = toldCost(definition, done)
  const metadata = told(() => definition.metadata?.(done))
  return {
    outcome: {
      kind: 'succeeded',
      result: result.value,
      event: { type: event, payload: isObject(fields.value) ? fields.value : {} },
    },
    ...(cost.fits && typeof cost.value === 'number' && { costEstimate: cost.value }),
    metadata: {
      ...(metadata.fits && isObject(metadata.value) && metadata.value),
      ...(!cost.fits && { costUnknown: inWords(cost.misfits) }),
      ...(!metadata.fits && { metadataUnknown: inWords(metadata.misfits) }),
    },
  }
}

const toldCost = ({ cost }: AnyRunner['definition'], done: Done<unknown, unknown>): Checked<Json> =>
  told(() => cost?.(done as never))

/** What an effect cost, of what is kept of it. */
export const costOf = ({ definition }: AnyRunner, done: Done<unknown, unknown>): number | undefined => {
  const config = checkWith(definition.config)(done.config)
  const cost = toldCost(definition, config.fits ? { ...done, config: config.value } : done)
  return cost.fits && typeof cost.value === 'number' ? cost.value : undefined
}

const accepted = <T>(value: T): Checked<T> => ({ fits: true, value })

/** What the runner's own code says of a finished effect, as JSON, whatever it does. */
const told = (tell: () => unknown): Checked<Json> => {
  try {
    return plain(tell())
  } catch (failure) {
    return misfit({ path: '', message: failure instanceof Error ? failure.message : String(failure) })
  }
}

/** `unknown`, so that an at_most_once action goes to a person instead of the dead letters. */
const unreadable = (message: string, misfits: readonly Misfit[]): Failure => ({
  error: actionError({
    type: 'invalid_result',
    message: `${message}: ${inWords(misfits)}; the effect has happened`,
    retryable: false,
    details: { misfits },
  }),
  effect: 'unknown',
  permanent: true,
})
