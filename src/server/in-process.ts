// Owns the application without a socket: for whoever has the store open in their own process, such as a command that was
// given one. There is nobody to be kept out: who can open a store needs no key to it.

import { realClock } from '../engine/clock.ts'
import type { LogSink } from '../engine/log.ts'
import type { OpenedPawl } from '../pawl/open.ts'
import { VERSION } from '../version.ts'
import { createApp } from './app.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { createLimiter } from './rate.ts'
import { ROUTES } from './routes.ts'
import { createStreams } from './streams.ts'
import { createTries } from './tries.ts'

const NO_KEYS = { any: async () => false, find: async () => undefined }
const PLENTY = { perSecond: 1_000_000, burst: 1_000_000 }
const MAX_BODY_BYTES = 1024 * 1024
const HEARTBEAT_MS = 15_000

export interface InProcess {
  readonly fetch: (request: Request) => Promise<Response>
  /** Ends streams. The library stays open. */
  readonly close: () => void
}

export const serveInProcess = ({ pawl, office, isVirtual }: OpenedPawl, log: LogSink): InProcess => {
  const tries = createTries(0, realClock.monotonic)
  const gatekeeper = createGatekeeper({ keys: NO_KEYS, isLoopback: true, now: realClock.now, tries })
  const streams = createStreams(1, HEARTBEAT_MS)
  const house = {
    ...{ pawl, office, isVirtual, log, metrics: undefined, version: VERSION, streams },
    keyMade: () => undefined,
    isDraining: () => false,
    now: realClock.now,
    describe: () => ({}),
    docs: () => '',
  }
  const limiter = createLimiter(PLENTY, realClock.monotonic)
  const own = { isLoopback: true, hosts: [] }
  const app = createApp({ house, gatekeeper, limiter, own, maxBodyBytes: MAX_BODY_BYTES }, ROUTES)
  return { fetch: async (request) => app.fetch(request), close: streams.endAll }
}
