// Owns one request for an access token with client credentials (RFC 6749 §4.4). The endpoint and the credentials are
// secrets: a failure says what kind it was and never where. Nothing of the action was sent yet, so its effect is none.

import { ActionFailure, actionError, type Failure } from '../../core/action-error.ts'
import { classify } from '../../core/classify.ts'
import { type Json, own } from '../../core/json.ts'
import { type Answer, exchange } from '../http-exchange.ts'
import type { RunnerContext } from '../runner-context.ts'
import { basicHeader, type ClientCredentials } from './authentication.ts'

export interface Token {
  readonly value: string
  /** Not to be used from then on. */
  readonly staleAt: number
}

type Style = NonNullable<ClientCredentials['clientAuthentication']>

/** RFC 6749 §5.1 recommends expires_in; what is older than it was assumed to be is found out by a 401. */
const DEFAULT_LIFETIME_S = 300
const MAX_LIFETIME_S = 30 * 24 * 60 * 60
/** So that a token does not end on its way; less for short ones. */
const MARGIN_MS = 30_000

/** §2.3.1: both are form-encoded before they are joined. */
const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

const ask = (given: ClientCredentials, style: Style, ctx: RunnerContext): Promise<Answer> => {
  const { tokenEndpoint, clientId, clientSecret, scope, audience } = given
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(style === 'form' && { client_id: clientId, client_secret: clientSecret }),
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
  })
  return exchange(ctx, {
    url: tokenEndpoint,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(style === 'header' && { authorization: basicHeader(encoded(clientId), encoded(clientSecret)) }),
    },
    body: form.toString(),
  })
}

const isRefused = ({ status }: Answer): boolean => status === 400 || status === 401

/** §2.3.1 obliges servers to take the header, and some take the form only. */
const askEither = async (given: ClientCredentials, ctx: RunnerContext): Promise<Answer> => {
  if (given.clientAuthentication !== undefined) return ask(given, given.clientAuthentication, ctx)
  const answer = await ask(given, 'header', ctx)
  return isRefused(answer) ? ask(given, 'form', ctx) : answer
}

export const requestToken = async (given: ClientCredentials, ctx: RunnerContext): Promise<Token> => {
  const askedAt = ctx.now()
  const answer = await askEither(given, ctx).catch((error: unknown) => {
    throw unavailable(classify(error, ctx.now()), 'the token endpoint could not be used')
  })
  if (isRefused(answer) || answer.status === 403) throw refused(`refused the client${reasonOf(answer)}`)
  if (answer.status > 299)
    throw unavailable(classify(answer, ctx.now()), `the token endpoint answered ${answer.status}`)
  return tokenOf(bodyOf(answer), askedAt)
}

const bodyOf = ({ text }: Answer): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a header can carry, and no more than fits into one. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/

const tokenOf = (body: Json | undefined, askedAt: number): Token => {
  const value = own(body, 'access_token')
  const type = own(body, 'token_type') ?? 'bearer'
  if (typeof value !== 'string' || !TOKEN.test(value)) throw refused('answered without an access_token')
  if (String(type).toLowerCase() !== 'bearer') throw refused('gave a token that is not a bearer token')
  const seconds = Number(own(body, 'expires_in') ?? DEFAULT_LIFETIME_S)
  const lifetimeMs = Math.min(seconds >= 0 ? seconds : 0, MAX_LIFETIME_S) * 1000
  return { value, staleAt: askedAt + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 10) }
}

/** One of the words of §5.2, and not what a server may have written into its place. */
const reasonOf = (answer: Answer): string => {
  const reason = own(bodyOf(answer), 'error')
  return typeof reason === 'string' && /^[a-z_]{1,40}$/.test(reason) ? `: ${reason}` : ''
}

/** Not permanent(): a policy may list it, when a provider refuses for a while. */
const refused = (why: string): ActionFailure =>
  new ActionFailure({
    error: actionError({
      type: 'authentication_failed',
      message: `Authentication failed: the token endpoint ${why}`,
      retryable: false,
    }),
    effect: 'none',
  })

const unavailable = ({ error, ...failure }: Failure, message: string): ActionFailure => {
  const { type, retryable, code } = error
  return new ActionFailure({
    ...failure,
    error: actionError({ type, message: `${message}: ${type}`, retryable, code }),
    effect: 'none',
  })
}
