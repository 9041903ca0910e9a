// H2, S12–S15: every way out that a runner has, with every spelling of every forbidden address: written there, given by a
// name, given by a name that changes its answer, and led there by a redirect. What counts is what arrives at the socket.

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../src/core/json.ts'
import type { Egress, EgressOptions } from '../../src/egress/egress.ts'
import { createApiCall } from '../../src/runners/api-call/api-call.ts'
import { createEmail } from '../../src/runners/email/email.ts'
import { createFunction } from '../../src/runners/function.ts'
import { createOutbox } from '../../src/runners/outbox.ts'
import { type AnyRunner, runner } from '../../src/runners/runner.ts'
import { createWebhook } from '../../src/runners/webhook/webhook.ts'
import { openEgress, openNothing, resolver, serve, serveRaw } from '../egress/bed.ts'
import { ANSWERS, SPELLINGS } from '../egress/spellings.ts'
import { contexts, performing } from './http/bed.ts'

const outbox = createOutbox()

/** So many of them, from first to last: all of them meet the door itself in test/egress/ssrf.test.ts. */
const share = (all: readonly string[], count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!)
const HOSTS = share(SPELLINGS, 301)
const REPLIES = share(ANSWERS, 301)
const MAIL = { to: 'a@example.com', from: 'b@example.com', subject: 's', text: 't' }

/** One way out: the runner and config by which an attempt would reach this host and port. */
interface Way {
  readonly isHttp: boolean
  readonly to: (
    host: string,
    port: number,
    egress: Egress,
  ) => { readonly runner: AnyRunner; readonly config: Json }
}

const own = runner({
  type: 'own',
  config: z.object({ url: z.string() }),
  execute: async ({ config, ctx }) => (await ctx.fetch(config.url, { redirects: 5 })).status,
})

const oauth2 = (tokenEndpoint: string) => ({
  type: 'oauth2',
  tokenEndpoint,
  clientId: 'i',
  clientSecret: 's',
})

const WAYS: Readonly<Record<string, Way>> = {
  webhook: {
    isHttp: true,
    to: (host, port) => ({
      runner: createWebhook({ outbox }),
      config: { url: `http://${host}:${port}/`, redirects: 5 },
    }),
  },
  'a service of api_call': {
    isHttp: true,
    to: (host, port) => ({
      runner: createApiCall({ outbox, services: { crm: { baseUrl: `http://${host}:${port}` } } }),
      config: { service: 'crm', redirects: 5 },
    }),
  },
  'the token endpoint of api_call': {
    isHttp: true,
    to: (host, port) => ({
      runner: createApiCall({ outbox, services: { crm: { baseUrl: 'https://crm.example' } } }),
      config: { service: 'crm', authentication: oauth2(`http://${host}:${port}/`), redirects: 5 },
    }),
  },
  'email by SMTP': {
    isHttp: false,
    to: (host, port, egress) => ({
      runner: createEmail({ egress, outbox, providers: { smtp: { host, port, startTls: 'never' } } }),
      config: { ...MAIL, provider: 'smtp' },
    }),
  },
  'email by SendGrid': {
    isHttp: true,
    to: (host, port, egress) => ({
      runner: createEmail({
        egress,
        outbox,
        providers: { sendgrid: { baseUrl: `http://${host}:${port}`, apiKey: 'SG.x' } },
      }),
      config: { ...MAIL, provider: 'sendgrid' },
    }),
  },
  'a function': {
    isHttp: true,
    to: (host, port) => ({
      runner: createFunction({
        outbox,
        functions: { get: async (url, ctx) => (await ctx.fetch(String(url), { redirects: 5 })).status },
      }),
      config: { name: 'get', input: `http://${host}:${port}/` },
    }),
  },
  'a runner of one’s own': {
    isHttp: true,
    to: (host, port) => ({ runner: own, config: { url: `http://${host}:${port}/` } }),
  },
}

/** Listens where a leak would end, and tells which addresses were opened at all. */
const openTarget = async () => {
  const target = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  const traced: string[] = []
  const trace: EgressOptions['trace'] = (attempt) => {
    traced.push(attempt.address)
    if (!/^127\.|^::1$/.test(attempt.address)) openNothing(attempt)
  }
  const egressWith = (options: EgressOptions) => openEgress({ ports: [target.port], trace, ...options })
  return { target, traced, egressWith }
}

/** What came of each, where it was not as it must. */
const deviations = async (
  hosts: readonly string[],
  { to }: Way,
  egress: Egress,
  port: number,
  before: (host: string) => string = (host) => host,
): Promise<readonly string[]> => {
  const wrong: string[] = []
  const contextOf = contexts(egress)
  for (const host of hosts) {
    const { runner: way, config } = to(before(host), port, egress)
    const { outcome } = await performing(way, contextOf)(config)
    const said = outcome.kind === 'failed' ? outcome.failure : undefined
    if (said === undefined || said.error.retryable) wrong.push(`${host}: ${JSON.stringify(outcome)}`)
  }
  return wrong
}

describe.each(Object.entries(WAYS))('S15, %s', (_, way) => {
  it('S12: every spelling, 0 connections', async () => {
    const { target, traced, egressWith } = await openTarget()
    const egress = egressWith({ resolve: resolver({}) })
    expect(new Set(HOSTS).size).toBeGreaterThan(300)
    expect(await deviations(HOSTS, way, egress, target.port)).toEqual([])
    expect([target.connections(), traced]).toEqual([0, []])
  })

  it('S13: a name with every answer, alone and beside a public one, 0 connections', async () => {
    const { target, traced, egressWith } = await openTarget()
    let answer: readonly string[] = []
    const egress = egressWith({ resolve: (host) => resolver({ 'victim.example': answer })(host) })
    for (const [index, bad] of REPLIES.entries()) {
      answer = index % 2 === 0 ? [bad] : ['1.1.1.1', bad]
      expect(await deviations(['victim.example'], way, egress, target.port)).toEqual([])
    }
    expect([target.connections(), traced]).toEqual([0, []])
  })

  it('S13: rebinding: what was checked is what is connected to', async () => {
    const { target, traced, egressWith } = await openTarget()
    let asked = 0
    const egress = egressWith({
      allow: ['127.0.0.1'],
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    })
    const { runner: made, config } = way.to('victim.example', target.port, egress)
    for (let count = 0; count < 5; count++) await performing(made, contexts(egress))(config)
    expect(asked).toBe(5)
    expect(new Set(traced)).toEqual(new Set(['127.0.0.1']))
  })
})

describe.each(Object.entries(WAYS).filter(([, { isHttp }]) => isHttp))('S14, %s', (_, way) => {
  it('led there by a redirect, in every spelling, 0 connections', async () => {
    const { target, egressWith } = await openTarget()
    let next = ''
    const origin = await serve((_request, response) => {
      response.writeHead(307, { location: encodeURI(next) }).end()
    })
    const egress = egressWith({
      allow: ['origin.example'],
      resolve: resolver({ 'origin.example': ['127.0.0.1'] }),
    })
    const lead = (host: string): string => {
      next = `http://${host}:${target.port}/`
      return 'origin.example'
    }
    expect(await deviations(HOSTS, way, egress, origin.port, lead)).toEqual([])
    expect(target.connections()).toBe(0)
    expect(origin.requests.length).toBeGreaterThanOrEqual(HOSTS.length)
  })
})

it.each(Object.entries(WAYS))('the count can fail: without the guard %s would arrive', async (_, way) => {
  const { target, egressWith } = await openTarget()
  const egress = egressWith({ allow: ['127.0.0.0/8'] })
  const { runner: made, config } = way.to('127.0.0.1', target.port, egress)
  const { outcome } = await performing(made, contexts(egress))(config)
  expect(target.connections(), JSON.stringify(outcome)).toBeGreaterThan(0)
})
