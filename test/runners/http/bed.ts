// One attempt of a runner over the real door, against real servers on this machine. All end with the test.

import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../../../src/core/json.ts'
import { runnerFetch } from '../../../src/egress/runner-fetch.ts'
import { createOutbox } from '../../../src/runners/outbox.ts'
import { type Performance, perform } from '../../../src/runners/perform.ts'
import type { AnyRunner } from '../../../src/runners/runner.ts'
import type { RunnerContext } from '../../../src/runners/runner-context.ts'
import { bodyOf, openEgress, serve } from '../../egress/bed.ts'

export const KEY = 'key_abcdefghijklmnopqrstuvwxyz'

export interface Setting {
  readonly now?: () => number
  readonly attempt?: number
  readonly key?: string
  readonly tenant?: string
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

const unused = (): never => {
  throw new Error('not used here')
}

export const contexts = (egress = openEgress({ allow: ['127.0.0.0/8'] })) => {
  return ({
    now = Date.now,
    attempt = 1,
    key = KEY,
    tenant = 'default',
    signal = new AbortController().signal,
    timeoutMs = 30_000,
  }: Setting = {}): RunnerContext => ({
    fetch: runnerFetch(egress, { signal, timeoutMs }),
    signal,
    attempt,
    idempotencyKey: key,
    stepKey: 'l_1/approved/notify',
    secret: unused,
    log: { debug: unused, info: unused, warn: unused, error: unused },
    now,
    timestamp: now(),
    namespace: 'default',
    tenant,
  })
}

/** Performs actions of one runner over one door. */
export const performing = (runner: AnyRunner, contextOf = contexts()) => {
  return async (config: Json, setting?: Setting): Promise<Performance> =>
    perform(runner, { config, delivery: 'at_least_once', ctx: contextOf(setting) })
}

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Keeps what it receives, and answers what the case says. */
export const receiver = async (reply: (received: Received, count: number) => Reply | Promise<Reply>) => {
  const received: Received[] = []
  const { port, connections } = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request
    const each = { method, path: url, headers, body: await bodyOf(request) }
    received.push(each)
    const { status = 200, headers: answered = {}, body = '' } = await reply(each, received.length)
    response.writeHead(status, answered).end(body)
  })
  return { url: `http://127.0.0.1:${port}`, port, received, connections }
}

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const failureIn = ({ outcome }: Performance) => {
  if (outcome.kind !== 'failed') throw new Error(`it ${outcome.kind}`)
  return outcome.failure
}

export const resultIn = ({ outcome }: Performance): Json => {
  if (outcome.kind !== 'succeeded') throw new Error(`it failed: ${outcome.failure.error.message}`)
  return outcome.result
}

export const emptyOutbox = createOutbox
