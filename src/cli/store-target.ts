// Owns speaking to a store without a server: the server's own application runs inside this process, and the client's
// requests are handed to it. So every command does the same thing on a store and over the network.

import { createClient } from '../client/client.ts'
import { openParts } from '../pawl/open.ts'
import { serveInProcess } from '../server/in-process.ts'
import { explaining } from './explain.ts'
import { type Given, setting, type Target } from './given.ts'
import { openOptions } from './open-options.ts'
import { shownStore } from './shown-store.ts'

const HERE = 'http://localhost'

export const openStoreTarget = async (store: string, session: Given): Promise<Target> => {
  const { terminal } = session
  const { definitions: _, runners: __, ...options } = openOptions(session)
  const opened = await openParts({
    ...options,
    log: (level, message) => {
      if (level === 'warn' || level === 'error') terminal.say(`${terminal.style('yellow', '!')} ${message}`)
    },
  })
  const app = serveInProcess(opened, () => undefined)
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const request = new Request(url, init)
    request.headers.set('host', 'localhost')
    return app.fetch(request)
  }
  const client = createClient({
    url: HERE,
    namespace: setting<string>(session, 'namespace')!,
    tenant: setting<string>(session, 'tenant')!,
    fetch,
    ...explaining(session),
  })
  return {
    client,
    name: shownStore(store),
    isLocal: true,
    close: async () => {
      app.close()
      await opened.pawl.close()
    },
  }
}
