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
import { isPromise, type Performance, perform, type Task } from '../runners/perform.ts'
import type { AnyRunner, MaybePromise } from '../runners/runner.ts'
import type { RunnerContext } from '../runners/runner-context.ts'
import type { ClaimedAction } from '../store/store.ts'
import { holdBack } from './hold-back.ts'
import type { Lease } from './leases.ts'
import { messageOf } from './log.ts'
import {
  type Attempt,
  type AttemptParts,
  reachOf,
  returned,
  type Scene,
  type StopReason,
  signalOf,
  stop,
  type Watcher,
} from './scene.ts'
import type { Ended } from './settlement.ts'

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

export const beginAttempt = (
  parts: AttemptParts,
  action: ClaimedAction,
  since: number,
  bytes: number,
  watcher: Watcher,
): Attempt => {
  const { id, token, nonce } = action
  const scene: Scene = {
    parts,
    action,
    watcher,
    stopped: undefined,
    outcome: undefined,
    isReturned: false,
    giveUp: undefined,
    controller: undefined,
    aborted: undefined,
    reach: undefined,
  }
  const attempt = {
    id,
    bytes,
    place: -1,
    claim: { id, token, nonce },
    stop: (reason: StopReason) => stop(scene, reason),
  }
  live(scene, parts.leases.hold(attempt, since), attempt)
  return attempt
}

const end = (scene: Scene, lease: Lease, attempt: Attempt): void => {
  scene.parts.leases.release(lease)
  scene.reach?.release()
  returned(scene)
  scene.watcher.onDone(scene.action, attempt)
}

/**
 * It always waits for something: whoever began it knows of it before it ends. Without a function that awaits: two hundred are
 * begun together, and what each keeps while it waits was a third of what is alive when memory is collected.
 */
const live = (scene: Scene, lease: Lease, own: Attempt): void => {
  const { action, parts } = scene
  attempted(scene, lease).then(
    () => over(scene, lease, own),
    (error: unknown) => {
      parts.log.error('an attempt broke', { action: action.id, error: messageOf(error) })
      over(scene, lease, own)
    },
  )
}

const over = (scene: Scene, lease: Lease, own: Attempt): void => {
  const told = scene.parts.gate.over(scene.action, scene.outcome)
  if (told === undefined) end(scene, lease, own)
  else void told.then(() => end(scene, lease, own))
}

const attempted = (scene: Scene, lease: Lease): Promise<void> => {
  try {
    return mayBegin(scene, lease) ? make(scene, lease) : makeOrTurnAway(scene, lease)
  } catch (error) {
    return Promise.reject(error)
  }
}

const makeOrTurnAway = async (scene: Scene, lease: Lease): Promise<void> => {
  if (!(await turnAway(scene, lease))) await make(scene, lease)
}

/** From the start of the runner to the settlement of what came of it. */
const make = (scene: Scene, lease: Lease): Promise<void> => {
  const attempt = scene.action.attempt + 1
  const said = run(scene, lease, attempt)
  return isPromise(said) ? said.then((ran) => conclude(scene, attempt, ran)) : conclude(scene, attempt, said)
}

const conclude = (scene: Scene, attempt: number, ran: Ran): Promise<void> => {
  returned(scene)
  const outcome = outcomeOf(ran, scene.stopped, scene.action.plan.timeoutMs)
  scene.outcome = outcome
  return outcome === undefined
    ? testify(scene, ran?.outcome.kind ?? 'unknown')
    : settle(scene, outcome, attempt, ran)
}

/**
 * True: nothing could turn it away, and it begins before anything else does. Each wait here would let others begin first:
 * with six of them up to a hundred actions of a flood came between the commit of another tenant's action and its start.
 */
const mayBegin = ({ action, parts }: Scene, lease: Lease): boolean => {
  const { plan, cancelRequested } = action
  const { leases, clock, runnerOf, gate } = parts
  const isExpired = plan.expiresAt !== undefined && plan.expiresAt <= clock.now()
  if (cancelRequested || isExpired || plan.window !== undefined) return false
  return leases.isFresh(lease) && runnerOf(plan.type) !== undefined && gate.isFree(action, plan)
}

/** False: it may begin. True: it may not, and that is settled. */
const turnAway = async (scene: Scene, lease: Lease): Promise<boolean> => {
  const { action, parts } = scene
  const { plan, attempt } = action
  const { leases, clock, runnerOf } = parts
  if (action.cancelRequested) await settle(scene, { kind: 'cancelled' }, attempt)
  else if (plan.expiresAt !== undefined && plan.expiresAt <= clock.now())
    await settle(scene, { kind: 'expired' }, attempt)
  else if (!leases.isFresh(lease) || runnerOf(plan.type) === undefined) await settle(scene, RELEASED, attempt)
  else return (await isShut(scene)) || isHeldUp(scene, lease)
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
const isHeldUp = async (scene: Scene, lease: Lease): Promise<boolean> => {
  const { action, parts } = scene
  const { attempt, plan } = action
  const now = parts.clock.now()
  try {
    const verdict = await parts.gate.pass(action)
    // A place or a turn was waited for: the lease may have run out meanwhile.
    if (verdict.kind === 'go' && scene.stopped === undefined && parts.leases.isFresh(lease)) return false
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

/** What the runner is given; its context is made when it takes it. */
const taskOf = (scene: Scene, lease: Lease, attempt: number, startedAt: number): Task => {
  const { action, parts } = scene
  const { config, delivery } = action.plan
  const ctx = (): RunnerContext =>
    parts.contextOf(action, { attempt, startedAt, signalOf: () => signalOf(scene), reach: reachOf(scene) })
  const task = { config, delivery, attempt, now: parts.clock.now, ctx }
  if (delivery !== 'reconcile') return task
  const onNothingFound = (): void => {
    if (!parts.leases.isFresh(lease)) stop(scene, 'lost')
  }
  return { ...task, onNothingFound }
}

const filled = async (scene: Scene, task: Task, { definition }: AnyRunner): Promise<Task> => {
  const { config, secrets } = scene.action.plan
  return { ...task, config: await reachOf(scene).fill(config, secrets, definition.secrets) }
}

const run = (scene: Scene, lease: Lease, attempt: number): MaybePromise<Ran> => {
  const { action, parts } = scene
  const { type, secrets, timeoutMs } = action.plan
  const { clock } = parts
  const [since, startedAt] = [clock.monotonic(), clock.now()]
  const runner = parts.runnerOf(type)!
  const task = taskOf(scene, lease, attempt, startedAt)
  const ran =
    secrets.length === 0
      ? go(scene, runner, task, startedAt)
      : filled(scene, task, runner).then((whole) => go(scene, runner, whole, startedAt))
  if (!isPromise(ran)) return ran
  return awaited(scene, ran, { leftMs: timeoutMs - (clock.monotonic() - since), startedAt })
}

const go = (
  { action, parts }: Scene,
  runner: AnyRunner,
  task: Task,
  startedAt: number,
): MaybePromise<Performance> => {
  const { observer, worker } = parts
  if (observer === undefined) return perform(runner, task)
  const start = { action, attempt: task.attempt!, worker, now: startedAt }
  return observer.started(start, () => perform(runner, task))
}

/** Until it has answered, or was given up. */
const awaited = async (
  scene: Scene,
  ran: Promise<Performance>,
  { leftMs, startedAt }: { readonly leftMs: number; readonly startedAt: number },
): Promise<Ran> => {
  const { clock } = scene.parts
  const givenUp = new Promise<undefined>((resolve) => {
    scene.giveUp = () => resolve(undefined)
  })
  const cancelTimeout = clock.timers.after(leftMs, () => stop(scene, 'timeout'))
  try {
    return await Promise.race([ran, givenUp])
  } catch (error) {
    // perform never throws: this is a secret that could not be had, and nothing was sent.
    const failure = untouched(error, clock.now())
    return { outcome: { kind: 'failed', failure }, startedAt, endedAt: clock.now(), metadata: {} }
  } finally {
    cancelTimeout()
  }
}

const never = (now: number) => ({ startedAt: now, endedAt: now })

const endedOf = ({ action, parts, stopped }: Scene, outcome: Outcome, attempt: number, ran: Ran): Ended => {
  const { startedAt, endedAt } = ran ?? never(parts.clock.now())
  return {
    action,
    outcome: parts.clean(outcome),
    attempt,
    startedAt,
    endedAt,
    worker: parts.worker,
    cancelRequested: action.cancelRequested || stopped === 'cancelled',
    costEstimate: ran?.costEstimate,
  }
}

const settle = (scene: Scene, outcome: Outcome, attempt: number, ran?: Ran): Promise<void> => {
  const ended = endedOf(scene, outcome, attempt, ran)
  return scene.parts.settling.settle(ended).then(
    (settlement) => (settlement === undefined ? testify(scene, outcome.kind) : undefined),
    (error: unknown) => settleAgain(scene, ended, error),
  )
}

/** Apart from the first try, of which there are two hundred at a time: what waits for it is to be small. */
const settleAgain = async (scene: Scene, ended: Ended, failure: unknown): Promise<void> => {
  const { action, parts } = scene
  const { clock, settling, log } = parts
  for (let wait = 50, error = failure; ; wait = Math.min(wait * 2, 2000)) {
    const again = error instanceof PawlError && REGISTRY[error.code].retryable && scene.stopped !== 'lost'
    log.error('a settlement could not be written', { action: action.id, error: messageOf(error), again })
    if (!again) return
    await clock.timers.sleep(wait)
    try {
      // After a reply that was lost, a claim that is gone may have been settled by the first try: that says nothing.
      await settling.settle(ended)
      return
    } catch (next) {
      error = next
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
