// Owns the queue's own door: one action that belongs to no execution, planned and enqueued in one commit. Its step key is
// its id, or the one a caller gave; a dedup key that is held gives back the action that holds it. What is gathered keeps the
// given id for the request: asked again, it is told who took it in.
// Given ids are a tenant's own: the row's id is derived from both, so that those of two tenants never meet.

import type { ActionPlan, ActionRequest } from '../core/action.ts'
import { planAction } from '../core/action-plan.ts'
import { PawlError } from '../core/errors.ts'
import { type BatchInput, type DebounceInput, gatheringPlan } from '../core/gathering.ts'
import { assertStorable } from '../core/json.ts'
import { derivedActionId } from '../core/keys.ts'
import { scopeOf } from '../core/template/scope.ts'
import type { Member, NewAction, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { assertId } from './ids.ts'
import type { Observer } from './observer.ts'
import type { Chance } from './random.ts'

export interface Dispatched {
  readonly id: string
  /** Its dedup key, or its id, was there already: this is the action that stands for it. */
  readonly deduplicated: boolean
}

export type Dispatch = (
  of: Tenancy,
  request: ActionRequest,
  id: string | undefined,
  commit: Commit,
  gather?: GatherInput,
) => Promise<Dispatched>

/** One action for many requests of a key. */
export interface GatherInput {
  readonly debounce?: DebounceInput
  readonly batch?: BatchInput
}

/** What a caller can still mend is said to the caller; only what comes later becomes a dead letter. */
const assertPlanned = ({ status, error, type }: ActionPlan): void => {
  if (status === 'dead')
    throw new PawlError('config_invalid', `the action ${type} cannot be made: ${error!.message}`, {
      path: 'config',
    })
}

interface DispatchParts {
  readonly clock: Clock
  readonly chance: Chance
  readonly asked?: Required<Observer>['asked'] | undefined
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

export const createDispatch =
  ({ clock, chance, asked }: DispatchParts): Dispatch =>
  async ({ namespace, tenant }, request, given, commit, gather = {}) => {
    const now = clock.now()
    if (given !== undefined) assertId(given, 'id')
    const isGathered = gather.debounce !== undefined || gather.batch !== undefined
    const isDrawn = given === undefined || isGathered
    const id = isDrawn ? chance.id('act', now) : derivedActionId({ namespace, tenant }, given)
    assertId(request.type, 'type')
    assertStorable(request.config, `the config of ${request.type}`)
    const name = request.options.name ?? request.type
    const planned = planAction(asked ? traced(request, asked(request.type, id)) : request, {
      source: 'direct',
      stepKey: isDrawn ? id : given,
      name,
      scope: () => scopeOf({ now }),
      now,
    })
    assertPlanned(planned)
    const plan = isGathered ? gatheringPlan(planned, gather, now) : planned
    const own = isGathered && given !== undefined && askedAs(given, now)
    const action: NewAction = {
      id,
      ...(isDrawn && { isDrawn }),
      plan,
      source: { kind: 'direct', id },
      ...(own && { asked: own }),
    }
    const member: Member = { namespace, tenant, at: now, enqueue: [action] }
    const result = await commit(member)
    if (result.status === 'refused') throw result.error
    const existing = result.deduplicated?.[0]?.existing
    return { id: existing ?? id, deduplicated: result.status === 'duplicate' || existing !== undefined }
  }
