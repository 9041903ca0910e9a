// What the tests of secrets share: tenants, real keys, a vault in memory, a folder that goes away.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Tenancy } from '../../src/secrets/secret.ts'
import type { SealedSecret, Vault } from '../../src/secrets/vault.ts'

export const DEFAULT: Tenancy = { namespace: 'default', tenant: 'default' }
export const ACME: Tenancy = { namespace: 'shop', tenant: 'acme' }
export const GLOBEX: Tenancy = { namespace: 'shop', tenant: 'globex' }

/** Drawn once, for tests only. */
export const KEY_A = 'mUJ1bW8fQyq0c3RbLx7T5vHn9kZaPdEoYw2iGs6fXhA='
export const KEY_B = '7f3c9be0125aa84dd6e19f0b3378c2ee5140b79ad2c6f81e0396e7745bad1c28'

export interface MemoryVault extends Vault {
  readonly rows: Map<string, SealedSecret>
  /** How often a row was asked for. */
  readonly asked: () => number
}

export const keyOf = ({ namespace, tenant }: Tenancy, name: string): string =>
  `${namespace}/${tenant}/${name}`

export const memoryVault = (): MemoryVault => {
  const rows = new Map<string, SealedSecret>()
  let asked = 0
  return {
    rows,
    asked: () => asked,
    // As the stores do it: never over a newer version.
    put: async (of, row) => {
      const key = keyOf(of, row.name)
      if (row.version >= (rows.get(key)?.version ?? 0)) rows.set(key, row)
    },
    get: async (of, name) => {
      asked++
      return rows.get(keyOf(of, name))
    },
    list: async (of) => [...rows].filter(([key]) => key.startsWith(keyOf(of, ''))).map(([, row]) => row),
    remove: async (of, name) => rows.delete(keyOf(of, name)),
  }
}

export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'pawl-secrets-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
