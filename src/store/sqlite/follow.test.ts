import fs, { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { open, tempFile } from '../../../test/sqlite/bed.ts'
import { OF } from '../../../test/sqlite/members.ts'
import { createDictation, type Script } from './dictation.ts'
import { createFollower } from './follow.ts'
import { prepareStatements, type Statements } from './statements.ts'

const EPOCH = '1'
const WRITTEN = { haveOthersWritten: false }
const undone = (why: string) => ({ undone: expect.stringContaining(why) })

/** A store, and who follows what is dictated to it. */
const setUp = async () => {
  const bed = await open({ file: tempFile() })
  const db = new DatabaseSync(bed.file)
  const { follow, close } = createFollower(db)
  onTestFinished(() => {
    if (db.isOpen) close()
  })
  const dictation = createDictation(prepareStatements(bed.connection))
  const script = (write: (sql: Statements) => void): Script => {
    write(dictation.sql)
    return dictation.take()
  }
  const count = (sql: Statements, by = 1): unknown =>
    sql.bumpCounter.run({ ...OF, name: 'followed', bucket: 0, by })
  const counted = (): unknown =>
    bed.connection
      .prepare(`select coalesce(sum(value), 0) as n from counters where name = 'followed'`)
      .get()!['n']
  const one = script((sql) => count(sql))
  return { ...bed, follow, stop: close, script, count, counted, one }
}

it('what was dictated is written in one transaction, with its values, and others see it when it is said to be', async () => {
  const { follow, script, count, counted, connection } = await setUp()
  const dictated = script((sql) => {
    count(sql, 2)
    sql.insertBegun.run({ number: 7, content: 'a' })
    sql.rewriteBegun.run({ number: 7, revision: 1, content: 'b' })
    count(sql, 3)
  })
  expect(follow({ epoch: EPOCH, script: dictated })).toEqual(WRITTEN)
  expect(counted()).toBe(5)
  expect(connection.prepare('select number, revision, content from begun').all()).toEqual([
    { number: 7, revision: 2, content: 'b' },
  ])
})

it('F1: a statement that changes other rows than foreseen undoes all of it, and the next one is followed', async () => {
  const { follow, script, count, counted, one } = await setUp()
  const none = script((sql) => {
    count(sql)
    sql.dropBegun.run({ number: 1, revision: 1 })
    count(sql)
  })
  expect(follow({ epoch: EPOCH, script: none })).toEqual(undone('a row is not as it was known'))
  const more = script((sql) => {
    count(sql)
    sql.unfoldBegun.run({ rows: '[]' }, 2)
  })
  expect(follow({ epoch: EPOCH, script: more })).toEqual(undone('a row is not as it was known'))
  expect(counted()).toBe(0)
  expect(follow({ epoch: EPOCH, script: one })).toEqual(WRITTEN)
  expect(counted()).toBe(1)
})

it('F1: one that is there already undoes all of it', async () => {
  const { follow, script, count, counted, one } = await setUp()
  const twice = script((sql) => {
    count(sql)
    sql.insertBegun.run({ number: 1, content: 'a' })
    sql.insertBegun.run({ number: 1, content: 'b' })
  })
  expect(follow({ epoch: EPOCH, script: twice })).toEqual(undone('UNIQUE'))
  expect(counted()).toBe(0)
  expect(follow({ epoch: EPOCH, script: one })).toEqual(WRITTEN)
})

const line = (number: number) => ({
  ...OF,
  execution: 'e',
  number,
  type: 'x',
  at: number,
  prev_hash: null,
  hash: null,
  data: `line ${number}`,
})

it.each([1, 3, 4, 5, 16, 21, 39])(
  'F2: %i rows that are only inserted are all written, in their order, with their own values',
  async (many) => {
    const { follow, script, connection } = await setUp()
    const numbers = Array.from({ length: many }, (_, index) => many - index)
    const dictated = script((sql) => {
      for (const number of numbers) sql.insertEvent.run(line(number))
    })
    expect(follow({ epoch: EPOCH, script: dictated })).toEqual(WRITTEN)
    expect(connection.prepare('select number, at, data from events order by seq').all()).toEqual(
      numbers.map((number) => ({ number, at: number, data: `line ${number}` })),
    )
  },
)

it('F2: where one of many rows is there already nothing of any is written', async () => {
  const { follow, script, count, counted, connection } = await setUp()
  const twice = script((sql) => {
    count(sql)
    for (let number = 1; number <= 20; number++) sql.insertEvent.run(line(number % 19))
  })
  expect(follow({ epoch: EPOCH, script: twice })).toEqual(undone('UNIQUE'))
  expect(counted()).toBe(0)
  expect(connection.prepare('select count(*) as n from events').get()).toEqual({ n: 0 })
})

it('what was dictated for another epoch is not written', async () => {
  const { follow, counted, one } = await setUp()
  expect(follow({ epoch: '2', script: one })).toEqual(undone('the store has changed'))
  expect(follow({ epoch: '', script: [] })).toEqual(undone('the store has changed'))
  expect(counted()).toBe(0)
})

it('nor while the store is full, and when there is room again it is', async () => {
  const { follow, counted, one, connection } = await setUp()
  connection.exec(`insert into store_meta (key, value) values ('full', '1')`)
  expect(follow({ epoch: EPOCH, script: one })).toEqual(undone('the store has changed'))
  expect(counted()).toBe(0)
  connection.exec(`update store_meta set value = '0' where key = 'full'`)
  expect(follow({ epoch: EPOCH, script: one })).toHaveProperty('haveOthersWritten')
  expect(counted()).toBe(1)
})

it('nor while anything is paused, whoever’s it is', async () => {
  const { follow, counted, one, commit } = await setUp()
  const pause = { scope: 'type', value: 'notify' } as const
  await commit({ tenant: 'other', control: [{ kind: 'pause', ...pause, reason: 'quiet' }] })
  expect(follow({ epoch: EPOCH, script: one })).toEqual(undone('the store has changed'))
  expect(counted()).toBe(0)
  await commit({ tenant: 'other', control: [{ kind: 'resume', ...pause }] })
  expect(follow({ epoch: EPOCH, script: one })).toHaveProperty('haveOthersWritten')
  expect(counted()).toBe(1)
})

it('a file that somebody else keeps locked is not waited for', async () => {
  const { follow, counted, one, file } = await setUp()
  const theirs = new DatabaseSync(file)
  onTestFinished(() => theirs.close())
  theirs.exec('begin immediate')
  expect(follow({ epoch: EPOCH, script: one })).toEqual(undone('locked'))
  theirs.exec('rollback')
  expect(follow({ epoch: EPOCH, script: one })).toEqual(WRITTEN)
  expect(counted()).toBe(1)
})

it('it says whether anybody else has written since the one before', async () => {
  const { follow, one, connection } = await setUp()
  const others = (): unknown => follow({ epoch: EPOCH, script: one })
  expect([others(), others()]).toEqual([WRITTEN, WRITTEN])
  connection.exec(`insert into store_meta (key, value) values ('theirs', '1')`)
  expect([others(), others()]).toEqual([{ haveOthersWritten: true }, WRITTEN])
  connection.exec(`update store_meta set value = '2' where key = 'theirs'`)
  const undoing = (): unknown => follow({ epoch: '2', script: one })
  expect(undoing()).toEqual({ ...undone('the store has changed'), haveOthersWritten: true })
  expect(undoing()).toEqual(undone('the store has changed'))
})

it('S3: it says that something is written when the disk has it, and what the disk did not keep is lost', async () => {
  const { follow, one, counted } = await setUp()
  const { fdatasyncSync } = fs
  const seen: unknown[] = []
  onTestFinished(() => {
    fs.fdatasyncSync = fdatasyncSync
    syncBuiltinESMExports()
  })
  fs.fdatasyncSync = (handle) => {
    seen.push(counted())
    if (seen.length > 1) throw new Error('EIO')
    fdatasyncSync(handle)
  }
  syncBuiltinESMExports()
  expect(follow({ epoch: EPOCH, script: one })).toEqual(WRITTEN)
  expect(follow({ epoch: '2', script: one })).toEqual(undone('the store has changed'))
  expect(follow({ epoch: EPOCH, script: one })).toEqual({ lost: expect.stringContaining('EIO') })
  // Once for each that was committed, and after it.
  expect(seen).toEqual([1, 2])
})

/** What this process has open below a file; only Linux tells. */
const opened = (file: string): readonly string[] => {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${handle}`)
      return target.startsWith(file) ? [target] : []
    } catch {
      return []
    }
  })
}

it('after it was closed nothing of the file is open, and its files can be removed', async () => {
  const { follow, stop, one, store, file } = await setUp()
  follow({ epoch: EPOCH, script: one })
  await store.close()
  stop()
  expect([`${file}-wal`, `${file}-shm`].filter((left) => existsSync(left))).toEqual([])
  expect(opened(file)).toEqual([])
  rmSync(file)
})
