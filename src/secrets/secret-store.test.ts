import { describe, expect, it } from 'vitest'
import { ACME, GLOBEX, KEY_A, KEY_B, keyOf, memoryVault } from '../../test/secrets/bed.ts'
import { PawlError } from '../core/errors.ts'
import { parseKeyRing } from './key-ring.ts'
import { createSealer } from './seal.ts'
import { createSecretStore } from './secret-store.ts'

const T0 = Date.UTC(2026, 10, 16)
const setup = (keys = `a:${KEY_A}`, vault = memoryVault()) => {
  let now = T0
  const store = createSecretStore(vault, createSealer(parseKeyRing({ keys })), () => now++)
  return { vault, store }
}
const refused = (code: string, message?: string) =>
  expect.objectContaining({
    code,
    ...(message !== undefined && { message: expect.stringContaining(message) }),
  })

describe('setting a secret', () => {
  it('S42: answers what may be seen, and keeps it sealed', async () => {
    const { store, vault } = setup()
    const set = await store.put(ACME, {
      name: 'crm_token',
      value: 'canary-value',
      hosts: ['API.example.com'],
    })
    expect(set).toEqual({
      name: 'crm_token',
      version: 1,
      keyId: 'a',
      hosts: ['api.example.com'],
      createdAt: T0,
      updatedAt: T0,
      fingerprint: expect.stringMatching(/^[0-9a-f]{8}$/),
    })
    expect(await store.list(ACME)).toEqual([set])
    expect(JSON.stringify([...vault.rows])).not.toContain('canary')
    expect(await store.read(ACME, 'crm_token')).toEqual({
      name: 'crm_token',
      value: 'canary-value',
      from: 'store',
      version: '1',
      hosts: ['api.example.com'],
    })
  })

  it('again counts the version and keeps the day it was made', async () => {
    const { store } = setup()
    await store.put(ACME, { name: 'a', value: 'one', hosts: ['x.com'] })
    expect(await store.put(ACME, { name: 'a', value: 'two' })).toMatchObject({
      version: 2,
      createdAt: T0,
      updatedAt: T0 + 1,
      hosts: [],
    })
    expect(await store.read(ACME, 'a')).toEqual({ name: 'a', value: 'two', from: 'store', version: '2' })
  })

  it('is a tenant’s own, until removed', async () => {
    const { store } = setup()
    await store.put(ACME, { name: 'a', value: 'one' })
    expect(await store.read(GLOBEX, 'a')).toBeUndefined()
    expect(await store.list(GLOBEX)).toEqual([])
    expect(await store.remove(GLOBEX, 'a')).toBe(false)
    expect(await store.remove(ACME, 'a')).toBe(true)
    expect(await store.read(ACME, 'a')).toBeUndefined()
  })

  it.each([
    [{ name: 'MAIL', value: 'x' }, '"MAIL" is no name'],
    [{ name: 'a', value: '' }, 'is empty'],
    [{ name: 'a', value: 'x'.repeat(65537) }, 'is too long'],
    [{ name: 'a', value: 'ü'.repeat(32769) }, 'is too long'],
    [{ name: 'a', value: 'canary\ud800' }, 'holds half a character'],
    [{ name: 'a', value: 5 as unknown as string }, 'is not text'],
    [{ name: 'a', value: 'canary', hosts: [] }, '0 hosts'],
    [{ name: 'a', value: 'canary', hosts: ['http://x'] }, 'is no host'],
  ])('refuses %# before anything is stored, without quoting it', async (secret, why) => {
    const { store, vault } = setup()
    const failure: unknown = await store.put(ACME, secret).catch((thrown: unknown) => thrown)
    expect(failure).toEqual(refused('secret_invalid', why))
    expect(JSON.stringify(failure)).not.toContain('canary')
    expect(vault.rows.size).toBe(0)
  })

  it('refuses a name that would share a variable with another of the tenant', async () => {
    const { store } = setup()
    await store.put(ACME, { name: 'crm_token', value: 'one' })
    await expect(store.put(ACME, { name: 'crm-token', value: 'two' })).rejects.toThrow(
      refused('secret_invalid', 'share the variable PAWL_SECRET_CRM_TOKEN with crm_token'),
    )
    await store.put(GLOBEX, { name: 'crm-token', value: 'two' })
    await store.put(ACME, { name: 'crm_token', value: 'three' })
  })

  it('without a key only this refuses', async () => {
    const { vault, store: keyed } = setup()
    await keyed.put(ACME, { name: 'a', value: 'one' })
    const { store } = setup('', vault)
    await expect(store.put(ACME, { name: 'b', value: 'x' })).rejects.toThrow(refused('secrets_key_missing'))
    expect((await store.list(ACME)).map(({ name }) => name)).toEqual(['a'])
    await expect(store.read(ACME, 'a')).rejects.toThrow(refused('secret_key_unknown', 'the key a'))
    expect(await store.remove(ACME, 'a')).toBe(true)
    await expect(store.remove(ACME, '../x')).rejects.toThrow(refused('secret_invalid'))
  })
})

describe('rotation of keys', () => {
  const filled = async (count: number) => {
    const { vault, store } = setup()
    for (let at = 0; at < count; at++) await store.put(ACME, { name: `s${at}`, value: `value-${at}` })
    await store.put(GLOBEX, { name: 'other', value: 'theirs' })
    return vault
  }

  it('seals old rows anew, a slice at a time, and changes nothing else', async () => {
    const vault = await filled(5)
    const before = structuredClone([...vault.rows.values()])
    const { store } = setup(`b:${KEY_B},a:${KEY_A}`, vault)
    expect(await store.reseal(ACME, 2)).toEqual({ resealed: 2, left: 3, unreadable: [] })
    expect(await store.reseal(ACME, 2)).toEqual({ resealed: 2, left: 1, unreadable: [] })
    expect(await store.reseal(ACME)).toEqual({ resealed: 1, left: 0, unreadable: [] })
    expect(await store.reseal(ACME)).toEqual({ resealed: 0, left: 0, unreadable: [] })
    const { store: onlyNew } = setup(`b:${KEY_B}`, vault)
    for (const { name, version, createdAt, updatedAt } of before.slice(0, 5)) {
      expect(vault.rows.get(keyOf(ACME, name))).toMatchObject({ version, createdAt, updatedAt, keyId: 'b' })
      expect(await onlyNew.read(ACME, name)).toMatchObject({ value: `value-${name.slice(1)}` })
    }
    expect(vault.rows.get(keyOf(GLOBEX, 'other'))).toMatchObject({ keyId: 'a' })
  })

  it('goes past rows that do not open, and names them', async () => {
    const vault = await filled(3)
    const [lost, changed] = [vault.rows.get(keyOf(ACME, 's0'))!, vault.rows.get(keyOf(ACME, 's1'))!]
    vault.rows.set(keyOf(ACME, 's0'), { ...lost, keyId: 'gone' })
    vault.rows.set(keyOf(ACME, 's1'), { ...changed, version: 9 })
    const { store } = setup(`b:${KEY_B},a:${KEY_A}`, vault)
    expect(await store.reseal(ACME, 1)).toEqual({
      resealed: 1,
      left: 0,
      unreadable: [
        { name: 's0', error: refused('secret_key_unknown', 'the key gone') },
        { name: 's1', error: refused('secret_unreadable') },
      ],
    })
  })

  it('a row that was removed or set meanwhile is left alone', async () => {
    const vault = await filled(2)
    const { store } = setup(`b:${KEY_B},a:${KEY_A}`, vault)
    const stale = { ...vault, list: vault.list, get: async () => undefined }
    const { store: late } = setup(`b:${KEY_B},a:${KEY_A}`, stale)
    expect(await late.reseal(ACME)).toMatchObject({ unreadable: [] })
    expect([...vault.rows.values()].every(({ keyId }) => keyId === 'a')).toBe(true)
    await store.put(ACME, { name: 's0', value: 'new' })
    const { updatedAt } = vault.rows.get(keyOf(ACME, 's0'))!
    await store.reseal(ACME)
    expect(vault.rows.get(keyOf(ACME, 's0'))).toMatchObject({ updatedAt, version: 2 })
  })

  it('a value that is set while its row is sealed anew wins', async () => {
    const vault = await filled(1)
    const { store } = setup(`b:${KEY_B},a:${KEY_A}`, vault)
    const slow = {
      ...vault,
      get: async (...row: Parameters<typeof vault.get>) => {
        const old = await vault.get(...row)
        await store.put(ACME, { name: 's0', value: 'set meanwhile' })
        return old
      },
    }
    const { store: late } = setup(`b:${KEY_B},a:${KEY_A}`, slow)
    await late.reseal(ACME)
    expect(await store.read(ACME, 's0')).toMatchObject({ value: 'set meanwhile' })
  })

  it('a store that fails, fails it; without a key nothing opens', async () => {
    const vault = await filled(1)
    const down = { ...vault, put: async () => Promise.reject(new PawlError('store_busy', 'down')) }
    const { store } = setup(`b:${KEY_B},a:${KEY_A}`, down)
    await expect(store.reseal(ACME)).rejects.toThrow('down')
    const { store: keyless } = setup('', vault)
    expect(await keyless.reseal(ACME)).toMatchObject({ resealed: 0, unreadable: [{ name: 's0' }] })
  })
})
