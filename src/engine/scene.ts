// Owns what one attempt holds while it is under way, and how it is stopped: why, with which signal, and from when on its
// runner is no longer waited for. What few ask for is made when it is asked for: a signal, a reach.

import type { Outcome } from '../core/settle.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { ClaimedAction } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { ContextOf, Reach, ReachOf } from './context.ts'
import type { Leases } from './leases.ts'
import type { Gate } from './limits.ts'
import type { Log } from './log.ts'
import type { Observer } from './observer.ts'
import type { Placed } from './places.ts'
import type { Settling } from './settlement.ts'
import type { WindowOf } from './windows.ts'

/** Why an attempt has to stop. */
export type StopReason = 'timeout' | 'cancelled' | 'lost' | 'shutdown'

export interface AttemptParts {
  readonly worker: string
  readonly runnerOf: (type: string) => AnyRunner | undefined
  readonly contextOf: ContextOf
  readonly reachOf: ReachOf
  /** Takes every secret this process has used out of what will be kept or shown. */
  readonly clean: <Value>(value: Value) => Value
  readonly windowOf: WindowOf
  readonly settling: Settling
  readonly leases: Leases
  readonly commit: Commit
  readonly clock: Clock
  readonly log: Log
  readonly observer?: Pick<Required<Observer>, 'started'> | undefined
  readonly gate: Pick<Gate, 'pass' | 'over' | 'isFree'>
}

export interface Attempt extends Placed {
  /** The action's. */
  readonly id: string
  /** What it weighs. */
  readonly bytes: number
  readonly stop: (reason: StopReason) => void
}

/** Who is told how far an attempt is, each once. */
export interface Watcher {
  /** The runner has returned or was given up: its slot is free. */
  readonly onReturned: (action: ClaimedAction) => void
  /** The action is settled, or given up. */
  readonly onDone: (action: ClaimedAction, attempt: Attempt) => void
}

/** How long a runner may take to heed its signal. */
const GRACE_MS = 1000

const WORDS: Readonly<Record<StopReason, string>> = {
  timeout: 'the attempt took longer than its timeout',
  cancelled: 'the action was cancelled',
  lost: 'the lease was lost: another worker may have the action',
  shutdown: 'the worker is shutting down',
}

/** One attempt and everything it holds. */
export interface Scene {
  readonly parts: AttemptParts
  readonly action: ClaimedAction
  readonly watcher: Watcher
  stopped: StopReason | undefined
  /** What it came to, once that is to be written. */
  outcome: Outcome | undefined
  isReturned: boolean
  /** The runner is no longer waited for. */
  giveUp: (() => void) | undefined
  controller: AbortController | undefined
  aborted: DOMException | undefined
  reach: Reach | undefined
}

export const signalOf = (scene: Scene): AbortSignal => {
  scene.controller ??= new AbortController()
  if (scene.aborted !== undefined) scene.controller.abort(scene.aborted)
  return scene.controller.signal
}

export const reachOf = (scene: Scene): Reach => {
  const { parts, action } = scene
  const { namespace, tenant, plan } = action
  const bound = { signalOf: () => signalOf(scene), timeoutMs: plan.timeoutMs }
  scene.reach ??= parts.reachOf({ namespace, tenant }, bound)
  return scene.reach
}

export const stop = (scene: Scene, reason: StopReason): void => {
  // A lost lease overrules: nothing may be written any more.
  if (scene.stopped !== undefined && reason !== 'lost') return
  scene.stopped = reason
  scene.aborted ??= new DOMException(WORDS[reason], reason === 'timeout' ? 'TimeoutError' : 'AbortError')
  scene.controller?.abort(scene.aborted)
  scene.parts.clock.timers.after(GRACE_MS, () => scene.giveUp?.())
}

export const returned = (scene: Scene): void => {
  if (scene.isReturned) return
  scene.isReturned = true
  scene.watcher.onReturned(scene.action)
}
