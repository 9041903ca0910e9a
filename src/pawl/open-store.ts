// Owns the text that names a store: `sqlite:./pawl.db`, `sqlite::memory:` or `postgres://…`, and opening what it names.

import { PawlError } from '../core/errors.ts'
import { realClock, realTimers } from '../engine/clock.ts'
import type { Commit } from '../engine/committer.ts'
import type { Ports } from '../engine/engine.ts'
import { realChance } from '../engine/random.ts'
import type { HealthStore } from '../store/health.ts'
import type { Inspector } from '../store/inspect.ts'
import type { Occurrences } from '../store/occurrences.ts'
import type { Office } from '../store/office.ts'
import type { OutboxStore } from '../store/outbox.ts'
import { openPostgres } from '../store/postgres/open.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Tasks } from '../store/tasks.ts'
import type { TemplateStore } from '../store/templates.ts'
import type { Vault } from '../store/vault.ts'
import { createWays } from '../store/ways.ts'

export interface OpenedStore extends Ports {
  /** What `verify` looks through. */
  readonly inspector: Inspector
  readonly vault: Vault
  /** What the HTTP door needs. */
  readonly office: Office
  readonly tasks: Tasks
  readonly templates: TemplateStore
  readonly occurrences: Occurrences
  readonly outbox: OutboxStore
  readonly health: HealthStore
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
  const { monotonic } = realClock
  const given = { random: realChance.nonce, ...options, timers: realTimers, ways: createWays(monotonic) }
  const named = readStoreName(name)
  return named.kind === 'postgres'
    ? withInside(await openPostgres({ url: named.url, ...given }))
    : withInside(await openSqlite({ file: named.file, ...given, monotonic }))
}

type StoreName =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

export const readStoreName = (name: string): StoreName => {
  if (/^postgres(ql)?:\/\//.test(name)) return { kind: 'postgres', url: name }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(name)?.[1]
  if (file !== undefined) return { kind: 'sqlite', file }
  throw new PawlError(
    'invalid_option',
    `“${name.slice(0, 80).replace(/\/\/.*@/, '//…@')}” does not name a store`,
    {
      path: 'store',
      expected: 'sqlite:./pawl.db, sqlite::memory: or postgres://user@host/database',
    },
  )
}
