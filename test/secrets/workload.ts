// A workload in which every runner uses secrets and everybody it talks to tells them back, in every spelling. One canary
// per place, so that a hit says which place leaks.

import type { JsonObject } from '../../src/core/json.ts'
import { type Pawl, type PawlOptions, retryable } from '../../src/index.ts'
import { bodyOf, serve } from '../egress/bed.ts'
import { machineIn } from '../runners/definitions.ts'
import { serveScript } from '../runners/email/scripted.ts'
import { SPELLINGS } from './spellings.ts'

const canary = (place: string): string => `cAnArY/${place}+9be0 "125a"`

export const CANARIES = {
  header: canary('header-7f3c'),
  stored: canary('stored-51aa'),
  file: canary('file-0d2e'),
  bearer: canary('bearer-c4b1'),
  user: canary('user-90fe'),
  password: canary('password-6ab3'),
  apiKey: canary('apikey-1f77'),
  clientId: canary('client-ee02'),
  clientSecret: canary('client-secret-8d19'),
  accessToken: canary('token-33c8').replaceAll(/[ "]/g, '-'),
  smtp: canary('smtp-a5d0'),
  sendgrid: canary('sendgrid-72e4').replaceAll(/[ "]/g, '-'),
  function: canary('function-b6f9'),
  signing: Buffer.from('cAnArY-signing-4e8b-0f21-77aa').toString('base64'),
} as const

const NAMES = Object.keys(SPELLINGS)
/** Told back on one line, where a protocol has lines. */
const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, ' ')

/** `/echo/<spelling>/<status>`: everything it was sent, spelt so; `/token` gives a token. */
const serveEcho = async () => {
  const heard: string[] = []
  const { port } = await serve(async (request, response) => {
    const [, , spelling = 'plain', status = '200'] = decodeURIComponent(request.url ?? '').split('/')
    const told = JSON.stringify({ url: request.url, headers: request.headers, body: await bodyOf(request) })
    heard.push(told)
    if (request.url === '/token-refused')
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: 'invalid_client', error_description: told }))
    if (request.url?.startsWith('/token'))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ access_token: CANARIES.accessToken, token_type: 'bearer', expires_in: 3600 }))
    const said = (SPELLINGS[spelling] ?? SPELLINGS['plain']!)(told, 'you sent ', '.')
    response.writeHead(Number(status) || 401, {
      'content-type': 'text/plain',
      'x-echo': encodeURIComponent(told).slice(0, 2000),
    })
    response.end(said)
  })
  return { base: `http://127.0.0.1:${port}`, heard }
}

const gossip = (input: unknown, ctx: Parameters<NonNullable<PawlOptions['functions']>[string]>[1]) => {
  const { spelling, way } = input as { spelling: string; way: string }
  return ctx.secret('function').then((value) => {
    const told = SPELLINGS[spelling]!(value, 'user:', '@host')
    ctx.log.warn(`it says ${told}`, { told, [told.slice(0, 200)]: 1 })
    if (way === 'throw') throw new Error(`401 for ${told}`)
    // Cut in the middle of the value by whoever keeps the message.
    if (way === 'cut')
      throw retryable('temporary_failure', `${'x'.repeat(500 - 14)}${value}`, { details: { told } })
    return { told, list: [{ [told.slice(0, 200)]: told }] }
  })
}

export const openWorkload = async () => {
  const { base, heard } = await serveEcho()
  const mail = await serveScript({
    EHLO: '250-mail.example\r\n250 AUTH PLAIN',
    AUTH: (_, line) =>
      `535 5.7.8 no: ${oneLine(Buffer.from(line.split(' ').at(-1)!, 'base64').toString())} ${line}`,
  })
  const env = {
    PAWL_SECRET_HEADER: CANARIES.header,
    PAWL_SECRET_BEARER: CANARIES.bearer,
    PAWL_SECRET_USER: CANARIES.user,
    PAWL_SECRET_PASSWORD: CANARIES.password,
    PAWL_SECRET_API_KEY: CANARIES.apiKey,
    PAWL_SECRET_TOKEN_URL: `${base}/token`,
    PAWL_SECRET_CLIENT_ID: CANARIES.clientId,
    PAWL_SECRET_CLIENT_SECRET: CANARIES.clientSecret,
    PAWL_SECRET_SMTP_PASSWORD: CANARIES.smtp,
    PAWL_SECRET_SENDGRID_API_KEY: CANARIES.sendgrid,
    PAWL_SECRET_FUNCTION: CANARIES.function,
    PAWL_SECRET_SIGNING: `whsec_${CANARIES.signing}`,
  }
  const definition = machineIn(MACHINE.replaceAll('BASE', base))
  const options = {
    definitions: [definition],
    egress: { allow: ['127.0.0.0/8'] },
    services: { echo: { baseUrl: base } },
    providers: {
      smtp: { host: '127.0.0.1', port: mail.port, startTls: 'never', user: 'ada', from: 'a@example.com' },
      sendgrid: { baseUrl: base, from: 'a@example.com' },
    },
    functions: { gossip },
  } as const
  return { options, env, base, heard: () => [...heard, ...mail.heard] }
}

/** What a step got back goes into variables, a task and another request. */
const MACHINE = `
kind: machine
id: echoing
initial: asking
states:
  asking:
    on:
      webhook_called: { to: telling, set: { said: '{{event.payload.result.data}}' } }
      action.failed: failed
  telling: { on: { task_created: told } }
  told: { final: true }
  failed: {}
actions:
  - actionId: ask
    type: webhook
    triggerState: asking
    config:
      url: 'BASE/echo/{{execution.variables.spelling}}/{{execution.variables.status}}'
      headers: { authorization: 'Bearer {{secrets.header}}', x-stored: '{{secrets.stored}}', x-file: '{{secrets.file}}' }
      signing: { secret: '{{secrets.signing}}' }
    retryPolicy: { maxAttempts: 2, backoffStrategy: fixed, baseDelay: 1s }
  - actionId: tell
    type: task
    triggerState: telling
    config: { title: 'Read {{execution.id}}', data: { said: '{{execution.variables.said}}' } }
`

const AUTHENTICATIONS: readonly JsonObject[] = [
  { type: 'bearer', token: '{{secrets.bearer}}' },
  { type: 'basic', username: '{{secrets.user}}', password: '{{secrets.password}}' },
  { type: 'api_key', header: 'x-api-key', key: '{{secrets.api_key}}' },
  { type: 'api_key', query: 'key', key: '{{secrets.api_key}}' },
  {
    type: 'oauth2',
    tokenEndpoint: '{{secrets.token_url}}',
    clientId: '{{secrets.client_id}}',
    clientSecret: '{{secrets.client_secret}}',
  },
  {
    type: 'oauth2',
    tokenEndpoint: '{{secrets.token_url}}-refused',
    clientId: '{{secrets.client_id}}',
    clientSecret: '{{secrets.client_secret}}',
    clientAuthentication: 'form',
  },
]

export const runWorkload = async (pawl: Pawl, base: string): Promise<void> => {
  const once = { retryPolicy: { maxAttempts: 1 } } as const
  for (const [index, spelling] of NAMES.entries()) {
    const status = [200, 422, 500][index % 3]!
    await pawl.start('echoing', {
      id: `e_${index}`,
      variables: { spelling: encodeURIComponent(spelling), status, said: null },
    })
    for (const way of ['return', 'throw', 'cut'])
      await pawl.dispatch({
        type: 'function',
        config: { name: 'gossip', input: { spelling, way } },
        options: once,
      })
    // Each spelling with two of them, each of them with several spellings.
    for (const authentication of [0, 3].map(
      (next) => AUTHENTICATIONS[(index + next) % AUTHENTICATIONS.length]!,
    ))
      await pawl.dispatch({
        type: 'api_call',
        config: {
          service: 'echo',
          endpoint: `/echo/${encodeURIComponent(spelling)}/${status}`,
          authentication,
        },
        options: once,
      })
  }
  const config = { to: 'b@example.com', subject: 'x', text: 'x' }
  for (const provider of ['smtp', 'sendgrid', 'sandbox'])
    await pawl.dispatch({ type: 'email', config: { ...config, provider }, options: once })
  const headers = { authorization: '{{secrets.header}}', 'x-stored': '{{secrets.stored}}' }
  await pawl.dispatch({
    type: 'webhook',
    config: { url: `${base}/x`, headers, provider: 'sandbox' },
    options: once,
  })
  await pawl.advance({ by: '1h' })
}
