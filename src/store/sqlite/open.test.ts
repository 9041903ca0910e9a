import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { counter, open, stepTimers, tempFile } from '../../../test/sqlite/bed.ts'
import { action, advance, execution, NOW, OF } from '../../../test/sqlite/members.ts'
import { REGISTRY } from '../../core/errors.ts'
import { migrations } from './generated/sql.ts'
import { assertOurs } from './integrity.ts'
import { openSqlite } from './open.ts'
import { inSnapshot } from './snapshot.ts'

const pragma = (db: DatabaseSync, name: string) => Object.values(db.prepare(`pragma ${name}`).get()!)[0]

const refusal = async (file: string, more = {}) => {
  const error = await open({ file, ...more }).then(
    () => undefined,
    (thrown: { code: string; message: string; details: { expected?: string } }) => thrown,
  )
  return error && { code: error.code, text: `${error.message}; ${error.details.expected}` }
}

const [base] = migrations
const second = {
  number: migrations.length + 1,
  name: 'more_room',
  breaking: false,
  checksum: 'c2',
  text: 'create table room (a integer) strict;',
}

describe('a file', () => {
  it('F32: is durable: WAL, flushed before a commit returns (flush.test.ts), no blocking wait', async () => {
    const { connection } = await open({ file: tempFile() })
    expect(pragma(connection, 'journal_mode')).toBe('wal')
    expect(pragma(connection, 'synchronous')).toBe(1)
    expect(pragma(connection, 'busy_timeout')).toBe(0)
    expect(pragma(connection, 'application_id')).toBe(0x5041574c)
  })

  it('keeps its id and its cursors for ever; two stores never share them', async () => {
    const file = tempFile()
    const first = await open({ file })
    await first.commit({ enqueue: [action('act_1'), action('act_2')] })
    const { next } = await first.reader.actions(OF, {}, { limit: 1 })
    await first.store.close()
    const again = await open({ file, random: () => 'another source' })
    expect(again.store.id).toBe(first.store.id)
    expect(first.store.id).toMatch(/^str_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect((await again.reader.actions(OF, {}, { limit: 1, after: next! })).data[0]!.id).toBe('act_1')
    const other = await open({ random: () => 'another source' })
    expect(other.store.id).not.toBe(first.store.id)
    await expect(other.reader.actions(OF, {}, { limit: 1, after: next! })).rejects.toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('in a folder that does not exist is refused by name', async () => {
    const file = `${tempFile()}/missing/pawl.db`
    expect(await refusal(file)).toMatchObject({
      code: 'store_unavailable',
      text: expect.stringContaining(file),
    })
  })

  it('leaves no experimental warning on stderr, and no process hanging', () => {
    const script = `
      import { openSqlite } from './src/store/sqlite/open.ts'
      const none = () => Promise.resolve()
      const timers = { sleep: none, turn: none, every: () => () => undefined }
      const { store } = await openSqlite({ file: ':memory:', random: () => 'r', timers })
      console.log(store.id)
      process.emitWarning('another one')`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(run.stdout).toMatch(/^str_/)
    expect(run.stderr).not.toMatch(/Experimental/)
    expect(run.stderr).toMatch(/another one/)
  })
})

describe('F31: a file that is not ours is refused and stays as it was', () => {
  it('a text file', async () => {
    const file = tempFile()
    writeFileSync(file, 'dear diary')
    expect(await refusal(file)).toMatchObject({
      code: 'store_foreign',
      text: expect.stringContaining('is not a SQLite database'),
    })
    expect(readFileSync(file, 'utf8')).toBe('dear diary')
  })

  it('a database of another program', async () => {
    const file = tempFile()
    const theirs = new DatabaseSync(file)
    theirs.exec('create table songs (name text)')
    theirs.close()
    const before = readFileSync(file)
    expect(await refusal(file)).toMatchObject({
      code: 'store_foreign',
      text: expect.stringContaining('another program'),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(existsSync(`${file}-reserve`)).toBe(false)
    expect(REGISTRY.store_foreign.exit).toBe(78)
  })

  it('but the caller may keep tables of their own in ours', async () => {
    const file = tempFile()
    const first = await open({ file })
    first.connection.exec('create table songs (name text); create index songs_name on songs (name)')
    await first.store.close()
    expect(await refusal(file)).toBeUndefined()
  })
})

describe('a schema', () => {
  it('older than this version is refused with the command, and migrated on request', async () => {
    const file = tempFile()
    await (await open({ file })).store.close()
    const newer = { migrations: [...migrations, second] }
    expect(await refusal(file, newer)).toEqual({
      code: 'store_schema',
      text: `${file} has an older schema: more_room to apply; npx pawl migrate --store sqlite:${file}, or migrate: true for Pawl.open`,
    })
    expect(await refusal(file, { ...newer, migrate: true })).toBeUndefined()
    expect(await refusal(file, newer)).toBeUndefined()
  })

  it('newer and compatible is used, with a warning; newer and breaking is refused', async () => {
    const file = tempFile()
    await (await open({ file, migrations: [...migrations, second] })).store.close()
    const old = await open({ file })
    expect(old.warnings).toEqual([`${file} was migrated by a newer Pawl; this one can still work with it`])
    await old.store.close()
    const breaking = {
      ...second,
      number: second.number + 1,
      name: 'split',
      breaking: true,
      text: 'create table split (a integer);',
    }
    await (await open({ file, migrations: [...migrations, second, breaking], migrate: true })).store.close()
    expect(await refusal(file)).toMatchObject({
      code: 'store_schema',
      text: expect.stringContaining('newer Pawl (split)'),
    })
  })

  it('made by a changed migration is refused', async () => {
    const file = tempFile()
    await (await open({ file })).store.close()
    const changed = { ...base, checksum: 'another' }
    expect(await refusal(file, { migrations: [changed] })).toMatchObject({ code: 'store_schema' })
  })

  it('changed by hand is refused', async () => {
    const file = tempFile()
    const first = await open({ file })
    first.connection.exec('drop index actions_due')
    await first.store.close()
    expect(await refusal(file)).toMatchObject({
      code: 'store_corrupt',
      text: expect.stringContaining('actions_due'),
    })
    expect(REGISTRY.store_corrupt.exit).toBe(78)
  })

  it('a migration that fails leaves the file as it was', async () => {
    const file = tempFile()
    await (await open({ file })).store.close()
    const broken = { ...second, text: 'create table room (a integer) strict; create table room (b integer);' }
    expect(await refusal(file, { migrations: [...migrations, broken], migrate: true })).toMatchObject({
      code: 'store_unavailable',
    })
    expect(await refusal(file)).toBeUndefined()
  })

  it('copied into tables with other checks says what it said, to a view of the caller too', async () => {
    const file = tempFile()
    const first = await open({ file, migrations: migrations.slice(0, 11) })
    first.connection.exec('create view theirs as select id from executions')
    for (const id of ['exe_2', 'exe_1']) {
      const paused = { execution: execution(id, { status: 'paused' }) }
      await first.commit({ advance: advance(id, { actions: [action(`act_${id}`)], ...paused }) })
    }
    await first.commit({ enqueue: [action('act_dead', { status: 'dead' }), action('act_1')] })
    await first.store.claim({
      shares: [{ lane: 1, n: 1 }],
      batch: 1,
      worker: 'w1',
      nonce: 'n1',
      leaseMs: 9_000_000_000_000,
      byteBudget: 1e6,
      now: NOW,
    })
    // Seals are made anew, of what they are made of now.
    const rowsOf = ({ connection }: { connection: DatabaseSync }) =>
      ['executions', 'actions', 'theirs'].map((name) =>
        connection
          .prepare(`select * from ${name}`)
          .all()
          .map(({ seal: _, ...said }) => said),
      )
    const before = rowsOf(first)
    await first.store.close()
    const again = await open({ file, migrate: true })
    expect(rowsOf(again)).toEqual(before)
    expect(before.map((rows) => rows.length)).toEqual([2, 4, 2])
    const wrong = (text: string) => () => again.connection.exec(text)
    expect(wrong(`update executions set status = 'odd'`)).toThrow(/CHECK/)
    expect(wrong(`update executions set paused_from = 'odd'`)).toThrow(/CHECK/)
    expect(wrong(`update executions set kind = 'odd'`)).toThrow(/CHECK/)
    expect(wrong(`update actions set status = 'odd'`)).toThrow(/CHECK/)
  })

  it('made by another process while this one looks is not taken for a foreign one', async () => {
    const file = tempFile()
    const db = new DatabaseSync(file)
    db.exec('pragma journal_mode = wal')
    const prepare = db.prepare.bind(db)
    db.prepare = (text) => {
      if (text.includes('sqlite_schema')) {
        const rival = new DatabaseSync(file)
        rival.exec(`${base.text}; pragma application_id = ${0x5041574c}`)
        rival.close()
        db.prepare = prepare
      }
      return prepare(text)
    }
    expect(() => inSnapshot(db, () => assertOurs(db, file))).not.toThrow()
    expect(db.prepare('select count(*) as n from store_meta').get()!['n']).toBe(0)
  })

  it('two that open a new store at once: one migrates, both work', async () => {
    const file = tempFile()
    const timers = stepTimers()
    const opened = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        openSqlite({ file, timers, random: () => `${counter()()} of ${index}`, reserveBytes: 0 }),
      ),
    )
    expect(new Set(opened.map(({ store }) => store.id)).size).toBe(1)
    const results = await Promise.all(
      opened.map(({ store }, index) => store.commit([{ ...OF, at: NOW, enqueue: [action(`act_${index}`)] }])),
    )
    expect(results.flat().map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok'])
    const ledger = opened[0]!.connection.prepare('select count(*) as n from migrations').get()
    expect(ledger!['n']).toBe(migrations.length)
    for (const { store } of opened) await store.close()
  })
})
