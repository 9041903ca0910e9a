import { describe, expect, it } from 'vitest'
import { classify } from '../../src/core/classify.ts'
import { bodyOf, failureOf, openEgress, resolver, serve, serveRaw, serveText } from './bed.ts'

const LOCAL = { allow: ['127.0.0.0/8'] }
const at = (port: number, path = '/'): string => `http://127.0.0.1:${port}${path}`

const compressed = async (format: 'gzip' | 'deflate' | 'deflate-raw', text: string): Promise<Buffer> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format))
  return Buffer.from(await new Response(stream).arrayBuffer())
}
/** "Hello, brotli" */
const BROTLI = Buffer.from('CwaASGVsbG8sIGJyb3RsaQM=', 'base64')

describe('a request', () => {
  it('arrives as it was given, with what HTTP needs', async () => {
    const server = await serve(async (request, response) => {
      const body = await bodyOf(request)
      response
        .setHeader('X-Seen', 'yes')
        .end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
    })
    const answer = await openEgress(LOCAL).fetch(at(server.port, '/a?b=ü'), {
      json: { c: 'ü' },
      headers: { 'X-Key': 'k' },
    })
    expect(answer).toMatchObject({ status: 200, ok: true })
    expect(answer.headers.get('x-seen')).toBe('yes')
    const seen = await answer.json()
    expect(seen).toMatchObject({ method: 'POST', url: '/a?b=%C3%BC', body: '{"c":"ü"}' })
    expect(seen.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      'content-type': 'application/json',
      'content-length': '10',
      'x-key': 'k',
    })
  })

  it.each(['POST', 'PUT', 'PATCH'])('%s without a body says that there is none', async (method) => {
    const server = await serve((request, response) => response.end(request.headers['content-length']))
    expect(await (await openEgress(LOCAL).fetch(at(server.port), { method })).text()).toBe('0')
  })

  it('S21: what is refused opens nothing', async () => {
    const server = await serve((_, response) => response.end())
    const egress = openEgress(LOCAL)
    for (const request of [
      { headers: { host: 'x' } },
      { headers: { x: 'a\r\nb' } },
      { method: 'A B' },
      { timeoutMs: 0 },
      { redirects: -1 },
      { maxBytes: 0.5 },
    ])
      expect(classify(await failureOf(egress.fetch(at(server.port), request)), 0).error.retryable).toBe(false)
    await failureOf(egress.fetch(`${at(server.port)}\r\n`))
    await failureOf(egress.fetch(at(server.port), { origin: 'http://127.0.0.1:1' }))
    expect(server.connections()).toBe(0)
  })

  it('Expect: 100-continue sends the body when asked for, and not at all when refused', async () => {
    const sent: string[] = []
    const server = await serveRaw((socket) => {
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        sent.push(text.includes('expect: 100-continue') ? 'asked' : text)
        if (text.startsWith('POST /no')) socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
        else if (text.startsWith('POST')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
        else socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const egress = openEgress(LOCAL)
    const request = { body: 'the body', expect: '100-continue' } as const
    expect((await egress.fetch(at(server.port, '/yes'), request)).status).toBe(200)
    expect((await egress.fetch(at(server.port, '/no'), request)).status).toBe(413)
    expect(sent).toEqual(['asked', 'the body', 'asked'])
  })

  it('a server that does not answer the question gets the body in the end', async () => {
    const server = await serveRaw((socket) => {
      socket.on('data', (chunk) => {
        if (chunk.toString().endsWith('the body')) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const request = { body: 'the body', expect: '100-continue' } as const
    expect((await openEgress(LOCAL).fetch(at(server.port), request)).status).toBe(200)
  })
})

describe('an answer', () => {
  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-encoding: gzip\r\n\r\n', 200, ''],
    ['GET', 'HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n', 204, ''],
    ['GET', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n', 304, ''],
    [
      'GET',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nx-t: 1\r\n\r\n',
      200,
      'abc',
    ],
    [
      'GET',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      200,
      'ok',
    ],
    ['GET', 'HTTP/1.1 200 OK\r\ncontent-encoding: identity\r\ncontent-length: 2\r\n\r\nok', 200, 'ok'],
    ['GET', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-encoding: br\r\n\r\n', 200, ''],
    ['GET', 'HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n', 302, ''],
    ['GET', 'HTTP/1.1 500 No\r\ncontent-length: 2\r\n\r\nno', 500, 'no'],
  ])('to %s: %j', async (method, text, status, body) => {
    const server = await serveText(text)
    const answer = await openEgress(LOCAL).fetch(at(server.port), { method })
    expect([answer.status, await answer.text(), answer.ok]).toEqual([status, body, status < 300])
  })

  it('may end with the connection', async () => {
    const server = await serveRaw((socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nset-cookie: a\r\nSet-Cookie: b\r\n\r\nto the end'),
      )
    })
    const answer = await openEgress(LOCAL).fetch(at(server.port))
    expect(await answer.text()).toBe('to the end')
    expect(answer.headers.get('set-cookie')).toBe('a, b')
  })

  it('is decoded', async () => {
    const text = 'Hello, '.repeat(1000)
    const encodings: readonly (readonly [string, Buffer, string])[] = [
      ['gzip', await compressed('gzip', text), text],
      ['X-GZIP', await compressed('gzip', text), text],
      ['deflate', await compressed('deflate', text), text],
      ['deflate', await compressed('deflate-raw', text), text],
      ['br', BROTLI, 'Hello, brotli'],
    ]
    const egress = openEgress(LOCAL)
    for (const [encoding, bytes, expected] of encodings) {
      const server = await serve((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
      )
      expect(await (await egress.fetch(at(server.port))).text()).toBe(expected)
    }
  })

  it.each([
    ['gzip', 'no gzip', 'Z_DATA_ERROR'],
    ['zstd', 'x', 'ERR_CONTENT_ENCODING'],
    ['gzip, gzip', 'x', 'ERR_CONTENT_ENCODING'],
  ])('that cannot be decoded (%s) is a fault', async (encoding, body, code) => {
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    )
    const error = await failureOf(openEgress(LOCAL).fetch(at(server.port)))
    expect(error.code).toBe(code)
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'unknown_error', retryable: true },
      effect: 'unknown',
    })
  })

  it('cut in the middle of gzip is a fault', async () => {
    const bytes = await compressed('gzip', 'Hello, '.repeat(1000))
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes.subarray(0, 20)),
    )
    expect((await failureOf(openEgress(LOCAL).fetch(at(server.port)))).code).toBe('Z_BUF_ERROR')
  })

  it('that is no JSON says so only when asked', async () => {
    const server = await serve((_, response) => response.end('<html>'))
    const answer = await openEgress(LOCAL).fetch(at(server.port))
    await expect(answer.json()).rejects.toThrow(SyntaxError)
    expect(await answer.text()).toBe('<html>')
  })
})

describe('connections', () => {
  it('are kept and used again, also after an answer that was decoded', async () => {
    const bytes = await compressed('gzip', 'x')
    const server = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    )
    const egress = openEgress(LOCAL)
    for (let count = 0; count < 20; count++) await egress.fetch(at(server.port), { json: { count } })
    expect([server.connections(), server.requests.length]).toEqual([1, 20])
  })

  it('idle ones are few', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const egress = openEgress(LOCAL)
    await Promise.all(Array.from({ length: 40 }, () => egress.fetch(at(server.port))))
    expect(server.connections()).toBe(40)
    await expect.poll(() => server.open()).toBeLessThanOrEqual(8)
    await egress.close()
    await expect.poll(() => server.open()).toBe(0)
  })

  it('a kept one that the server closed is replaced for GET and reported for POST', async () => {
    // Closes without an answer when a second request comes.
    const serveOnce = () =>
      serveRaw((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
          socket.once('data', () => socket.destroy())
        })
      })
    const server = await serveOnce()
    const egress = openEgress(LOCAL)
    await egress.fetch(at(server.port))
    expect(await (await egress.fetch(at(server.port))).text()).toBe('ok')
    expect(server.connections()).toBe(2)
    const error = await failureOf(egress.fetch(at(server.port), { method: 'POST' }))
    expect(classify(error, 0)).toMatchObject({ error: { type: 'network_error' }, effect: 'unknown' })
    expect(server.connections()).toBe(2)
  })

  it('one whose answer came before the whole request was sent is not used again', async () => {
    const server = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
        socket.pause()
      })
    })
    const egress = openEgress(LOCAL)
    const answer = await egress.fetch(at(server.port), { body: Buffer.alloc(16 * 1024 * 1024) })
    expect(answer.status).toBe(413)
    for (const socket of server.sockets) socket.resume()
    await expect.poll(() => server.open()).toBe(0)
  })

  it('the next address is tried when one cannot be reached', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const traced: string[] = []
    // Nobody listens on this port of ::1, or there is no ::1.
    const egress = openEgress({
      allow: ['127.0.0.0/8', '::1'],
      resolve: resolver({ 'two.example': ['::1', '127.0.0.1'], 'none.example': [] }),
      trace: ({ address }) => traced.push(address),
    })
    expect((await egress.fetch(`http://two.example:${server.port}/`, { json: {} })).ok).toBe(true)
    expect(traced).toEqual(['::1', '127.0.0.1'])
    const error = await failureOf(egress.fetch('http://none.example/'))
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'network_error', code: 'ENOTFOUND' },
      effect: 'none',
    })
  })
})
