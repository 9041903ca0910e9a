// The port that src/secrets asks for and the one that the stores offer are written apart, so that neither room imports
// the other: here they are held to be one, and a real store is used through it and searched for what it must not hold.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, it } from 'vitest'
import { createSecrets } from '../../src/secrets/secrets.ts'
import type { Vault } from '../../src/secrets/vault.ts'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import type { Vault as StoreVault } from '../../src/store/vault.ts'
import { randomText, realTimers } from '../stores/real-timers.ts'
import { ACME, folder, GLOBEX, KEY_A, KEY_B } from './bed.ts'
import { sweep } from './sweep.ts'

it('both ports are one', () => {
  expectTypeOf<StoreVault>().toEqualTypeOf<Vault>()
})

it('S41: a database and its log hold no value, through setting, rotation and removal', async () => {
  const [canary, name, path] = ['cAnArY/7f3c+9be0-125a', 'crm_token_of_acme', folder()]
  const { store, vault } = await openSqlite({
    file: join(path, 'pawl.db'),
    random: randomText,
    timers: realTimers,
    reserveBytes: 0,
    integrity: 'quick',
  })
  const files = () => readdirSync(path).map((file) => join(path, file))
  const found = (text: string) => sweep(text, { files: files() }).length

  const old = createSecrets({ env: {}, keys: { keys: `a:${KEY_A}` }, vault, now: () => 1 })
  const secrets = createSecrets({ env: {}, keys: { keys: `b:${KEY_B},a:${KEY_A}` }, vault, now: () => 2 })
  const { fingerprint } = await old.put(ACME, { name, value: canary, hosts: ['api.example.com'] })
  await old.put(GLOBEX, { name, value: canary })
  expect([found(name) > 0, found(canary)]).toEqual([true, 0])

  expect(await secrets.resolve(ACME, name)).toMatchObject({ value: canary, hosts: ['api.example.com'] })
  expect(await secrets.reseal(ACME)).toEqual({ resealed: 1, left: 0, unreadable: [] })
  const [mine, theirs] = [await secrets.list(ACME), await secrets.list(GLOBEX)]
  expect([mine[0]?.keyId, theirs[0]?.keyId]).toEqual(['b', 'a'])
  expect(theirs[0]?.fingerprint).not.toBe(fingerprint)
  expect(await secrets.remove(ACME, name)).toBe(true)
  expect(await secrets.resolve(ACME, name)).toBeUndefined()
  await store.close()
  expect([found(name) > 0, found(canary)]).toEqual([true, 0])
})
