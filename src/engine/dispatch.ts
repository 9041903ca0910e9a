// Owns the queue's own door: one action that belongs to no execution, planned and enqueued in one commit. Its step key is
// its id, or the one a caller gave; a dedup key that is held gives back the action that holds it.
// Given ids are a tenant's own: the row's id is derived from both, so that those of two tenants never meet.

import type { ActionPlan, ActionRequest } from '../core/action.ts'
import { planAction } from '../core/action-plan.ts'
import { PawlError } from '../core/errors.ts'
import { base32, sha256 } from '../core/hash.ts'
import { canonical } from '../core/json.ts'
import { scopeOf } from '../core/template/scope.ts'
import type { Member, Tenancy } from '../store/store.ts'
import type { Clock } from './clock.ts'
import type { Commit } from './committer.ts'
import { assertId } from './ids.ts'
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
) => Promise<Dispatched>

/** What a caller can still mend is said to the caller; only what comes later becomes a dead letter. */
const assertPlanned = ({ status, error, type }: ActionPlan): void => {
  if (status === 'dead')
    throw new PawlError('config_invalid', `the action ${type} cannot be made: ${error!.message}`, {
      path: 'config',
    })
}

const ownId = ({ namespace, tenant }: Tenancy, given: string): string =>
  `act_${base32(sha256(canonical([namespace, tenant, given]))).slice(0, 26)}`

export const createDispatch =
  ({ clock, chance }: { readonly clock: Clock; readonly chance: Chance }): Dispatch =>
  async ({ namespace, tenant }, request, given, commit) => {
    const now = clock.now()
    if (given !== undefined) assertId(given, 'id')
    const id = given === undefined ? chance.id('act', now) : ownId({ namespace, tenant }, given)
    assertId(request.type, 'type')
    const name = request.options.name ?? request.type
    const plan = planAction(request, {
      source: 'direct',
      stepKey: given ?? id,
      name,
      scope: scopeOf({ now }),
      now,
    })
    assertPlanned(plan)
    const member: Member = {
      namespace,
      tenant,
      at: now,
      enqueue: [{ id, plan, source: { kind: 'direct', id } }],
    }
    const result = await commit(member)
    if (result.status === 'refused') throw result.error
    const existing = result.deduplicated?.[0]?.existing
    return { id: existing ?? id, deduplicated: result.status === 'duplicate' || existing !== undefined }
  }
