// Owns the webhook runner (F-013, F-075, F-076): one request to a URL that the definition names, with a key that is the
// same for every attempt and, if a secret is given, a signature of Standard Webhooks. At least once: a receiver that
// remembers `webhook-id` sees it once.

import { z } from 'zod'
import { permanent } from '../../core/action-error.ts'
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
import { signing, webhookHeaders } from './signing.ts'

export interface WebhookDeps extends SandboxDeps {
  /** What one delivery costs, in whatever unit the tenant counts. */
  readonly cost?: number
}

const config = strictConfig(
  {
    provider: parts.provider,
    url: z.string('expected a URL').min(1, 'expected a URL'),
    method: parts.method.default('POST'),
    headers: parts.headers,
    payload: parts.payload,
    expectedStatusCodes: parts.expectedStatusCodes,
    redirects: parts.redirects,
    signing,
  },
  {
    body: 'what is sent is the payload',
    timeout: 'it is an option of the action, beside config',
    secret: 'it is given as signing.secret',
    followRedirects: 'say how many, as redirects: 3',
  },
).superRefine(parts.bodiless)

type Config = z.output<typeof config>

/** Same key and same bytes for every attempt; the time of the signature is the attempt's. */
const callOf = (given: Config, ctx: RunnerContext): Call => {
  const { body, headers } = bodyOf(given.payload)
  const message = { id: ctx.idempotencyKey, at: ctx.now(), body: body ?? '' }
  return {
    url: given.url,
    method: given.method,
    headers: mergeHeaders(headers, given.headers, webhookHeaders(message, given.signing), {
      'idempotency-key': ctx.idempotencyKey,
    }),
    body,
    redirects: given.redirects,
  }
}

/** Standard Webhooks: a receiver that answers 410 wants no more, and no policy brings it back. */
const goneFor = ({ status }: Answer) =>
  permanent('not_found', 'The receiver is gone: it asks that deliveries to this endpoint end', {
    code: `HTTP_${status}`,
    details: { statusCode: status },
  })

const deliver = async (given: Config, ctx: RunnerContext): Promise<HttpResult> => {
  const answer = await exchange(ctx, callOf(given, ctx))
  if (isExpected(answer.status, given.expectedStatusCodes)) return resultOf(answer)
  throw answer.status === 410 ? goneFor(answer) : refusalOf(answer, given.expectedStatusCodes, ctx.now())
}

export const createWebhook = (deps: WebhookDeps) => {
  const { cost } = deps
  const pretend = (given: Config, ctx: RunnerContext): Promise<HttpResult> => {
    const { url, method, headers } = callOf(given, ctx)
    const { payload = null, expectedStatusCodes } = given
    const content = { url, method, headers: visibleHeaders(headers), payload }
    return capture(deps.outbox, ctx, { type: 'webhook', content, expectedStatusCodes })
  }
  const isSandbox = (given: Config): boolean => (given.provider ?? deps.defaultProvider) === 'sandbox'
  return runner({
    type: 'webhook',
    config,
    result: httpResult,
    event: 'webhook_called',
    delivery: 'at_least_once',
    permissions: [{ kind: 'egress', value: '*' }],
    secrets: ['/headers/*', '/signing/secret', '/signing/previousSecret'],
    eventPayload: ({ config: { url, method }, result: { statusCode }, durationMs }) => ({
      url,
      method,
      statusCode,
      responseTime: durationMs,
    }),
    metadata: ({ config: { url }, result: { statusCode } }) => ({ url, statusCode }),
    ...(cost !== undefined && { cost: (done: { config: Config }) => (isSandbox(done.config) ? 0 : cost) }),
    execute: ({ config: given, ctx }) => (isSandbox(given) ? pretend(given, ctx) : deliver(given, ctx)),
  })
}
