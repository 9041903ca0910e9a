// Owns one attempt of a claimed action, from the claim to its settlement: may it still begin, run it with a signal that
// says when to stop, and settle what came of it. It never throws: whatever goes wrong is an outcome or a line in the log.
// A1  An effect that succeeded is settled as succeeded, whatever was asked meanwhile.
// A2  A runner that does not heed its signal is given up after a grace; its late answer changes nothing.
// A3  Without a lease nothing is begun and nothing is written but evidence.

import type { Failure } from '../core/action-error.ts'
import { classify } from '../core/classify.ts'
import { PawlError, REGISTRY } from '../core/errors.ts'
import type { Outcome } from '../core/settle.ts'
import { admit } from '../core/time/admit.ts'
import type { DeliveryWindow } from '../core/time/window.ts'
import { type Performance, perform } from '../runners/perform.ts'
import type { AnyRunner } from '../runners/runner.ts'
import type { Claim, ClaimedAction } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { ContextOf, Reach, ReachOf } from './context.ts'
import { holdBack } from './hold-back.ts'
import type { Leases } from './leases.ts'
import type { Gate } from './limits.ts'
import { type Log, messageOf } from './log.ts'
import type { Observer } from './observer.ts'
import type { Settling } from './settlement.ts'
import type { WindowOf } from './windows.ts'

/** Why an attempt has to stop. */
export type StopReason = 'timeout' | 'cancelled' | 'lost' | 'shutdown'

export interface AttemptParts {
  readonly worker: string
  readonly runnerOf: (type: string) => AnyRunner | undefined
  readonly contextOf: ContextOf
  readonly reachOf: ReachOf
  readonly windowOf: WindowOf
  readonly settling: Settling
  readonly leases: Leases
  readonly commit: Commit
  readonly clock: Clock
  readonly log: Log
  readonly observer?: Pick<Required<Observer>, 'started'> | undefined
  readonly gate: Pick<Gate, 'pass' | 'over' | 'isFree'>
}

export interface Attempt {
  /** Resolves when the action is settled, or given up. */
  readonly done: Promise<void>
  /** Resolves when the runner has returned or was given up: its slot is free. */
  readonly returned: Promise<void>
  readonly stop: (reason: StopReason) => void
}

/** How long a runner may take to heed its signal. */
const GRACE_MS = 1000

const CANCELLED: Failure = {
  error: { type: 'cancelled', message: 'the runner did not stop when it was asked to', retryable: false },
  effect: 'unknown',
}

type Ran = Performance | undefined

/** What the attempt came to, given what the runner said and why it was stopped. Undefined: nothing may be written. */
const outcomeOf = (ran: Ran, stopped: StopReason | undefined, timeoutMs: number): Outcome | undefined => {
  if (stopped === 'lost') return undefined
  const said = ran?.outcome
  if (said?.kind === 'succeeded' || stopped === undefined) return said
  const failure = said?.failure ?? CANCELLED
  if (stopped === 'cancelled') return { kind: 'failed', failure }
  const isUntouched = failure.effect === 'none'
  if (stopped === 'shutdown') return { kind: 'lost', cause: 'shutdown', started: !isUntouched }
  return isUntouched ? { kind: 'failed', failure } : { kind: 'timed_out', timeoutMs }
}

type Signals = ReturnType<typeof createSignals>

/** The signal is made when it is asked for: few runners look at it, and each is an event target with all that belongs to one. */
const createSignals = () => {
  let controller: AbortController | undefined
  let reason: DOMException | undefined
  return {
    signalOf: (): AbortSignal => {
      controller ??= new AbortController()
      if (reason !== undefined) controller.abort(reason)
      return controller.signal
    },
    abort: (why: DOMException): void => {
      reason ??= why
      controller?.abort(reason)
    },
  }
}

export const beginAttempt = (parts: AttemptParts, action: ClaimedAction, since: number): Attempt => {
  const { leases, clock } = parts
  const { id, token, nonce, namespace, tenant, plan } = action
  const claim: Claim = { id, token, nonce }
  const signals = createSignals()
  const givenUp = Promise.withResolvers<undefined>()
  const returned = Promise.withResolvers<void>()
  let stopped: StopReason | undefined

  const stop = (reason: StopReason): void => {
    // A lost lease overrules: nothing may be written any more.
    if (stopped !== undefined && reason !== 'lost') return
    stopped = reason
    signals.abort(new DOMException(WORDS[reason], reason === 'timeout' ? 'TimeoutError' : 'AbortError'))
    clock.timers.after(GRACE_MS, () => givenUp.resolve(undefined))
  }
  leases.hold({ claim, onLost: () => stop('lost'), onCancelled: () => stop('cancelled') }, since)
  const scene: Scene = {
    parts,
    action,
    claim,
    signals,
    reach: parts.reachOf({ namespace, tenant }, { signalOf: signals.signalOf, timeoutMs: plan.timeoutMs }),
    givenUp: givenUp.promise,
    stop,
    stopped: () => stopped,
    onReturned: returned.resolve,
  }
  const done = live(scene).finally(() => {
    leases.release(claim)
    scene.reach.release()
    returned.resolve()
  })
  return { done, returned: returned.promise, stop }
}

/** One attempt and everything it holds. */
interface Scene {
  readonly parts: AttemptParts
  readonly action: ClaimedAction
  readonly claim: Claim
  readonly signals: Signals
  readonly reach: Reach
  /** The runner did not heed its signal in time. */
  readonly givenUp: Promise<undefined>
  readonly stop: (reason: StopReason) => void
  readonly stopped: () => StopReason | undefined
  readonly onReturned: () => void
}

const live = async (scene: Scene): Promise<void> => {
  const { action, parts } = scene
  let outcome: Outcome | undefined
  try {
    if (!mayBegin(scene) && (await turnAway(scene))) return
    const attempt = action.attempt + 1
    const ran = await run(scene, attempt)
    scene.onReturned()
    outcome = outcomeOf(ran, scene.stopped(), action.plan.timeoutMs)
    if (outcome !== undefined) await settle(scene, outcome, attempt, ran)
    else await testify(scene, ran?.outcome.kind ?? 'unknown')
  } catch (error) {
    parts.log.error('an attempt broke', { action: action.id, error: messageOf(error) })
  } finally {
    await parts.gate.over(action, outcome)
  }
}

/**
 * True: nothing could turn it away, and it begins before anything else does. Each wait here would let others begin first:
 * with six of them up to a hundred actions of a flood came between the commit of another tenant's action and its start.
 */
const mayBegin = ({ action, claim, parts }: Scene): boolean => {
  const { plan, cancelRequested } = action
  const { leases, clock, runnerOf, gate } = parts
  const isExpired = plan.expiresAt !== undefined && plan.expiresAt <= clock.now()
  if (cancelRequested || isExpired || plan.window !== undefined) return false
  return leases.isFresh(claim) && runnerOf(plan.type) !== undefined && gate.isFree(action, plan)
}

/** False: it may begin. True: it may not, and that is settled. */
const turnAway = async (scene: Scene): Promise<boolean> => {
  const { action, claim, parts } = scene
  const { plan, attempt } = action
  const { leases, clock, runnerOf } = parts
  if (action.cancelRequested) await settle(scene, { kind: 'cancelled' }, attempt)
  else if (plan.expiresAt !== undefined && plan.expiresAt <= clock.now())
    await settle(scene, { kind: 'expired' }, attempt)
  else if (!leases.isFresh(claim) || runnerOf(plan.type) === undefined) await settle(scene, RELEASED, attempt)
  else return (await isShut(scene)) || isHeldUp(scene)
  return true
}

/** Whatever it was, nothing has been sent. */
const untouched = (error: unknown, now: number): Failure => ({ ...classify(error, now), effect: 'none' })

/** Its delivery window is closed: it waits for the next opening, or is dropped. */
const isShut = async (scene: Scene): Promise<boolean> => {
  const { action, parts } = scene
  const now = parts.clock.now()
  let window: DeliveryWindow | undefined
  try {
    window = parts.windowOf(action.plan)
  } catch (error) {
    // A calendar nobody has configured: said at once, not when the lease has run out often enough.
    await settle(scene, { kind: 'failed', failure: untouched(error, now) }, action.attempt)
    return true
  }
  if (window === undefined) return false
  const admission = admit(window, action.dueAt, now)
  if (admission.kind === 'open') return false
  if (admission.kind === 'expired') await settle(scene, { kind: 'expired' }, action.attempt)
  if (admission.kind === 'drop')
    await settle(scene, { kind: 'dropped', reason: admission.reason }, action.attempt)
  if (admission.kind === 'hold')
    await parts.commit(holdBack(action, now, { waitMs: admission.until - now, hold: 'window:closed' }))
  return true
}

/** A limit, or a provider that is left alone: it waits, is dropped, makes way, or its turn has come. */
const isHeldUp = async (scene: Scene): Promise<boolean> => {
  const { action, claim, parts } = scene
  const { attempt, plan } = action
  const now = parts.clock.now()
  try {
    const verdict = await parts.gate.pass(action)
    // A place or a turn was waited for: the lease may have run out meanwhile.
    if (verdict.kind === 'go' && scene.stopped() === undefined && parts.leases.isFresh(claim)) return false
    if (verdict.kind === 'go') await settle(scene, RELEASED, attempt)
    if (verdict.kind === 'cancel') await settle(scene, { kind: 'cancelled' }, attempt)
    if (verdict.kind === 'drop')
      await settle(scene, { kind: 'dropped', cause: 'limit', reason: verdict.reason }, attempt)
    if (verdict.kind === 'hold') {
      // Past its use when its turn comes: it is not kept waiting for that.
      if (plan.expiresAt !== undefined && plan.expiresAt <= now + verdict.waitMs)
        await settle(scene, { kind: 'expired' }, attempt)
      else await parts.commit(holdBack(action, parts.clock.now(), verdict))
    }
  } catch (error) {
    // What was written as a limit is none; or the store could not be asked, and the action is as it was.
    const isItsOwn = error instanceof PawlError && error.code === 'invalid_option'
    const failure = untouched(error, now)
    await settle(scene, isItsOwn ? { kind: 'failed', failure } : RELEASED, attempt)
  }
  return true
}

const run = async (scene: Scene, attempt: number): Promise<Ran> => {
  const { action, claim, signals, reach, parts, stop, givenUp } = scene
  const { plan } = action
  const { clock } = parts
  const ctx = parts.contextOf(action, attempt, signals.signalOf, reach)
  const startedAt = clock.now()
  const cancelTimeout = clock.timers.after(plan.timeoutMs, () => stop('timeout'))
  try {
    const runner = parts.runnerOf(plan.type)!
    const { config: given, secrets } = plan
    const config = secrets.length === 0 ? given : await reach.fill(given, secrets, runner.definition.secrets)
    const onNothingFound = (): void => {
      if (!parts.leases.isFresh(claim)) stop('lost')
    }
    const task = { config, delivery: plan.delivery, ctx, onNothingFound }
    const go = (): Promise<Performance> => perform(runner, task)
    const started = { action, attempt, worker: parts.worker, now: startedAt }
    return await Promise.race([parts.observer?.started(started, go) ?? go(), givenUp])
  } catch (error) {
    // perform never throws: this is a secret that could not be had, and nothing was sent.
    const failure = untouched(error, clock.now())
    return { outcome: { kind: 'failed', failure }, startedAt, endedAt: clock.now(), metadata: {} }
  } finally {
    cancelTimeout()
  }
}

const settle = async (scene: Scene, outcome: Outcome, attempt: number, ran?: Ran): Promise<void> => {
  const { action, parts, reach, stopped } = scene
  const { clock, settling, worker, log } = parts
  const now = clock.now()
  const ended = {
    action,
    outcome: reach.clean(outcome),
    attempt,
    startedAt: ran?.startedAt ?? now,
    endedAt: ran?.endedAt ?? now,
    worker,
    cancelRequested: action.cancelRequested || stopped() === 'cancelled',
    ...(ran?.costEstimate !== undefined && { costEstimate: ran.costEstimate }),
  }
  for (let wait = 50, isSure = true; ; wait = Math.min(wait * 2, 2000), isSure = false) {
    try {
      // After a reply that was lost, a claim that is gone may have been settled by the first try.
      if ((await settling.settle(ended)) === undefined && isSure) await testify(scene, outcome.kind)
      return
    } catch (error) {
      const again = error instanceof PawlError && REGISTRY[error.code].retryable && stopped() !== 'lost'
      log.error('a settlement could not be written', { action: action.id, error: messageOf(error), again })
      if (!again) return
      await clock.timers.sleep(wait)
    }
  }
}

/** The claim was someone else's by then: what happened here is said, and changes nothing (F27). */
const testify = async ({ action, parts }: Scene, outcome: Outcome['kind'] | 'unknown'): Promise<void> => {
  const { id, namespace, tenant, execution, plan, token } = action
  const { clock, log, worker, commit } = parts
  const at = clock.now()
  const data = { action: id, name: plan.name, token, worker, outcome }
  log.warn('an attempt ended after its lease', data)
  const line = { type: 'action.late', at, data, ...(execution !== null && { execution }) }
  await commit({ namespace, tenant, at, record: [line] }).catch(() => undefined)
}

const RELEASED: Outcome = { kind: 'lost', cause: 'shutdown', started: false }

const WORDS: Readonly<Record<StopReason, string>> = {
  timeout: 'the attempt took longer than its timeout',
  cancelled: 'the action was cancelled',
  lost: 'the lease was lost: another worker may have the action',
  shutdown: 'the worker is shutting down',
}
