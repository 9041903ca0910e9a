// Those who are slow, many or malformed (S51): the server answers or hangs up, and health is answered meanwhile.

import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useServed } from './bed.ts'

const IDLE = Number(process.env['PAWL_SOCKETS'] ?? 5000)

const addressOf = (url: string) => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

const open = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(addressOf(url), () => resolve(socket))
    socket.on('error', reject)
    onTestFinished(() => void socket.destroy())
  })

/** Sends it, and gives all that comes until the other side hangs up. */
const exchange = async (url: string, parts: readonly string[]): Promise<string> => {
  const socket = await open(url)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const part of parts) socket.write(part)
  await closed
  return heard
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
const codeOf = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

describe('a server with little patience', () => {
  const bed = useServed('SQLite', {
    env: { PAWL_SERVER_HEADERS_TIMEOUT: '400ms', PAWL_SERVER_REQUEST_TIMEOUT: '800ms' },
  })
  const url = () => bed.served().url

  it.each([
    ['headers that do not end', ['GET /livez HTTP/1.1\r\nhost: localhost\r\nx: '], 408, 'request_timeout'],
    [
      'a body that does not come',
      [
        'POST /v1/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
      ],
      408,
      'request_timeout',
    ],
    [
      'headers above 16 KiB',
      [`GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`],
      431,
      'headers_too_large',
    ],
    ['no HTTP', ['hello\r\n\r\n'], 400, 'request_malformed'],
    [
      'a length and a chunked body',
      [
        'POST /v1/actions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
      400,
      'request_malformed',
    ],
    [
      'two lengths',
      ['POST /v1/actions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabc'],
      400,
      'request_malformed',
    ],
    [
      'a line break in a header',
      ['GET /livez HTTP/1.1\r\nhost: localhost\r\nx: a\nb\r\n\r\n'],
      400,
      'request_malformed',
    ],
  ])('%s', async (_, parts, status, code) => {
    const heard = await exchange(url(), parts)
    expect([statusOf(heard), codeOf(heard)], heard).toEqual([status, code])
  })

  it.each([
    ['no Host', 'GET /v1/executions HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['a foreign Host', 'GET /v1/executions HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n', 421],
    [
      'a Host that was made to point here',
      'GET /v1/executions HTTP/1.1\r\nhost: 127.0.0.1.evil.example\r\nconnection: close\r\n\r\n',
      421,
    ],
    [
      'an address with another host in it',
      'GET http://evil.example/v1/executions HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
      421,
    ],
    ['its own Host', 'GET /v1/executions HTTP/1.1\r\nhost: LOCALHOST:1\r\nconnection: close\r\n\r\n', 200],
    ['a probe by address', 'GET /readyz HTTP/1.1\r\nhost: 10.0.0.7\r\nconnection: close\r\n\r\n', 200],
  ])('%s', async (_, text, status) => {
    expect(statusOf(await exchange(url(), [text]))).toBe(status)
  })

  it('S30: a body without end is cut at its limit, and the connection closed', async () => {
    const socket = await open(url())
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(
      'POST /v1/actions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    // Still sending when it is answered: it hears the answer all the same.
    while (heard === '' && !socket.destroyed) {
      socket.write(chunk)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    expect([statusOf(heard), codeOf(heard)]).toEqual([413, 'payload_too_large'])
  })

  it('S51: slow senders are hung up on, and health is answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => open(url())))
    const ended = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of slow) {
      socket.on('error', () => undefined)
      socket.resume()
      socket.write('GET /livez HTTP/1.1\r\nx: ')
    }
    const statuses: number[] = []
    const isOver = (): boolean => slow.every(({ destroyed }) => destroyed)
    while (!isOver()) {
      for (const socket of slow) if (socket.writable) socket.write('y')
      statuses.push((await bed.served().ask('GET', '/livez')).status)
    }
    await Promise.all(ended)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('a server with many guests', () => {
  const bed = useServed('SQLite')

  it(`S51: ${IDLE} idle connections, and health is answered meanwhile`, async () => {
    const { url, ask } = bed.served()
    const sockets: Socket[] = []
    while (sockets.length < IDLE)
      sockets.push(...(await Promise.all(Array.from({ length: 250 }, () => open(url)))))
    const slowest = { ms: 0 }
    for (let look = 0; look < 30; look += 1) {
      const began = performance.now()
      expect((await ask('GET', '/readyz')).status).toBe(200)
      slowest.ms = Math.max(slowest.ms, performance.now() - began)
    }
    console.log(
      `${sockets.length} idle connections, the slowest of 30 looks at /readyz took ${slowest.ms.toFixed(1)} ms`,
    )
    expect((await ask('GET', '/v1/executions')).status).toBe(200)
  })
})
