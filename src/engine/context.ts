// Owns what a runner sees besides its config: the guarded door, the signal, the key, the secrets it may ask for.

import type { Json } from '../core/json.ts'
import { idempotencyKey } from '../core/keys.ts'
import type { SecretSlot } from '../core/template/render.ts'
import type { RunnerContext } from '../runners/runner-context.ts'
import { nativeSha256 } from '../store/native-hash.ts'
import type { ClaimedAction, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import { createLog, type Log, type LogSink } from './log.ts'

/** What one attempt may reach: bound to it, so that its signal and its secrets are its own. */
export interface Reach {
  readonly fetch: RunnerContext['fetch']
  readonly secret: RunnerContext['secret']
  readonly assertDestination?: NonNullable<RunnerContext['assertDestination']>
  /** The config with its secrets in place: in this process's memory only. `marks`: where the runner allows one. */
  readonly fill: (
    config: Json,
    slots: readonly SecretSlot[],
    marks: readonly string[] | undefined,
  ) => Promise<Json>
  /** Everything about the attempt has been cleaned and written. */
  readonly release: () => void
}

export type ReachOf = (
  of: Tenancy,
  attempt: { readonly signalOf: () => AbortSignal; readonly timeoutMs: number },
) => Reach

/** One attempt, as its runner may see it. */
export interface Beginning {
  readonly attempt: number
  readonly startedAt: number
  readonly signalOf: () => AbortSignal
  readonly reach: Reach
}

export type ContextOf = (action: ClaimedAction, beginning: Beginning) => RunnerContext

export const createContext =
  ({
    storeId,
    clock,
    sink,
  }: {
    readonly storeId: string
    readonly clock: Clock
    readonly sink: LogSink
  }): ContextOf =>
  (action, { attempt, startedAt, signalOf, reach }) => {
    const { fetch, secret, assertDestination } = reach
    const { namespace, tenant, plan, execution } = action
    const { stepKey } = plan
    let log: Log | undefined
    return {
      // Made when they are asked for: a runner that sends nothing has no use for a key or a signal, and few have much to say.
      get signal() {
        return signalOf()
      },
      get idempotencyKey() {
        return idempotencyKey({ storeId, namespace, tenant }, stepKey, nativeSha256)
      },
      get log() {
        log ??= createLog(sink, { action: action.id, type: plan.type, attempt, tenant })
        return log
      },
      fetch,
      secret,
      attempt,
      stepKey,
      now: clock.now,
      timestamp: startedAt,
      namespace,
      tenant,
      actionId: action.id,
      actionName: plan.name,
      createdAt: action.createdAt,
      ...(assertDestination && { assertDestination }),
      ...(execution !== null && { executionId: execution }),
    }
  }
