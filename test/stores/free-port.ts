// Owns a port for a server that is started elsewhere, or again: free now, and none that the machine gives away by itself.

import { createServer } from 'node:net'

/** Below those that Linux, and IANA, give to whoever asks for any: a test that connects may not take it meanwhile. */
const [FIRST, LAST] = [10_000, 32_000]

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + (crypto.getRandomValues(new Uint32Array(1))[0]! % (LAST - FIRST))
    if (await isFree(port)) return port
  }
}
