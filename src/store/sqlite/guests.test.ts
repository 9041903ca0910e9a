import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { claimAll, open, tempFile } from '../../../test/sqlite/bed.ts'
import { action, NOW, OF } from '../../../test/sqlite/members.ts'
import type { Member } from '../store.ts'

const enqueue = (...ids: string[]): Member => ({ ...OF, at: NOW, enqueue: ids.map((id) => action(id)) })

it('a commit inside the caller’s transaction is there when theirs is, and not before', async () => {
  const file = tempFile()
  const bed = await open({ file })
  const client = new DatabaseSync(file)
  client.exec('create table orders (id text); begin immediate')
  client.exec(`insert into orders values ('o1')`)
  const [result] = await bed.store.in(client).commit([enqueue('act_1')])
  expect(result!.status).toBe('ok')
  expect(await bed.reader.action(OF, 'act_1')).toBeUndefined()
  client.exec('commit')
  expect((await bed.reader.action(OF, 'act_1'))!.status).toBe('queued')
  expect((await claimAll(bed)).map(({ id }) => id)).toEqual(['act_1'])
})

it('what the caller rolls back never was: rows, counts, lanes', async () => {
  const file = tempFile()
  const bed = await open({ file })
  const client = new DatabaseSync(file)
  client.exec('begin immediate')
  await bed.store.in(client).commit([enqueue('act_1')])
  client.exec('rollback')
  expect(await bed.reader.action(OF, 'act_1')).toBeUndefined()
  expect((await bed.reader.counts(OF)).actions.queued).toBe(0)
  expect((await bed.commit({ enqueue: [action('act_2')] })).status).toBe('ok')
  expect((await claimAll(bed)).map(({ id }) => id)).toEqual(['act_2'])
})

it('a refused member leaves the caller’s own rows alone', async () => {
  const file = tempFile()
  const bed = await open({ file })
  const client = new DatabaseSync(file)
  client.exec(`create table orders (id text); begin immediate; insert into orders values ('o1')`)
  const results = await bed.store.in(client).commit([enqueue('act_1'), enqueue('act_2', '')])
  client.exec('commit')
  expect(results.map(({ status }) => status)).toEqual(['ok', 'refused'])
  expect(client.prepare('select count(*) as n from orders').get()!['n']).toBe(1)
  expect(await bed.reader.action(OF, 'act_2')).toBeUndefined()
})

it('another process’s listener is told after the caller’s commit', async () => {
  const file = tempFile()
  const bed = await open({ file })
  await bed.commit(enqueue('act_0'))
  const heard: unknown[] = []
  bed.store.wake((wake) => heard.push(wake))
  const client = new DatabaseSync(file)
  client.exec('begin immediate')
  await bed.store.in(client).commit([enqueue('act_1')])
  bed.timers.tick()
  expect(heard).toEqual([])
  client.exec('commit')
  bed.timers.tick()
  expect(heard).toEqual([{ lanes: [1], timers: true, inbox: true }])
})

it('on a memory store the client is the store’s own connection, and the store waits for its end', async () => {
  const bed = await open()
  bed.connection.exec('begin immediate')
  await bed.store.in(bed.connection).commit([enqueue('act_1')])
  const waiting = bed.commit(enqueue('act_2'))
  await bed.timers.turn()
  bed.connection.exec('rollback')
  expect((await waiting).status).toBe('ok')
  expect(await bed.reader.action(OF, 'act_1')).toBeUndefined()
  expect((await bed.reader.action(OF, 'act_2'))!.status).toBe('queued')
})

it('a client of another file, or without a transaction, is refused and told what is expected', async () => {
  const bed = await open({ file: tempFile() })
  const commit = (client: DatabaseSync) => bed.store.in(client).commit([enqueue('act_1')])
  const elsewhere = new DatabaseSync(tempFile())
  await expect(commit(elsewhere)).rejects.toMatchObject({
    message: 'the client is connected to another database',
  })
  await expect(commit(new DatabaseSync(':memory:'))).rejects.toMatchObject({ code: 'invalid_option' })
  await expect(commit(new DatabaseSync(bed.file))).rejects.toMatchObject({
    message: 'the client has no open transaction',
  })
})

it('a client that began without IMMEDIATE and lost the race is told store_busy', async () => {
  const bed = await open({ file: tempFile() })
  const [client, rival] = [new DatabaseSync(bed.file), new DatabaseSync(bed.file)]
  rival.exec('begin immediate')
  client.exec('begin')
  await expect(bed.store.in(client).commit([enqueue('act_1')])).rejects.toMatchObject({ code: 'store_busy' })
})
