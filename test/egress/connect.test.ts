import type { AddressInfo, Socket } from 'node:net'
import { createServer, TLSSocket as ServerTls, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { classify } from '../../src/core/classify.ts'
import { failureOf, openEgress, openNothing, resolver, serveRaw } from './bed.ts'
import { createAuthority } from './certificates.ts'

const { ca, issue } = createAuthority()
const OPTIONS = {
  allow: ['127.0.0.1'],
  resolve: resolver({ 'mail.example': ['127.0.0.1'], 'public.example': ['1.1.1.1'] }),
  ca,
}

const line = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('data', (chunk) => resolve(chunk.toString()))
    socket.once('error', reject)
  })

/** Greets, waits for STARTTLS, says `ready`, and then speaks TLS with this certificate. */
const serveStartTls = (names: readonly string[], ready = '220 go\r\n') => {
  const tls = issue(names)
  return serveRaw((socket) => {
    socket.write('220 hello\r\n')
    socket.once('data', () => {
      socket.write(ready)
      const secure = new ServerTls(socket, { isServer: true, ...tls })
      secure.on('error', () => {}).on('data', (chunk) => secure.write(`echo ${chunk}`))
    })
  })
}

describe('S15: connect, for SMTP', () => {
  it('plain, to the checked address', async () => {
    const server = await serveRaw((socket) => socket.write('220 hello\r\n'))
    const traced: unknown[] = []
    const egress = openEgress({ ...OPTIONS, trace: (attempt) => traced.push(attempt) })
    const socket = await egress.connect({ host: 'mail.example', port: server.port })
    expect(await line(socket)).toBe('220 hello\r\n')
    expect(traced).toEqual([{ host: 'mail.example', address: '127.0.0.1', port: server.port }])
    await egress.close()
    await expect.poll(() => server.open()).toBe(0)
  })

  it('TLS from the first byte', async () => {
    const seen: unknown[] = []
    const server = createServer(issue(['mail.example']), (socket: TLSSocket) => {
      seen.push(socket.servername)
      socket.on('error', () => {}).write('220 hello\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const socket = await openEgress(OPTIONS).connect({ host: 'mail.example', port, tls: true })
    expect(await line(socket)).toBe('220 hello\r\n')
    expect(seen).toEqual(['mail.example'])
    const { ca: _, ...untrusting } = OPTIONS
    const error = await failureOf(openEgress(untrusting).connect({ host: 'mail.example', port, tls: true }))
    expect(classify(error, 0)).toMatchObject({ error: { type: 'network_error' }, effect: 'none' })
    socket.destroy()
    server.close()
  })

  it('STARTTLS, on the same connection', async () => {
    const server = await serveStartTls(['mail.example'])
    const egress = openEgress(OPTIONS)
    const plain = await egress.connect({ host: 'mail.example', port: server.port, tls: 'starttls' })
    await line(plain)
    plain.write('STARTTLS\r\n')
    await line(plain)
    const secure = await egress.startTls(plain)
    secure.write('EHLO')
    expect(await line(secure)).toBe('echo EHLO')
    expect(server.connections()).toBe(1)
    await expect(egress.startTls(plain)).rejects.toMatchObject({ code: 'request_invalid' })
  })

  it('STARTTLS with a certificate of another name is refused', async () => {
    const server = await serveStartTls(['other.example'])
    const egress = openEgress(OPTIONS)
    const plain = await egress.connect({ host: 'mail.example', port: server.port, tls: 'starttls' })
    await line(plain)
    plain.write('STARTTLS\r\n')
    await line(plain)
    await expect(egress.startTls(plain)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      syscall: 'connect',
    })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('plain text after the step to TLS is refused', async () => {
    const server = await serveRaw((socket) => socket.write('250 injected\r\n'))
    const egress = openEgress(OPTIONS)
    const plain = await egress.connect({ host: 'mail.example', port: server.port, tls: 'starttls' })
    await new Promise<void>((resolve) => plain.once('readable', resolve))
    await expect(egress.startTls(plain)).rejects.toMatchObject({ code: 'EPROTO' })
    await expect.poll(() => server.open()).toBe(0)
  })

  it('a connection that was not opened for it', async () => {
    const server = await serveRaw(() => {})
    const egress = openEgress(OPTIONS)
    const plain = await egress.connect({ host: 'mail.example', port: server.port })
    await expect(egress.startTls(plain)).rejects.toMatchObject({ code: 'request_invalid' })
  })

  it('has the ports of mail beside those of the web', async () => {
    const egress = openEgress({ ...OPTIONS, trace: openNothing })
    for (const port of [25, 465, 587, 2525, 443])
      await expect(egress.connect({ host: 'public.example', port })).rejects.toThrow(
        `would open 1.1.1.1 ${port}`,
      )
    await expect(egress.connect({ host: 'public.example', port: 22 })).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
    await expect(egress.fetch('http://public.example:25/')).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
  })

  it('time and abort', async () => {
    const server = await serveRaw(() => {})
    const egress = openEgress(OPTIONS)
    const target = { host: 'mail.example', port: server.port, tls: true }
    const error = await failureOf(egress.connect({ ...target, timeoutMs: 50 }))
    expect(classify(error, 0)).toMatchObject({
      error: { type: 'timeout', code: 'ETIMEDOUT' },
      effect: 'none',
    })
    await expect(egress.connect({ ...target, signal: AbortSignal.abort('stop') })).rejects.toBe('stop')
    const plain = await egress.connect({ ...target, tls: 'starttls' })
    await expect(egress.startTls(plain, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    await expect.poll(() => server.open()).toBe(0)
  })
})
