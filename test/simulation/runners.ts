// Owns what runners do in a simulated world: reach the receiver, or fail in every way a runner can.

import { permanent, retryable } from '../../src/core/action-error.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import type { Schema } from '../../src/core/schema.ts'
import { type AnyRunner, runner } from '../../src/runners/runner.ts'
import type { RunnerContext } from '../../src/runners/runner-context.ts'
import type { Faults } from './faults.ts'
import { RESULT_EVENTS, TYPES } from './machines.ts'
import type { Receiver } from './receiver.ts'
import type { Owner, Scheduler } from './scheduler.ts'

/** No line and no row may ever hold it (I12). */
export const CANARY = 'canary-7f3a9c51e0d24b68'

export interface RunnerParts {
  readonly process: Owner
  readonly scheduler: Scheduler
  readonly faults: Faults
  readonly receiver: Receiver
  readonly crash: () => void
  /** The runner of a type is called. */
  readonly onBegin: (type: string, ctx: RunnerContext) => void
}

const ANYTHING: Schema<Json, JsonObject> = {
  '~standard': { version: 1, validate: (value) => ({ value }) },
}

const never = (): Promise<never> => new Promise(() => undefined)

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

type Work = { readonly config: JsonObject; readonly ctx: RunnerContext }

const execute =
  ({ process, scheduler, faults, receiver, crash, onBegin }: RunnerParts, type: (typeof TYPES)[number]) =>
  async ({ config, ctx }: Work): Promise<Json> => {
    const { strikes } = faults
    const sleep = scheduler.timersOf(process).sleep
    const delivery = DELIVERY[type]
    onBegin(type, ctx)
    const secret = await ctx.secret('token')
    const words = strikes('runner: tells its secret') ? `with ${secret}` : 'as ever'
    await scheduler.point(process, 'runner')
    ctx.log.warn(`sending ${words}`)
    if (strikes('runner: refused')) throw retryable('rate_limit', `refused ${words}`)
    if (strikes('runner: refused for good')) throw permanent('malformed_request', `refused ${words}`)
    if (strikes('runner: ends the process before the effect')) {
      crash()
      return never()
    }
    if (strikes('runner: hangs')) await aborted(ctx.signal)
    if (strikes('runner: slow')) await sleep(config['name'] === 'a0' ? 900 : 3000)
    if (strikes('runner: does not stop')) await sleep(9000)
    const { stepKey, idempotencyKey: key } = ctx
    receiver.take({ tenant: String(config['tenant']), stepKey, key, config, delivery })
    await scheduler.point(process, 'reply to runner')
    if (strikes('runner: ends the process after the effect')) {
      crash()
      return never()
    }
    if (strikes('runner: throws after the effect')) throw new Error(`lost its answer ${words}`)
    if (strikes('runner: answers nonsense')) return { nonsense: () => words } as never
    return { words }
  }

const DELIVERY = { mail: 'at_least_once', sms: 'at_most_once', sign: 'reconcile' } as const

export const runnersOf = (parts: RunnerParts): readonly AnyRunner[] =>
  TYPES.map((type) =>
    runner({
      type,
      config: ANYTHING,
      event: RESULT_EVENTS[type],
      delivery: DELIVERY[type],
      reconcile: async ({ ctx }) => {
        await parts.scheduler.point(parts.process, 'reconcile')
        return parts.receiver.hasKey(ctx.idempotencyKey) ? { found: true } : undefined
      },
      execute: execute(parts, type),
    }),
  )
