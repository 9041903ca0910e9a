import { describe, expect, it } from 'vitest'
import { failureOf, openEgress, serve, serveRaw, serveText } from './bed.ts'

const LOCAL = { allow: ['127.0.0.0/8'] }
const at = (port: number): string => `http://127.0.0.1:${port}/`

describe('an abort ends everything at once and says why', () => {
  it('before: nothing is opened', async () => {
    const server = await serve((_, response) => response.end())
    const reason = new Error('the lease was lost')
    const error = await failureOf(
      openEgress(LOCAL).fetch(at(server.port), { signal: AbortSignal.abort(reason) }),
    )
    expect(error).toBe(reason)
    expect(server.connections()).toBe(0)
  })

  it('while the name is resolved', async () => {
    const controller = new AbortController()
    const egress = openEgress({
      resolve: () => {
        controller.abort('stop')
        return new Promise(() => {})
      },
    })
    await expect(egress.fetch('http://a.example/', { signal: controller.signal })).rejects.toBe('stop')
  })

  it('at the very moment of connecting: nothing is opened', async () => {
    const controller = new AbortController()
    const server = await serve((_, response) => response.end())
    const egress = openEgress({ ...LOCAL, trace: () => controller.abort('stop') })
    await expect(egress.fetch(at(server.port), { signal: controller.signal })).rejects.toBe('stop')
    await expect(
      egress.connect({ host: '127.0.0.1', port: server.port, signal: controller.signal }),
    ).rejects.toBe('stop')
    await openEgress(LOCAL).fetch(at(server.port))
    expect(server.connections()).toBe(1)
  })

  it('while connecting', async () => {
    const controller = new AbortController()
    const server = await serveRaw(() => controller.abort('stop'))
    await expect(
      openEgress(LOCAL).fetch(`https://127.0.0.1:${server.port}/`, { signal: controller.signal }),
    ).rejects.toBe('stop')
    await expect.poll(() => server.open()).toBe(0)
  })

  it.each([
    ['before the headers', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\nx:'],
    ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n12'],
    [
      'in a body that is decoded',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 50\r\n\r\n\x1f',
    ],
  ])('%s', async (_, text) => {
    const controller = new AbortController()
    const server = await serveRaw((socket) => {
      socket.once('data', () => socket.write(text, () => setImmediate(() => controller.abort('stop'))))
    })
    await expect(openEgress(LOCAL).fetch(at(server.port), { signal: controller.signal })).rejects.toBe('stop')
    await expect.poll(() => server.open()).toBe(0)
  })

  it('after the answer: nothing happens any more, and no listener stays', async () => {
    const controller = new AbortController()
    const server = await serveText('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    const egress = openEgress(LOCAL)
    const answer = await egress.fetch(at(server.port), { signal: controller.signal })
    controller.abort('late')
    expect(await answer.text()).toBe('ok')
    expect((await egress.fetch(at(server.port))).status).toBe(200)
    expect(server.connections()).toBe(1)
  })

  it('one of two: the other goes on', async () => {
    const controller = new AbortController()
    const server = await serveRaw((socket) => {
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('GET /slow')) controller.abort('stop')
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    const egress = openEgress(LOCAL)
    const slow = failureOf(egress.fetch(`${at(server.port)}slow`, { signal: controller.signal }))
    expect(await (await egress.fetch(at(server.port))).text()).toBe('ok')
    expect(await slow).toBe('stop')
  })
})

describe('close', () => {
  it('ends what is under way, and nothing is opened afterwards', async () => {
    const server = await serveRaw((socket) => {
      socket.once('data', () => void egress.close())
    })
    const egress = openEgress(LOCAL)
    const error = await failureOf(egress.fetch(at(server.port)))
    expect(error).toMatchObject({ code: 'ECONNRESET', message: 'the door to the network was closed' })
    expect(await failureOf(egress.fetch(at(server.port)))).toMatchObject({
      code: 'ECONNRESET',
      syscall: 'connect',
    })
    expect(await failureOf(egress.connect({ host: '127.0.0.1', port: server.port }))).toMatchObject({
      syscall: 'connect',
    })
    expect(server.connections()).toBe(1)
    await expect.poll(() => server.open()).toBe(0)
    await egress.close()
  })
})
