// Owns connections that are not HTTP, which SMTP needs: to a checked address, with the same deadline and abort, and the
// step from plain text to TLS on one of them (STARTTLS). The protocol spoken is the caller's.

import type { Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { PawlError } from '../core/errors.ts'
import { createDeadline, untilAborted } from './deadline.ts'
import { dial, ready, tlsOptions } from './dial.ts'
import { assertOpen, unreached } from './faults.ts'
import type { Door } from './fetch.ts'
import { type Host, readHost } from './host.ts'
import { limitsWith } from './limits.ts'
import { reachFirst } from './reach.ts'

export interface ConnectTarget {
  readonly host: string
  readonly port: number
  /** true: TLS from the first byte. 'starttls': plain, to be handed to startTls later. */
  readonly tls?: boolean | 'starttls'
  readonly signal?: AbortSignal
  /** Until the connection stands, TLS included. */
  readonly timeoutMs?: number
}

export type Patience = Pick<ConnectTarget, 'signal' | 'timeoutMs'>

export interface Connections {
  readonly connect: (target: ConnectTarget) => Promise<Socket>
  readonly startTls: (socket: Socket, patience?: Patience) => Promise<Socket>
  readonly close: () => void
}

/** Runs under one deadline: all the time there is until the connection stands. */
const timed = async <T>(
  door: Door,
  host: Host,
  { signal, timeoutMs }: Patience,
  run: (limits: { readonly signal: AbortSignal; readonly connectMs: number }) => Promise<T>,
): Promise<T> => {
  const { connectMs } = limitsWith({ connectMs: timeoutMs }, door.limits)
  const late = (): Error => unreached('ETIMEDOUT', `no connection to ${host.text} within ${connectMs} ms`)
  const deadline = createDeadline(connectMs, [signal, door.closing], late)
  try {
    assertOpen(door.closing)
    deadline.signal.throwIfAborted()
    return await run({ signal: deadline.signal, connectMs })
  } finally {
    deadline.end()
  }
}

const open = (door: Door, host: Host, target: ConnectTarget, secure: () => SecureContext): Promise<Socket> =>
  timed(door, host, target, async (limits) => {
    const { port, tls } = target
    const addresses = await untilAborted(door.guard.admit({ host, port }), limits.signal)
    const context = tls === true ? secure() : undefined
    return reachFirst(addresses, limits, (address, connectMs) =>
      dial({ host, address, port, secure: context, connectMs, signal: limits.signal, trace: door.trace }),
    )
  })

/** Plain text that arrived early would be read as if it had come encrypted (CVE-2011-0411). */
const assertSilent = (socket: Socket, host: Host): void => {
  if (socket.readableLength === 0) return
  socket.destroy()
  throw unreached('EPROTO', `${host.text} sent plain text after it agreed to TLS`)
}

export const createConnections = (door: Door, secure: () => SecureContext): Connections => {
  const kept = new Set<Socket>()
  /** Opened for STARTTLS: the certificate must fit the name that was checked, not one given later. */
  const awaited = new WeakMap<Socket, Host>()

  const keep = (socket: Socket): Socket => {
    kept.add(socket)
    // A socket whose error nobody hears would end the process.
    return socket.on('error', () => {}).once('close', () => kept.delete(socket))
  }

  const connect = async (target: ConnectTarget): Promise<Socket> => {
    const host = readHost(target.host)
    const socket = keep(await open(door, host, target, secure))
    if (target.tls === 'starttls') awaited.set(socket, host)
    return socket
  }

  const startTls = async (socket: Socket, patience: Patience = {}): Promise<Socket> => {
    const host = awaited.get(socket)
    if (host === undefined)
      throw new PawlError('request_invalid', 'startTls was given a connection that was not opened for it', {
        expected: "a connection made by connect({ tls: 'starttls' }), once",
      })
    awaited.delete(socket)
    assertSilent(socket, host)
    return timed(door, host, patience, (limits) =>
      ready(keep(connectTls({ socket, ...tlsOptions(host, secure()) })), 'secureConnect', {
        host,
        ...limits,
      }),
    )
  }

  const close = (): void => {
    for (const socket of kept) socket.destroy()
  }
  return { connect, startTls, close }
}
