import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { stepTimers, tempFile } from '../../../test/sqlite/bed.ts'
import { realTimers } from '../../engine/clock.ts'
import type { Timers } from '../timers.ts'
import { type BackfillOptions, createBackfill } from './backfill.ts'
import { type Backfiller, type Said, startBackfiller } from './backfiller.ts'
import { NONE_BEGUN } from './begun.ts'
import { createFlush, type Flush } from './flush.ts'
import { createPatience } from './patience.ts'
import { createExtent } from './rounds.ts'
import { NO_SCRIBE } from './scribe.ts'
import { prepareStatements } from './statements.ts'
import { openWal } from './wal.ts'
import { createWriter } from './writer.ts'

/** What the store lets a WAL become before a thread is asked for. */
const ENOUGH = 8000
const ROWS = 100

interface Given {
  readonly file?: string
  readonly start?: BackfillOptions['start']
  /** Pages after which SQLite copies by itself: never. */
  readonly auto?: number
  readonly timers?: Timers
}

/** A writer on a file, with nothing above it. */
const setUp = ({
  file = tempFile(),
  start = startBackfiller,
  auto = 0,
  timers = stepTimers(),
}: Given = {}) => {
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = ${auto}`)
  db.exec('create table if not exists t (a integer primary key, b blob) strict')
  const warnings: string[] = []
  const real = createFlush(db, file, openWal(db, undefined))
  const calm: (boolean | undefined)[] = []
  const disk: Flush = {
    ...real,
    flush: (isCalm) => {
      calm.push(isCalm)
      return real.flush(isCalm)
    },
  }
  const onWarning = (message: string): unknown => warnings.push(message)
  const backfill = createBackfill(db, { start, onWarning, onLost: disk.doubt })
  const options = { timers, jitter: () => 0.5, relieve: () => false, busyMs: 30_000 }
  const connection = { db, sql: prepareStatements(db), file }
  const patience = createPatience(db, options)
  const writer = createWriter({
    connection,
    patience,
    disk,
    backfill,
    scribe: NO_SCRIBE,
    begun: NONE_BEGUN,
    isBeside: () => false,
  })
  const insert = db.prepare('insert into t (b) values (zeroblob(4000))')
  let rows = 0
  const write = (): Promise<unknown> =>
    writer.run(1, () => {
      for (let row = 0; row < ROWS; row++) insert.run()
    })
  const close = async (): Promise<void> => {
    await writer.close()
    await backfill.close()
    await disk.close()
    if (db.isOpen) db.close()
  }
  onTestFinished(close)
  const writeOne = async (): Promise<void> => {
    await write()
    rows += ROWS
  }
  return {
    file,
    db,
    warnings,
    calm,
    write: writeOne,
    rows: () => rows,
    extent: createExtent(db),
    close,
  }
}

type Bed = ReturnType<typeof setUp>

const writeUntil = async ({ write }: Bed, isEnough: () => boolean): Promise<void> => {
  while (!isEnough()) await write()
}

/** Writes until the WAL has begun anew so often. */
const writeUntilAnew = async (bed: Bed, times: number): Promise<void> => {
  for (let last = 0, begun = 0; begun < times; ) {
    await bed.write()
    const { written } = bed.extent()
    if (written < last) begun += 1
    last = written
  }
}

const countOf = (file: string): unknown => {
  const db = new DatabaseSync(file)
  try {
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return db.prepare('select count(*) as n from t').get()!['n']
  } finally {
    db.close()
  }
}

/** One that says what it is told to, when it is told to. */
const played = () => {
  const asked: string[] = []
  let waiting: PromiseWithResolvers<Said> | undefined
  const backfiller: Backfiller = {
    ask: (what) => {
      asked.push(what)
      waiting = Promise.withResolvers()
      return waiting.promise
    },
    close: () => Promise.resolve(),
  }
  const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))
  const say = (said: Said): Promise<unknown> => {
    waiting?.resolve(said)
    return turn()
  }
  return { asked, say, turn, start: () => backfiller }
}

const COPIED = { copied: { written: ENOUGH, copied: ENOUGH, isHeldUp: false } }

it('a WAL begins anew again and again while it is written to, and no COMMIT copies it', async () => {
  const bed = setUp()
  const version = (): unknown => bed.db.prepare('pragma data_version').get()
  const before = version()
  await writeUntilAnew(bed, 4)
  // It is nobody else's commit: nothing that is known is forgotten for it, and no lane is woken.
  expect(version()).toEqual(before)
  expect(bed.warnings).toEqual([])
  await bed.close()
  expect(countOf(bed.file)).toBe(bed.rows())
})

it('B2: who writes little has no thread', async () => {
  const { asked, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => bed.extent().written > ENOUGH - 500)
  expect(asked).toEqual([])
  await writeUntil(bed, () => asked.length > 0)
  expect(bed.extent().written).toBeGreaterThanOrEqual(ENOUGH)
})

it('while most is copied the writer goes on; while the rest is copied it waits, and then goes on', async () => {
  const { asked, say, turn, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  for (let n = 0; n < 20; n++) await bed.write()
  expect(asked).toEqual(['most'])
  await say(COPIED)
  const writes = [bed.write()]
  await expect.poll(() => asked).toEqual(['most', 'rest'])
  const { written } = bed.extent()
  writes.push(bed.write())
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(bed.extent().written).toBe(written)
  await say(COPIED)
  await Promise.all(writes)
  expect(bed.extent().written).toBeGreaterThan(written)
})

it('while a thread copies the event loop does not wait for the disk, which is at work', async () => {
  const { asked, say, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  await bed.write()
  expect([bed.calm[0], bed.calm.at(-1)]).toEqual([true, false])
  await say({ copied: { written: 0, copied: 0, isHeldUp: true } })
  await bed.write()
  expect(bed.calm.at(-1)).toBe(true)
})

it('who cannot get on with it is asked again when there is more, not with every transaction', async () => {
  const { asked, say, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  const { written } = bed.extent()
  await say({ copied: { written, copied: 0, isHeldUp: true } })
  await writeUntil(bed, () => asked.length > 1)
  expect(asked).toEqual(['most', 'most'])
  expect(bed.extent().written - written).toBeGreaterThanOrEqual(1000)
})

it.each<[string, BackfillOptions['start']]>([
  ['cannot be started', () => expect.fail('no threads here')],
  ['cannot open the file', (file) => startBackfiller(`${file}/nowhere`)],
  ['ends', () => ({ ...played().start(), ask: () => Promise.reject(new Error('the thread ended')) })],
])('B1: where the thread %s that is said once, and SQLite copies as ever', async (_, start) => {
  const bed = setUp({ start, auto: 16_000 })
  await writeUntilAnew(bed, 2)
  expect(bed.warnings).toHaveLength(1)
  await bed.close()
  expect(countOf(bed.file)).toBe(bed.rows())
})

it('B1: a full disk is no reason to do without the thread for good', async () => {
  const { asked, say, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  await say({ failed: 'database or disk is full', code: 13 })
  await writeUntil(bed, () => asked.length > 1)
  expect(bed.warnings).toEqual([])
})

it('B3: once the disk did not keep what was copied, nothing more is written, nor answered with success', async () => {
  const { asked, say, start } = played()
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  await say({ failed: 'disk I/O error', code: 1034 })
  const { written } = bed.extent()
  await expect(bed.write()).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { outcome: 'unknown' },
  })
  expect(bed.extent().written).toBe(written)
})

it('closing waits until the thread is over with what it is at, and the last to close leaves no WAL', async () => {
  const asked: string[] = []
  const start = (file: string): Backfiller => {
    const backfiller = startBackfiller(file)
    return {
      ...backfiller,
      ask: (what) => {
        asked.push(what)
        return backfiller.ask(what)
      },
    }
  }
  const bed = setUp({ start })
  await writeUntil(bed, () => asked.length > 0)
  await bed.close()
  expect(existsSync(`${bed.file}-wal`)).toBe(false)
  expect(countOf(bed.file)).toBe(bed.rows())
  expect(bed.warnings).toEqual([])
})

it('two stores on one file: each has a thread, the WAL begins anew under both, and all is there', async () => {
  const file = tempFile()
  // A thread gets to the end of a WAL in the pauses of the other store.
  const given = { file, auto: 16_000, timers: realTimers }
  const beds = [setUp(given), setUp(given)]
  await Promise.all(beds.map((bed) => writeUntilAnew(bed, 2)))
  for (const bed of beds) await bed.close()
  expect(beds.flatMap(({ warnings }) => warnings)).toEqual([])
  expect(countOf(file)).toBe(beds.reduce((sum, bed) => sum + bed.rows(), 0))
})
