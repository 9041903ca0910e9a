// Owns the text that names a store: `sqlite:./pawl.db`, `sqlite::memory:` or `postgres://…`, and opening what it names.

import { PawlError } from '../core/errors.ts'
import { realTimers } from '../engine/clock.ts'
import type { Commit } from '../engine/committer.ts'
import type { Ports } from '../engine/engine.ts'
import { realChance } from '../engine/random.ts'
import type { Inspector } from '../store/inspect.ts'
import { openPostgres } from '../store/postgres/open.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Vault } from '../store/vault.ts'

export interface OpenedStore extends Ports {
  /** What `verify` looks through. */
  readonly inspector: Inspector
  readonly vault: Vault
  /** The same commit inside the caller's own transaction. */
  readonly inside: (client: unknown) => Commit
}

export interface StoreOptions {
  /** Bring an existing store of an older version up to date. */
  readonly migrate?: boolean
  readonly onWarning: (message: string) => void
  /** Names the store and its claims. Default: real chance. */
  readonly random?: () => string
}

type Inside = { readonly in: (client: never) => { readonly commit: Ports['store']['commit'] } }

const withInside = <Opened extends { readonly store: Ports['store'] & Inside }>(opened: Opened) => ({
  ...opened,
  inside:
    (client: unknown): Commit =>
    async (member) =>
      (await opened.store.in(client as never).commit([member]))[0]!,
})

export const openStore = async (name: string, options: StoreOptions): Promise<OpenedStore> => {
  const given = { random: realChance.nonce, ...options, timers: realTimers }
  if (/^postgres(ql)?:\/\//.test(name)) return withInside(await openPostgres({ url: name, ...given }))
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(name)?.[1]
  if (file !== undefined) return withInside(await openSqlite({ file, ...given }))
  throw new PawlError(
    'invalid_option',
    `“${name.slice(0, 80).replace(/\/\/.*@/, '//…@')}” does not name a store`,
    {
      path: 'store',
      expected: 'sqlite:./pawl.db, sqlite::memory: or postgres://user@host/database',
    },
  )
}
