// Owns the api_call runner (F-014, F-015): one request to an endpoint of a service that the operator configured, with the
// credentials that the action names. A 401 to a token is followed by one new token and one more try; the first was
// turned away, so that nothing happens twice.

import { z } from 'zod'
import { ActionFailure } from '../../core/action-error.ts'
import * as parts from '../http-config.ts'
import {
  type Answer,
  bodyOf,
  type Call,
  exchange,
  type HttpResult,
  isExpected,
  mergeHeaders,
  refusalOf,
  resultOf,
} from '../http-exchange.ts'
import { capture, httpResult, type SandboxDeps, visibleHeaders } from '../http-sandbox.ts'
import { runner } from '../runner.ts'
import type { RunnerContext } from '../runner-context.ts'
import { strictConfig } from '../strict-config.ts'
import { type Api, type ApiOf, readApis, urlOf } from './apis.ts'
import { authentication, bearer, type Credentials, credentialsOf, headerOf } from './authentication.ts'
import { createTokens, type Tokens } from './tokens.ts'

export interface ApiCallDeps extends SandboxDeps {
  /** By name: `{ external_db: { baseUrl: 'https://db.example/api' } }`. */
  readonly services?: Readonly<Record<string, Api>>
}

const scalar = z
  .union([z.string(), z.number(), z.boolean()], 'expected text, a number, a boolean or a list of these')
  .transform(String)

const config = strictConfig(
  {
    provider: parts.provider,
    service: z.string('expected the name of a service').min(1, 'expected the name of a service'),
    endpoint: z.string('expected a path below the base URL of the service').default(''),
    method: parts.method.default('GET'),
    authentication,
    headers: parts.headers,
    query: z.record(z.string(), z.union([scalar, z.array(scalar)])).default({}),
    payload: parts.payload,
    expectedStatusCodes: parts.expectedStatusCodes,
    redirects: parts.redirects,
  },
  {
    url: 'give service and endpoint; a whole URL is for webhook',
    baseUrl: 'the base URL belongs to the service, in the configuration of the process',
    body: 'what is sent is the payload',
    auth: 'it is called authentication',
    timeout: 'it is an option of the action, beside config',
  },
)
  .superRefine(parts.bodiless)
  .superRefine((given, context) => {
    const header = headerOf(given.authentication)
    const twice = Object.keys(given.headers ?? {}).find((name) => name.toLowerCase() === header)
    if (twice !== undefined)
      context.addIssue({ code: 'custom', path: ['headers', twice], message: 'is written by authentication' })
  })

type Config = z.output<typeof config>

const callOf = (given: Config, api: Api, credentials: Credentials, ctx: RunnerContext): Call => {
  const { body, headers } = bodyOf(given.payload)
  return {
    url: urlOf(api, given.endpoint, { ...given.query, ...credentials.query }),
    method: given.method,
    headers: mergeHeaders(
      { accept: 'application/json' },
      headers,
      api.headers,
      given.headers,
      credentials.headers,
      { 'idempotency-key': ctx.idempotencyKey },
    ),
    body,
    redirects: given.redirects,
    // What an endpoint is relative to is what it stays on.
    sameOrigin: true,
  }
}

const createCaller = (apiOf: ApiOf, tokens: Tokens) => {
  const send = async (given: Config, ctx: RunnerContext): Promise<Answer> => {
    const api = apiOf(given.service)
    const { authentication: who } = given
    const sendAs = (credentials: Credentials) => exchange(ctx, callOf(given, api, credentials, ctx))
    if (who.type !== 'oauth2') return sendAs(credentialsOf(who))
    // Read before a token is asked for: an endpoint that leads nowhere needs none.
    callOf(given, api, {}, ctx)
    const token = await tokens.tokenFor(who, ctx)
    const answer = await sendAs(bearer(token))
    if (answer.status !== 401 || isExpected(401, given.expectedStatusCodes)) return answer
    return sendAs(bearer(await tokens.tokenFor(who, ctx, token)))
  }

  return async (given: Config, ctx: RunnerContext): Promise<HttpResult> => {
    const answer = await send(given, ctx)
    if (isExpected(answer.status, given.expectedStatusCodes)) return tokens.clean(resultOf(answer))
    const { failure } = refusalOf(answer, given.expectedStatusCodes, ctx.now())
    throw new ActionFailure({ ...failure, error: tokens.clean(failure.error) })
  }
}

export const createApiCall = ({ outbox, defaultProvider, services = {} }: ApiCallDeps) => {
  const apiOf = readApis(services)
  const isPriced = Object.values(services).some(({ cost }) => cost !== undefined)
  const call = createCaller(apiOf, createTokens())
  const isSandbox = (given: Config): boolean => (given.provider ?? defaultProvider) === 'sandbox'
  const pretend = (given: Config, ctx: RunnerContext): Promise<HttpResult> => {
    const { service, endpoint, method, query, payload = null, headers = {}, expectedStatusCodes } = given
    const content = {
      ...{ service, endpoint, method, query, payload },
      headers: visibleHeaders(mergeHeaders(headers)),
      authentication: given.authentication.type,
    }
    return capture(outbox, ctx, { type: 'api_call', content, expectedStatusCodes })
  }
  return runner({
    type: 'api_call',
    config,
    result: httpResult,
    event: 'api_called',
    delivery: 'at_least_once',
    // Also for the token endpoint, which only the action knows.
    permissions: [{ kind: 'egress', value: '*' }],
    secrets: ['/headers/*', '/authentication/*'],
    eventPayload: ({ config: { service, endpoint, method }, result: { statusCode }, durationMs }) => ({
      ...{ service, endpoint, method, statusCode },
      responseTime: durationMs,
    }),
    metadata: ({ config: { service }, result: { statusCode } }) => ({ service, statusCode }),
    ...(isPriced && {
      cost: (done: { config: Config }) =>
        isSandbox(done.config) ? 0 : (apiOf(done.config.service).cost ?? 0),
    }),
    execute: ({ config: given, ctx }) => (isSandbox(given) ? pretend(given, ctx) : call(given, ctx)),
  })
}
