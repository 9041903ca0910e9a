// Owns moving one execution: load, decide, commit, and again when someone else was faster. Every event, wherever it
// comes from, passes through here, alone or with the settlement it is the result of.
// M1  A settlement is never lost to what comes after it: where nobody can decide, its event waits in the inbox.
// M2  What was decided on a revision is committed on that revision or not at all.
// M3  What comes from outside, or from a timer, does not overtake what waits: that is applied first, in the same turn, or
//     it waits behind it.

import { PawlError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import { type Execution, hasEnded } from '../core/execution.ts'
import { fingerprint } from '../core/fingerprint.ts'
import { type Folded, fold, type NamedPlan, type Step } from '../core/fold.ts'
import type {
  Advance,
  Consumed,
  Control,
  Delivered,
  ExecutionRef,
  LoadedExecution,
  Member,
  NewAction,
  Result,
  Settle,
  Store,
  StoredExecution,
} from '../store/store.ts'
import type { ExecutionCache } from './cache.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import type { Directory, Known, Place } from './directory.ts'
import { messageOf } from './log.ts'
import { linesOf, movedLine, type Told } from './move-lines.ts'
import type { Chance } from './random.ts'

export interface Intake {
  readonly consumed: readonly Consumed[]
  /** The settlements these events are the results of, and how the history tells them. */
  readonly settle?: readonly Settle[]
  readonly settled?: readonly Told[]
  /** What is asked for in the same commit. */
  readonly control?: readonly Control[]
  /** Asked by a person: a decider that throws is their error, and nothing is changed. */
  readonly isAsked?: boolean
  /** Read it anew: what is remembered of it may be behind what was seen elsewhere. */
  readonly isFresh?: boolean
  /** Some of what waits, read from the middle: others of its events may wait before them. All are read in its turn. */
  readonly isPart?: boolean
}

/** Why an event is kept in the inbox instead of being applied. */
export type WaitReason = 'paused' | 'failed' | 'definition_unknown' | 'queued'

export type Moved =
  | { readonly kind: 'moved'; readonly execution: Execution; readonly steps: readonly Step[] }
  | { readonly kind: 'waits'; readonly execution: Execution; readonly reason: WaitReason }
  | { readonly kind: 'duplicate' | 'fenced' | 'missing' }

export interface MoveParts {
  readonly store: Pick<Store, 'load' | 'waitingFor'>
  readonly commit: Commit
  readonly directory: Directory
  readonly cache: ExecutionCache
  readonly clock: Clock
  readonly chance: Chance
}

export type Move = (ref: ExecutionRef, intake: Intake) => Promise<Moved>

/** Losing this often in a row means a hot execution: its events queue up in the inbox instead. */
const MAX_TRIES = 12
/** Events that wait, applied in one step. */
const MAX_EVENTS = 200

/** `failed` because of its code, not because of what happened: mended code goes on where it stopped. */
export const isStalled = ({ status, error }: Execution): boolean =>
  status === 'failed' && (error?.code === 'decide_failed' || error?.code === 'definition_incompatible')

/** To be called in turns for each execution (serial.ts, crowd.ts): inside a process nobody then conflicts with itself. */
export const createMove =
  (parts: MoveParts): Move =>
  async (ref, intake) => {
    for (let tries = 1; ; tries++) {
      const { moved, isCleared = false } = await attempt(parts, ref, intake, tries > MAX_TRIES)
      if (moved !== undefined) return moved
      parts.cache.drop(ref)
      if (tries > 2 && !isCleared)
        await parts.clock.timers.sleep(parts.chance.fraction() * 2 ** Math.min(tries, 8))
    }
  }

const attempt = (parts: MoveParts, ref: ExecutionRef, intake: Intake, isLast: boolean): Promise<Attempt> => {
  const remembered = intake.isFresh || mayOvertake(intake) ? undefined : parts.cache.get(ref)
  const known = remembered && !isLast && !intake.isPart ? knownFor(parts, remembered) : undefined
  return known === undefined
    ? lookAndTry(parts, ref, intake, isLast, remembered)
    : apply(parts, remembered!, intake, known, false)
}

/** Most steps are of what is remembered, goes on, and is this program's own: they are decided with nothing to wait for. */
const knownFor = ({ directory }: MoveParts, { execution }: StoredExecution): Known | undefined => {
  if (execution.status !== 'active') return undefined
  const own = directory.ownOf(execution.definition)
  return own?.hash === execution.definitionHash ? own : undefined
}

const lookAndTry = async (
  parts: MoveParts,
  ref: ExecutionRef,
  intake: Intake,
  isLast: boolean,
  remembered: StoredExecution | undefined,
): Promise<Attempt> => {
  const loaded = remembered ?? (await read(parts, ref))
  if (loaded === undefined) return { moved: { kind: 'missing' } }
  const { execution } = loaded
  if (execution.status === 'paused') return putAside(parts, loaded, intake, 'paused')
  if (isStalled(execution)) return putAside(parts, loaded, intake, 'failed')
  if (isLast) return putAside(parts, loaded, intake, 'queued')
  const place = await parts.directory.place(execution)
  if (place.kind === 'elsewhere') return putAside(parts, loaded, intake, 'definition_unknown')
  if ('waiting' in loaded && loaded.waiting && mayOvertake(intake)) {
    const cleared = await clear(parts, loaded, intake, place)
    if (cleared !== undefined) return cleared
  }
  if (!intake.isPart) return applyAt(parts, loaded, intake, place)
  const consumed = await waiting(parts, ref)
  if (consumed.length === 0) return { moved: { kind: 'duplicate' } }
  return applyAt(parts, loaded, { ...intake, consumed }, place)
}

const mayOvertake = ({ consumed }: Intake): boolean =>
  consumed.some(({ from }) => from === 'outside' || from === 'timer')

/** What cannot be read was set aside, and keeps nobody waiting. */
const waiting = async ({ store }: MoveParts, ref: ExecutionRef): Promise<readonly Consumed[]> => {
  const rows = await store.waitingFor(ref, MAX_EVENTS)
  return rows.flatMap((row) => ('unreadable' in row ? [] : [{ event: row.event, from: 'inbox' as const }]))
}

/** M3: what waits goes first, and the execution is looked at again. Undefined: nothing that could go first waits. */
const clear = async (
  parts: MoveParts,
  loaded: StoredExecution,
  intake: Intake,
  place: Here,
): Promise<Attempt | undefined> => {
  const consumed = await waiting(parts, loaded.execution)
  if (consumed.length === 0) return undefined
  try {
    await applyAt(parts, loaded, { consumed }, place)
    return { moved: undefined, isCleared: true }
  } catch {
    // It is told where the inbox is applied; whoever sent another event has no part in it.
    return putAside(parts, loaded, intake, 'queued')
  }
}

type Here = Exclude<Place, { readonly kind: 'elsewhere' }>

const applyAt = (
  parts: MoveParts,
  loaded: StoredExecution,
  intake: Intake,
  place: Here,
): Promise<Attempt> => {
  if (place.kind === 'known') return apply(parts, loaded, intake, place.known, place.moved)
  // What has ended ignores whatever comes: any version of its definition may say so.
  const decide = hasEnded(loaded.execution) ? place.known.decide : incompatibleWith(place.known)
  return apply(parts, loaded, intake, { ...place.known, decide }, false)
}

/** What a person asks and what has to wait is refused now, and not when nobody is there to be told. */
const rehearse = async (
  { directory, clock }: MoveParts,
  execution: Execution,
  { consumed }: Intake,
): Promise<void> => {
  const place = await directory.place(execution)
  if (place.kind !== 'known') return
  const events = consumed.map(({ event }) => event)
  const going: Execution = { ...execution, status: 'active' }
  const { failure } = fold(place.known.decide, going, events, { now: clock.now(), draw: () => '' })
  if (failure) throw refusal(failure.thrown, place.known)
}

const read = async ({ store }: MoveParts, ref: ExecutionRef): Promise<LoadedExecution | undefined> => {
  const [loaded] = await store.load([ref])
  if (loaded === undefined) return undefined
  if ('unreadable' in loaded) throw loaded.unreadable
  return loaded
}

const memberOf = ({ clock }: MoveParts, ref: ExecutionRef, intake: Intake, now: number): Member => {
  const { namespace, tenant } = ref
  const { settle, control } = intake
  const { lease } = clock.clocks()
  const member = settle ? { namespace, tenant, at: now, settle } : { namespace, tenant, at: now }
  if (lease === undefined && control === undefined) return member
  return { ...member, ...(lease !== undefined && { lease }), ...(control && { control }) }
}

/** Nobody here can decide: the events go to the inbox, what they came with is committed all the same. */
const putAside = async (
  parts: MoveParts,
  loaded: StoredExecution,
  intake: Intake,
  reason: WaitReason,
): Promise<Attempt> => {
  const { execution, revision, chain } = loaded
  if (intake.isAsked) await rehearse(parts, execution, intake)
  const timers = intake.consumed.filter(({ from }) => from === 'timer')
  const arrived = intake.consumed.filter(({ from }) => from !== 'inbox')
  if (arrived.length === 0) return { moved: { kind: 'waits', execution, reason } }
  const result = await parts.commit({
    ...memberOf(parts, execution, intake, parts.clock.now()),
    ...(timers.length > 0 && {
      advance: { ...STILL, execution, expected: revision, chain, consume: timers },
    }),
    deliver: deliveries(
      execution,
      arrived.map(({ event }) => event),
    ),
  })
  if (timers.length > 0) parts.cache.drop(execution)
  return ended(result, intake, { kind: 'waits', execution, reason })
}

/** The store says when a timer is due: by a clock behind the store's it would be decided before its own instant. */
const momentOf = (clock: Clock, { consumed }: Intake): number =>
  consumed.reduce(
    (now, { event }) => (event.timer === undefined ? now : Math.max(now, event.at)),
    clock.now(),
  )

const apply = async (
  parts: MoveParts,
  loaded: StoredExecution,
  intake: Intake,
  known: Known,
  isMoved: boolean,
): Promise<Attempt> => {
  const now = momentOf(parts.clock, intake)
  const before = isMoved ? { ...loaded.execution, definitionHash: known.hash } : loaded.execution
  const events = intake.consumed.map(({ event }) => event)
  const draw = (): string => parts.chance.id('act', now)
  const folded = fold(known.decide, before, events, { now, draw })
  if (folded.failure && intake.isAsked) throw refusal(folded.failure.thrown, known)
  const execution = folded.failure ? failedBy(folded, known) : folded.execution
  const history = linesOf(folded, execution, intake.settled, now)
  if (isMoved) history.unshift(movedLine(loaded.execution, execution, now))
  const result = await parts.commit({
    ...memberOf(parts, execution, intake, now),
    advance: advanceOf(folded, execution, loaded, intake, history),
    deliver: deliveries(execution, homelessOf(folded, intake)),
  })
  // One that stands still is read anew each time: whoever resumes it may be another process.
  if (isStalled(execution)) parts.cache.drop(execution)
  else if (result.status === 'ok')
    parts.cache.set({
      execution,
      revision: result.revision!,
      chain: result.chain!,
      createdAt: loaded.createdAt,
      updatedAt: now,
    })
  return ended(result, intake, { kind: 'moved', execution, steps: folded.steps })
}

/** What was not applied and has no row yet; what came from the inbox or is a timer has one, and keeps it. */
const homelessOf = ({ rest }: Folded, { consumed }: Intake): readonly Event[] => {
  if (rest.length === 0) return rest
  const rows = consumed.filter(({ from }) => from === 'inbox' || from === 'timer')
  return rest.filter((event) => !rows.some((row) => row.event === event))
}

const deliveries = (execution: Execution, events: readonly Event[]): readonly Delivered[] =>
  events.map((event) => ({ execution: execution.id, event }))

const advanceOf = (
  { rest, actions, timers, cancel, occurrences }: Folded,
  execution: Execution,
  { revision, chain, execution: { status: was } }: StoredExecution,
  { consumed }: Intake,
  history: Advance['history'],
): Advance => ({
  execution,
  expected: revision,
  was,
  chain,
  consume: rest.length === 0 ? consumed : consumed.filter(({ event }) => !rest.includes(event)),
  actions: actions.map((action) => newAction(action, execution)),
  timers,
  cancel,
  history,
  ...(occurrences.length > 0 && { occurrences }),
})

/** Recurrences share a definition: what one asks for names itself. One that was born dead is grouped with those that died. */
export const newAction = (action: NamedPlan, { kind, id, definition }: Execution): NewAction => {
  const { plan } = action
  const source = { kind, id: kind === 'recurrence' ? id : definition }
  if (plan.status !== 'dead') return { id: action.id, plan, source }
  return { id: action.id, plan, source, fingerprint: fingerprint(plan.type, plan.error!) }
}

/** Undefined: someone else was faster, decide again. */
interface Attempt {
  readonly moved: Moved | undefined
  /** It was this process that moved it, by what had waited: there is nobody to give way to. */
  readonly isCleared?: true
}

const ended = (result: Result, { control = [] }: Intake, moved: Moved): Attempt => {
  switch (result.status) {
    case 'ok':
      return { moved }
    case 'conflict':
      // What was asked for is no longer possible: to decide again would ask for it again, for ever.
      return control.some((one) => 'id' in one && one.id === result.subject)
        ? { moved: { kind: 'fenced' } }
        : { moved: undefined }
    case 'refused':
      throw result.error
    default:
      return { moved: { kind: result.status } }
  }
}

const STILL = { actions: [], timers: [], cancel: { timers: [], actions: [] }, history: [] }

const incompatibleWith =
  (known: Known) =>
  (execution: Execution): never => {
    throw new PawlError(
      'definition_incompatible',
      `${known.id} no longer has the state “${execution.state}” that ${execution.id} is in`,
      { expected: 'a version with that state, or the execution moved to another' },
    )
  }

export const refusal = (thrown: unknown, known: Known): PawlError =>
  thrown instanceof PawlError
    ? thrown
    : new PawlError('decide_failed', `${known.id} threw: ${messageOf(thrown)}`, {}, thrown)

const failedBy = ({ execution, failure }: Folded, known: Known): Execution => {
  const error = refusal(failure!.thrown, known)
  const code = error.code === 'definition_incompatible' ? error.code : 'decide_failed'
  return { ...execution, status: 'failed', error: { code, message: error.message.slice(0, 500) } }
}
