import { describe, expect, it } from 'vitest'
import type { EgressOptions } from '../../src/egress/egress.ts'
import { openEgress, openNothing, resolver, serve, serveRaw } from './bed.ts'
import { ANSWERS, SPELLINGS } from './spellings.ts'

/** How each attempt ended, where it was not as it must. */
const deviations = async (
  inputs: readonly string[],
  expected: string,
  attempt: (input: string) => Promise<unknown>,
): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const input of inputs) {
    const outcome = await attempt(input).then(
      () => 'answered',
      (error: { readonly code?: string }) => String(error.code),
    )
    if (outcome !== expected) wrong.push(`${input}: ${outcome}`)
  }
  return wrong
}

/** Listens where a leak would end: on this machine, on a port that is not refused by itself. */
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

describe('S12: spellings', () => {
  it('are many', () => {
    expect(SPELLINGS.length).toBeGreaterThan(500)
    expect(ANSWERS.length).toBeGreaterThan(500)
  })

  it.each(['http', 'https'])('directly over %s: refused, also at save, 0 connections', async (scheme) => {
    const { target, traced, egressWith } = await openTarget()
    const egress = egressWith({ resolve: resolver({}) })
    const urls = SPELLINGS.map((host) => `${scheme}://${host}:${target.port}/`)
    expect(await deviations(urls, 'destination_forbidden', (url) => egress.fetch(url))).toEqual([])
    expect(await deviations(urls, 'destination_forbidden', async (url) => egress.check(url))).toEqual([])
    expect([target.connections(), traced]).toEqual([0, []])
  })

  it('by connect(): refused, 0 connections', async () => {
    const { target, traced, egressWith } = await openTarget()
    const egress = egressWith({ resolve: resolver({}) })
    const { port } = target
    const connect = (host: string) => egress.connect({ host, port })
    expect(await deviations(SPELLINGS, 'destination_forbidden', connect)).toEqual([])
    expect(await deviations(ANSWERS, 'destination_forbidden', connect)).toEqual([])
    expect([target.connections(), traced]).toEqual([0, []])
  })

  it('would get through if they were not refused: the count can fail', async () => {
    const { target, traced, egressWith } = await openTarget()
    const egress = egressWith({ allow: ['127.0.0.0/8'] })
    expect(
      await deviations(['2130706433', '127.1', 'localhost'], 'answered', (host) =>
        egress.fetch(`http://${host}:${target.port}/`),
      ),
    ).toEqual([])
    expect(target.connections()).toBe(3)
    expect(traced).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  })
})

describe('S13: by DNS', () => {
  it('every answer is judged, alone and beside a public one, 0 connections', async () => {
    const { target, traced, egressWith } = await openTarget()
    const mixes: readonly ((bad: string) => readonly string[])[] = [
      (bad) => [bad],
      (bad) => ['1.1.1.1', bad],
      (bad) => [bad, '2606:4700::1111'],
    ]
    for (const mix of mixes) {
      let answer = ''
      const egress = egressWith({ resolve: (host) => resolver({ 'victim.example': mix(answer) })(host) })
      const attempt = (bad: string) => {
        answer = bad
        return egress.fetch(`http://victim.example:${target.port}/`)
      }
      expect(await deviations(ANSWERS, 'destination_forbidden', attempt)).toEqual([])
    }
    expect([target.connections(), traced]).toEqual([0, []])
  })

  it.each(['', 'x', '127.0.0.1 ', 'fe80::1%lo', '127.0.0.1/8', '1.2.3.4.5'])(
    'an answer that is no address: %j',
    async (answer) => {
      const { target, traced, egressWith } = await openTarget()
      const egress = egressWith({ resolve: resolver({ 'victim.example': [answer] }) })
      expect(
        await deviations(['http://victim.example:'], 'destination_forbidden', (url) =>
          egress.fetch(`${url}${target.port}`),
        ),
      ).toEqual([])
      expect(traced).toEqual([])
    },
  )

  it('rebinding: one question for each request, and what was checked is what is connected to', async () => {
    const { target, traced, egressWith } = await openTarget()
    const bad = ANSWERS.filter(
      (answer) => !['127.0.0.1', '127.0.0.1.'].includes(answer) && answer.includes(':'),
    )
    let asked = 0
    const egress = egressWith({
      allow: ['127.0.0.1'],
      // Allowed when asked first, forbidden when asked again: what a TTL of 0 does.
      resolve: async () => {
        const answer = asked++ % 2 === 0 ? '127.0.0.1' : bad[asked % bad.length]!
        return [{ address: answer, family: answer.includes(':') ? 6 : 4 }]
      },
    })
    const outcomes: string[] = []
    for (let count = 0; count < 100; count++)
      outcomes.push(
        await egress.fetch(`http://victim.example:${target.port}/`).then(
          ({ status }) => String(status),
          (error: { readonly code: string }) => error.code,
        ),
      )
    expect(asked).toBe(100)
    expect(outcomes).toEqual(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? '200' : 'destination_forbidden')),
    )
    expect(target.connections()).toBe(50)
    expect(new Set(traced)).toEqual(new Set(['127.0.0.1']))
  })

  it('S12: to allow an IPv4 address is not to allow the IPv6 addresses that carry it', async () => {
    const { target, egressWith } = await openTarget()
    const egress = egressWith({ allow: ['127.0.0.1'] })
    const hosts = ANSWERS.filter((answer) => /:127\.0\.0\.1$|7f00:0*1\b/.test(answer))
    expect(hosts.length).toBeGreaterThan(8)
    const attempt = (host: string) => egress.fetch(`http://[${host}]:${target.port}/`)
    expect(await deviations(hosts, 'destination_forbidden', attempt)).toEqual([])
  })

  it('rebinding: a kept-alive connection does not outlive the answer that allowed it', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const answers = ['127.0.0.1', '127.0.0.2']
    const egress = openEgress({
      allow: ['127.0.0.1'],
      resolve: async () => [{ address: answers.shift()!, family: 4 }],
    })
    const url = `http://victim.example:${server.port}/`
    expect((await egress.fetch(url)).status).toBe(200)
    await expect(egress.fetch(url)).rejects.toMatchObject({ code: 'destination_forbidden' })
    expect(server.requests.length).toBe(1)
  })
})

describe('S14: by redirect', () => {
  it('a hop to a forbidden place is not followed, in any spelling and by any status, 0 connections', async () => {
    const { target, traced, egressWith } = await openTarget()
    const statuses = [301, 302, 303, 307, 308]
    let next = ''
    const origin = await serve((request, response) => {
      response.writeHead(statuses[Number(request.url!.slice(1)) % statuses.length]!, {
        location: encodeURI(next),
      })
      response.end()
    })
    const egress = egressWith({
      allow: ['origin.example'],
      resolve: resolver({ 'origin.example': ['127.0.0.1'] }),
    })
    let index = 0
    const attempt = (host: string) => {
      next = `http://${host}:${target.port}/`
      return egress.fetch(`http://origin.example:${origin.port}/${index++}`, { redirects: 5 })
    }
    expect(await deviations(SPELLINGS, 'redirect_not_followed', attempt)).toEqual([])
    expect(target.connections()).toBe(0)
    expect(origin.requests.length).toBe(SPELLINGS.length)
    expect(new Set(traced)).toEqual(new Set(['127.0.0.1']))
  })

  it('by a name that resolves to a forbidden address', async () => {
    const { target, egressWith } = await openTarget()
    const origin = await serve((_, response) => {
      response.writeHead(302, { location: `http://victim.example:${target.port}/` }).end()
    })
    const names = { 'origin.example': ['127.0.0.1'], 'victim.example': ['127.0.0.1'] }
    const egress = egressWith({ allow: ['origin.example'], resolve: resolver(names) })
    await expect(
      egress.fetch(`http://origin.example:${origin.port}/`, { redirects: 1 }),
    ).rejects.toMatchObject({
      code: 'redirect_not_followed',
      message: expect.stringContaining('victim.example is not public'),
    })
    expect(target.connections()).toBe(0)
  })
})

describe('what the operator allowed', () => {
  it('a name leads to private addresses on every port, but never to the metadata of a cloud', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const names = {
      'hooks.internal': ['127.0.0.1'],
      'meta.internal': ['169.254.169.254'],
      'mapped.internal': ['::ffff:169.254.169.254'],
    }
    const egress = openEgress({ allow: ['*.internal'], resolve: resolver(names) })
    expect((await egress.fetch(`http://hooks.internal:${server.port}/`)).ok).toBe(true)
    for (const host of ['meta.internal', 'mapped.internal'])
      await expect(egress.fetch(`http://${host}/`)).rejects.toMatchObject({ code: 'destination_forbidden' })
    await expect(egress.fetch(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
  })

  it('S18: ports of public places are few; those of allowed places all', async () => {
    const egress = openEgress({ trace: openNothing, resolve: resolver({ 'a.example': ['1.1.1.1'] }) })
    for (const port of [80, 443, 8080, 8443]) egress.check(`http://a.example:${port}/`)
    for (const port of [0, 22, 25, 6379, 65_535])
      expect(() => egress.check(`http://a.example:${port}/`)).toThrow(/port/)
    await expect(egress.fetch('http://a.example:6379/')).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
    for (const port of [0, 1.5, 65_536, Number.NaN, 6379])
      await expect(egress.connect({ host: 'a.example', port })).rejects.toMatchObject({
        code: 'destination_forbidden',
      })
    // A name may lead to the allowed block: that is known only when it is resolved.
    const withBlock = openEgress({
      allow: ['10.0.0.0/8'],
      trace: openNothing,
      resolve: resolver({ 'a.example': ['1.1.1.1'] }),
    })
    withBlock.check('http://a.example:6379/')
    withBlock.check('http://x.internal:6379/')
    withBlock.check('http://10.1.2.3:6379/')
    expect(() => withBlock.check('http://1.1.1.1:6379/')).toThrow(/port/)
    expect(() => withBlock.check('http://localhost/')).toThrow(/private network/)
    await expect(withBlock.fetch('http://a.example:6379/')).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
  })

  it.each([
    [['127.0.0.0/8'], ['127.0.0.1']],
    [['localhost'], ['127.0.0.1']],
    [['::1', '127.0.0.1'], ['127.0.0.1']],
  ])('%j opens localhost', async (allow, addresses) => {
    const server = await serve((_, response) => response.end('ok'))
    const traced: string[] = []
    const egress = openEgress({ allow, trace: ({ address }) => traced.push(address), resolve: resolver({}) })
    expect((await egress.fetch(`http://localhost:${server.port}/`)).ok).toBe(true)
    expect(traced).toEqual(addresses)
  })
})
