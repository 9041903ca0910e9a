// Owns a whole fetch: read the URL, ask the guard, try the checked addresses in order, follow redirects if the caller
// wants them, all under one deadline. What leaves the machine leaves through exchange().

import { PawlError } from '../core/errors.ts'
import type { Address } from './address.ts'
import { createDeadline, untilAborted } from './deadline.ts'
import { type Destination, readDestination } from './destination.ts'
import type { Attempt } from './dial.ts'
import { type Answer, type Exchange, exchange } from './exchange.ts'
import { assertOpen, broken, isStale, isUnreached, unreached } from './faults.ts'
import type { Guard } from './guard.ts'
import { type EgressLimits, limitsWith } from './limits.ts'
import type { Pool } from './pool.ts'
import { reachFirst } from './reach.ts'
import { isRedirect, nextDestination, nextOutgoing, notFollowed } from './redirect.ts'
import { type EgressRequest, prepare } from './request.ts'

export interface EgressResponse {
  readonly status: number
  /** A status from 200 to 299. */
  readonly ok: boolean
  /** Names in lower case; equal ones joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: () => Promise<string>
  readonly json: () => Promise<ReturnType<typeof JSON.parse>>
}

export interface Door {
  readonly guard: Guard
  readonly pool: Pool
  readonly limits: EgressLimits
  readonly trace: ((attempt: Attempt) => void) | undefined
  /** Aborted when the door is closed. */
  readonly closing: AbortSignal
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

type Try = Omit<Exchange, 'address'>

const tryEach = (addresses: readonly Address[], attempt: Try): Promise<Answer> =>
  reachFirst(
    addresses,
    { connectMs: attempt.limits.connectMs, signal: attempt.signal },
    (address, connectMs) => exchange({ ...attempt, address, limits: { ...attempt.limits, connectMs } }),
  )

const responseOf = ({ status, headers, body }: Answer): EgressResponse => {
  const text = async (): Promise<string> => new TextDecoder().decode(body)
  return {
    status,
    ok: status >= 200 && status <= 299,
    headers,
    text,
    json: async () => JSON.parse(await text()),
  }
}

const originOf = (destination: Destination, given: string | undefined): string | undefined => {
  if (given === undefined) return undefined
  const { origin } = readDestination(given)
  if (destination.origin !== origin)
    throw new PawlError('destination_forbidden', `a request to ${destination.origin} would leave ${origin}`)
  return origin
}

/** The server closed a kept-alive connection as we took it up: for a method without effect, ask once more. */
const twiceIfStale = async (addresses: readonly Address[], attempt: Try): Promise<Answer> => {
  try {
    return await tryEach(addresses, attempt)
  } catch (error) {
    if (!isStale(error) || !SAFE.has(attempt.outgoing.method)) throw error
    return tryEach(addresses, attempt)
  }
}

const hop = async (door: Door, attempt: Try, isFirst: boolean): Promise<Answer> => {
  const admitted = await untilAborted(door.guard.admit(attempt.destination), attempt.signal).catch(
    (error: unknown) => {
      throw !isFirst && error instanceof PawlError ? notFollowed(error.message, error) : error
    },
  )
  return twiceIfStale(admitted, attempt)
}

/** After an answer "not a byte left" is true of the last hop only: its fault must not say that nothing happened. */
const follow = async (door: Door, first: Try, origin: string | undefined): Promise<Answer> => {
  let attempt = first
  let answer = await hop(door, attempt, true)
  for (let count = 0; isRedirect(answer) && attempt.limits.redirects > 0; count++) {
    if (count === attempt.limits.redirects) throw notFollowed(`there were more than ${count}`)
    const destination = nextDestination(answer, attempt.destination, origin)
    const isSameOrigin = destination.origin === attempt.destination.origin
    attempt = {
      ...attempt,
      destination,
      outgoing: nextOutgoing(attempt.outgoing, answer.status, isSameOrigin),
    }
    answer = await hop(door, attempt, false).catch((error: unknown) => {
      throw isUnreached(error) ? broken('ECONNRESET', (error as Error).message) : error
    })
  }
  return answer
}

export const fetchThrough = async (
  door: Door,
  url: string,
  request: EgressRequest = {},
): Promise<EgressResponse> => {
  const { redirects, maxBytes, timeoutMs, signal: outside } = request
  const limits = limitsWith({ redirects, bytes: maxBytes, timeoutMs }, door.limits)
  const destination = readDestination(url)
  const origin = originOf(destination, request.origin)
  const outgoing = prepare(request)
  let isSent = false
  const late = (): Error => {
    const message = `no complete answer from ${destination.host.text} within ${limits.timeoutMs} ms`
    return isSent ? broken('ETIMEDOUT', message) : unreached('ETIMEDOUT', message)
  }
  const deadline = createDeadline(limits.timeoutMs, [outside, door.closing], late)
  const { pool, trace } = door
  const onSent = (): void => {
    isSent = true
  }
  try {
    assertOpen(door.closing)
    deadline.signal.throwIfAborted()
    const first = { pool, destination, outgoing, limits, signal: deadline.signal, trace, onSent }
    return responseOf(await follow(door, first, origin))
  } finally {
    deadline.end()
  }
}
