import { expect, it } from 'vitest'
import { open } from '../../../test/sqlite/bed.ts'

const worker = (id: string) => ({
  id,
  startedAt: 1,
  slots: 1,
  types: ['mail'],
  definitions: [],
  version: '0.1.0',
  host: 'h',
})

it('a process that was not seen for a day is forgotten with the next beat, a hundred at a time', async () => {
  const { workers, connection } = await open()
  for (let n = 0; n < 120; n++) await workers.beat(worker(`old${n}`))
  connection.exec('update workers set seen_at = seen_at - 86400001')
  const left = (): unknown => connection.prepare('select count(*) as n from workers').get()!['n']
  await workers.beat(worker('w1'))
  expect(left()).toBe(21)
  await workers.beat(worker('w1'))
  expect(left()).toBe(1)
})

it('F36: a row that cannot be read is left out until its next beat', async () => {
  const { workers, connection } = await open()
  await workers.beat(worker('w1'))
  await workers.beat(worker('w2'))
  connection.exec(`update workers set types = replace(types, 'mail', 'male') where id = 'w1'`)
  expect((await workers.list(60_000)).map(({ id }) => id)).toEqual(['w2'])
  await workers.beat(worker('w1'))
  expect((await workers.list(60_000)).map(({ id }) => id)).toEqual(['w1', 'w2'])
})

it('F31: a secret whose seal was touched is refused by name', async () => {
  const { vault, connection } = await open()
  const of = { namespace: 'n', tenant: 't' }
  const times = { createdAt: 1, updatedAt: 1 }
  const row = { name: 'a', version: 1, keyId: 'k', nonce: 'bg==', ciphertext: 'Y2E=', hosts: [], ...times }
  await vault.put(of, { ...row, fingerprint: 'f' })
  connection.exec(`update secrets set ciphertext = replace(ciphertext, 'Y2E', 'Y2I')`)
  await expect(vault.get(of, 'a')).rejects.toMatchObject({ code: 'store_corrupt', message: /secret a / })
})
