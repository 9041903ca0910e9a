// Owns the opening of one connection to one checked address, plain or TLS. The name goes into SNI and is what the
// certificate is checked against; nothing is looked up here. Neither proxies nor NODE_TLS_REJECT_UNAUTHORIZED count.

import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type SecureContext } from 'node:tls'
import type { Address } from './address.ts'
import { unreached, unreachedBy } from './faults.ts'
import type { Host } from './host.ts'

export interface Attempt {
  readonly host: string
  readonly address: string
  readonly port: number
}

export interface Dial {
  readonly host: Host
  readonly address: Address
  readonly port: number
  /** Absent: plain TCP. */
  readonly secure?: SecureContext | undefined
  readonly connectMs: number
  readonly signal: AbortSignal
  readonly trace?: ((attempt: Attempt) => void) | undefined
}

/** SNI has no addresses (RFC 6066); Node then checks the certificate against the address. */
export const tlsOptions = (host: Host, secureContext: SecureContext): ConnectionOptions => ({
  secureContext,
  servername: host.kind === 'name' ? host.text : '',
  // Said here because the environment may say otherwise.
  rejectUnauthorized: true,
})

/** Waits for one event; an error, the signal and the time end it, and the socket with it. */
export const ready = (
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { host, connectMs, signal }: Pick<Dial, 'host' | 'connectMs' | 'signal'>,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(unreached('ETIMEDOUT', `no connection to ${host.text} within ${connectMs} ms`)),
      connectMs,
    )
    const abort = (): void => fail(signal.reason)
    const broke = (cause: unknown): void => fail(unreachedBy(host.text, cause))
    const closed = (): void => fail(unreached('ECONNRESET', `${host.text} hung up while connecting`))
    const release = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.off('error', broke).off('close', closed)
    }
    const fail = (error: unknown): void => {
      release()
      // It may fail once more while it goes down.
      socket.on('error', () => {}).destroy()
      reject(error)
    }
    signal.addEventListener('abort', abort)
    socket.on('error', broke).on('close', closed)
    socket.once(event, () => {
      release()
      resolve(socket)
    })
  })

export const dial = async (options: Dial): Promise<Socket> => {
  const { host, address, port, secure, signal, trace } = options
  trace?.({ host: host.text, address: address.text, port })
  signal.throwIfAborted()
  const target = { host: address.text, port, noDelay: true }
  if (secure === undefined) return ready(connectTcp(target), 'connect', options)
  return ready(connectTls({ ...target, ...tlsOptions(host, secure) }), 'secureConnect', options)
}
