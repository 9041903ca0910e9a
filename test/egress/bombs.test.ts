import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { classify } from '../../src/core/classify.ts'
import { failureOf, type Listener, openEgress, serveRaw, serveText } from './bed.ts'

const LOCAL = { allow: ['127.0.0.0/8'] }
const MiB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\n'

/** Writes for as long as somebody reads, and not faster. */
const pour = (socket: Socket, chunk: string | Buffer): void => {
  while (!socket.destroyed && socket.writable) if (!socket.write(chunk)) break
  socket.once('drain', () => pour(socket, chunk))
}

/** Writes one piece in each turn of the event loop. */
const drip = (socket: Socket, piece: string): void => {
  if (socket.destroyed) return
  socket.write(piece)
  setImmediate(() => drip(socket, piece))
}

const afterRequest = (start: string, go: (socket: Socket) => void): Promise<Listener> =>
  serveRaw((socket) => {
    socket.once('data', () => {
      socket.write(start)
      go(socket)
    })
  })

const zeros = async (): Promise<Buffer> => {
  const stream = new Blob([new Uint8Array(8 * MiB)]).stream().pipeThrough(new CompressionStream('gzip'))
  return Buffer.from(await new Response(stream).arrayBuffer())
}

/** A connection whose answer ended by itself may be kept. */
const expectTooLarge = async (server: Listener, request = {}, kept = 0): Promise<void> => {
  const error = await failureOf(openEgress(LOCAL).fetch(`http://127.0.0.1:${server.port}/`, request))
  expect(error).toMatchObject({ code: 'response_too_large' })
  expect(classify(error, 0)).toMatchObject({
    error: { type: 'response_too_large', retryable: false, code: 'response_too_large' },
    effect: 'unknown',
  })
  await expect.poll(() => server.open()).toBe(kept)
}

describe('S19: too much', () => {
  it('an endless body', async () => {
    let written = 0
    const server = await afterRequest(`${OK}\r\n`, (socket) => {
      socket.once('close', () => {
        written = socket.bytesWritten
      })
      pour(socket, 'x'.repeat(64 * 1024))
    })
    await expectTooLarge(server)
    // What the limit lets through, and what was on its way in the buffers of two sockets.
    expect(written).toBeLessThan(32 * MiB)
  })

  it('endless chunks', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    await expectTooLarge(
      await afterRequest(`${OK}transfer-encoding: chunked\r\n\r\n`, (socket) => pour(socket, chunk)),
    )
  })

  it('a length that is more than allowed, to the byte', async () => {
    const server = await serveText(`${OK}content-length: 5\r\n\r\n12345`)
    const egress = openEgress(LOCAL)
    const url = `http://127.0.0.1:${server.port}/`
    expect(await (await egress.fetch(url, { maxBytes: 5 })).text()).toBe('12345')
    await expectTooLarge(await serveText(`${OK}content-length: 5\r\n\r\n12345`), { maxBytes: 4 }, 1)
    await expectTooLarge(await serveText(`${OK}content-length: 5\r\n\r\n12345`), { maxBytes: 0 }, 1)
  })

  it('a gzip bomb, of 8 MiB in 8 KiB', async () => {
    const bomb = await zeros()
    expect(bomb.length).toBeLessThan(10 * 1024)
    await expectTooLarge(
      await serveText(
        Buffer.concat([
          Buffer.from(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
          bomb,
        ]),
      ),
      {},
      1,
    )
  })

  it('an endless gzip bomb', async () => {
    const bomb = await zeros()
    await expectTooLarge(
      await afterRequest(`${OK}content-encoding: gzip\r\n\r\n`, (socket) => pour(socket, bomb)),
    )
  })

  it('gzip that never becomes anything', async () => {
    const stream = new Blob(['']).stream().pipeThrough(new CompressionStream('gzip'))
    const nothing = Buffer.from(await new Response(stream).arrayBuffer())
    const many = Buffer.concat(Array.from({ length: 1000 }, () => nothing))
    await expectTooLarge(
      await afterRequest(`${OK}content-encoding: gzip\r\n\r\n`, (socket) => pour(socket, many)),
    )
  })

  it('100,000 headers', async () => {
    const headers = Array.from({ length: 100_000 }, (_, index) => `x-${index}: y\r\n`).join('')
    await expectTooLarge(await serveText(`${OK}${headers}\r\n`))
  })

  it('many small headers, and one that is large', async () => {
    const small = Array.from({ length: 257 }, (_, index) => `x-${index}: y\r\n`).join('')
    await expectTooLarge(await serveText(`${OK}${small}content-length: 0\r\n\r\n`))
    await expectTooLarge(await serveText(`${OK}x: ${'y'.repeat(17_000)}\r\ncontent-length: 0\r\n\r\n`))
  })

  it('as many headers as allowed are read', async () => {
    const some = Array.from({ length: 255 }, (_, index) => `x-${index}: y\r\n`).join('')
    const server = await serveText(`${OK}${some}content-length: 0\r\n\r\n`)
    const answer = await openEgress(LOCAL).fetch(`http://127.0.0.1:${server.port}/`)
    expect(answer.headers.size).toBe(256)
  })

  it('endless headers, trailers and extensions of chunks', async () => {
    await expectTooLarge(await afterRequest(OK, (socket) => pour(socket, 'x: y\r\n'.repeat(1000))))
    const chunked = `${OK}transfer-encoding: chunked\r\n\r\n`
    await expectTooLarge(
      await afterRequest(`${chunked}0\r\n`, (socket) => pour(socket, 'x: y\r\n'.repeat(1000))),
    )
    await expectTooLarge(await afterRequest(`${chunked}1`, (socket) => pour(socket, ';x=y'.repeat(1000))))
  })
})

/** Soon, and long enough for a request to be on its way before. */
const SOON_MS = 400

describe('S19: too slow', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['no answer', '', () => {}],
    ['half of the headers', `${OK}x: `, () => {}],
    ['one byte of a body after another', `${OK}\r\n`, (socket) => drip(socket, 'x')],
    ['one byte of a header after another', `${OK}x: `, (socket) => drip(socket, 'y')],
    ['a body that stops', `${OK}content-length: 5\r\n\r\n123`, () => {}],
    ['gzip that stops', `${OK}content-encoding: gzip\r\ncontent-length: 50\r\n\r\n\x1f`, () => {}],
  ])('%s ends at the deadline', async (_, start, go) => {
    const server = await afterRequest(start, go)
    const egress = openEgress({ ...LOCAL, limits: { bytes: 1024 ** 3, headerBytes: 1024 ** 2 } })
    const error = await failureOf(egress.fetch(`http://127.0.0.1:${server.port}/`, { timeoutMs: SOON_MS }))
    expect(error).toMatchObject({
      code: 'ETIMEDOUT',
      message: `no complete answer from 127.0.0.1 within ${SOON_MS} ms`,
    })
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'timeout', retryable: true },
      effect: 'unknown',
    })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('redirects share one deadline', async () => {
    let hops = 0
    const server = await serveRaw((socket) => {
      socket.on('data', () => {
        if (++hops < 3) socket.write(`HTTP/1.1 302 Found\r\nlocation: /${hops}\r\ncontent-length: 0\r\n\r\n`)
      })
    })
    const error = await failureOf(
      openEgress(LOCAL).fetch(`http://127.0.0.1:${server.port}/`, { timeoutMs: 2 * SOON_MS, redirects: 5 }),
    )
    expect(error.code).toBe('ETIMEDOUT')
    expect(hops).toBe(3)
  })

  it('a resolver that does not answer: nothing was sent', async () => {
    const egress = openEgress({ resolve: () => new Promise(() => {}) })
    const error = await failureOf(egress.fetch('http://a.example/', { timeoutMs: 50 }))
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'timeout', retryable: true, code: 'ETIMEDOUT' },
      effect: 'none',
    })
  })

  it('a handshake that does not come: the time to connect', async () => {
    const server = await serveRaw(() => {})
    const egress = openEgress({ ...LOCAL, limits: { connectMs: 50 } })
    const error = await failureOf(egress.fetch(`https://127.0.0.1:${server.port}/`))
    expect(error.message).toBe('no connection to 127.0.0.1 within 50 ms')
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'timeout', code: 'ETIMEDOUT' },
      effect: 'none',
    })
    await expect.poll(() => server.open()).toBe(0)
  })
})

describe('broken', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ['no HTTP', (socket) => socket.write('SSH-2.0-x\r\n'), 'HPE_INVALID_CONSTANT'],
    ['closed without an answer', (socket) => socket.end(), 'ECONNRESET'],
    ['reset without an answer', (socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['closed in the body', (socket) => socket.end(`${OK}content-length: 5\r\n\r\n12`), 'ECONNRESET'],
    [
      'reset in the body',
      (socket) => socket.write(`${OK}content-length: 5\r\n\r\n12`, () => socket.resetAndDestroy()),
      'ECONNRESET',
    ],
    [
      'closed in a chunk',
      (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\n12`),
      'ECONNRESET',
    ],
    [
      'another protocol',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'ECONNRESET',
    ],
    ['nothing but 1xx', (socket) => pour(socket, 'HTTP/1.1 103 Early\r\n\r\n'.repeat(1000)), 'ECONNRESET'],
    [
      'two lengths',
      (socket) => socket.write(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\n1`),
      'HPE_UNEXPECTED_CONTENT_LENGTH',
    ],
    [
      'length and chunks',
      (socket) => socket.write(`${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      'HPE_INVALID_TRANSFER_ENCODING',
    ],
  ])('%s', async (_, go, code) => {
    const server = await afterRequest('', go)
    const error = await failureOf(openEgress(LOCAL).fetch(`http://127.0.0.1:${server.port}/`, { json: {} }))
    expect(error.code).toBe(code)
    expect(classify(error, 0)).toMatchObject({ error: { retryable: true }, effect: 'unknown' })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('ECONNREFUSED and ENOTFOUND keep their code: nothing was sent', async () => {
    const egress = openEgress({
      ...LOCAL,
      resolve: async () => {
        throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
      },
    })
    for (const [url, code] of [
      ['http://127.0.0.1:1/', 'ECONNREFUSED'],
      ['http://a.example/', 'ENOTFOUND'],
    ] as const)
      expect(classify(await failureOf(egress.fetch(url)), 0)).toMatchObject({
        error: { type: 'network_error', retryable: true, code },
        effect: 'none',
      })
  })
})
