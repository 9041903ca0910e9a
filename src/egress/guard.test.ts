import { describe, expect, it } from 'vitest'
import { type Address, readAddress } from './address.ts'
import { createAllowList } from './allow-list.ts'
import { createGuard, type Resolve, systemResolve } from './guard.ts'
import { readHost } from './host.ts'

const guardWith = (allow: readonly string[], resolve: Resolve) =>
  createGuard({ allow: createAllowList(allow), ports: new Set([443]), resolve })

const answering =
  (...answers: readonly string[]): Resolve =>
  async () =>
    answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const place = (host: string, port = 443) => ({ host: readHost(host), port })
const textsOf = async (addresses: Promise<readonly Address[]>) => (await addresses).map(({ text }) => text)

describe('the guard', () => {
  it('gives all answers in their order when all are public', async () => {
    const guard = guardWith([], answering('2606:4700::1111', '1.1.1.1', '64:ff9b::101:101'))
    expect(await textsOf(guard.admit(place('a.example')))).toEqual([
      '2606:4700::1111',
      '1.1.1.1',
      '64:ff9b::101:101',
    ])
  })

  it('asks nobody about an address', async () => {
    const guard = guardWith([], () => Promise.reject(new Error('asked')))
    expect(await textsOf(guard.admit(place('1.1.1.1')))).toEqual(['1.1.1.1'])
  })

  it('says what it refuses, and why', async () => {
    const guard = guardWith([], answering('64:ff9b::a9fe:a9fe'))
    await expect(guard.admit(place('a.example'))).rejects.toMatchObject({
      code: 'destination_forbidden',
      message:
        'a.example is not public: 169.254.169.254 inside 64:ff9b::a9fe:a9fe belongs to 169.254.0.0/16 (link-local, with the metadata of clouds)',
      details: { expected: 'a public destination, or one in the egress allow list' },
    })
    await expect(guard.admit(place('a.example', 22))).rejects.toMatchObject({
      message: 'port 22 of a.example is not allowed; these are: 443',
    })
  })

  it('keeps the code of a resolver that fails', async () => {
    const fails = guardWith([], () =>
      Promise.reject(Object.assign(new Error('later'), { code: 'EAI_AGAIN' })),
    )
    await expect(fails.admit(place('a.example'))).rejects.toMatchObject({
      code: 'EAI_AGAIN',
      syscall: 'connect',
    })
    const strange = guardWith([], () => Promise.reject('no'))
    await expect(strange.admit(place('a.example'))).rejects.toMatchObject({
      code: 'ECONNRESET',
      syscall: 'connect',
    })
  })

  it('every port only when every answer is allowed', async () => {
    const mixed = guardWith(['10.0.0.0/8'], answering('10.0.0.1', '1.1.1.1'))
    expect(await textsOf(mixed.admit(place('a.example')))).toEqual(['10.0.0.1', '1.1.1.1'])
    await expect(mixed.admit(place('a.example', 22))).rejects.toMatchObject({ code: 'destination_forbidden' })
    const all = guardWith(['10.0.0.0/8'], answering('10.0.0.1', '10.0.0.2'))
    expect(await textsOf(all.admit(place('a.example', 22)))).toEqual(['10.0.0.1', '10.0.0.2'])
  })

  it('localhost is this machine, whatever a resolver says', async () => {
    const guard = (allow: readonly string[]) => guardWith(allow, answering('1.1.1.1'))
    expect(await textsOf(guard(['localhost']).admit(place('localhost', 22)))).toEqual(['127.0.0.1', '::1'])
    expect(await textsOf(guard(['::1']).admit(place('localhost', 22)))).toEqual(['::1'])
    expect(await textsOf(guard(['127.0.0.0/8']).admit(place('a.localhost', 22)))).toEqual(['127.0.0.1'])
    await expect(guard(['10.0.0.0/8']).admit(place('localhost'))).rejects.toMatchObject({
      code: 'destination_forbidden',
    })
  })

  it('the resolver of the system gives all addresses of a name', async () => {
    const answers = await systemResolve('localhost')
    expect(answers.length).toBeGreaterThan(0)
    for (const { address, family } of answers) {
      expect(readAddress(address)?.family).toBe(family)
      expect(['127.0.0.1', '::1']).toContain(address)
    }
  })
})
