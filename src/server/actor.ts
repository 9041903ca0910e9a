// Owns who is asking: what a key allows, and for whom. In local mode there is one actor, who may do everything.

import { PawlError } from '../core/errors.ts'
import { type KeyRow, SCOPES, type Scope } from '../store/keys.ts'
import type { Tenancy } from '../store/store.ts'

export interface Actor {
  /** The id of the key, or `local`. */
  readonly id: string
  readonly isLocal: boolean
  /** Null: bound to none, and takes what the request says. */
  readonly bound: Tenancy | null
  readonly scopes: ReadonlySet<Scope>
  /** May manage the keys of every tenant. */
  readonly isOperator: boolean
}

/** What having a scope brings along. */
const IMPLIED: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  operate: ['operate', 'read'],
  define: ['define', 'read'],
  admin: SCOPES,
  work: ['work'],
}

export const LOCAL: Actor = {
  id: 'local',
  isLocal: true,
  bound: null,
  scopes: new Set(SCOPES),
  isOperator: true,
}

export const actorOf = ({ id, namespace, tenant, scopes, isOperator }: KeyRow): Actor => ({
  id,
  isLocal: false,
  bound: { namespace, tenant },
  scopes: new Set(scopes.flatMap((scope) => IMPLIED[scope])),
  isOperator,
})

export const assertScope = ({ scopes }: Actor, scope: Scope): void => {
  if (scopes.has(scope)) return
  throw new PawlError('forbidden', `this needs the scope “${scope}”`, {
    expected: `a key with the scope ${scope}`,
    scope,
  })
}

const DEFAULT = 'default'

/**
 * S05: for whom the request is. A key says it; the request may repeat it, and no more. `spans`: an operator may name
 * another here.
 */
export const tenancyOf = ({ bound, isOperator }: Actor, asked: Partial<Tenancy>, spans: boolean): Tenancy => {
  const { namespace = bound?.namespace ?? DEFAULT, tenant = bound?.tenant ?? DEFAULT } = asked
  const isOwn = bound === null || (namespace === bound.namespace && tenant === bound.tenant)
  if (isOwn || (spans && isOperator)) return { namespace, tenant }
  throw new PawlError('tenant_mismatch', 'the request names another namespace or tenant than its key', {
    path: namespace === bound.namespace ? 'tenant' : 'namespace',
    expected: 'those of the key, or none',
  })
}
