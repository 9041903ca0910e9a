// Owns what commands speak to: a server, named by a flag, a variable or the file of settings, or a store, spoken to through
// a server inside this process; else the server one starts on one's own machine.

import { createClient } from '../client/client.ts'
import type { Settings } from '../config/resolve.ts'
import { PawlError } from '../core/errors.ts'
import { explaining } from './explain.ts'
import type { Given, Options, Target } from './given.ts'

export type Named = { readonly server: string; readonly token?: string } | { readonly store: string }

const LOCAL = 'http://127.0.0.1:4400'

const textOf = (settings: Settings, key: string): string | undefined =>
  settings.get(key)?.value as string | undefined

/** A flag of either kind wins; then a server that is named anywhere; then a store; then this machine's server. */
export const targetOf = (settings: Settings, options: Options): Named => {
  const [server, store, token] = ['url', 'store', 'token'].map((key) => textOf(settings, key))
  if (options['server'] !== undefined && options['store'] !== undefined)
    throw new PawlError('invalid_option', '--server and --store name two targets', {
      expected: 'one of them',
    })
  const reached = (url: string): Named => ({ server: url, ...(token !== undefined && { token }) })
  if (options['store'] !== undefined) return { store: store! }
  if (server !== undefined) return reached(server)
  return store === undefined ? reached(LOCAL) : { store }
}

const isLoopback = (url: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)

const addressOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url
  throw new PawlError('settings_invalid', `“${text.slice(0, 80)}” is no address of a server`, {
    path: '--server',
    expected: 'http://127.0.0.1:4400',
  })
}

/** Who of a server is asked about: only what was said, because a key has its own. */
const tenancyOf = (settings: Settings): { readonly namespace?: string; readonly tenant?: string } =>
  Object.fromEntries(
    ['namespace', 'tenant'].flatMap((key) => {
      const found = settings.get(key)
      return found === undefined || found.source === 'default' ? [] : [[key, found.value]]
    }),
  )

export const openTarget = async (named: Named, session: Given): Promise<Target> => {
  // The server and the engine are loaded only where they are needed: a command over the network starts at once.
  if ('store' in named) return (await import('./store-target.ts')).openStoreTarget(named.store, session)
  const url = addressOf(named.server)
  const client = createClient({
    url: named.server,
    ...(named.token !== undefined && { token: named.token }),
    ...tenancyOf(session.settings),
    ...explaining(session),
  })
  return { client, name: url.origin, isLocal: isLoopback(url), close: async () => undefined }
}
