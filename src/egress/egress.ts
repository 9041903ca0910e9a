// Owns the one door to the network: everything that leaves this process for an address someone else chose leaves here.
// It wires the parts; the rules are in guard.ts (where to), request.ts (what), exchange.ts (how long, how much).

import type { Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { createAllowList } from './allow-list.ts'
import { type ConnectTarget, createConnections, type Patience } from './connect.ts'
import { readDestination } from './destination.ts'
import type { Attempt } from './dial.ts'
import { broken } from './faults.ts'
import { type Door, type EgressResponse, fetchThrough } from './fetch.ts'
import { createGuard, type Resolve, systemResolve } from './guard.ts'
import { type EgressLimits, limitsWith } from './limits.ts'
import { createPool } from './pool.ts'
import type { EgressRequest } from './request.ts'

export interface EgressOptions {
  /** Blocks and hosts (exact, or `*.example.com`) that may be reached although private, on every port. */
  readonly allow?: readonly string[]
  /** For public addresses. SMTP's are added for connect(). */
  readonly ports?: readonly number[]
  /** Asked once for each connection; its answers are never cached here. */
  readonly resolve?: Resolve
  /** Certificate authorities trusted beside the system's, in PEM. */
  readonly ca?: string | readonly string[]
  readonly limits?: Partial<EgressLimits>
  /** Told of every connection about to be opened. */
  readonly trace?: (attempt: Attempt) => void
}

export interface Egress {
  readonly fetch: (url: string, request?: EgressRequest) => Promise<EgressResponse>
  readonly connect: (target: ConnectTarget) => Promise<Socket>
  /** Turns a connection made with `tls: 'starttls'` into an encrypted one. */
  readonly startTls: (socket: Socket, patience?: Patience) => Promise<Socket>
  /** Refuses what can be known without DNS: for definitions, when they are registered. */
  readonly check: (url: string) => void
  /** Ends what is under way, and every connection. */
  readonly close: () => Promise<void>
}

const WEB_PORTS = [80, 443, 8080, 8443]
const MAIL_PORTS = [25, 465, 587, 2525]

/** Made by the first connection that needs one: reading all authorities is a tenth of opening a store. */
const secureWith = (ca: string | readonly string[] | undefined): (() => SecureContext) => {
  let made: SecureContext | undefined
  return () => {
    made ??= createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca: [...getCACertificates('default'), ...[ca].flat()] }),
    })
    return made
  }
}

export const createEgress = (options: EgressOptions = {}): Egress => {
  const { resolve = systemResolve, ports = WEB_PORTS, trace } = options
  const allow = createAllowList(options.allow ?? [])
  const limits = limitsWith(options.limits ?? {})
  const secure = secureWith(options.ca)
  // One that nobody can read is refused now, not when it is needed.
  if (options.ca !== undefined) secure()
  const pool = createPool(secure)
  const closing = new AbortController()
  const guard = createGuard({ allow, ports: new Set(ports), resolve })
  const door: Door = { guard, pool, limits, trace, closing: closing.signal }
  const mailGuard = createGuard({ allow, ports: new Set([...ports, ...MAIL_PORTS]), resolve })
  const connections = createConnections({ ...door, guard: mailGuard }, secure)
  return {
    fetch: (url, request) => fetchThrough(door, url, request),
    connect: connections.connect,
    startTls: connections.startTls,
    check: (url) => guard.check(readDestination(url)),
    close: async () => {
      closing.abort(broken('ECONNRESET', 'the door to the network was closed'))
      pool.close()
      connections.close()
    },
  }
}
