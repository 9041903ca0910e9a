// Sealed secrets: as they went in, for their tenant alone, and never an older version over a newer one.

import type { ListedSecret, SealedSecret } from '../../store/vault.ts'
import type { Case } from './case.ts'
import { rejects, same } from './check.ts'
import { ELSEWHERE, NOW, OF, OTHER } from './members.ts'

const sealed = (name: string, over: Partial<SealedSecret> = {}): SealedSecret => ({
  name,
  version: 1,
  keyId: 'k1',
  nonce: 'bm9uY2Ugb2YgMTI=',
  ciphertext: 'Y2lwaGVydGV4dA==',
  hosts: [],
  createdAt: NOW,
  updatedAt: NOW,
  fingerprint: '0a1b2c3d',
  ...over,
})

const shown = ({ nonce: _nonce, ciphertext: _ciphertext, ...row }: SealedSecret): ListedSecret => row

export const vaultCases: readonly Case[] = [
  {
    name: 'vault: a secret comes back as it was sealed, in every process, and is listed without what is sealed',
    run: async ({ vault, another }) => {
      const full = {
        hosts: ['api.example', '*.example:8443'],
        ciphertext: 'A'.repeat(90_000),
        fingerprint: 'ffffffff',
      }
      const rows = [sealed('smtp'), sealed('crm_token', full), sealed("o'brien.key-2", { version: 7 })]
      for (const row of rows) await vault.put(OF, row)
      const { vault: other } = await another()
      for (const row of rows) same(await other.get(OF, row.name), row, row.name)
      same(await vault.list(OF), [rows[1]!, rows[2]!, rows[0]!].map(shown), 'the list, by name')
      same((await vault.get(OF, 'nobody')) ?? null, null, 'one that is not there')
    },
  },
  {
    name: 'vault: a newer version or another seal of the same one replaces, an older version does not',
    run: async ({ vault }) => {
      await vault.put(OF, sealed('a', { version: 2 }))
      const resealed = sealed('a', { version: 2, keyId: 'k2', ciphertext: 'bmV3', nonce: 'bmV3' })
      await vault.put(OF, resealed)
      same(await vault.get(OF, 'a'), resealed, 'sealed anew')
      await vault.put(OF, sealed('a', { version: 1, ciphertext: 'b2xk' }))
      same(await vault.get(OF, 'a'), resealed, 'an older version')
      const newer = sealed('a', {
        version: 3,
        hosts: ['b.example'],
        updatedAt: NOW + 1,
        fingerprint: '99999999',
      })
      await vault.put(OF, newer)
      same(await vault.get(OF, 'a'), newer, 'a newer version')
      same(await vault.list(OF), [shown(newer)], 'the list')
    },
  },
  {
    name: 'vault: rivals that set one secret leave the newest version, whole',
    run: async ({ vault, another }) => {
      const { vault: other } = await another()
      const versions = [3, 1, 8, 5, 2, 7, 4, 6].map((version) =>
        sealed('a', { version, ciphertext: `v${version}`, nonce: `n${version}` }),
      )
      await Promise.all(versions.map((row, index) => (index % 2 ? other : vault).put(OF, row)))
      same(await vault.get(OF, 'a'), versions[2], 'what stands')
    },
  },
  {
    name: 'P5, vault: a secret is of one tenant of one namespace',
    run: async ({ vault }) => {
      for (const [index, of] of [OF, OTHER, ELSEWHERE].entries())
        await vault.put(of, sealed('a', { version: index + 1 }))
      same(await vault.remove(OTHER, 'a'), true, 'removed there')
      same(await vault.remove(OTHER, 'a'), false, 'and again')
      same((await vault.get(OTHER, 'a')) ?? null, null, 'gone there')
      same(
        [(await vault.get(OF, 'a'))?.version, (await vault.get(ELSEWHERE, 'a'))?.version],
        [1, 3],
        'elsewhere not',
      )
      same([await vault.list(OTHER), (await vault.list(OF)).length], [[], 1], 'the lists')
      await vault.put(OTHER, sealed('a'))
      same((await vault.get(OTHER, 'a'))?.version, 1, 'it begins anew')
    },
  },
  {
    name: 'vault: what can be no secret is refused, and nothing is written',
    run: async ({ vault }) => {
      for (const row of [sealed(''), sealed('a', { version: 0 }), sealed('a', { version: -1 })])
        await rejects('commit_refused', () => vault.put(OF, row), JSON.stringify(row))
      same(await vault.list(OF), [], 'the list')
    },
  },
]
