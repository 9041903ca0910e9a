// Owns the server as a whole: from an opened Pawl to a listening socket and back. It puts the parts together and knows
// whether a first key is needed; every rule is in its part.

import { realClock } from '../engine/clock.ts'
import type { LogSink } from '../engine/log.ts'
import type { OpenedPawl } from '../pawl/open.ts'
import { VERSION } from '../version.ts'
import { createApp } from './app.ts'
import { createFirstKey } from './create-key.ts'
import { docsPage } from './docs-page.ts'
import { createGatekeeper } from './gatekeeper.ts'
import type { Answered, Desk } from './handle.ts'
import { closeServer, createServer, listenOn, type Patience } from './http-server.ts'
import { describeRoutes } from './openapi.ts'
import { isLoopbackHost } from './own-host.ts'
import { createLimiter } from './rate.ts'
import type { House } from './route.ts'
import { ROUTES } from './routes.ts'
import { createStreams } from './streams.ts'
import { createTries } from './tries.ts'

export interface ServerLimits extends Patience {
  /** Of one key. */
  readonly requestsPerSecond: number
  readonly requestBurst: number
  /** Wrong keys from one address. */
  readonly failuresPerMinute: number
  readonly streamsPerKey: number
  readonly heartbeatMs: number
  readonly bodyBytes: number
}

export interface ServerOptions extends OpenedPawl {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Further names this server is called by: of a proxy, or in DNS. */
  readonly hosts?: readonly string[]
  readonly log: LogSink
  /** The text of /metrics. */
  readonly metrics?: () => Promise<string>
  /** Hears of every request that found a route: for metrics. */
  readonly answered?: (answered: Answered) => void
  readonly version?: string
  readonly limits: ServerLimits
}

export interface RunningServer {
  readonly url: string
  readonly mode: 'local' | 'keys'
  /** The token of the first key, on the one start that made it: to be shown once. */
  readonly firstKey?: string
  /** From now on it is not ready; what comes is still served. */
  readonly drain: () => void
  /** Ends streams, waits for requests under way, closes. The library stays open. */
  readonly close: () => Promise<void>
}

const FIRST_KEY = { name: 'first', namespace: 'default', tenant: 'default', scopes: ['admin'] } as const

/** Made when it is first asked for: a start does not wait for pages that few read. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { pawl, office, isVirtual, log, metrics, version = VERSION, hosts = [] } = options
  const { host, port, limits } = options
  const isLoopback = isLoopbackHost(host)
  const first = isLoopback ? undefined : await createFirstKey(office.keys, FIRST_KEY)
  const tries = createTries(limits.failuresPerMinute, realClock.monotonic)
  const gatekeeper = createGatekeeper({ keys: office.keys, isLoopback, now: realClock.now, tries })
  const streams = createStreams(limits.streamsPerKey, limits.heartbeatMs)
  let isDraining = false
  const house: House = {
    ...{ pawl, office, isVirtual, log, metrics, version, streams },
    keyMade: gatekeeper.keyMade,
    isDraining: () => isDraining,
    now: realClock.now,
    describe: once(() => describeRoutes(ROUTES, version)),
    docs: once(() => docsPage(ROUTES, version)),
  }
  const rate = { perSecond: limits.requestsPerSecond, burst: limits.requestBurst }
  const limiter = createLimiter(rate, realClock.monotonic)
  const desk: Desk = {
    house,
    gatekeeper,
    limiter,
    own: { isLoopback, hosts },
    maxBodyBytes: limits.bodyBytes,
    ...(options.answered && { answered: options.answered }),
  }
  const server = createServer(createApp(desk, ROUTES).fetch, limits)
  const bound = await listenOn(server, port, host)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    mode: (await gatekeeper.isLocal()) ? 'local' : 'keys',
    ...(first && { firstKey: first.token }),
    drain: () => {
      isDraining = true
    },
    close: () => {
      streams.endAll()
      return closeServer(server)
    },
  }
}
