// Owns the access tokens of this process: kept until shortly before they end, apart for each tenant and credential, asked
// for by one attempt while the others wait (F44). In memory only; what is kept or shown of a call is cleaned of them.
// T1  At most one request is under way for a credential.
// T2  An attempt that is stopped while it asks for the others does not fail them: one of them asks.

import { createHash } from 'node:crypto'
import type { Json } from '../../core/json.ts'
import { createRedactor } from '../../secrets/redactor.ts'
import type { RunnerContext } from '../runner-context.ts'
import type { ClientCredentials } from './authentication.ts'
import { requestToken, type Token } from './token-request.ts'

export interface Tokens {
  /** `refused`: a token the other side did not take; it is not given again. */
  readonly tokenFor: (given: ClientCredentials, ctx: RunnerContext, refused?: string) => Promise<string>
  readonly clean: <Value>(value: Value) => Value
}

const keyOf = ({ namespace, tenant }: RunnerContext, given: ClientCredentials): string =>
  createHash('sha256')
    .update(JSON.stringify([namespace, tenant, Object.entries(given).sort()]))
    .digest('base64')

/** The tokens that are kept, the one used longest ago first. */
const createShelf = (limit: number) => {
  const redactor = createRedactor()
  const kept = new Map<string, Token & { readonly forget: () => void }>()
  const drop = (key: string): void => {
    kept.get(key)?.forget()
    kept.delete(key)
  }
  return {
    keep: (key: string, token: Token): void => {
      drop(key)
      kept.set(key, { ...token, forget: redactor.learn({ name: 'access_token', value: token.value }) })
      if (kept.size > limit) drop(kept.keys().next().value!)
    },
    find: (key: string, now: number): string | undefined => {
      const token = kept.get(key)
      if (token === undefined || token.staleAt <= now) return undefined
      kept.delete(key)
      kept.set(key, token)
      return token.value
    },
    clean: <Value>(value: Value) => redactor.clean(value as Json) as Value,
  }
}

export const createTokens = (limit = 1000): Tokens => {
  const shelf = createShelf(limit)
  /** Requests under way, each with the signal of the attempt that asks. */
  const flights = new Map<string, { readonly token: Promise<Token>; readonly asker: AbortSignal }>()

  const ask = async (key: string, given: ClientCredentials, ctx: RunnerContext): Promise<Token> => {
    const token = requestToken(given, ctx)
    flights.set(key, { token, asker: ctx.signal })
    try {
      shelf.keep(key, await token)
      return await token
    } finally {
      flights.delete(key)
    }
  }

  const tokenFor: Tokens['tokenFor'] = async (given, ctx, refused) => {
    const key = keyOf(ctx, given)
    for (;;) {
      const found = shelf.find(key, ctx.now())
      if (found !== undefined && found !== refused) return found
      const flight = flights.get(key)
      if (flight === undefined) return (await ask(key, given, ctx)).value
      try {
        return (await unlessStopped(flight.token, ctx.signal)).value
      } catch (error) {
        if (ctx.signal.aborted || !flight.asker.aborted) throw error
      }
    }
  }

  return { tokenFor, clean: shelf.clean }
}

const unlessStopped = <Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return Promise.race([promise, stopped.promise]).finally(() => signal.removeEventListener('abort', stop))
}
