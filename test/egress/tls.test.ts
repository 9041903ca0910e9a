import { spawn } from 'node:child_process'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { classify } from '../../src/core/classify.ts'
import { failureOf, openEgress, resolver, serve, serveRaw } from './bed.ts'
import { createAuthority } from './certificates.ts'

const { ca, issue } = createAuthority()
const names = { 'api.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] }
const trusted = { allow: ['127.0.0.1'], resolve: resolver(names), ca }

describe('TLS', () => {
  it('S13: the name goes into SNI and Host, the connection to the checked address', async () => {
    const server = await serve(
      (request, response) =>
        response.end(`${(request.socket as TLSSocket).servername} ${request.headers.host}`),
      { tls: issue(['api.example']) },
    )
    const traced: unknown[] = []
    const egress = openEgress({ ...trusted, trace: (attempt) => traced.push(attempt) })
    const url = `https://api.example:${server.port}/`
    expect(await (await egress.fetch(url)).text()).toBe(`api.example api.example:${server.port}`)
    expect(await (await egress.fetch(url)).text()).toBe(`api.example api.example:${server.port}`)
    expect(server.connections()).toBe(1)
    expect(traced).toEqual([{ host: 'api.example', address: '127.0.0.1', port: server.port }])
  })

  it('an address is checked against the addresses of the certificate', async () => {
    const right = await serve((_, response) => response.end('ok'), { tls: issue(['127.0.0.1']) })
    const wrong = await serve((_, response) => response.end('ok'), { tls: issue(['127.0.0.2']) })
    const egress = openEgress(trusted)
    expect((await egress.fetch(`https://127.0.0.1:${right.port}/`)).ok).toBe(true)
    await expect(egress.fetch(`https://127.0.0.1:${wrong.port}/`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(wrong.requests).toEqual([])
  })

  it.each([
    ['of another name', issue(['other.example']), ca, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', issue(['api.example'], '210101000000Z'), ca, 'CERT_HAS_EXPIRED'],
    [
      'of an unknown authority',
      createAuthority().issue(['api.example']),
      ca,
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    ['of no trusted authority', issue(['api.example']), undefined, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('a certificate %s: no byte of the request is sent', async (_, tls, authority, code) => {
    const server = await serve((__, response) => response.end('ok'), { tls })
    const { ca: __, ...rest } = trusted
    const egress = openEgress({ ...rest, ...(authority !== undefined && { ca: [authority] }) })
    const error = await failureOf(egress.fetch(`https://api.example:${server.port}/`, { json: {} }))
    expect(error.code).toBe(code)
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'network_error', retryable: true, code },
      effect: 'none',
    })
    expect(server.requests).toEqual([])
  })

  it('connections are not shared between names on one address', async () => {
    const server = await serve((_, response) => response.end('ok'), {
      tls: issue(['api.example', 'other.example']),
    })
    const egress = openEgress(trusted)
    await egress.fetch(`https://api.example:${server.port}/`)
    await egress.fetch(`https://other.example:${server.port}/`)
    expect(server.connections()).toBe(2)
  })

  it('a server that hangs up in the handshake was not reached', async () => {
    const server = await serveRaw((socket) => socket.destroy())
    const error = await failureOf(openEgress(trusted).fetch(`https://api.example:${server.port}/`))
    expect(classify(error, 0)).toMatchObject({ error: { type: 'network_error' }, effect: 'none' })
  })

  it('S14: a redirect from https to http is not followed', async () => {
    const plain = await serve((_, response) => response.end('ok'))
    const server = await serve(
      (_, response) => response.writeHead(302, { location: `http://api.example:${plain.port}/` }).end(),
      { tls: issue(['api.example']) },
    )
    await expect(
      openEgress(trusted).fetch(`https://api.example:${server.port}/`, { redirects: 3 }),
    ).rejects.toMatchObject({
      code: 'redirect_not_followed',
      message: expect.stringContaining('from https to http://api.example'),
    })
    expect(plain.connections()).toBe(0)
  })
})

/** The environment is read when a process starts: a process of its own. */
const inProcess = (url: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    const program = `
      import { createEgress } from ${JSON.stringify(new URL('../../src/egress/egress.ts', import.meta.url).href)}
      const egress = createEgress({ allow: ['127.0.0.1'] })
      const outcome = await egress.fetch(${JSON.stringify(url)}).then((r) => r.text(), (e) => e.code)
      console.log(outcome)
      await egress.close()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...env, PATH: '' },
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.once('close', () => resolve(text.trim()))
  })

describe('S16: the environment does not count', () => {
  it('proxies are not asked, however they are named', async () => {
    const proxy = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nproxy'))
    const server = await serve((_, response) => response.end('server'))
    const at = `http://127.0.0.1:${proxy.port}`
    const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
    const env = Object.fromEntries([
      ...variables.map((name) => [name, at]),
      ['NODE_USE_ENV_PROXY', '1'],
      ['NO_PROXY', ''],
    ])
    expect(await inProcess(`http://127.0.0.1:${server.port}/`, env)).toBe('server')
    expect(proxy.connections()).toBe(0)
  })

  it('certificates are checked although NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const server = await serve((_, response) => response.end('server'), { tls: issue(['127.0.0.1']) })
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await inProcess(`https://127.0.0.1:${server.port}/`, env)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    expect(server.requests).toEqual([])
  })
})
