// Owns the queue's own door: actions that belong to no execution, one or many, planned and enqueued in one commit. The step key
// of one is its id, or the name a caller gave; a dedup key that is held gives back the action that holds it. What is gathered
// keeps the given name for the request: asked again, it is told who took it in.
// D1  Given ids are a tenant's own: the row's id is derived from both, so that those of two tenants never meet.
// D2  Of many all are written or none. They are asked for one after the other: who comes later meets the keys and names of
//     those before. Drawn ids are in the order of the list, so that equals begin in it.

import type { ActionPlan, ActionRequest } from '../core/action.ts'
import { planAction } from '../core/action-plan.ts'
import { PawlError } from '../core/errors.ts'
import { type BatchInput, type DebounceInput, gatheringPlan } from '../core/gathering.ts'
import { assertStorable } from '../core/json.ts'
import { derivedActionId } from '../core/keys.ts'
import { scopeOf } from '../core/template/scope.ts'
import type { Member, NewAction, Result, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { assertId } from './ids.ts'
import type { Observer } from './observer.ts'
import type { Chance } from './random.ts'
import { weigh } from './weigh.ts'

export interface Dispatched {
  readonly id: string
  /** Its dedup key, or its id, was there already: this is the action that stands for it. */
  readonly deduplicated: boolean
}

/** One action for many requests of a key. */
export interface GatherInput {
  readonly debounce?: DebounceInput
  readonly batch?: BatchInput
}

/** One request of many. */
export interface Asked {
  readonly request: ActionRequest
  /** A name of the caller's. */
  readonly id?: string | undefined
  readonly gather?: GatherInput | undefined
}

export interface Dispatching {
  readonly dispatch: (
    of: Tenancy,
    request: ActionRequest,
    id: string | undefined,
    commit: Commit,
    gather?: GatherInput,
  ) => Promise<Dispatched>
  /** `read` makes a request of each entry: what is wrong with one is told with its place. */
  readonly dispatchMany: <Entry>(
    of: Tenancy,
    entries: readonly Entry[],
    read: (entry: Entry) => Asked,
    commit: Commit,
  ) => Promise<readonly Dispatched[]>
}

interface DispatchParts {
  readonly clock: Clock
  readonly chance: Chance
  readonly asked?: Required<Observer>['asked'] | undefined
}

/** What a caller can still mend is said to the caller; only what comes later becomes a dead letter. */
const assertPlanned = ({ status, error, type }: ActionPlan): void => {
  if (status === 'dead')
    throw new PawlError('config_invalid', `the action ${type} cannot be made: ${error!.message}`, {
      path: 'config',
    })
}

/** As long as the answer to a request is kept over HTTP. */
const ASKED_MS = 24 * 3_600_000

/** The action that takes a request in has an id of its own: the given one is the request's. */
const askedAs = (id: string, now: number): NonNullable<NewAction['asked']> => ({
  key: `asked/${id}`,
  until: now + ASKED_MS,
})

/** What its attempts are linked to, where somebody traces. */
const traced = (request: ActionRequest, carried: Readonly<Record<string, string>>): ActionRequest => ({
  ...request,
  options: { ...request.options, metadata: { ...carried, ...request.options.metadata } },
})

const isGathering = (gather: GatherInput | undefined): gather is GatherInput =>
  gather !== undefined && (gather.debounce !== undefined || gather.batch !== undefined)

const planned = (
  { asked }: DispatchParts,
  request: ActionRequest,
  id: string,
  stepKey: string,
  now: number,
): ActionPlan => {
  assertId(request.type, 'type')
  assertStorable(request.config, `the config of ${request.type}`)
  const plan = planAction(asked ? traced(request, asked(request.type, id)) : request, {
    source: 'direct',
    stepKey,
    name: request.options.name ?? request.type,
    scope: () => scopeOf({ now }),
    now,
  })
  assertPlanned(plan)
  return plan
}

/** The action a request comes to. `draw` gives an id that nobody has. */
const actionFor = (
  parts: DispatchParts,
  of: Tenancy,
  { request, id: given, gather }: Asked,
  now: number,
  draw: () => string,
): NewAction => {
  if (given !== undefined) assertId(given, 'id')
  if (isGathering(gather)) {
    const id = draw()
    const plan = gatheringPlan(planned(parts, request, id, id, now), gather, now)
    const own = given !== undefined && { asked: askedAs(given, now) }
    return { id, isDrawn: true, plan, source: { kind: 'direct', id }, ...own }
  }
  if (given === undefined) {
    const id = draw()
    const plan = planned(parts, request, id, id, now)
    return { id, isDrawn: true, plan, source: { kind: 'direct', id } }
  }
  const id = derivedActionId(of, given)
  return { id, mayExist: true, plan: planned(parts, request, id, given, now), source: { kind: 'direct', id } }
}

/** More is refused, not cut into several: all or none could not be kept then. It is about 10 ms of one process. */
export const MOST_AT_ONCE = 1000
/** Of configs; what a commit of several takes at most (KERNEL §8). */
const MOST_BYTES = 4 * 1024 * 1024

const assertFew = (count: number): void => {
  if (count > MOST_AT_ONCE)
    throw new PawlError('payload_too_large', `${count} actions are too many for one commit`, {
      expected: `at most ${MOST_AT_ONCE} at once; ask for more in several calls, each all or none`,
    })
}

const assertLight = (bytes: number): void => {
  if (bytes > MOST_BYTES)
    throw new PawlError('payload_too_large', 'the configs are too large for one commit', {
      expected: `at most ${MOST_BYTES} bytes together; ask for them in several calls, each all or none`,
    })
}

/** The error, with the place of the entry it is about. */
const placed = (error: unknown, index: number): unknown => {
  if (!(error instanceof PawlError)) return error
  const { path, ...details } = error.details
  return new PawlError(
    error.code,
    `entry ${index}: ${error.message}`,
    { ...details, path: path === undefined ? `${index}` : `${index}.${path}` },
    error,
  )
}

/** What is written for a list, and which of it answers each entry: a name that is given twice is one request. */
interface Listed {
  readonly actions: readonly NewAction[]
  /** By entry; undefined: each entry has the action of its own place. */
  readonly places: readonly number[] | undefined
}

const listActions = (all: readonly NewAction[]): Listed => {
  if (all.every(({ mayExist }) => mayExist !== true)) return { actions: all, places: undefined }
  const known = new Map<string, number>()
  const actions: NewAction[] = []
  const places = all.map((action) => {
    const place = known.get(action.id) ?? actions.push(action) - 1
    known.set(action.id, place)
    return place
  })
  return { actions, places }
}

const NEVER: ReadonlyMap<string, string> = new Map()

const answersTo = (
  count: number,
  { actions, places }: Listed,
  { deduplicated }: Result,
): readonly Dispatched[] => {
  const standing =
    deduplicated === undefined ? NEVER : new Map(deduplicated.map(({ id, existing }) => [id, existing]))
  let told = -1
  return Array.from({ length: count }, (_, index) => {
    const place = places === undefined ? index : places[index]!
    const isAgain = place <= told
    told = Math.max(told, place)
    const { id } = actions[place]!
    const existing = standing.get(id)
    return { id: existing ?? id, deduplicated: isAgain || existing !== undefined }
  })
}

const accepted = (result: Result): Result => {
  if (result.status === 'refused') throw result.error
  return result
}

export const createDispatch = (parts: DispatchParts): Dispatching => {
  const { clock, chance } = parts

  const memberOf = ({ namespace, tenant }: Tenancy, enqueue: readonly NewAction[], at: number): Member => ({
    namespace,
    tenant,
    at,
    enqueue,
  })
  return {
    dispatch: async (of, request, id, commit, gather) => {
      const now = clock.now()
      const action = actionFor(parts, of, { request, id, gather }, now, () => chance.id('act', now))
      const { deduplicated } = accepted(await commit(memberOf(of, [action], now)))
      const existing = deduplicated?.[0]?.existing
      return { id: existing ?? action.id, deduplicated: existing !== undefined }
    },
    dispatchMany: async (of, entries, read, commit) => {
      assertFew(entries.length)
      if (entries.length === 0) return []
      const now = clock.now()
      const draw = chance.series('act', now)
      let bytes = 0
      const all = entries.map((entry, index) => {
        try {
          const action = actionFor(parts, of, read(entry), now, draw)
          bytes += weigh(action.plan.config)
          return action
        } catch (error) {
          throw placed(error, index)
        }
      })
      assertLight(bytes)
      const listed = listActions(all)
      return answersTo(entries.length, listed, accepted(await commit(memberOf(of, listed.actions, now))))
    },
  }
}
