// Owns the double of a runner: the same type, schemas and event, every call recorded, and a behaviour that a test may
// put in the place of the real one. Without a behaviour it is the runner itself, watched.
// B1  A call is recorded before it is answered: one that never ends is seen too.
// B2  What a mock did under a key it can tell again: `reconcile` finds the effects of earlier attempts.

import { type ActionError, permanent, retryable, retryableByType } from '../core/action-error.ts'
import { classify } from '../core/classify.ts'
import type { Json } from '../core/json.ts'
import { type DurationText, durationMs } from '../core/time/duration.ts'
import type { AnyRunner, RunnerDefinition } from '../runners/runner.ts'
import type { RunnerContext } from '../runners/runner-context.ts'

/** One call of a runner, as it saw it. */
export interface Interaction<Config = unknown, Result = unknown> {
  readonly type: string
  readonly config: Config
  /** What the provider is told: the same for every attempt of one action. */
  readonly key: string
  readonly stepKey: string
  readonly attempt: number
  /** When, by the engine's clock. */
  readonly at: string
  readonly executionId?: string
  /** `unanswered`: it is still under way, or its process was stopped. */
  readonly outcome: 'succeeded' | 'failed' | 'unanswered'
  readonly result?: Result
  readonly error?: ActionError
}

export interface Fault {
  /** How many calls fail, counted from now. Default: all of them. */
  readonly times?: number
  /** A type of error, such as `rate_limit`, or anything that a runner could throw. */
  readonly error: string | Error
}

export interface Call<Config = unknown> {
  readonly config: Config
  readonly ctx: RunnerContext
}

/** Methods, not function properties: a behaviour of any types is then also one of unknown ones. */
export interface Behaviour<Config = unknown, Result = unknown> {
  /** What it returns. Default: what the type suggests. */
  readonly succeed?: Result
  /** Answers each call; in the place of `succeed`. */
  respond?(call: Call<Config>): Result | Promise<Result>
  readonly fail?: Fault
  /** Real time before it answers, for tests of timeouts: `Infinity` answers only to its signal. */
  readonly delay?: DurationText | number
}

export interface Double<Config = unknown, Result = unknown> extends AnyRunner {
  readonly interactions: readonly Interaction<Config, Result>[]
  /** From now on. */
  behave(behaviour: Behaviour<Config, Result>): void
}

type Execute = RunnerDefinition['execute']
type Reconcile = RunnerDefinition['reconcile'] & {}

const LONGEST_WAIT = 2 ** 31 - 1

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timeout)
      reject(signal.reason)
    }
    const timeout = setTimeout(
      () => {
        signal.removeEventListener('abort', stop)
        resolve()
      },
      Math.min(ms, LONGEST_WAIT),
    )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

const thrown = (error: string | Error): Error => {
  if (typeof error !== 'string') return error
  const message = `the mock was told to fail with ${error}`
  return retryableByType(error) ? retryable(error, message) : permanent(error, message)
}

/** The behaviour as code: counts its own faults. */
const executeBy = (behaviour: Behaviour, fallback: Execute): Execute => {
  const { delay = 0, fail } = behaviour
  const ms = delay === Number.POSITIVE_INFINITY ? delay : durationMs(delay, 'delay')
  let left = fail ? (fail.times ?? Number.POSITIVE_INFINITY) : 0
  return async (work) => {
    const isFaulty = left > 0
    if (isFaulty) left -= 1
    if (ms > 0) await wait(ms, work.ctx.signal)
    if (isFaulty) throw thrown(fail!.error)
    if (behaviour.respond) return behaviour.respond(work)
    return 'succeed' in behaviour ? behaviour.succeed : fallback(work)
  }
}

const isDouble = (runner: AnyRunner): runner is Double => 'interactions' in runner && 'behave' in runner

/** `answer` is what a mock gives when its behaviour says nothing of results. */
export const doubleOf = (runner: AnyRunner, answer: Execute): Double => {
  if (isDouble(runner)) return runner
  const { definition } = runner
  const interactions: Interaction[] = []
  const done = new Map<string, unknown>()
  let behaviour: Execute | undefined

  const execute: Execute = async (work) => {
    const { config, ctx } = work
    const { idempotencyKey: key, stepKey, attempt, executionId } = ctx
    const call = {
      type: runner.type,
      config,
      key,
      stepKey,
      attempt,
      at: new Date(ctx.now()).toISOString(),
      ...(executionId !== undefined && { executionId }),
    }
    const place = interactions.push({ ...call, outcome: 'unanswered' }) - 1
    try {
      const result = await (behaviour ? behaviour(work) : definition.execute(work))
      done.set(key, result)
      interactions[place] = { ...call, outcome: 'succeeded', result }
      return result as Json
    } catch (error) {
      interactions[place] = { ...call, outcome: 'failed', error: classify(error, ctx.now()).error }
      throw error
    }
  }

  const reconcile: Reconcile = (work) =>
    behaviour === undefined ? definition.reconcile!(work) : (done.get(work.ctx.idempotencyKey) as Json)

  return {
    type: runner.type,
    event: runner.event,
    validateConfig: (config) => runner.validateConfig(config),
    getRequiredPermissions: () => runner.getRequiredPermissions(),
    definition: { ...definition, execute, ...(definition.reconcile && { reconcile }) },
    interactions,
    behave: (next) => {
      behaviour = executeBy(next, answer)
    },
  }
}
