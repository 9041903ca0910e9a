// A server of the tests, in a process of its own: opens the store as its part says, works if it says so, listens, and says
// where. argv: the part, as JSON.

import { openParts } from '../../src/pawl/open.ts'
import { startServer } from '../../src/server/start.ts'
import type { ServedPart } from './served.ts'

const {
  store,
  clock,
  work = false,
  secretsKey,
  sandbox = false,
  ...rest
}: ServedPart = JSON.parse(process.argv[2]!)

const log = (level: string, message: string, fields: object): void => {
  if (level !== 'debug') console.error(JSON.stringify({ level, message, ...fields }))
}

const begin = async (): Promise<void> => {
  const opened = await openParts({
    store,
    log,
    ...(clock !== undefined && { clock }),
    egress: { allow: ['127.0.0.0/8'] },
    secrets: { env: {}, keys: secretsKey === undefined ? {} : { key: secretsKey } },
    ...(sandbox && { provider: 'sandbox' as const }),
  })
  const server = await startServer({
    ...opened,
    ...rest,
    port: 0,
    log,
    metrics: async () => '# HELP pawl_up It is up.\npawl_up 1\n',
  })
  if (work) await opened.pawl.work()
  const { url, mode, firstKey } = server
  process.once('SIGTERM', async () => {
    server.drain()
    await server.close()
    await opened.pawl.close()
  })
  console.log(JSON.stringify({ url, mode, firstKey }))
}

void begin()
