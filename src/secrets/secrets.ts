// Owns the order in which a secret is looked for: environment, files, store; the first that has it wins. Environment and
// files are the operator's, so they serve only the tenants that the operator says; everybody else has the store.

import { createCache } from './cache.ts'
import { parseHosts } from './destination.ts'
import { type Environment, hostsIn, namesIn, readFromEnvironment } from './environment.ts'
import { type KeyTexts, parseKeyRing } from './key-ring.ts'
import { createSealer } from './seal.ts'
import type { Secret, SecretResolver, Tenancy } from './secret.ts'
import { readFromDirectory } from './secret-file.ts'
import { assertSecretName } from './secret-name.ts'
import { createSecretStore, type NewSecret, type SecretStore } from './secret-store.ts'
import type { ListedSecret, Vault } from './vault.ts'

export interface SecretOptions {
  readonly env: Environment
  /** A directory with one file per secret. */
  readonly directory?: string
  /** Where secrets of the environment and of files may be sent, by name. Default: PAWL_SECRET_<NAME>_HOSTS. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>
  readonly keys?: KeyTexts
  readonly vault: Vault
  /** Who may use what the operator set. Unless given: namespace and tenant `default`, where a single user lives. */
  readonly operators?: 'everyone' | readonly Tenancy[]
  /** Real time in epoch milliseconds. */
  readonly now: () => number
}

export interface StoredSecret extends ListedSecret {
  /** The operator has set the same name: what was stored is not what runners get. */
  readonly shadowedBy?: 'environment' | 'file'
}

export interface Secrets extends Required<SecretResolver>, Omit<SecretStore, 'put' | 'read'> {
  readonly put: (of: Tenancy, secret: NewSecret) => Promise<StoredSecret>
}

const DEFAULT_OPERATORS: readonly Tenancy[] = [{ namespace: 'default', tenant: 'default' }]

export const createSecrets = (options: SecretOptions): Secrets => {
  const { env, directory, now, operators = DEFAULT_OPERATORS, vault } = options
  const store = createSecretStore(vault, createSealer(parseKeyRing(options.keys ?? {})), now)

  const isOperator = ({ namespace, tenant }: Tenancy): boolean =>
    operators === 'everyone' ||
    operators.some((each) => each.namespace === namespace && each.tenant === tenant)

  const bound = new Map(Object.entries(options.hosts ?? {}).map(([name, hosts]) => [name, parseHosts(hosts)]))
  const find = async (name: string): Promise<Secret | undefined> => {
    const set = await readFromEnvironment(env, name)
    return set ?? (directory === undefined ? undefined : readFromDirectory(directory, name))
  }
  const operatorsOwn = async (of: Tenancy, name: string): Promise<Secret | undefined> => {
    const found = isOperator(of) ? await find(name) : undefined
    const hosts = bound.get(name) ?? hostsIn(env, name)
    return found && hosts ? { ...found, hosts } : found
  }

  const cache = createCache(
    { resolve: async (of, name) => (await operatorsOwn(of, name)) ?? store.read(of, name) },
    now,
  )
  return {
    resolve: async (of, name) => {
      assertSecretName(name)
      return cache.resolve(of, name)
    },
    put: async (of, secret) => {
      const row = await store.put(of, secret).finally(() => cache.forget(of, secret.name))
      const above = await operatorsOwn(of, secret.name).catch(() => undefined)
      return above === undefined || above.from === 'store' ? row : { ...row, shadowedBy: above.from }
    },
    remove: (of, name) => store.remove(of, name).finally(() => cache.forget(of, name)),
    list: store.list,
    names: async (of) => [
      ...(isOperator(of) ? namesIn(env) : []),
      ...(await store.list(of)).map(({ name }) => name),
    ],
    reseal: store.reseal,
  }
}
