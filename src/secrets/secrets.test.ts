import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACME, DEFAULT, folder, GLOBEX, KEY_A, memoryVault } from '../../test/secrets/bed.ts'
import { createSecrets, type SecretOptions } from './secrets.ts'

const setup = (options: Partial<SecretOptions> = {}) => {
  const clock = { now: 0 }
  const vault = memoryVault()
  const secrets = createSecrets({ env: {}, keys: { key: KEY_A }, vault, now: () => clock.now, ...options })
  return { clock, vault, secrets }
}
const files = (content: Readonly<Record<string, string>>): string => {
  const directory = folder()
  for (const [name, value] of Object.entries(content)) writeFileSync(join(directory, name), value)
  return directory
}

describe('F-023: where a secret comes from', () => {
  it('the environment, then files, then the store', async () => {
    const { secrets } = setup({
      env: { PAWL_SECRET_A: 'env-a' },
      directory: files({ a: 'file-a', b: 'file-b' }),
    })
    for (const name of ['a', 'b', 'c']) await secrets.put(DEFAULT, { name, value: `store-${name}` })
    const found = await Promise.all(['a', 'b', 'c', 'd'].map((name) => secrets.resolve(DEFAULT, name)))
    expect(found.map((secret) => secret?.value)).toEqual(['env-a', 'file-b', 'store-c', undefined])
    expect(found.map((secret) => secret?.from)).toEqual(['environment', 'file', 'store', undefined])
  })

  it('a bad name is refused with the right one', async () => {
    const { secrets } = setup()
    await expect(secrets.resolve(ACME, 'MAIL_KEY')).rejects.toThrow(
      expect.objectContaining({
        code: 'secret_invalid',
        details: expect.objectContaining({ suggestion: 'mail_key' }),
      }),
    )
  })

  it('what cannot be read is an error, not the next origin', async () => {
    const { secrets } = setup({ directory: files({ a: '' }) })
    await secrets.put(DEFAULT, { name: 'a', value: 'stored' })
    await expect(secrets.resolve(DEFAULT, 'a')).rejects.toThrow('its file is empty')
  })

  it('says when what was stored is not what is used', async () => {
    const { secrets } = setup({ env: { PAWL_SECRET_A: 'x' }, directory: files({ b: 'x', c: '' }) })
    const put = async (name: string) => (await secrets.put(DEFAULT, { name, value: 'y' })).shadowedBy
    expect([await put('a'), await put('b'), await put('c'), await put('d')]).toEqual([
      'environment',
      'file',
      undefined,
      undefined,
    ])
  })
})

describe('S05: what the operator set is not every tenant’s', () => {
  const env = { PAWL_SECRET_A: 'operators' }
  it('but the default tenant’s', async () => {
    const { secrets } = setup({ env, directory: files({ b: 'operators' }) })
    const others = [ACME, { namespace: 'shop', tenant: 'default' }, { namespace: 'default', tenant: 'acme' }]
    for (const of of others) {
      expect(await secrets.resolve(of, 'a')).toBeUndefined()
      expect(await secrets.resolve(of, 'b')).toBeUndefined()
      expect(await secrets.names(of)).toEqual([])
    }
    expect(await secrets.resolve(DEFAULT, 'b')).toMatchObject({ value: 'operators' })
    expect((await secrets.put(ACME, { name: 'a', value: 'own' })).shadowedBy).toBeUndefined()
    expect(await secrets.resolve(ACME, 'a')).toMatchObject({ value: 'own' })
  })

  it('or of those that are said', async () => {
    const { secrets } = setup({ env, operators: [ACME] })
    expect(await secrets.resolve(ACME, 'a')).toMatchObject({ value: 'operators' })
    expect(await secrets.resolve(DEFAULT, 'a')).toBeUndefined()
    const { secrets: local } = setup({ env, operators: 'everyone' })
    expect(await local.resolve(GLOBEX, 'a')).toMatchObject({ value: 'operators' })
  })
})

describe('S46: rotation', () => {
  it('a value set or removed here is gone at once; elsewhere, in five seconds', async () => {
    const { secrets, vault, clock } = setup()
    const value = async () => (await secrets.resolve(ACME, 'a'))?.value
    await secrets.put(ACME, { name: 'a', value: 'one' })
    expect(await value()).toBe('one')
    await secrets.put(ACME, { name: 'a', value: 'two' })
    expect(await value()).toBe('two')
    const elsewhere = createSecrets({ env: {}, keys: { key: KEY_A }, vault, now: () => 0 })
    await elsewhere.put(ACME, { name: 'a', value: 'three' })
    expect(await value()).toBe('two')
    clock.now += 5000
    expect(await value()).toBe('three')
    await secrets.remove(ACME, 'a')
    expect(await value()).toBeUndefined()
  })

  it('also when the store failed halfway', async () => {
    const { vault } = setup()
    const failing = {
      ...vault,
      put: async (...row: Parameters<typeof vault.put>) => {
        await vault.put(...row)
        throw new Error('no answer')
      },
    }
    const writer = setup({ vault })
    const { secrets } = setup({ vault: failing })
    await writer.secrets.put(ACME, { name: 'a', value: 'one' })
    expect(await secrets.resolve(ACME, 'a')).toMatchObject({ value: 'one' })
    await expect(secrets.put(ACME, { name: 'a', value: 'two' })).rejects.toThrow('no answer')
    expect(await secrets.resolve(ACME, 'a')).toMatchObject({ value: 'two' })
  })

  it('within five seconds the store is asked once', async () => {
    const { secrets, vault } = setup()
    await secrets.put(ACME, { name: 'a', value: 'one' })
    const before = vault.asked()
    for (let at = 0; at < 100; at++) await secrets.resolve(ACME, 'a')
    expect(vault.asked() - before).toBe(1)
  })
})

describe('the rest', () => {
  it('names of the operator and of the store', async () => {
    const { secrets } = setup({ env: { PAWL_SECRET_A: 'x' } })
    await secrets.put(DEFAULT, { name: 'b', value: 'x' })
    expect(await secrets.names(DEFAULT)).toEqual(['a', 'b'])
    expect((await secrets.list(DEFAULT)).map(({ name }) => name)).toEqual(['b'])
    expect(await secrets.reseal(DEFAULT)).toEqual({ resealed: 0, left: 0, unreadable: [] })
  })

  it('no key: a process starts, and reads what its operator set', async () => {
    const { secrets } = setup({ keys: {}, env: { PAWL_SECRET_A: 'x' } })
    expect(await secrets.resolve(DEFAULT, 'a')).toMatchObject({ value: 'x' })
    await expect(secrets.put(DEFAULT, { name: 'b', value: 'x' })).rejects.toThrow(
      'there is no key to seal it with',
    )
    const { secrets: bare } = setup({ keys: undefined as never })
    expect(await bare.resolve(DEFAULT, 'a')).toBeUndefined()
  })
})
