// Owns the way of a request through the house: whose Host, who asks, for whom, how often, in which shape, done once, told
// in one form. Each step refuses by throwing; nothing is read of a body before its sender is known (S01).

import type { PawlError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { realClock } from '../engine/clock.ts'
import { messageOf } from '../engine/log.ts'
import { realChance } from '../engine/random.ts'
import type { Tenancy } from '../store/store.ts'
import { type Actor, assertScope, LOCAL, tenancyOf } from './actor.ts'
import { auditData } from './audit-change.ts'
import { fitInput } from './fit-input.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { derivedId, keyedRequest, onceUnder } from './keep-answers.ts'
import { assertOwnHost, type OwnHosts } from './own-host.ts'
import { asPawlError, tell } from './problem.ts'
import { assertText, readQuery } from './query.ts'
import type { Limiter } from './rate.ts'
import { readBody } from './read-body.ts'
import { localOnly, notNamed, unknownParameter } from './refusals.ts'
import type { Answer, Call, House, Route } from './route.ts'

export interface Desk {
  readonly house: House
  readonly gatekeeper: Gatekeeper
  readonly limiter: Limiter
  readonly own: OwnHosts
  readonly maxBodyBytes: number
  /** Hears of every request that found a route. */
  readonly answered?: (answered: Answered) => void
}

export interface Answered {
  readonly method: string
  /** The pattern, never the address: ids are no labels. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export interface Incoming {
  readonly method: string
  readonly path: string
  /** With its `?`, or empty. */
  readonly search: string
  readonly params: Readonly<Record<string, string>>
  readonly header: (name: string) => string | undefined
  readonly body: ReadableStream<Uint8Array> | null
  /** The address at the other end of the socket, where there is one. */
  readonly from?: string | undefined
}

/** An answer, ready to be sent. */
export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadableStream<Uint8Array> | null
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** S47: nothing this server sends may run, be framed or be guessed at. */
const GUARD = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export const requestIdOf = (header: Incoming['header']): string => {
  const given = header('x-request-id')
  return given !== undefined && REQUEST_ID.test(given) ? given : `req_${realChance.nonce()}`
}

const sent = ({ status, headers = {}, body }: Answer, requestId: string): Outgoing => {
  const isText = typeof body === 'string' || body instanceof ReadableStream
  return {
    status,
    headers: {
      ...GUARD,
      'x-request-id': requestId,
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : isText ? body : JSON.stringify(body),
  }
}

/** Told to the caller, and to the log what the caller is not told. */
export const refuse = (
  { house }: Desk,
  incoming: Incoming,
  requestId: string,
  error: PawlError,
): Outgoing => {
  const told = tell(error, { path: incoming.path, requestId })
  const fields = { request_id: requestId, method: incoming.method, path: incoming.path, code: error.code }
  if (told.status >= 500 && error.code !== 'not_built' && error.code !== 'not_ready')
    house.log('error', 'a request failed', { ...fields, error: messageOf(error.cause ?? error) })
  else if (told.status === 403 || told.code === 'tenant_mismatch')
    house.log('warn', 'authz.denied', { ...fields, event: 'authz.denied' })
  const headers = { 'content-type': 'application/problem+json', ...told.headers }
  return sent({ status: told.status, headers, body: JSON.stringify(told.body) }, requestId)
}

const admit = async ({ gatekeeper }: Desk, { policy }: Route, { header, from }: Incoming): Promise<Actor> => {
  if (policy.scope === 'public') return LOCAL
  const actor = await gatekeeper.admit(header('authorization'), from)
  assertScope(actor, policy.scope)
  if (policy.localOnly && !actor.isLocal) throw localOnly()
  return actor
}

const checkHost = ({ own }: Desk, { policy }: Route, { header, method }: Incoming): void => {
  if (policy.anyHost) return
  const called = { host: header('host'), origin: header('origin'), fetchSite: header('sec-fetch-site') }
  assertOwnHost({ ...called, isSafe: SAFE.has(method) }, own)
}

const serve = async (desk: Desk, route: Route, incoming: Incoming, requestId: string): Promise<Answer> => {
  const { house, gatekeeper, limiter, maxBodyBytes } = desk
  const { header, method, path, search, params } = incoming
  checkHost(desk, route, incoming)
  const actor = await admit(desk, route, incoming)
  const rateHeaders = route.policy.scope === 'public' ? {} : limiter.spend(actor)
  for (const [name, value] of Object.entries(params)) assertText(name, value)
  const { namespace, tenant, rest } = readQuery(search)
  if (route.policy.namesTenant === 'query') assertNamed({ namespace, tenant })
  const asked = tenancyOf(
    actor,
    { ...(namespace && { namespace }), ...(tenant && { tenant }) },
    route.policy.spansTenants === true,
  )
  const isPrivate = route.isPrivate === true
  const query = route.query ? fitInput(route.query, rest, { part: 'query', isPrivate }) : noQuery(rest)
  const rules = { maxBytes: maxBodyBytes, takesYaml: route.takesYaml === true, isPrivate }
  const { value, text, place } = await readBody(incoming, rules)
  const body = route.body && fitInput(route.body, value ?? {}, { part: 'body', isPrivate })
  const of = route.policy.namesTenant === 'body' ? tenancyOf(actor, body as Tenancy, false) : asked
  const key = method === 'POST' ? header('idempotency-key') : undefined
  const keyed = keyedRequest(of, { key, method, target: path + search, text, holder: realChance.nonce() })
  const call: Call = {
    ...{ params, query, body, place, actor, of, house, header, requestId },
    pawl: house.pawl.tenant(of.tenant, of.namespace),
    holds: () => gatekeeper.holds(header('authorization')),
    ownId: (prefix) => keyed && derivedId(keyed, prefix),
    changed: async (change) => {
      const entry = { type: change.type, at: house.now(), data: auditData(change, actor, requestId) }
      await house.office.audit.append(of, entry)
    },
  }
  const answer = await onceUnder(house.office.idempotency, keyed, house.now, () =>
    route.serve(call as Call<never, never>),
  )
  return { ...answer, headers: { ...rateHeaders, ...answer.headers } }
}

const assertNamed = (named: { readonly [Field in keyof Tenancy]: string | undefined }): void => {
  for (const [field, value] of Object.entries(named)) if (!value) throw notNamed(field)
}

const noQuery = (rest: JsonObject): JsonObject => {
  const [field] = Object.keys(rest)
  if (field !== undefined) throw unknownParameter(field)
  return rest
}

export const handle = async (desk: Desk, route: Route, incoming: Incoming): Promise<Outgoing> => {
  const requestId = requestIdOf(incoming.header)
  const began = realClock.monotonic()
  const outgoing = await serve(desk, route, incoming, requestId).then(
    (answer) => sent(answer, requestId),
    (error: unknown) => refuse(desk, incoming, requestId, asPawlError(error)),
  )
  const seconds = (realClock.monotonic() - began) / 1000
  desk.answered?.({ method: route.method, route: route.path, status: outgoing.status, seconds })
  return outgoing
}
