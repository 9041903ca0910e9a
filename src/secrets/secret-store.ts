// Owns secrets that people set: sealed on the way into the vault, opened on the way out to a runner, never shown (S42).
// Rotation of keys is reseal.ts.

import { parseHosts } from './destination.ts'
import { refusal } from './refusal.ts'
import { type Resealed, reseal } from './reseal.ts'
import type { Sealer } from './seal.ts'
import type { Secret, Tenancy } from './secret.ts'
import { assertSecretName, sharedVariables } from './secret-name.ts'
import { assertSecretValue } from './secret-value.ts'
import type { ListedSecret, Vault } from './vault.ts'

export interface NewSecret {
  readonly name: string
  readonly value: string
  readonly hosts?: readonly string[]
}

export interface SecretStore {
  readonly put: (of: Tenancy, secret: NewSecret) => Promise<ListedSecret>
  readonly read: (of: Tenancy, name: string) => Promise<Secret | undefined>
  readonly list: (of: Tenancy) => Promise<readonly ListedSecret[]>
  readonly remove: (of: Tenancy, name: string) => Promise<boolean>
  readonly reseal: (of: Tenancy, limit?: number) => Promise<Resealed>
}

const RESEAL_SLICE = 100

export const createSecretStore = (vault: Vault, sealer: Sealer, now: () => number): SecretStore => {
  const put: SecretStore['put'] = async (of, { name, value, hosts }) => {
    assertSecretName(name)
    assertSecretValue(value, name)
    const bound = hosts === undefined ? [] : parseHosts(hosts)
    const [existing, others] = await Promise.all([vault.get(of, name), vault.list(of)])
    assertOwnVariable(name, others)
    const at = now()
    const label = { name, version: (existing?.version ?? 0) + 1, hosts: bound }
    const row = { ...sealer.seal(of, label, value), createdAt: existing?.createdAt ?? at, updatedAt: at }
    await vault.put(of, row)
    return listed(row)
  }

  const read: SecretStore['read'] = async (of, name) => {
    const row = await vault.get(of, name)
    if (row === undefined) return undefined
    const value = sealer.open(of, row)
    const version = String(row.version)
    return { name, value, from: 'store', version, ...(row.hosts.length > 0 && { hosts: row.hosts }) }
  }

  return {
    put,
    read,
    list: async (of) => (await vault.list(of)).map(listed),
    remove: async (of, name) => {
      assertSecretName(name)
      return vault.remove(of, name)
    },
    reseal: (of, limit = RESEAL_SLICE) => reseal({ vault, sealer, of, limit }),
  }
}

/** By name, so that what a store adds to a row does not get out. */
const listed = (row: ListedSecret): ListedSecret => {
  const { name, version, keyId, hosts, createdAt, updatedAt, fingerprint } = row
  return { name, version, keyId, hosts, createdAt, updatedAt, fingerprint }
}

/** An environment could set only both at once, and nobody would see which was meant. */
const assertOwnVariable = (name: string, others: readonly ListedSecret[]): void => {
  const [shared] = sharedVariables([name, ...others.map((other) => other.name)]).filter(({ names }) =>
    names.includes(name),
  )
  const other = shared?.names.find((each) => each !== name)
  if (other !== undefined)
    throw refusal(
      'secret_invalid',
      `the secret ${name} would share the variable ${shared?.variable} with ${other}`,
      { path: 'name', expected: 'a name that differs in more than _ . and -', suggestion: other },
    )
}
