import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { open, stepTimers, tempFile } from '../../../test/sqlite/bed.ts'
import { action, NOW, OF } from '../../../test/sqlite/members.ts'
import { PawlError } from '../../core/errors.ts'
import type { Timers } from '../timers.ts'
import { NO_BACKFILL } from './backfill.ts'
import { NONE_BEGUN } from './begun.ts'
import { NO_FLUSH } from './flush.ts'
import { createPatience } from './patience.ts'
import { NO_SCRIBE } from './scribe.ts'
import { prepareStatements } from './statements.ts'
import { createWriter } from './writer.ts'

const setUp = (
  file = ':memory:',
  timers: Timers = stepTimers(),
  busyMs = 30_000,
  disk = NO_FLUSH,
  isBeside = () => false,
) => {
  const db = new DatabaseSync(file)
  db.exec('pragma journal_mode = wal; create table if not exists t (a integer unique) strict')
  const connection = { db, sql: prepareStatements(db), file }
  const patience = createPatience(db, { timers, jitter: () => 0.5, relieve: () => false, busyMs })
  const parts = { backfill: NO_BACKFILL, scribe: NO_SCRIBE, begun: NONE_BEGUN, isBeside }
  const writer = createWriter({ connection, patience, disk, ...parts })
  const insert = (a: number) => () => {
    db.prepare('insert into t (a) values (?)').run(a)
    return a
  }
  const rows = () =>
    db
      .prepare('select a from t order by rowid')
      .all()
      .map((row) => row['a'])
  return { db, writer, insert, rows }
}

/** How often COMMIT was called while `work` ran. */
const countCommits = async (db: DatabaseSync, work: () => Promise<unknown>): Promise<number> => {
  const exec = db.exec.bind(db)
  let commits = 0
  db.exec = (text) => {
    if (text === 'commit') commits += 1
    exec(text)
  }
  await work()
  return commits
}

it('jobs are done in the order they came, and those that wait share a transaction', async () => {
  const { db, writer, insert, rows } = setUp()
  const commits = await countCommits(db, () => Promise.all([1, 2, 3, 4].map((a) => writer.run(1, insert(a)))))
  expect(rows()).toEqual([1, 2, 3, 4])
  expect(commits).toBe(1)
})

it('but not more than the event loop can bear', async () => {
  const { db, writer, insert } = setUp()
  const commits = await countCommits(db, () =>
    Promise.all([1, 2, 3, 4].map((a) => writer.run(600, insert(a)))),
  )
  expect(commits).toBe(4)
})

it('a job that throws is undone alone', async () => {
  const { writer, insert, rows } = setUp()
  const half = () => {
    insert(7)()
    insert(1)()
  }
  const results = await Promise.allSettled([
    writer.run(1, insert(1)),
    writer.run(1, half),
    writer.run(1, insert(2)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(rows()).toEqual([1, 2])
  await expect(writer.run(1, half)).rejects.toThrow(/UNIQUE/)
  expect(rows()).toEqual([1, 2])
})

it('F30: a busy file is waited for, nobody sees BUSY, and the order stays', async () => {
  const file = tempFile()
  const timers = stepTimers()
  const { writer, insert, rows } = setUp(file, {
    ...timers,
    sleep: (ms) => {
      if (timers.slept.length === 5) theirs.exec('commit')
      return timers.sleep(ms)
    },
  })
  const theirs = new DatabaseSync(file)
  theirs.exec('begin immediate; insert into t (a) values (0)')
  await Promise.all([1, 2].map((a) => writer.run(1, insert(a))))
  expect(rows()).toEqual([0, 1, 2])
  expect(timers.slept.length).toBeGreaterThan(5)
})

it('F30: after a bound of waiting it is store_busy, to be tried again, and nothing was written', async () => {
  const file = tempFile()
  const timers = stepTimers()
  const { writer, insert, rows } = setUp(file, timers, 300)
  const theirs = new DatabaseSync(file)
  theirs.exec('begin immediate')
  await expect(writer.run(1, insert(1))).rejects.toMatchObject({ code: 'store_busy' })
  const waited = timers.slept.reduce((sum, ms) => sum + ms, 0)
  expect(waited).toBeGreaterThanOrEqual(300)
  expect(waited).toBeLessThan(320)
  theirs.exec('rollback')
  await writer.run(1, insert(2))
  expect(rows()).toEqual([2])
})

it('who saw others at work pauses after each commit, as long as those who wait; alone it does not', async () => {
  const file = tempFile()
  const timers = stepTimers()
  const { writer, insert } = setUp(file, timers)
  await writer.run(1, insert(1))
  for (let a = 2; a < 30; a++) await writer.run(1, insert(a))
  const alone = timers.slept.length
  const theirs = new DatabaseSync(file)
  theirs.exec('insert into t (a) values (100)')
  await writer.run(1, insert(30))
  await writer.run(1, insert(31))
  expect(timers.slept.length).toBeGreaterThan(alone)
  for (let a = 32; a < 60; a++) await writer.run(1, insert(a))
  const calm = timers.slept.length
  await writer.run(1, insert(60))
  await writer.run(1, insert(61))
  expect(timers.slept.length).toBe(calm)
})

it('the event loop gets a turn between transactions', async () => {
  const { writer, insert } = setUp()
  let turns = 0
  let isOver = false
  const spin = (): void => {
    turns += 1
    if (!isOver) setImmediate(spin)
  }
  setImmediate(spin)
  for (let a = 0; a < 50; a++) await writer.run(1, insert(a))
  isOver = true
  expect(turns).toBeGreaterThan(25)
})

it('close does what was asked before, and refuses what is asked after', async () => {
  const { writer, insert, rows } = setUp()
  const before = writer.run(1, insert(1))
  const closing = writer.close()
  await expect(writer.run(1, insert(2))).rejects.toMatchObject({ code: 'store_closed' })
  await expect(writer.read(() => 1)).rejects.toMatchObject({ code: 'store_closed' })
  await Promise.all([before, closing])
  expect(rows()).toEqual([1])
})

it('a store that is closed says so', async () => {
  const bed = await open()
  await bed.store.close()
  await expect(bed.store.commit([{ ...OF, at: NOW, enqueue: [action('act_1')] }])).rejects.toMatchObject({
    code: 'store_closed',
    message: ':memory: was closed',
  })
})

it('P4: nobody is answered before the disk has it; what comes meanwhile shares the next transaction', async () => {
  const flushes: (() => void)[] = []
  const flush = () => new Promise<void>((resolve) => flushes.push(resolve))
  const { db, writer, insert, rows } = setUp(':memory:', stepTimers(), 0, { ...NO_FLUSH, flush })
  const answered: number[] = []
  const first = writer.run(1, insert(1)).then((a) => answered.push(a))
  await expect.poll(() => flushes.length).toBe(1)
  expect([rows(), answered, db.isTransaction]).toEqual([[1], [], false])
  const rest = [2, 3].map((a) => writer.run(1, insert(a)).then((value) => answered.push(value)))
  flushes[0]!()
  await first
  await expect.poll(() => flushes.length).toBe(2)
  expect([rows(), answered]).toEqual([[1, 2, 3], [1]])
  flushes[1]!()
  await Promise.all(rest)
  expect(answered).toEqual([1, 2, 3])
})

it('P4: what the disk did not keep is not told as written, and is not written twice', async () => {
  const flush = () => Promise.reject(new PawlError('store_unavailable', 'no disk'))
  const { writer, insert, rows } = setUp(':memory:', stepTimers(), 0, { ...NO_FLUSH, flush })
  const tried = await Promise.allSettled([1, 2].map((a) => writer.run(1, insert(a))))
  expect(tried.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(rows()).toEqual([1, 2])
})

it('a job in no hurry shares the transaction of what is asked a turn later; one in a hurry does not wait', async () => {
  const { db, writer, insert, rows } = setUp()
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const commits = await countCommits(db, async () => {
    const along = writer.runAlong(1, insert(1), () => true)
    await turn()
    await Promise.all([along, writer.run(1, insert(2))])
  })
  expect([commits, rows()]).toEqual([1, [1, 2]])
  const apart = await countCommits(db, async () => {
    const first = writer.run(1, insert(3))
    await turn()
    await Promise.all([first, writer.run(1, insert(4))])
  })
  expect(apart).toBe(2)
})

it('P4: who may be answered before the disk has it is told by its own outcome', async () => {
  const flushes: (() => void)[] = []
  const flush = () => new Promise<void>((resolve) => flushes.push(resolve))
  const { writer, insert } = setUp(':memory:', stepTimers(), 0, { ...NO_FLUSH, flush })
  const answered: number[] = []
  const jobs = [1, 2].map((a) =>
    writer.runAlong(1, insert(a), (value) => value === 2).then((value) => answered.push(value)),
  )
  await expect.poll(() => flushes.length).toBe(1)
  expect(answered).toEqual([2])
  flushes[0]!()
  await Promise.all(jobs)
  expect(answered).toEqual([2, 1])
})

it('F32: once the disk has failed nobody is answered, not even those who do not wait for it', async () => {
  const assertSound = () => {
    throw new PawlError('store_unavailable', 'no disk')
  }
  const { writer, insert } = setUp(':memory:', stepTimers(), 0, { ...NO_FLUSH, assertSound })
  await expect(writer.runAlong(1, insert(1), () => true)).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(writer.runSoon(1, insert(2))).rejects.toMatchObject({ code: 'store_unavailable' })
})

it('the disk is told that it is calm by a small turn alone, with nobody behind it', async () => {
  const flushed: unknown[] = []
  let rooms = 0
  const flush = async (isCalm?: boolean) => void flushed.push(isCalm)
  const makeRoom = () => {
    rooms += 1
  }
  const { writer, insert } = setUp(':memory:', stepTimers(), 0, { ...NO_FLUSH, flush, makeRoom })
  await writer.run(2, insert(1))
  await expect.poll(() => rooms).toBe(1)
  await Promise.all([2, 3].map((a) => writer.run(2, insert(a))))
  await expect.poll(() => rooms).toBe(2)
  await writer.run(500, insert(4))
  await Promise.all([5, 6].map((a) => writer.run(20, insert(a))))
  await Promise.all([writer.run(20, insert(7)), writer.run(990, insert(8))])
  await writer.close()
  expect(flushed).toEqual([true, true, false, false, false, false])
  expect(rooms).toBe(2)
})

/** So many turns of the event loop. */
const turns = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
}

/** A writer beside a disk that keeps what it is told to. */
const setUpBeside = (isBeside = () => true) => {
  const flushes: PromiseWithResolvers<void>[] = []
  let isLost = false
  const assertSound = (): void => {
    if (isLost) throw new PawlError('store_unavailable', 'no disk')
  }
  const disk = {
    ...NO_FLUSH,
    assertSound,
    flush: () => {
      const one = Promise.withResolvers<void>()
      flushes.push(one)
      return one.promise
    },
  }
  const bed = setUp(':memory:', stepTimers(), 0, disk, isBeside)
  const answered: number[] = []
  const tell = (a: number) => void answered.push(a)
  /** As commits are: what they would write could be drafted. */
  const commit = (a: number) => bed.writer.run(1, bed.insert(a), () => undefined).then(tell)
  const keep = (index: number): void => flushes[index]!.resolve()
  const lose = (index: number): void => {
    isLost = true
    flushes[index]!.reject(new PawlError('store_unavailable', 'no disk'))
  }
  const flushed = (count: number) => expect.poll(() => flushes.length).toBe(count)
  return { ...bed, answered, tell, commit, keep, lose, flushed }
}

it('W3: beside, the next commit is written while the disk is waited for, and nobody is answered before it has theirs', async () => {
  const { commit, flushed, keep, rows, answered } = setUpBeside()
  const all = [1, 2, 3].map(commit)
  await flushed(1)
  await expect.poll(rows).toEqual([1, 2])
  expect(answered).toEqual([])
  keep(0)
  await all[0]
  await flushed(2)
  await expect.poll(rows).toEqual([1, 2, 3])
  expect(answered).toEqual([1])
  keep(1)
  await all[1]
  await flushed(3)
  expect(answered).toEqual([1, 2])
  keep(2)
  await Promise.all(all)
})

it('W3: commits go past each other, and what else is asked goes with the one before it', async () => {
  const { db, writer, insert, commit, flushed, keep } = setUpBeside()
  const work = [commit(1), writer.run(1, insert(2)), commit(3)]
  const commits = await countCommits(db, async () => {
    await flushed(1)
    keep(0)
    await flushed(2)
    keep(1)
    await Promise.all(work)
  })
  expect(commits).toBe(2)
})

it('W3: who may be answered before the disk has theirs is not before it has what came before', async () => {
  const { writer, insert, tell, commit, flushed, keep, rows, answered } = setUpBeside()
  const first = commit(1)
  await flushed(1)
  const soon = writer.runSoon(1, insert(2)).then(tell)
  await expect.poll(rows).toEqual([1, 2])
  expect(answered).toEqual([])
  keep(0)
  await Promise.all([first, soon])
  expect(answered).toEqual([1, 2])
})

it('W3: what the disk did not keep fails, and so does what was written beside it', async () => {
  const { commit, flushed, lose, rows } = setUpBeside()
  const all = Promise.allSettled([1, 2].map(commit))
  await flushed(1)
  await expect.poll(rows).toEqual([1, 2])
  lose(0)
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(commit(3)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(rows()).toEqual([1, 2])
})

it('W3: close waits for who is not answered yet', async () => {
  const { writer, commit, tell, flushed, keep, answered } = setUpBeside()
  const first = commit(1)
  await flushed(1)
  await turns(5)
  const closing = writer.close().then(() => tell(0))
  await turns(5)
  expect(answered).toEqual([])
  keep(0)
  await Promise.all([first, closing])
  expect(answered).toEqual([1, 0])
})

it('W3: behind, the next commit is not written before the disk has the one before', async () => {
  let isBeside = true
  const { commit, flushed, keep, rows } = setUpBeside(() => isBeside)
  const first = commit(1)
  await flushed(1)
  isBeside = false
  const second = commit(2)
  await expect.poll(rows).toEqual([1, 2])
  keep(0)
  await Promise.all([first, flushed(2)])
  const third = commit(3)
  await turns(5)
  expect(rows()).toEqual([1, 2])
  keep(1)
  await flushed(3)
  keep(2)
  await Promise.all([second, third])
})
