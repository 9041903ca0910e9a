// Owns finding out who is asking (S01, S04): the key of the Authorization header, or nobody. While a server on loopback
// has a store in which there never was a key, everybody is local. No answer says why a key is not taken.

import { createHash } from 'node:crypto'
import { PawlError } from '../core/errors.ts'
import type { Keys } from '../store/keys.ts'
import { type Actor, actorOf, LOCAL } from './actor.ts'
import type { Tries } from './tries.ts'

export interface Gatekeeper {
  /** `from`: the address the request came from, where it came over a socket. */
  readonly admit: (authorization: string | undefined, from?: string) => Promise<Actor>
  /** Is it still so? For connections that stay open. */
  readonly holds: (authorization: string | undefined) => Promise<boolean>
  readonly isLocal: () => Promise<boolean>
  /** A key was made here: local mode is over now. */
  readonly keyMade: () => void
}

export interface GatekeeperParts {
  readonly keys: Pick<Keys, 'any' | 'find'>
  readonly isLoopback: boolean
  /** Real time: keys end by it also where the engine's clock is virtual. */
  readonly now: () => number
  readonly tries: Tries
}

const BEARER = /^Bearer +([A-Za-z0-9_-]{20,200})$/i
/** A key made by another process ends local mode within this time. */
const FRESH_MS = 1000

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

const nobody = (): PawlError =>
  new PawlError('unauthenticated', 'this needs a valid key', {
    expected: 'Authorization: Bearer pawl_live_…',
  })

export const createGatekeeper = ({ keys, isLoopback, now, tries }: GatekeeperParts): Gatekeeper => {
  let hadKeys = false
  let lookedAt = Number.NEGATIVE_INFINITY
  const isLocal = async (): Promise<boolean> => {
    if (!isLoopback || hadKeys) return false
    if (now() - lookedAt < FRESH_MS) return true
    hadKeys = await keys.any()
    lookedAt = now()
    return !hadKeys
  }
  const keyed = async (authorization: string | undefined): Promise<Actor | undefined> => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    const row = token === undefined ? undefined : await keys.find(tokenHash(token))
    if (row === undefined) return undefined
    hadKeys = true
    const isOver = row.revokedAt !== undefined || (row.expiresAt !== undefined && row.expiresAt <= now())
    return isOver ? undefined : actorOf(row)
  }
  const find = async (authorization: string | undefined): Promise<Actor | undefined> =>
    (await isLocal()) ? LOCAL : keyed(authorization)
  return {
    isLocal,
    keyMade: () => {
      hadKeys = true
    },
    holds: async (authorization) => (await find(authorization)) !== undefined,
    admit: async (authorization, from) => {
      if (await isLocal()) return LOCAL
      if (authorization === undefined) throw nobody()
      const hash = tokenHash(authorization)
      tries.begin(hash, from)
      const actor = await keyed(authorization)
      if (actor === undefined) throw nobody()
      tries.taken(hash, from)
      return actor
    },
  }
}
