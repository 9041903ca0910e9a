import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { tempFile } from '../../../test/sqlite/bed.ts'
import { createFlush } from './flush.ts'
import { openWal } from './wal.ts'

/** A WAL whose flushes end when told to. */
const setUp = () => {
  const file = tempFile()
  const db = new DatabaseSync(file)
  onTestFinished(() => db.close())
  db.exec('pragma journal_mode = wal; create table t (a integer) strict')
  const waiting: { readonly keep: () => void; readonly fail: (error: Error) => void }[] = []
  const sync = () => new Promise<void>((resolve, reject) => waiting.push({ keep: resolve, fail: reject }))
  const wal = { sync, isShort: () => false, lengthen: () => undefined, close: () => undefined }
  const disk = createFlush(db, file, wal)
  const write = (): void => db.exec('insert into t values (1)')
  return { file, db, disk, waiting, write }
}

it('P4: a flush covers what was committed before it began, not what came after', async () => {
  const { disk, waiting, write } = setUp()
  write()
  const first = disk.flush()
  write()
  const [second, third] = [disk.flush(), disk.flush()]
  expect(waiting).toHaveLength(1)
  waiting[0]!.keep()
  await first
  await expect.poll(() => waiting.length).toBe(2)
  let isAnswered = false
  void second.then(() => {
    isAnswered = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  waiting[1]!.keep()
  await Promise.all([second, third])
  expect(waiting).toHaveLength(2)
})

it('whoever comes in the moment between two flushes begins no third beside them', async () => {
  const { disk, waiting, write } = setUp()
  write()
  const first = disk.flush()
  write()
  const flushes = [disk.flush()]
  waiting[0]!.keep()
  // Whatever happens after it, in whichever order.
  for (let turns = 0; turns < 10; turns++) {
    await Promise.resolve()
    write()
    flushes.push(disk.flush())
    expect(waiting.length).toBeLessThanOrEqual(2)
  }
  await first
  await expect.poll(() => waiting.length).toBe(2)
  waiting[1]!.keep()
  await expect.poll(() => waiting.length).toBe(3)
  waiting[2]!.keep()
  await Promise.all(flushes)
  expect(waiting).toHaveLength(3)
})

it('nothing new, nothing to flush; the commit of another connection is new', async () => {
  const { file, disk, waiting, write } = setUp()
  write()
  const first = disk.flush()
  waiting[0]!.keep()
  await first
  await disk.flush()
  expect(waiting).toHaveLength(1)
  const other = new DatabaseSync(file)
  other.exec('insert into t values (2)')
  other.close()
  const second = disk.flush()
  expect(waiting).toHaveLength(2)
  waiting[1]!.keep()
  await second
})

it('F32: after a flush has failed no write is answered with success', async () => {
  const { disk, waiting, write } = setUp()
  write()
  const first = disk.flush()
  expect(disk.assertSound).not.toThrow()
  waiting[0]!.fail(new Error('EIO'))
  await expect(first).rejects.toMatchObject({ code: 'store_unavailable', details: { outcome: 'unknown' } })
  write()
  await expect(disk.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(disk.assertSound).toThrow(/did not say that it keeps it/)
  expect(waiting).toHaveLength(1)
})

it('the WAL that is flushed is the one that was written, and one that is not there is no success', async () => {
  const { file, db, write } = setUp()
  write()
  const wal = openWal(db, undefined)
  await expect(createFlush(db, file, wal).flush()).resolves.toBeUndefined()
  wal.close()
  const memory = new DatabaseSync(':memory:')
  onTestFinished(() => memory.close())
  await expect(createFlush(memory, 'm', openWal(memory, undefined)).flush()).rejects.toMatchObject({
    code: 'store_unavailable',
  })
})
