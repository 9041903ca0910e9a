import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { tempFile } from '../../../test/sqlite/bed.ts'
import { createExtent, createRounds, isSafe } from './rounds.ts'

const setUp = () => {
  const file = tempFile()
  const connect = (): DatabaseSync => {
    const db = new DatabaseSync(file)
    onTestFinished(() => db.close())
    return db
  }
  const db = connect()
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (a blob) strict')
  const insert = db.prepare('insert into t values (zeroblob(4000))')
  const write = (rows: number): void => {
    db.exec('begin')
    for (let row = 0; row < rows; row++) insert.run()
    db.exec('commit')
  }
  return { db, write, extent: createExtent(db), connect, rounds: createRounds(connect()) }
}

it('what was written is copied, and the next who writes begins anew', () => {
  const { write, extent, rounds } = setUp()
  write(1000)
  const { written, copied } = extent()
  expect([written > 1000, copied]).toEqual([true, 0])
  expect(rounds.most()).toEqual({ written, copied: written, isHeldUp: false })
  expect(extent()).toEqual({ written, copied: written })
  write(1)
  expect(extent().written).toBeLessThan(10)
  expect(extent().copied).toBe(0)
})

it('what comes after most was copied is the rest', () => {
  const { write, extent, connect, rounds } = setUp()
  write(1000)
  // Whoever reads all of it keeps the WAL from beginning anew, not from being copied.
  const reader = connect()
  reader.exec('begin')
  reader.prepare('select count(*) from t').get()
  rounds.most()
  write(20)
  const { written, copied } = extent()
  expect([copied > 1000, written > copied]).toEqual([true, true])
  reader.exec('rollback')
  expect(rounds.rest()).toEqual({ written, copied: written, isHeldUp: false })
})

it('who reads what would be written over holds it up, and is not waited for', () => {
  const { write, extent, connect, rounds } = setUp()
  write(10)
  const reader = connect()
  reader.exec('begin')
  reader.prepare('select count(*) from t').get()
  const seen = extent().written
  write(1000)
  expect(rounds.most()).toEqual({ ...extent(), copied: seen, isHeldUp: true })
  expect(rounds.rest().isHeldUp).toBe(true)
  reader.exec('rollback')
  const { written } = extent()
  expect(rounds.most()).toEqual({ written, copied: written, isHeldUp: false })
})

it('looking and copying are no news to the connection that writes', () => {
  const { db, write, extent, rounds } = setUp()
  const version = (): unknown => db.prepare('pragma data_version').get()
  const before = version()
  for (let n = 0; n < 5; n++) {
    write(500)
    rounds.most()
    extent()
    expect(version()).toEqual(before)
  }
})

it('only where SQLite copies and begins anew at once without harm', () => {
  const safe = ['3.51.3', '3.51.12', '3.52.0', '3.53.4', '4.0.0']
  const unsafe = ['3.50.7', '3.51.2', '3.51.0', '3.9.9', '2.99.99']
  expect(safe.filter((version) => !isSafe(version))).toEqual([])
  expect(unsafe.filter(isSafe)).toEqual([])
})
