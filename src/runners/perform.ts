// Owns one attempt, from a config to what came of it (F-042). It never throws: whatever the runner's code does is an
// outcome. Timeouts, cancellation and lost leases are the engine's; here they are only a signal the runner may heed.
// What a runner answers at once is told at once: nobody waits for a promise that nobody made.
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
import type { AnyRunner, Done, MaybePromise } from './runner.ts'
import type { RunnerContext } from './runner-context.ts'

/** One attempt to be made. */
export interface Task {
  /** Rendered, secrets filled in. */
  readonly config: Json
  readonly delivery: Delivery
  /** Or how to make it, once, when the runner takes it. */
  readonly ctx: RunnerContext | (() => RunnerContext)
  /** As the context has them, where that need not be made for these. */
  readonly attempt?: number
  readonly now?: () => number
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

export const perform = (runner: AnyRunner, task: Task): MaybePromise<Performance> => {
  const begun = begin(task)
  try {
    const notes = attempt(runner, begun)
    return isPromise(notes)
      ? notes.then(
          (said) => over(begun, said),
          (failure: unknown) => broken(begun, failure),
        )
      : over(begun, notes)
  } catch (failure) {
    return broken(begun, failure)
  }
}

/** One object for all that an attempt is told by: a function of its own for each was half of what it is made of. */
interface Begun {
  readonly task: Task
  readonly now: () => number
  readonly startedAt: number
  /** Made when the runner takes it: one that only computes has no use for it. */
  ctx: RunnerContext | undefined
}

const begin = (task: Task): Begun => {
  if (task.now !== undefined) return { task, now: task.now, startedAt: task.now(), ctx: undefined }
  const ctx = contextOf(task)
  return { task, now: ctx.now, startedAt: ctx.now(), ctx }
}

const contextOf = ({ ctx }: Task): RunnerContext => (typeof ctx === 'function' ? ctx() : ctx)

const ctxOf = (begun: Begun): RunnerContext => {
  begun.ctx ??= contextOf(begun.task)
  return begun.ctx
}

const NOTHING: JsonObject = Object.freeze({})

const over = (
  { startedAt, now }: Begun,
  { outcome, metadata = NOTHING, costEstimate }: Notes,
): Performance => {
  const performance = { outcome, metadata, startedAt, endedAt: now() }
  return costEstimate === undefined ? performance : { ...performance, costEstimate }
}

const broken = (begun: Begun, failure: unknown): Performance =>
  over(begun, failed(withPlace(classify(failure, begun.now()), placeOf(failure))))

type Notes = Pick<Performance, 'outcome' | 'costEstimate'> & Partial<Pick<Performance, 'metadata'>>
type Failure = Extract<Outcome, { readonly kind: 'failed' }>['failure']

const withPlace = (failure: Failure, place: string | undefined): Failure =>
  place === undefined ? failure : { ...failure, place }

const failed = (failure: Failure): Notes => ({ outcome: { kind: 'failed', failure } })

const attempt = (runner: AnyRunner, begun: Begun): MaybePromise<Notes> => {
  const { definition, type } = runner
  const { task } = begun
  const config = checkWith(definition.config)(task.config)
  if (!config.fits) return failed(unfit(`the config of ${type} does not fit`, config.misfits))
  const work = workOf(config.value, begun)
  const ended = (result: unknown): Notes =>
    conclude(runner, { config: config.value, result, durationMs: begun.now() - begun.startedAt })
  if (task.delivery !== 'reconcile') return then(definition.execute(work), ended)
  if (definition.reconcile === undefined)
    return failed(unfit(`the runner ${type} cannot reconcile: it has no reconcile()`, []))
  if ((task.attempt ?? ctxOf(begun).attempt) === 1) return then(definition.execute(work), ended)
  return then(definition.reconcile(work), (found) => {
    if (found !== undefined) return ended(found)
    // Looking took time, in which the lease may have been lost: then it is another's to send.
    task.onNothingFound?.()
    ctxOf(begun).signal.throwIfAborted()
    return then(definition.execute(work), ended)
  })
}

const BEGUN: unique symbol = Symbol('begun')

interface Lazy {
  readonly config: unknown
  readonly [BEGUN]: Begun
}

/**
 * One getter for all of them: an object with a getter of its own has a shape of its own, which takes three times as long to
 * make. It is a member of the object, so that a runner that wraps another may spread it.
 */
const CTX = {
  get(this: Lazy): RunnerContext {
    return ctxOf(this[BEGUN])
  },
  enumerable: true,
  configurable: true,
}

const workOf = (config: unknown, begun: Begun): Lazy & { readonly ctx: RunnerContext } =>
  Object.defineProperty({ config, [BEGUN]: begun }, 'ctx', CTX) as Lazy & { readonly ctx: RunnerContext }

export const isPromise = <Value>(value: MaybePromise<Value>): value is Promise<Value> =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Promise<Value>>).then === 'function'

/** What comes of a value that is there, or will be. */
const then = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (isPromise(value) ? Promise.resolve(value).then(next) : next(value))

const unfit = (message: string, misfits: readonly Misfit[]): Failure =>
  permanent('invalid_configuration', [message, inWords(misfits)].filter(Boolean).join(': '), {
    ...(misfits.length > 0 && { details: { misfits: misfits.map((each) => ({ ...each })) } }),
  }).failure

/** The effect has happened: from here on nothing throws (P2). */
const conclude = ({ definition, type, event }: AnyRunner, raw: Done<unknown, unknown>): Notes => {
  const checked = definition.result && checkWith(definition.result)(raw.result)
  if (checked?.fits === false)
    return failed(unreadable(`the result of ${type} does not fit`, checked.misfits))
  const done = checked ? { ...raw, result: checked.value } : raw
  const result = toldPlainly(done.result)
  if (!result.fits) return failed(unreadable(`the result of ${type} cannot be stored`, result.misfits))
  const fields = definition.eventPayload ? told(() => definition.eventPayload?.(done)) : result
  if (!fields.fits) return failed(unreadable(`the event of ${type} cannot be stored`, fields.misfits))
  const payload = isObject(fields.value) ? fields.value : NOTHING
  const outcome: Outcome = { kind: 'succeeded', result: result.value, event: { type: event, payload } }
  return definition.cost || definition.metadata ? { outcome, ...notedOn(definition, done) } : { outcome }
}

const notedOn = (
  definition: AnyRunner['definition'],
  done: Done<unknown, unknown>,
): Omit<Notes, 'outcome'> => {
  const cost = toldCost(definition, done)
  const metadata = told(() => definition.metadata?.(done))
  return {
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

/** What the runner's own code says of a finished effect, as JSON, whatever it does. */
const told = (tell: () => unknown): Checked<Json> => {
  try {
    return plain(tell())
  } catch (failure) {
    return untold(failure)
  }
}

/** The same of what it has said. */
const toldPlainly = (value: unknown): Checked<Json> => {
  try {
    return plain(value)
  } catch (failure) {
    return untold(failure)
  }
}

const untold = (failure: unknown): Checked<Json> =>
  misfit({ path: '', message: failure instanceof Error ? failure.message : String(failure) })

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
