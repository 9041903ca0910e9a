import { expect, it } from 'vitest'
import type { KeyRow } from '../store/keys.ts'
import { createGatekeeper, tokenHash } from './gatekeeper.ts'
import { createTries } from './tries.ts'

const TOKEN = `pawl_live_${'a'.repeat(64)}`
const ROW: KeyRow = {
  id: 'key_1',
  namespace: 'default',
  tenant: 'acme',
  name: 'ada',
  prefix: 'pawl_live_aaaaaa',
  hash: tokenHash(TOKEN),
  scopes: ['operate'],
  isOperator: false,
  createdAt: 0,
  expiresAt: 5000,
}

const gate = (isLoopback: boolean, rows: readonly KeyRow[]) => {
  const world = { now: 1000, rows }
  const keys = {
    any: async () => world.rows.length > 0,
    find: async (hash: string) => world.rows.find((row) => row.hash === hash),
  }
  const gatekeeper = createGatekeeper({
    ...{ keys, isLoopback },
    now: () => world.now,
    tries: createTries(10, () => world.now),
  })
  const idOf = (authorization?: string) =>
    gatekeeper.admit(authorization).then(
      ({ id }) => id,
      (error) => error.code as string,
    )
  return { world, gatekeeper, idOf }
}

it('a key is let in while it holds, by whatever spelling of Bearer, and as no more than it is', async () => {
  const { world, gatekeeper, idOf } = gate(false, [ROW])
  expect(await idOf(`Bearer ${TOKEN}`)).toBe('key_1')
  expect(await idOf(`bearer   ${TOKEN}`)).toBe('key_1')
  const { scopes, bound } = await gatekeeper.admit(`Bearer ${TOKEN}`)
  expect([[...scopes].toSorted(), bound]).toEqual([
    ['operate', 'read'],
    { namespace: 'default', tenant: 'acme' },
  ])
  for (const given of [
    undefined,
    '',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    'Bearer x',
    `Bearer ${TOKEN} x`,
  ])
    expect(await idOf(given), given).toBe('unauthenticated')
  world.now = 4999
  expect(await gatekeeper.holds(`Bearer ${TOKEN}`)).toBe(true)
  world.now = 5000
  expect(await gatekeeper.holds(`Bearer ${TOKEN}`)).toBe(false)
})

it('a revoked key is nobody’s', async () => {
  const { idOf } = gate(false, [{ ...ROW, revokedAt: 900 }])
  expect(await idOf(`Bearer ${TOKEN}`)).toBe('unauthenticated')
})

it('on loopback without a key everybody is local, until there is one, and never again', async () => {
  const { world, gatekeeper, idOf } = gate(true, [])
  expect(await idOf()).toBe('local')
  world.rows = [ROW]
  expect(await idOf()).toBe('local')
  world.now += 1000
  expect(await idOf()).toBe('unauthenticated')
  world.rows = []
  world.now += 5000
  expect([await idOf(), await gatekeeper.isLocal()]).toEqual(['unauthenticated', false])
})

it('a key made here ends it at once; elsewhere than on loopback nobody is local', async () => {
  const { gatekeeper, idOf } = gate(true, [])
  expect(await idOf()).toBe('local')
  gatekeeper.keyMade()
  expect(await idOf()).toBe('unauthenticated')
  expect(await gate(false, []).idOf()).toBe('unauthenticated')
})
