// Owns making a key: the token is drawn, shown to whoever asked, and forgotten; its hash is kept.

import { PawlError } from '../core/errors.ts'
import { realClock } from '../engine/clock.ts'
import { realChance } from '../engine/random.ts'
import type { KeyRow, Keys, Scope } from '../store/keys.ts'
import type { Tenancy } from '../store/store.ts'
import { tokenHash } from './gatekeeper.ts'

export interface NewKey extends Tenancy {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Epoch milliseconds. */
  readonly expiresAt?: number
  readonly isOperator?: boolean
}

/** What may be shown of a key. */
export type ShownKey = Omit<KeyRow, 'hash'>

export interface MadeKey {
  readonly key: ShownKey
  /** Shown once, and nowhere kept. */
  readonly token: string
}

const PREFIX = 'pawl_live_'
const SHOWN = PREFIX.length + 6

export const shownKey = ({ hash: _hash, ...shown }: KeyRow): ShownKey => shown

const draw = ({ name, namespace, tenant, scopes, expiresAt, isOperator = false }: NewKey) => {
  const now = realClock.now()
  if (expiresAt !== undefined && expiresAt <= now)
    throw new PawlError('invalid_option', 'the key would have expired already', {
      path: 'expiresAt',
      expected: 'an instant in the future',
    })
  const token = `${PREFIX}${realChance.nonce()}${realChance.nonce()}`
  const row: KeyRow = {
    id: realChance.id('key', now),
    namespace,
    tenant,
    name,
    prefix: token.slice(0, SHOWN),
    hash: tokenHash(token),
    scopes,
    isOperator,
    createdAt: now,
    ...(expiresAt !== undefined && { expiresAt }),
  }
  return { row, token }
}

export const createKey = async (keys: Pick<Keys, 'put'>, wanted: NewKey): Promise<MadeKey> => {
  const { row, token } = draw(wanted)
  await keys.put(row)
  return { key: shownKey(row), token }
}

/** The first key of a store, which may make all others; undefined where there was one before. */
export const createFirstKey = async (
  keys: Pick<Keys, 'putFirst'>,
  wanted: Omit<NewKey, 'isOperator'>,
): Promise<MadeKey | undefined> => {
  const { row, token } = draw({ ...wanted, isOperator: true })
  return (await keys.putFirst(row)) ? { key: shownKey(row), token } : undefined
}
