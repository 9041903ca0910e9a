import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { tempFile } from '../../../test/sqlite/bed.ts'
import { createFlush } from './flush.ts'
import { openWal, type Waits } from './wal.ts'

const setUp = (waits?: Waits, monotonic?: () => number) => {
  const file = tempFile()
  const connect = (at = file): DatabaseSync => {
    const db = new DatabaseSync(at)
    onTestFinished(() => db.close())
    return db
  }
  const db = connect()
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; create table t (a integer, b text) strict')
  const wal = openWal(db, monotonic, waits)
  onTestFinished(() => wal.close())
  let a = 0
  const write = (): void => {
    a += 1
    db.prepare('insert into t values (?, ?)').run(a, 'x'.repeat(3000))
  }
  const size = (): number => statSync(`${file}-wal`).size
  return { file, db, wal, disk: createFlush(db, file, wal), connect, write, size }
}

/** A disk that takes as long as it is told to. */
const slowable = () => {
  const waited: string[] = []
  let now = 0
  let ms = 0.1
  const take = (where: string): void => {
    now += ms
    waited.push(where)
  }
  const waits: Waits = { inThePool: async () => take('pool'), here: () => take('here') }
  const slow = (next: number): void => {
    ms = next
  }
  return { waits, waited, slow, monotonic: () => now }
}

it('the event loop waits for the disk where it is calm and the disk is quick; a slow one is noticed there or in the pool', async () => {
  const { waits, waited, slow, monotonic } = slowable()
  const { wal } = setUp(waits, monotonic)
  const after = async (times: number, isCalm = true): Promise<string | undefined> => {
    for (let n = 0; n < times; n++) await wal.sync(isCalm)
    return waited.at(-1)
  }
  expect(await after(1)).toBe('pool')
  expect(await after(50)).toBe('here')
  expect(await after(1, false)).toBe('pool')
  slow(30)
  expect(await after(1)).toBe('here')
  expect(await after(100)).toBe('pool')
  slow(0.1)
  expect(await after(1)).toBe('pool')
  expect(await after(100)).toBe('here')
  slow(30)
  await after(1, false)
  slow(0.1)
  expect(await after(1)).toBe('pool')
})

it('without a clock the event loop never waits', async () => {
  const { waits, waited } = slowable()
  const { wal } = setUp(waits)
  for (let n = 0; n < 100; n++) await wal.sync(true)
  expect(new Set(waited)).toEqual(new Set(['pool']))
})

it('F32: what the disk does not keep is told, wherever it was waited for', async () => {
  let isBroken = false
  const { waits, monotonic } = slowable()
  const breakable = (): void => {
    if (isBroken) throw new Error('EIO')
  }
  const { disk, write } = setUp({ inThePool: waits.inThePool, here: breakable }, monotonic)
  for (let n = 0; n < 50; n++) {
    write()
    await disk.flush(true)
  }
  isBroken = true
  write()
  await disk.flush()
  write()
  await expect(disk.flush(true)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(disk.assertSound).toThrow(/did not say that it keeps it/)
})

it('room is made behind the end, once, and again when it is nearly used up', async () => {
  const { file, disk, write, size } = setUp()
  write()
  const before = readFileSync(`${file}-wal`)
  disk.makeRoom()
  const made = size()
  expect(made).toBeGreaterThan(before.length)
  const after = readFileSync(`${file}-wal`)
  expect(after.subarray(0, before.length).equals(before)).toBe(true)
  expect(after.subarray(before.length).every((byte) => byte === 0)).toBe(true)
  disk.makeRoom()
  expect(size()).toBe(made)
  let written = 0
  for (; size() === made && written < 10_000; written++) {
    write()
    disk.makeRoom()
  }
  // Not for every commit, and before there was none left.
  expect(written).toBeGreaterThan(10)
  expect(size()).toBeGreaterThan(made)
  await disk.close()
})

it('the disk is asked to keep room when it is made, so that no commit waits for it, and not when there is enough', async () => {
  const { waits, waited } = slowable()
  const { disk, write } = setUp(waits)
  write()
  await disk.flush()
  disk.makeRoom()
  await disk.flush()
  expect(waited).toHaveLength(2)
  disk.makeRoom()
  await disk.flush()
  expect(waited).toHaveLength(2)
})

it('what lies in a WAL with room is read by others, and after a crash', async () => {
  const { file, db, disk, connect, write } = setUp()
  for (let n = 0; n < 5; n++) {
    write()
    disk.makeRoom()
  }
  const rows = (from: DatabaseSync) => from.prepare('select count(*) as n, sum(a) as sum from t').get()
  expect(rows(connect())).toEqual({ n: 5, sum: 15 })
  const copy = tempFile()
  for (const part of ['', '-wal']) copyFileSync(file + part, copy + part)
  const found = connect(copy)
  expect(rows(found)).toEqual({ n: 5, sum: 15 })
  expect(found.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  found.exec('insert into t values (6, null)')
  expect(rows(found)).toEqual({ n: 6, sum: 21 })
  db.exec('pragma wal_checkpoint(truncate)')
  write()
  expect(rows(connect())).toEqual({ n: 6, sum: 21 })
  await disk.close()
})

it('a WAL that is begun anew needs no more room than it had', async () => {
  const { db, disk, write, size } = setUp()
  for (let n = 0; n < 100; n++) {
    write()
    disk.makeRoom()
  }
  const made = size()
  for (let n = 0; n < 5; n++) {
    db.exec('pragma wal_checkpoint(restart)')
    write()
    disk.makeRoom()
  }
  expect(size()).toBe(made)
  await disk.close()
})

it('no room is made while somebody else may write, nor inside a transaction of a caller', async () => {
  const { db, disk, connect, write, size } = setUp()
  write()
  const before = size()
  const other = connect()
  other.exec('begin immediate')
  disk.makeRoom()
  expect(size()).toBe(before)
  other.exec('rollback; begin')
  other.prepare('select * from t').all()
  db.exec('begin immediate')
  disk.makeRoom()
  expect([size(), db.isTransaction]).toEqual([before, true])
  db.exec('rollback')
  disk.makeRoom()
  expect([size() > before, db.isTransaction]).toEqual([true, false])
  await disk.close()
})

it('F32: room that the disk does not keep is told to the next who writes', async () => {
  const { disk, write } = setUp({
    inThePool: () => Promise.reject(new Error('EIO')),
    here: () => undefined,
  })
  write()
  expect(disk.assertSound).not.toThrow()
  disk.makeRoom()
  await expect(disk.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(disk.assertSound).toThrow()
})

it('it is not closed under a wait for the disk, and not waited for once it is', async () => {
  const waiting: (() => void)[] = []
  const inThePool = () => new Promise<void>((resolve) => waiting.push(resolve))
  const { disk, write } = setUp({ inThePool, here: () => undefined })
  write()
  const flushed = [disk.flush()]
  write()
  flushed.push(disk.flush())
  let isClosed = false
  const closing = disk.close().then(() => {
    isClosed = true
  })
  for (let flushes = 1; flushes <= 2; flushes++) {
    await new Promise((resolve) => setImmediate(resolve))
    expect([waiting.length, isClosed]).toEqual([flushes, false])
    waiting[flushes - 1]!()
  }
  await Promise.all([...flushed, closing])
  write()
  await expect(disk.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(waiting).toHaveLength(2)
})
